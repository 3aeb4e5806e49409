//! `[power-bonds]`

use toml::de::DeValue;

use super::{Section, section::kind};
use crate::{Located, PowerBondSettings};
use lotka_message::{Code, Findings};

pub(super) fn read(section: &Section<'_>, findings: &mut Findings) -> Vec<PowerBondSettings> {
    let mut bonds = Vec::new();
    for entry in section.entries() {
        let name = Located { value: entry.key.to_owned(), span: Some(entry.key_span.clone()) };
        let help = || format!("set {} = {{ effort = \"a.force\", flow = \"b.velocity\" }}", entry.key);
        let DeValue::Table(table) = entry.value.get_ref() else {
            let message = format!("expected a table for the power bond `{}`, found {}", entry.key, kind(entry.value.get_ref()));
            findings.error(Code::WrongType, &Some(entry.value.span()), message, help());
            continue;
        };
        let mut section = Section::new("power-bonds", table, entry.value.span());
        let (effort, flow) = (section.text("effort", findings), section.text("flow", findings));
        for (end, is_missing) in [("effort", !table.contains_key("effort")), ("flow", !table.contains_key("flow"))] {
            if is_missing {
                findings.error(
                    Code::MissingKey,
                    &Some(entry.value.span()),
                    format!("the power bond `{}` has no `{end}`", entry.key),
                    help(),
                );
            }
        }
        section.finish(findings);
        bonds.extend(effort.zip(flow).map(|(effort, flow)| PowerBondSettings { name, effort, flow }));
    }
    bonds
}
