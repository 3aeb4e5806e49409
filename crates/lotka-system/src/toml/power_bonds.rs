//! `[power-bonds]`

use toml::de::DeValue;

use super::{
    Section,
    form::Form,
    keys::{Key, Keys},
    section::kind,
};
use crate::{Located, PowerBondSettings};
use lotka_message::{Code, Findings};

pub(super) const BONDS: Form = Form::Names(&Form::Table(BOND));

const BOND: Keys = &[&KEYS];

static KEYS: [Key; 2] = [
    Key::new("effort", Form::Text, "`instance.variable` of the output that is the effort: a force, torque, voltage or pressure.")
        .required(),
    Key::new("flow", Form::Text, "`instance.variable` of the output that is the flow: a velocity, current or volume flow.")
        .required(),
];

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
        let section = Section::new("power-bonds", BOND, table, entry.value.span());
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
