//! `[[scenario]]`

use toml::{Spanned, de::DeValue};

use super::{
    Section,
    form::Form,
    instances::{VALUES, named_values},
    keys::{Key, Keys},
    section::kind,
};
use crate::{Override, StartSetting};
use lotka_message::{Code, Findings};

const HELP: &str = "write [[scenario]], at = 10.0 and set = { \"instance.variable\" = 1.0 }";

pub(super) const LIST: Form = Form::List(&Form::Table(TABLE), 0);

const TABLE: Keys = &[&KEYS];

static KEYS: [Key; 4] = [
    Key::new("at", Form::Number, "Begin of the change [s].").required(),
    Key::new("until", Form::Number, "End of the change [s]; afterwards the entry has no effect.").or_else("the end of the run"),
    Key::new("set", VALUES, "Values by `instance.variable`, in place of those of connections.").one_of(),
    Key::new("add", VALUES, "Values to add to Real inputs or parameters, by `instance.variable`.").one_of(),
];

pub(super) fn read(value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Vec<Override> {
    let DeValue::Array(entries) = value.get_ref() else {
        findings.error(
            Code::WrongType,
            &Some(value.span()),
            format!("expected a list for `scenario`, found {}", kind(value.get_ref())),
            HELP.to_owned(),
        );
        return Vec::new();
    };
    entries.iter().filter_map(|entry| override_of(entry, findings)).collect()
}

fn override_of(value: &Spanned<DeValue<'_>>, findings: &mut Findings) -> Option<Override> {
    let DeValue::Table(table) = value.get_ref() else {
        findings.error(
            Code::WrongType,
            &Some(value.span()),
            format!("expected a table as entry of `scenario`, found {}", kind(value.get_ref())),
            HELP.to_owned(),
        );
        return None;
    };
    let section = Section::new("scenario", TABLE, table, value.span());
    let lacks_time = section.get("at").is_none();
    let at = section.number("at", findings);
    let until = section.number("until", findings);
    let (set, add) = (values(&section, "set", findings), values(&section, "add", findings));
    let place = Some(section.span.clone());
    section.finish(findings);
    if lacks_time {
        findings.error(Code::MissingKey, &place, "an entry of `scenario` has no `at`", HELP.to_owned());
    }
    if set.is_empty() && add.is_empty() {
        findings.error(Code::MissingKey, &place, "an entry of `scenario` has neither `set` nor `add`", HELP.to_owned());
    }
    Some(Override { at: at?, until, set, add })
}

fn values(section: &Section<'_>, key: &'static str, findings: &mut Findings) -> Vec<StartSetting> {
    let mut values = Vec::new();
    if let Some(section) = section.section(key, findings) {
        for entry in section.entries() {
            named_values("value", entry.key.to_owned(), (&entry.key_span, entry.value), &mut values, findings);
        }
    }
    values
}
