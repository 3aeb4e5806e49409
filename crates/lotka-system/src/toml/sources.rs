//! `[sources]`

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Section,
    section::{Entry, kind, scalar},
};
use crate::{CsvSettings, Interpolation, Located, Outside, SourceSettings, SourceSignal, StartValue};
use lotka_message::{Code, Findings, nearest};

pub(super) const INTERPOLATIONS: &[(&str, Interpolation)] =
    &[("linear", Interpolation::Linear), ("previous", Interpolation::Previous)];
pub(super) const OUTSIDE: &[(&str, Outside)] = &[("error", Outside::Error), ("hold", Outside::Hold)];
const SIGNALS: &[&str] = &["constant", "step", "ramp", "sine"];
const HELP: &str = "write { csv = \"file.csv\" }, or { signal = \"step\", time = 1.0, to = 5.0 }";

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> Vec<SourceSettings> {
    section.entries().iter().filter_map(|entry| source(entry, findings)).collect()
}

fn source(entry: &Entry<'_>, findings: &mut Findings) -> Option<SourceSettings> {
    let name = Located { value: entry.key.to_owned(), span: Some(entry.key_span.clone()) };
    match entry.value.get_ref() {
        DeValue::String(path) => {
            let path = Located { value: path.as_ref().into(), span: Some(entry.value.span()) };
            let csv = CsvSettings { path, interpolation: Interpolation::default(), outside: Outside::default() };
            Some(SourceSettings { name, signal: SourceSignal::Csv(csv), units: Vec::new() })
        }
        DeValue::Table(table) => from_table(name, entry, table, findings),
        other => {
            let message = format!("expected a file or a signal for the source `{}`, found {}", entry.key, kind(other));
            findings.error(Code::WrongType, &Some(entry.value.span()), message, HELP.to_owned());
            None
        }
    }
}

fn from_table(name: Located<String>, entry: &Entry<'_>, table: &DeTable<'_>, findings: &mut Findings) -> Option<SourceSettings> {
    let mut section = Section::new("sources", table, entry.value.span());
    let path = section.text("csv", findings);
    let signal = section.text("signal", findings);
    let (signal, units) = match (path, signal) {
        (Some(path), None) => (Some(csv(path, &mut section, findings)), units(&mut section, findings)),
        (None, Some(signal)) => {
            let unit = section.text("unit", findings);
            let units = unit.map(|unit| vec![(Located { value: "y".to_owned(), span: unit.span.clone() }, unit)]);
            let mut formula = Formula { name: &name.value, section: &mut section, findings, is_complete: true };
            (formula.read(&signal), units.unwrap_or_default())
        }
        (path, _) => {
            let (code, message) = match path {
                Some(_) => (Code::ConflictingSettings, format!("the source `{}` has both `csv` and `signal`", name.value)),
                None => (Code::MissingKey, format!("the source `{}` has neither `csv` nor `signal`", name.value)),
            };
            findings.error(code, &Some(entry.value.span()), message, HELP.to_owned());
            return None;
        }
    };
    // Its keys are known only together with the signal.
    if signal.is_some() {
        section.finish(findings);
    }
    Some(SourceSettings { name, signal: signal?, units })
}

fn csv(path: Located<String>, section: &mut Section<'_>, findings: &mut Findings) -> SourceSignal {
    let path = Located { value: path.value.into(), span: path.span };
    let interpolation = section.choice("interpolation", INTERPOLATIONS, findings).map(|choice| choice.value);
    let outside = section.choice("outside", OUTSIDE, findings).map(|choice| choice.value);
    SourceSignal::Csv(CsvSettings {
        path,
        interpolation: interpolation.unwrap_or_default(),
        outside: outside.unwrap_or_default(),
    })
}

/// `units = { T = "degC" }`; a dotted column name is a table of tables.
fn units(section: &mut Section<'_>, findings: &mut Findings) -> Vec<(Located<String>, Located<String>)> {
    let mut units = Vec::new();
    if let Some(section) = section.section("units", findings) {
        section.entries().iter().for_each(|entry| unit(entry.key.to_owned(), entry, &mut units, findings));
    }
    units
}

fn unit(name: String, entry: &Entry<'_>, units: &mut Vec<(Located<String>, Located<String>)>, findings: &mut Findings) {
    match entry.value.get_ref() {
        DeValue::Table(table) => {
            for inner in Section::new("units", table, entry.value.span()).entries() {
                unit(format!("{name}.{}", inner.key), inner, units, findings);
            }
        }
        DeValue::String(text) => {
            let unit = Located { value: text.to_string(), span: Some(entry.value.span()) };
            units.push((Located { value: name, span: Some(entry.key_span.clone()) }, unit));
        }
        other => {
            let message = format!("expected a string for the unit of `{name}`, found {}", kind(other));
            findings.error(Code::WrongType, &Some(entry.value.span()), message, None);
        }
    }
}

/// A source with a formula.
struct Formula<'a, 's, 'f> {
    name: &'a str,
    section: &'s mut Section<'a>,
    findings: &'f mut Findings,
    is_complete: bool,
}

impl Formula<'_, '_, '_> {
    fn read(&mut self, signal: &Located<String>) -> Option<SourceSignal> {
        let found = match signal.value.as_str() {
            "constant" => SourceSignal::Constant { value: self.value("value", None) },
            "step" => SourceSignal::Step {
                time: self.number("time", None),
                to: self.value("to", None),
                from: self.value("from", Some(StartValue::Integer(0))),
            },
            "ramp" => SourceSignal::Ramp {
                time: self.number("time", None),
                duration: self.positive("duration"),
                to: self.number("to", None),
                from: self.number("from", Some(0.0)),
            },
            "sine" => SourceSignal::Sine {
                amplitude: self.number("amplitude", None),
                frequency: self.positive("frequency"),
                phase: self.number("phase", Some(0.0)),
                offset: self.number("offset", Some(0.0)),
                time: self.section.number("time", self.findings).map(|time| time.value),
            },
            other => {
                let help = nearest(other, SIGNALS.iter().copied());
                self.findings.error(Code::UnknownChoice, &signal.span, format!("unknown signal `{other}`"), help);
                return None;
            }
        };
        self.is_complete.then_some(found)
    }

    /// A number with this key. An invalid or missing one is reported, and counts as 0.
    fn number(&mut self, key: &'static str, default: Option<f64>) -> f64 {
        let given = self.section.get(key).is_some();
        let number = self.section.number(key, self.findings).map(|number| number.value);
        if !given && default.is_none() {
            self.lacks(key);
        }
        self.is_complete &= number.is_some() || !given && default.is_some();
        number.or(default).unwrap_or_default()
    }

    fn positive(&mut self, key: &'static str) -> f64 {
        let number = self.number(key, None);
        if self.is_complete && number <= 0.0 {
            self.is_complete = false;
            let place = self.section.get(key).map(Spanned::span);
            self.findings.error(
                Code::OutOfRange,
                &place,
                format!("expected a value greater than 0 for `{key}`, found {number}"),
                None,
            );
        }
        number
    }

    fn value(&mut self, key: &'static str, default: Option<StartValue>) -> StartValue {
        let given = self.section.get(key);
        let value = given.and_then(|value| scalar(value.get_ref()));
        if let (Some(given), None) = (given, &value) {
            let message = format!("expected a number, a string, true or false for `{key}`, found {}", kind(given.get_ref()));
            self.findings.error(Code::WrongType, &Some(given.span()), message, None);
        }
        if given.is_none() && default.is_none() {
            self.lacks(key);
        }
        self.is_complete &= value.is_some() || given.is_none() && default.is_some();
        value.or(default).unwrap_or(StartValue::Integer(0))
    }

    fn lacks(&mut self, key: &str) {
        let place = Some(self.section.span.clone());
        self.findings.error(Code::MissingKey, &place, format!("the source `{}` has no `{key}`", self.name), HELP.to_owned());
    }
}
