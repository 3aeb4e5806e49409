//! `[events]`

use lotka_message::{Code, Findings};
use lotka_step::resolved::Direction;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Section,
    form::{Choice, Definition, Form},
    keys::{Key, Keys},
    section::{Entry, entries, kind, named},
};
use crate::{EventLevel, EventSettings, IndicatorSettings, Located, TimeEvents, Times};

pub(super) static DIRECTIONS: [Choice<Direction>; 3] = [
    Choice::new("up", Direction::Up, "The output rises through the level."),
    Choice::new("down", Direction::Down, "The output falls through the level."),
    Choice::new("both", Direction::Both, "The output crosses the level in either direction."),
];

/// What can be written for an instance in `[events]`.
static INSTANCES: [Choice<InstanceEvents>; 2] = [
    Choice::new(
        "discard",
        InstanceEvents::Discard,
        "The instance finds its events itself, and discards a step that goes past one.",
    ),
    Choice::new(
        "event-mode",
        InstanceEvents::EventMode,
        "The instance stops at its events, which are handled in event mode (FMI 3.0).",
    ),
];

/// How the events of an instance end steps.
#[derive(Debug, Clone, Copy)]
enum InstanceEvents {
    Discard,
    EventMode,
}

pub(super) const EVENTS: Form = Form::PlainOrDotted(&OF_INSTANCE, &OF_INDICATOR);

static OF_INDICATOR: Form = Form::Defined(&OF_OUTPUT);

static OF_INSTANCE: Form = Form::Any(&[
    Form::Choice(&INSTANCES),
    Form::Table(&[&PERIODIC]),
    Form::Table(&[&LISTED]),
    Form::Dotted(&Form::Defined(&OF_OUTPUT), &INDICATOR_NAMES),
]);

static OF_OUTPUT: Definition = Definition {
    name: "event",
    form: Form::Any(&[
        Form::Choice(&DIRECTIONS),
        Form::Table(INDICATOR),
        Form::List(&Form::Any(&[Form::Choice(&DIRECTIONS), Form::Table(INDICATOR)]), 1),
        Form::Dotted(&Form::Defined(&OF_OUTPUT), &INDICATOR_NAMES),
    ]),
};

const INDICATOR: Keys = &[&INDICATOR_KEYS];

static INDICATOR_KEYS: [Key; 2] = [
    Key::new(
        INDICATOR_NAMES[0],
        Form::Any(&[Form::Number, Form::Text]),
        "The level: a number, or another output, `instance.variable`.",
    )
    .or("0"),
    Key::new(INDICATOR_NAMES[1], Form::Choice(&DIRECTIONS), "Directions of crossings that count.").or("\"both\""),
];

/// A table with one of these keys is an indicator; another one comes from a dotted name.
const INDICATOR_NAMES: [&str; 2] = ["level", "direction"];

const TIMES: Keys = &[&PERIODIC, &LISTED];

static PERIODIC: [Key; 2] = [
    Key::new("every", Form::Number, "Period of the times at which the instance acts [s].").required(),
    Key::new("offset", Form::Number, "One of the times at which the instance acts [s].").or("0"),
];

static LISTED: [Key; 1] =
    [Key::new("at", Form::Any(&[Form::Number, Form::List(&Form::Number, 0)]), "Times at which the instance acts [s].")
        .required()];

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> EventSettings {
    let mut settings = EventSettings::default();
    for entry in section.entries() {
        event(entry.key.to_owned(), entry, &mut settings, findings);
    }
    settings
}

/// A table without the keys of an indicator comes from a dotted name: `ball.h = "down"` names the output `ball.h`.
fn event(name: String, entry: &Entry<'_>, settings: &mut EventSettings, findings: &mut Findings) {
    let key = Located { value: name, span: Some(entry.key_span.clone()) };
    match entry.value.get_ref() {
        DeValue::Table(table) if has_times(table) => {
            let section = Section::new("events", TIMES, table, entry.value.span());
            settings.times.extend(times(section, findings).map(|times| TimeEvents { instance: key, times }));
        }
        DeValue::Table(table) if !INDICATOR_NAMES.iter().any(|name| table.contains_key(*name)) => {
            for inner in &entries(table) {
                event(format!("{}.{}", key.value, inner.key), inner, settings, findings);
            }
        }
        DeValue::Array(list) => {
            if list.is_empty() {
                findings.error(
                    Code::NoEntries,
                    &Some(entry.value.span()),
                    format!("expected at least one event for `{}`, found an empty list", key.value),
                    "remove the line".to_owned(),
                );
            }
            settings.indicators.extend(list.iter().filter_map(|value| indicator(&key, value, findings)));
        }
        DeValue::String(text) if !key.value.contains('.') => {
            let what = Located { value: text.to_string(), span: Some(entry.value.span()) };
            match named("event of an instance", &what, &INSTANCES, findings) {
                Some(InstanceEvents::Discard) => settings.discards.push(key),
                Some(InstanceEvents::EventMode) => settings.event_mode.push(key),
                None => {}
            }
        }
        _ => settings.indicators.extend(indicator(&key, entry.value, findings)),
    }
}

/// Whether a table has times at which an instance acts. An output with the name of one of these keys has a direction or a table
/// as its value.
fn has_times(table: &DeTable<'_>) -> bool {
    let is_number =
        |key: &str| table.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Float(_) | DeValue::Integer(_)));
    is_number("every")
        || is_number("offset")
        || is_number("at")
        || matches!(table.get("at").map(Spanned::get_ref), Some(DeValue::Array(_)))
}

/// When an instance acts.
fn times(section: Section<'_>, findings: &mut Findings) -> Option<Times> {
    let (every, offset) = (section.number("every", findings), section.number("offset", findings));
    let at = section.numbers("at", findings);
    let span = section.span.clone();
    section.finish(findings);
    match (every, at) {
        (Some(every), None) => Some(Times::Every { every, offset }),
        (None, Some(at)) if offset.is_none() => Some(Times::At(at)),
        _ => {
            let help = "write { every = 0.1, offset = 0.0 }, or { at = [1.0, 2.5] }".to_owned();
            findings.error(Code::ConflictingSettings, &Some(span), "expected either `every` (with `offset`) or `at`", help);
            None
        }
    }
}

fn indicator(output: &Located<String>, value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Option<IndicatorSettings> {
    let (level, direction) = match value.get_ref() {
        DeValue::String(text) => {
            let direction = Located { value: text.to_string(), span: Some(value.span()) };
            (EventLevel::Value(0.0), named("direction", &direction, &DIRECTIONS, findings)?)
        }
        DeValue::Table(table) => {
            let section = Section::new("events", INDICATOR, table, value.span());
            let level = level(&section, findings);
            let direction = section.choice("direction", &DIRECTIONS, findings).map_or(Direction::Both, |found| found.value);
            section.finish(findings);
            (level, direction)
        }
        other => {
            let help = "write \"up\", \"down\" or \"both\", { level = 1.0, direction = \"up\" }, or a list of these".to_owned();
            findings.error(
                Code::WrongType,
                &Some(value.span()),
                format!("expected an event for `{}`, found {}", output.value, kind(other)),
                help,
            );
            return None;
        }
    };
    Some(IndicatorSettings { output: output.clone(), level, direction })
}

/// A number or the name of an output.
fn level(section: &Section<'_>, findings: &mut Findings) -> EventLevel {
    if matches!(section.get("level").map(Spanned::get_ref), Some(DeValue::String(_))) {
        section.text("level", findings).map_or(EventLevel::Value(0.0), EventLevel::Output)
    } else {
        EventLevel::Value(section.number("level", findings).map_or(0.0, |level| level.value))
    }
}
