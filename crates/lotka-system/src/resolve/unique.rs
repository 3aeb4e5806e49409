//! Names that a system file has once: of instances and sources, and of connected inputs.

use std::collections::{HashMap, HashSet};

use lotka_message::{Code, Findings};

use crate::{Located, SystemDescription};

/// Checks that instances and sources have names of their own, and that an input is connected once: what a system file can hold.
pub fn check_unique(system: &SystemDescription, findings: &mut Findings) {
    check_names(system, findings);
    let mut connected = HashSet::new();
    for connection in &system.connections {
        if !connected.insert(&connection.input.value) {
            two_sources(&connection.input, findings);
        }
    }
}

/// Reports an input that is connected twice.
pub(super) fn two_sources(input: &Located<String>, findings: &mut Findings) {
    let help = "sum them in one list: \"input\" = [\"a.y\", \"b.y\"]".to_owned();
    findings.error(Code::TwoSources, &input.span, format!("`{}` has two sources", input.value), help);
}

/// Checks that a system has instances, and that its instances and sources have names of their own.
pub(super) fn check_names(system: &SystemDescription, findings: &mut Findings) {
    // Instances that could not be read are already reported.
    if system.instances.is_empty() && findings.n_errors() == 0 {
        findings.error(Code::NoInstances, &None, "the system has no instances", "name at least one FMU".to_owned());
    }
    let instances = system.instances.iter().map(|instance| (&instance.name, "an instance"));
    let all = instances.chain(system.sources.iter().map(|source| (&source.name, "a source")));
    let mut known = HashMap::new();
    for (Located { value: name, span }, kind) in all {
        if name.is_empty() || name.contains('.') {
            let help = "use a name without dots".to_owned();
            findings.error(Code::BadName, span, format!("`{name}` cannot be the name of {kind}"), help);
        }
        match known.get(name) {
            Some(&"an instance") if kind == "an instance" => {
                findings.error(
                    Code::NameTaken,
                    span,
                    format!("there are two instances named `{name}`"),
                    "rename one of them".to_owned(),
                );
            }
            Some(earlier) => findings.error(
                Code::NameTaken,
                span,
                format!("`{name}` is already the name of {earlier}"),
                "rename one of them".to_owned(),
            ),
            None => _ = known.insert(name, kind),
        }
    }
}
