//! `[instances]`

use std::ops::Range;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Section,
    form::{Definition, Form},
    isolation,
    keys::{Key, Keys},
    section::{Entry, entries, kind, value},
};
use crate::{InstanceSettings, Located, StartSetting};
use lotka_message::{Code, Findings};

pub(super) const INSTANCES: Form = Form::Names(&Form::Any(&[Form::Text, Form::Table(INSTANCE)]));

const INSTANCE: Keys = &[&KEYS, &isolation::KEYS];

static KEYS: [Key; 5] = [
    Key::new("fmu", Form::Text, "Path of the FMU, relative to the system file.").required(),
    Key::new("start", VALUES, "Parameters and start values by variable, in place of those of the FMU."),
    Key::new("pass-stop-time", Form::Boolean, "Whether the FMU receives the stop time.").or("true"),
    Key::new("fmu-tolerance", Form::Number, "Relative tolerance that Lotka requests from this FMU.")
        .or_else("that of [experiment]"),
    Key::new(
        "sample-time",
        Form::Number,
        "Step size of this instance alone in seconds: its inputs are sampled at the beginning of each of these steps, and its outputs held until the end.",
    )
    .or_else("the communication step size"),
];

/// Values of variables by name.
pub(super) const VALUES: Form = Form::Names(&OF_VARIABLE);

static OF_VARIABLE: Form = Form::Defined(&VALUE);

static VALUE: Definition = Definition {
    name: "value",
    form: Form::Any(&[
        Form::Scalar,
        Form::Defined(&ELEMENTS),
        Form::Table(&[&QUANTITY]),
        Form::Dotted(&Form::Defined(&VALUE), &[]),
    ]),
};

/// The elements of an array, also as rows.
static ELEMENTS: Definition =
    Definition { name: "elements", form: Form::List(&Form::Any(&[Form::Scalar, Form::Defined(&ELEMENTS)]), 0) };

static QUANTITY: [Key; 2] = [
    Key::new("value", Form::Any(&[Form::Scalar, Form::Defined(&ELEMENTS)]), "The value, in this unit.").required(),
    Key::new("unit", Form::Text, "A unit that the FMU or [units] defines.").required(),
];

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> Vec<InstanceSettings> {
    section.entries().iter().filter_map(|entry| instance(entry, findings)).collect()
}

fn instance(entry: &Entry<'_>, findings: &mut Findings) -> Option<InstanceSettings> {
    let name = Located { value: entry.key.to_owned(), span: Some(entry.key_span.clone()) };
    match entry.value.get_ref() {
        DeValue::String(path) => {
            let fmu = Located { value: path.as_ref().into(), span: Some(entry.value.span()) };
            Some(InstanceSettings::new(name, fmu))
        }
        DeValue::Table(table) => from_table(name, entry, table, findings),
        other => {
            let message = format!("expected the path of an FMU or a table with `fmu` for `{}`, found {}", entry.key, kind(other));
            findings.error(Code::WrongType, &Some(entry.value.span()), message, None);
            None
        }
    }
}

fn from_table(
    name: Located<String>,
    entry: &Entry<'_>,
    table: &DeTable<'_>,
    findings: &mut Findings,
) -> Option<InstanceSettings> {
    let section = Section::new(entry.key, INSTANCE, table, entry.value.span());
    let fmu = section.text("fmu", findings);
    let mut start = Vec::new();
    if let Some(values) = section.section("start", findings) {
        for entry in values.entries() {
            named_values("start value", entry.key.to_owned(), (&entry.key_span, entry.value), &mut start, findings);
        }
    }
    let pass_stop_time = section.boolean("pass-stop-time", findings).is_none_or(|value| value.value);
    let fmu_tolerance = section.number("fmu-tolerance", findings);
    let sample_time = section.number("sample-time", findings);
    let isolation = isolation::read(&section, findings);
    let place = section.span.clone();
    section.finish(findings);
    let Some(fmu) = fmu else {
        findings.error(
            Code::MissingKey,
            &Some(place),
            format!("instance `{}` has no FMU", name.value),
            "set fmu = \"path.fmu\"".to_owned(),
        );
        return None;
    };
    let fmu = Located { value: fmu.value.into(), span: fmu.span };
    Some(InstanceSettings { start, pass_stop_time, fmu_tolerance, sample_time, isolation, ..InstanceSettings::new(name, fmu) })
}

/// The value and the unit of `{ value = 20.0, unit = "degC" }`; anything else is a value.
fn quantity<'a>(written: &'a Spanned<DeValue<'a>>) -> (&'a Spanned<DeValue<'a>>, Option<Located<String>>) {
    let DeValue::Table(table) = written.get_ref() else { return (written, None) };
    match (table.len(), table.get("value"), table.get("unit").map(|unit| (unit, unit.get_ref().as_str()))) {
        (2, Some(value), Some((unit, Some(name)))) => (value, Some(Located { value: name.to_owned(), span: Some(unit.span()) })),
        _ => (written, None),
    }
}

/// Nested tables come from dotted names: `motor.k = 1` names the variable `motor.k`.
pub(super) fn named_values(
    what: &str,
    name: String,
    (span, written): (&Range<usize>, &Spanned<DeValue<'_>>),
    values: &mut Vec<StartSetting>,
    findings: &mut Findings,
) {
    let (written, unit) = quantity(written);
    if let DeValue::Table(table) = written.get_ref() {
        for entry in entries(table) {
            named_values(what, format!("{name}.{}", entry.key), (&entry.key_span, entry.value), values, findings);
        }
        return;
    }
    match value(written.get_ref()) {
        Some(start) => {
            let variable = Located { value: name, span: Some(span.clone()) };
            let value = Located { value: start, span: Some(written.span()) };
            values.push(StartSetting { unit, ..StartSetting::new(variable, value) });
        }
        None => findings.error(
            Code::WrongType,
            &Some(written.span()),
            format!(
                "expected a number, a string, true or false, or a list of them, for the {what} of `{name}`, found {}",
                kind(written.get_ref())
            ),
            None,
        ),
    }
}
