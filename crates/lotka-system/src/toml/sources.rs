//! `[sources]`

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Section,
    form::{Choice, Definition, Form},
    keys::{Key, Keys},
    section::{Entry, entries, kind, scalar},
};
use crate::{CsvSettings, Interpolation, Located, Outside, SourceSettings, SourceSignal, StartValue};
use lotka_message::{Code, Findings, nearest};

pub(super) static INTERPOLATIONS: [Choice<Interpolation>; 2] = [
    Choice::new("linear", Interpolation::Linear, "Straight lines between rows."),
    Choice::new("previous", Interpolation::Previous, "The value of the last row."),
];

pub(super) static OUTSIDE: [Choice<Outside>; 2] = [
    Choice::new("error", Outside::Error, "Lotka refuses a table that does not cover the experiment."),
    Choice::new("hold", Outside::Hold, "The first and the last value."),
];

pub(super) const SOURCES: Form = Form::Names(&Form::Any(&[
    Form::Text,
    Form::Table(CSV),
    Form::Table(CONSTANT),
    Form::Table(STEP),
    Form::Table(RAMP),
    Form::Table(SINE),
]));

const CSV: Keys = &[&CSV_KEYS];
const CONSTANT: Keys = &[&CONSTANT_KEYS, &UNIT];
const STEP: Keys = &[&STEP_KEYS, &UNIT];
const RAMP: Keys = &[&RAMP_KEYS, &UNIT];
const SINE: Keys = &[&SINE_KEYS, &UNIT];

static CSV_KEYS: [Key; 4] = [
    Key::new("csv", Form::Text, "Path of the table, relative to the system file.").required(),
    Key::new("interpolation", Form::Choice(&INTERPOLATIONS), "Real values between rows.").or("\"linear\""),
    Key::new("outside", Form::Choice(&OUTSIDE), "Values before the first and after the last row.").or("\"error\""),
    Key::new("units", Form::Names(&Form::Defined(&UNIT_NAME)), "Units of columns; they override those in the header."),
];

static UNIT_NAME: Definition =
    Definition { name: "unit", form: Form::Any(&[Form::Text, Form::Dotted(&Form::Defined(&UNIT_NAME), &[])]) };

static CONSTANT_KEYS: [Key; 2] = [signal("constant", "A constant."), Key::new("value", Form::Scalar, "The value.").required()];

static STEP_KEYS: [Key; 4] = [
    signal("step", "A value that changes once."),
    Key::new("time", Form::Number, "When it changes [s].").required(),
    Key::new("to", Form::Scalar, "The value from then on.").required(),
    Key::new("from", Form::Scalar, "The value before.").or("0"),
];

static RAMP_KEYS: [Key; 5] = [
    signal("ramp", "A straight line between two constant values."),
    Key::new("time", Form::Number, "When it begins [s].").required(),
    Key::new("duration", Form::Number, "How long it takes [s].").required(),
    Key::new("to", Form::Number, "The value after.").required(),
    Key::new("from", Form::Number, "The value before.").or("0"),
];

static SINE_KEYS: [Key; 6] = [
    signal("sine", "offset + amplitude sin(2 pi frequency (t - time) + phase)."),
    Key::new("amplitude", Form::Number, "Amplitude.").required(),
    Key::new("frequency", Form::Number, "Frequency [Hz].").required(),
    Key::new("phase", Form::Number, "Phase [rad].").or("0"),
    Key::new("offset", Form::Number, "Mean value.").or("0"),
    Key::new("time", Form::Number, "Begin [s]; until then the value is the offset.")
        .or_else("the sine counts from 0, and has no begin"),
];

static UNIT: [Key; 1] = [Key::new("unit", Form::Text, "Unit of the output `y`.")];

const fn signal(name: &'static str, help: &'static str) -> Key {
    Key::new("signal", Form::Word(name), help).required()
}

const SIGNALS: [(&str, Keys); 4] = [("constant", CONSTANT), ("step", STEP), ("ramp", RAMP), ("sine", SINE)];
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
    let has = ["csv", "signal"].map(|key| table.contains_key(key));
    let (signal, units) = match has {
        [true, false] => {
            let section = Section::new("sources", CSV, table, entry.value.span());
            let path = section.text("csv", findings);
            let read = (path.map(|path| csv(path, &section, findings)), units(&section, findings));
            section.finish(findings);
            read
        }
        [false, true] => formula(&name.value, table, entry, findings),
        [is_table, _] => {
            let (code, message) = if is_table {
                (Code::ConflictingSettings, format!("the source `{}` has both `csv` and `signal`", name.value))
            } else {
                (Code::MissingKey, format!("the source `{}` has neither `csv` nor `signal`", name.value))
            };
            findings.error(code, &Some(entry.value.span()), message, HELP.to_owned());
            return None;
        }
    };
    Some(SourceSettings { name, signal: signal?, units })
}

/// Units of columns or of the output of a formula, by name.
type ColumnUnits = Vec<(Located<String>, Located<String>)>;

fn formula(name: &str, table: &DeTable<'_>, entry: &Entry<'_>, findings: &mut Findings) -> (Option<SourceSignal>, ColumnUnits) {
    let section = |keys| Section::new("sources", keys, table, entry.value.span());
    let Some(signal) = section(CONSTANT).text("signal", findings) else { return (None, Vec::new()) };
    let Some((_, keys)) = SIGNALS.iter().find(|(known, _)| *known == signal.value) else {
        let help = nearest(&signal.value, SIGNALS.iter().map(|(name, _)| *name));
        findings.error(Code::UnknownChoice, &signal.span, format!("unknown signal `{}`", signal.value), help);
        return (None, Vec::new());
    };
    let section = section(keys);
    let unit = section.text("unit", findings);
    let units = unit.map(|unit| vec![(Located { value: "y".to_owned(), span: unit.span.clone() }, unit)]);
    let mut formula = Formula { name, section: &section, findings, is_complete: true };
    let read = formula.read(&signal.value);
    section.finish(findings);
    (read, units.unwrap_or_default())
}

fn csv(path: Located<String>, section: &Section<'_>, findings: &mut Findings) -> SourceSignal {
    let path = Located { value: path.value.into(), span: path.span };
    let interpolation = section.choice("interpolation", &INTERPOLATIONS, findings).map(|choice| choice.value);
    let outside = section.choice("outside", &OUTSIDE, findings).map(|choice| choice.value);
    SourceSignal::Csv(CsvSettings {
        path,
        interpolation: interpolation.unwrap_or_default(),
        outside: outside.unwrap_or_default(),
    })
}

/// `units = { T = "degC" }`; a dotted column name is a table of tables.
fn units(section: &Section<'_>, findings: &mut Findings) -> ColumnUnits {
    let mut units = Vec::new();
    if let Some(section) = section.section("units", findings) {
        section.entries().iter().for_each(|entry| unit(entry.key.to_owned(), entry, &mut units, findings));
    }
    units
}

fn unit(name: String, entry: &Entry<'_>, units: &mut ColumnUnits, findings: &mut Findings) {
    match entry.value.get_ref() {
        DeValue::Table(table) => {
            for inner in &entries(table) {
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
    section: &'s Section<'a>,
    findings: &'f mut Findings,
    is_complete: bool,
}

impl Formula<'_, '_, '_> {
    fn read(&mut self, signal: &str) -> Option<SourceSignal> {
        let found = match signal {
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
            _ => SourceSignal::Sine {
                amplitude: self.number("amplitude", None),
                frequency: self.positive("frequency"),
                phase: self.number("phase", Some(0.0)),
                offset: self.number("offset", Some(0.0)),
                time: self.section.number("time", self.findings).map(|time| time.value),
            },
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
