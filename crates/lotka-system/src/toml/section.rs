//! A table of the file, read by the keys that are declared for it; others are reported.

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::form::{Choice, Form};
use super::keys::{Key, Keys};
use crate::{Located, StartValue};
use lotka_message::{Code, Findings, nearest};

pub(super) struct Section<'a> {
    name: &'a str,
    keys: Keys,
    pub(super) span: Range<usize>,
    entries: Vec<Entry<'a>>,
}

/// A key with its value.
pub(super) struct Entry<'a> {
    pub(super) key: &'a str,
    pub(super) key_span: Range<usize>,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Section<'a> {
    /// A table with declared keys; messages use its name.
    pub(super) fn new(name: &'a str, keys: Keys, table: &'a DeTable<'a>, span: Range<usize>) -> Self {
        Self { name, keys, span, entries: entries(table) }
    }

    /// All entries, in file order.
    pub(super) fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// The value of a declared key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(self.declared(key).is_some(), "`{key}` is not declared in [{}]", self.name);
        self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value)
    }

    /// The value of a key that is declared with such a form.
    fn value_of(&self, key: &str, is_form: impl Fn(&Form) -> bool) -> Option<&'a Spanned<DeValue<'a>>> {
        debug_assert!(self.declared(key).is_some_and(|key| is_form(&key.form)), "`{key}` is declared with another form");
        self.get(key)
    }

    fn declared(&self, name: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == name)
    }

    fn all_keys(&self) -> impl Iterator<Item = &'static Key> + Clone + use<> {
        self.keys.iter().copied().flatten()
    }

    pub(super) fn section(&self, key: &'static str, findings: &mut Findings) -> Option<Section<'a>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => {
                let keys = self.declared(key).map_or(&[][..], |key| key.form.keys());
                Some(Section::new(key, keys, table, value.span()))
            }
            other => {
                findings.error(
                    Code::WrongType,
                    &Some(value.span()),
                    format!("expected a section for `{key}`, found {}", kind(other)),
                    format!("write [{key}]"),
                );
                None
            }
        }
    }

    pub(super) fn number(&self, key: &'static str, findings: &mut Findings) -> Option<Located<f64>> {
        let value = self.value_of(key, |form| form.permits(&|form| matches!(form, Form::Number)))?;
        let message = || match value.get_ref() {
            DeValue::Float(float) => format!("expected a finite number for `{key}`, found {}", float.as_str()),
            other => format!("expected a number for `{key}`, found {}", kind(other)),
        };
        located(value, number(value.get_ref()), message, findings)
    }

    /// A number or a list of numbers.
    pub(super) fn numbers(&self, key: &'static str, findings: &mut Findings) -> Option<Vec<Located<f64>>> {
        let value = self.value_of(key, |form| form.permits(&|form| matches!(form, Form::List(Form::Number, 0))))?;
        let items = match value.get_ref() {
            DeValue::Array(list) => list.iter().collect(),
            _ => vec![value],
        };
        let one = |item: &Spanned<DeValue<'_>>, findings: &mut Findings| {
            let message = || format!("expected a number in `{key}`, found {}", kind(item.get_ref()));
            located(item, number(item.get_ref()), message, findings)
        };
        Some(items.into_iter().filter_map(|item| one(item, findings)).collect())
    }

    pub(super) fn integer(&self, key: &'static str, findings: &mut Findings) -> Option<Located<i64>> {
        let value = self.value_of(key, |form| matches!(form, Form::Integer))?;
        located(
            value,
            integer(value.get_ref()),
            || format!("expected a whole number for `{key}`, found {}", kind(value.get_ref())),
            findings,
        )
    }

    pub(super) fn boolean(&self, key: &'static str, findings: &mut Findings) -> Option<Located<bool>> {
        let value = self.value_of(key, |form| matches!(form, Form::Boolean))?;
        located(
            value,
            value.get_ref().as_bool(),
            || format!("expected true or false for `{key}`, found {}", kind(value.get_ref())),
            findings,
        )
    }

    pub(super) fn text(&self, key: &'static str, findings: &mut Findings) -> Option<Located<String>> {
        let value = self.value_of(key, Form::permits_text)?;
        let text = value.get_ref().as_str().map(str::to_owned);
        located(value, text, || format!("expected a string for `{key}`, found {}", kind(value.get_ref())), findings)
    }

    /// A list of texts; messages use the nouns for the list and for an item.
    pub(super) fn texts(
        &self,
        key: &'static str,
        (all, one): (&str, &str),
        findings: &mut Findings,
    ) -> Option<Located<Vec<Located<String>>>> {
        let value = self.value_of(key, |form| matches!(form, Form::List(item, _) if item.permits_text()))?;
        let DeValue::Array(list) = value.get_ref() else {
            let message = format!("expected a list of {all} for `{key}`, found {}", kind(value.get_ref()));
            findings.error(Code::WrongType, &Some(value.span()), message, None);
            return None;
        };
        let mut texts = Vec::new();
        for item in list.iter() {
            match item.get_ref().as_str() {
                Some(text) => texts.push(Located { value: text.to_owned(), span: Some(item.span()) }),
                None => {
                    let message = format!("expected {one} in `{key}`, found {}", kind(item.get_ref()));
                    findings.error(Code::WrongType, &Some(item.span()), message, None);
                }
            }
        }
        Some(Located { value: texts, span: Some(value.span()) })
    }

    /// One of a few names.
    pub(super) fn choice<T: Copy>(&self, key: &'static str, known: &[Choice<T>], findings: &mut Findings) -> Option<Located<T>> {
        let name = self.text(key, findings)?;
        let value = named(key, &name, known, findings)?;
        Some(Located { value, span: name.span })
    }

    /// Reports the keys that are not declared.
    pub(super) fn finish(self, findings: &mut Findings) {
        for entry in self.entries.iter().filter(|entry| self.declared(entry.key).is_none()) {
            let (code, message) = match self.name {
                "" => (Code::UnknownSection, format!("unknown section [{}]", entry.key)),
                name => (Code::UnknownKey, format!("unknown key `{}` in [{name}]", entry.key)),
            };
            findings.error(code, &Some(entry.key_span.clone()), message, nearest(entry.key, self.all_keys().map(|key| key.name)));
        }
    }
}

/// The entries of a table, in file order.
pub(super) fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<_> =
        table.iter().map(|(key, value)| Entry { key: key.get_ref(), key_span: key.span(), value }).collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    entries
}

fn located<T>(
    value: &Spanned<DeValue<'_>>,
    converted: Option<T>,
    message: impl FnOnce() -> String,
    findings: &mut Findings,
) -> Option<Located<T>> {
    if converted.is_none() {
        findings.error(Code::WrongType, &Some(value.span()), message(), None);
    }
    converted.map(|converted| Located { value: converted, span: Some(value.span()) })
}

/// The value with this name, as the value of `key`.
pub(super) fn named<T: Copy>(key: &str, name: &Located<String>, known: &[Choice<T>], findings: &mut Findings) -> Option<T> {
    let found = known.iter().find(|choice| choice.name == name.value).map(|choice| choice.value);
    if found.is_none() {
        let help = nearest(&name.value, known.iter().map(|choice| choice.name));
        findings.error(Code::UnknownChoice, &name.span, format!("unknown {key} `{}`", name.value), help);
    }
    found
}

/// A finite number; whole numbers count.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().parse().ok().filter(|value: &f64| value.is_finite()),
        DeValue::Integer(_) => integer(value).map(|whole| whole as f64),
        _ => None,
    }
}

pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A number, text, true or false.
pub(super) fn scalar(value: &DeValue<'_>) -> Option<StartValue> {
    match value {
        DeValue::String(text) => Some(StartValue::Text(text.to_string())),
        DeValue::Boolean(value) => Some(StartValue::Boolean(*value)),
        DeValue::Integer(_) => integer(value).map(StartValue::Integer),
        _ => number(value).map(StartValue::Real),
    }
}

/// A number, text, true or false, or a list of them.
pub(super) fn value(value: &DeValue<'_>) -> Option<StartValue> {
    match value {
        DeValue::Array(items) => {
            items.iter().map(|item| self::value(item.get_ref())).collect::<Option<_>>().map(StartValue::List)
        }
        value => scalar(value),
    }
}

/// The kind of a value, with an article.
pub(super) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number that cannot be used",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
