//! `[[scenario]]`

use toml::{Spanned, de::DeValue};

use super::{Section, instances::named_values, section::kind};
use crate::{Override, StartSetting};
use lotka_message::{Code, Findings};

const HELP: &str = "write [[scenario]], at = 10.0 and set = { \"instance.variable\" = 1.0 }";

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
    let mut section = Section::new("scenario", table, value.span());
    let lacks_time = section.get("at").is_none();
    let at = section.number("at", findings);
    let until = section.number("until", findings);
    let (set, add) = (values(&mut section, "set", findings), values(&mut section, "add", findings));
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

fn values(section: &mut Section<'_>, key: &'static str, findings: &mut Findings) -> Vec<StartSetting> {
    let mut values = Vec::new();
    if let Some(section) = section.section(key, findings) {
        for entry in section.entries() {
            named_values("value", entry.key.to_owned(), (&entry.key_span, entry.value), &mut values, findings);
        }
    }
    values
}
