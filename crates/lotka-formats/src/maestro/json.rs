//! JSON with the place of every value.

use std::{fmt, ops::Range};

use lotka_system::Located;
use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// A syntax error: its place and its message.
pub(super) type Wrong = (usize, String);

/// A value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Json<'t> {
    /// The whole text.
    text: &'t str,
    raw: &'t str,
    /// Only values of the main file have places.
    is_main: bool,
}

/// The members of an object, in the order of the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Object<'t>(pub(super) Vec<(Located<String>, Json<'t>)>);

impl<'t> Object<'t> {
    /// The value of a key; the last one if a key occurs twice. `null` counts as missing.
    pub(super) fn get(&self, name: &str) -> Option<Json<'t>> {
        self.0.iter().rev().find(|(key, _)| key.value == name).map(|(_, value)| *value).filter(|value| value.raw != "null")
    }
}

impl<'t> Json<'t> {
    pub(super) fn parse(text: &'t str, is_main: bool) -> Result<Self, Wrong> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => Ok(Self { text, raw: raw.get(), is_main }),
            Err(error) => Err((offset(text, error.line(), error.column()), error.to_string())),
        }
    }

    /// The place of the value.
    pub(super) fn span(&self) -> Option<Range<usize>> {
        place(self.text, self.raw).filter(|_| self.is_main)
    }

    pub(super) fn located<T>(&self, value: T) -> Located<T> {
        Located { value, span: self.span() }
    }

    /// The members, if it is an object.
    pub(super) fn object(&self) -> Result<Object<'t>, Wrong> {
        let members: Members<'t> = self.of("an object")?;
        let member = |(key, raw): (Key<'t>, &'t RawValue)| {
            let value = Json { raw: raw.get(), ..*self };
            let span = key.raw.and_then(|raw| place(self.text, raw)).filter(|_| self.is_main);
            (Located { value: key.value, span: span.or_else(|| value.span()) }, value)
        };
        Ok(Object(members.0.into_iter().map(member).collect()))
    }

    /// The items, if it is a list; one value is a list of one.
    pub(super) fn items(&self) -> Vec<Self> {
        match serde_json::from_str::<Vec<&'t RawValue>>(self.raw) {
            Ok(items) => items.into_iter().map(|raw| Self { raw: raw.get(), ..*self }).collect(),
            Err(_) => vec![*self],
        }
    }

    pub(super) fn string(&self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }

    /// A number, or a string that is one.
    pub(super) fn number(&self) -> Option<f64> {
        let text = self.scalar()?;
        text.trim().parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Whether it is empty: `null`, `false`, or an empty text, list or object.
    pub(super) fn is_empty(&self) -> bool {
        let plain: String = self.raw.chars().filter(|c| !c.is_whitespace()).take(8).collect();
        matches!(plain.as_str(), "null" | "false" | "\"\"" | "[]" | "{}")
    }

    pub(super) fn is_true(&self) -> bool {
        self.scalar().is_some_and(|text| text == "true")
    }

    /// The characters of a string, a number, `true` or `false`.
    pub(super) fn scalar(&self) -> Option<String> {
        match self.raw.as_bytes().first()? {
            b'"' => self.string(),
            b'{' | b'[' | b'n' => None,
            _ => Some(self.raw.to_owned()),
        }
    }

    fn of<T: Deserialize<'t>>(&self, what: &str) -> Result<T, Wrong> {
        let at = place(self.text, self.raw).map_or(0, |place| place.start);
        serde_json::from_str(self.raw).map_err(|_| (at, format!("expected {what}")))
    }
}

/// A part of a text as a range of it.
fn place(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some(start..start + part.len()).filter(|range| range.end <= text.len())
}

/// Line and column of an error, both from 1, as an offset.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (start + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A key, and its range in the text unless it has escapes.
struct Key<'t> {
    value: String,
    raw: Option<&'t str>,
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, raw: &'de str) -> Result<Key<'de>, E> {
                Ok(Key { value: raw.to_owned(), raw: Some(raw) })
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key { value: text.to_owned(), raw: None })
            }
        }
        deserializer.deserialize_str(Keys)
    }
}

/// Members of an object.
struct Members<'t>(Vec<(Key<'t>, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Objects;
        impl<'de> Visitor<'de> for Objects {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Objects)
    }
}
