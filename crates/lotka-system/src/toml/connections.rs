//! `[connections]`

use toml::{Spanned, de::DeValue};

use super::{
    Section,
    form::{Definition, Form},
    keys::{Key, Keys},
    section::{Entry, entries, integer, kind},
};
use crate::{Connection, Located, StartValue, Summand};
use lotka_message::{Code, Findings};

pub(super) const CONNECTIONS: Form = Form::Names(&OF_INPUT);

static OF_INPUT: Form = Form::Defined(&CONNECTION);

static CONNECTION: Definition = Definition {
    name: "connection",
    form: Form::Any(&[
        Form::Text,
        Form::Table(SOURCE),
        Form::List(&Form::Any(&[Form::Text, Form::Table(SOURCE)]), 1),
        Form::Dotted(&Form::Defined(&CONNECTION), &["from"]),
    ]),
};

const SOURCE: Keys = &[&KEYS];

static KEYS: [Key; 8] = [
    Key::new("from", Form::Text, "The output, `instance.variable`.").required(),
    Key::new("factor", Form::Number, "The input is factor * output + offset.").or("1"),
    Key::new("offset", Form::Number, "The input is factor * output + offset.").or("0"),
    Key::new("degree", Form::Integer, "Extrapolation order of this connection, 0 (hold) to 3.").or_else("that of [algorithm]"),
    Key::new(
        "convert-units",
        Form::Boolean,
        "Whether Lotka converts the output to the unit of the input before it applies factor and offset.",
    )
    .or("true"),
    Key::new("from-unit", Form::Text, "Unit of the value before factor and offset.").or_else("that of the input"),
    Key::new("to-unit", Form::Text, "Unit of the value after factor and offset.").or_else("that of the input"),
    Key::new(
        "map",
        Form::Names(&Form::Any(&[Form::Integer, Form::Boolean, Form::Text])),
        "Replacements of values, for integers, booleans and enumerations; items by name or number. Other values stay.",
    ),
];

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> Vec<Connection> {
    let mut connections = Vec::new();
    for entry in section.entries() {
        connection(entry.key.to_owned(), entry, &mut connections, findings);
    }
    connections
}

/// A table without `from` comes from a dotted name: `prey.y = "predator.y"` names the input `prey.y`.
fn connection(name: String, entry: &Entry<'_>, connections: &mut Vec<Connection>, findings: &mut Findings) {
    if let DeValue::Table(table) = entry.value.get_ref()
        && !table.contains_key("from")
    {
        for inner in &entries(table) {
            connection(format!("{name}.{}", inner.key), inner, connections, findings);
        }
        return;
    }
    let sources = match entry.value.get_ref() {
        DeValue::Array(list) => list.iter().filter_map(|value| source(&name, value, findings)).collect(),
        _ => source(&name, entry.value, findings).into_iter().collect::<Vec<_>>(),
    };
    if matches!(entry.value.get_ref(), DeValue::Array(list) if list.is_empty()) {
        findings.error(
            Code::NoEntries,
            &Some(entry.value.span()),
            format!("expected at least one output for `{name}`, found an empty list"),
            "add an output, or remove the line".to_owned(),
        );
    }
    if !sources.is_empty() {
        connections.push(Connection { input: Located { value: name, span: Some(entry.key_span.clone()) }, sources });
    }
}

fn source(input: &str, value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Option<Summand> {
    match value.get_ref() {
        DeValue::String(from) => Some(Summand::new(Located { value: from.to_string(), span: Some(value.span()) })),
        DeValue::Table(table) => {
            let section = Section::new("connections", SOURCE, table, value.span());
            let from = section.text("from", findings);
            let factor = section.number("factor", findings).map_or(1.0, |factor| factor.value);
            let offset = section.number("offset", findings).map_or(0.0, |offset| offset.value);
            let degree = section.integer("degree", findings);
            let convert_units = section.boolean("convert-units", findings).is_none_or(|value| value.value);
            let (from_unit, to_unit) = (section.text("from-unit", findings), section.text("to-unit", findings));
            let map = section.section("map", findings).map_or_else(Vec::new, |entries| map(&entries, findings));
            section.finish(findings);
            if from.is_none() {
                findings.error(
                    Code::MissingKey,
                    &Some(value.span()),
                    format!("a source of `{input}` has no `from`"),
                    "set from = \"instance.output\"".to_owned(),
                );
            }
            Some(Summand { from: from?, factor, offset, degree, convert_units, from_unit, to_unit, map })
        }
        other => {
            let message = format!("expected an output for `{input}`, found {}", kind(other));
            findings.error(
                Code::WrongType,
                &Some(value.span()),
                message,
                "write \"instance.output\", { from = \"…\", factor = 1.0, offset = 0.0 }, or a list of these".to_owned(),
            );
            None
        }
    }
}

/// `{ 1 = 3, off = "standby", true = false }`: replacements of values.
fn map(section: &Section<'_>, findings: &mut Findings) -> Vec<(Located<StartValue>, Located<StartValue>)> {
    let mut map = Vec::new();
    for entry in section.entries() {
        let replaced = StartValue::Unparsed(entry.key.to_owned());
        let by = match entry.value.get_ref() {
            DeValue::String(text) => Some(StartValue::Text(text.to_string())),
            DeValue::Boolean(value) => Some(StartValue::Boolean(*value)),
            value => integer(value).map(StartValue::Integer),
        };
        match by {
            Some(by) => map.push((
                Located { value: replaced, span: Some(entry.key_span.clone()) },
                Located { value: by, span: Some(entry.value.span()) },
            )),
            None => {
                let message = format!("expected a value for `{}` in `map`, found {}", entry.key, kind(entry.value.get_ref()));
                findings.error(
                    Code::WrongType,
                    &Some(entry.value.span()),
                    message,
                    "write a whole number, true, false or the name of an item".to_owned(),
                );
            }
        }
    }
    map
}
