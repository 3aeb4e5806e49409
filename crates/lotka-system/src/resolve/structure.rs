//! Structural parameters: their values must be known before anything else, because names of elements depend on them.

use std::{collections::BTreeMap, ops::Range};

use lotka_instance::Structure;
use lotka_message::Findings;
use lotka_step::resolved::Interface;

use super::start::{Given, check, locate};
use crate::{SystemDescription, locate::Names, units::Units};

/// The values of the structural parameters of an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GivenStructure {
    /// Those that differ from the start values of the model description.
    pub values: Structure,
    /// The place of the last of them in the file.
    pub span: Option<Range<usize>>,
}

/// Returns the values of the structural parameters of each instance; `interfaces` has those of the instances, before they have
/// the values.
///
/// Values that do not suit their variables are added to `findings`. Everything else about start values is left to
/// [`resolve`](super::resolve).
pub fn resolve(system: &SystemDescription, interfaces: &[Interface<'_>], findings: &mut Findings) -> Vec<GivenStructure> {
    let mut structures = vec![GivenStructure::default(); interfaces.len()];
    let descriptions = || interfaces.iter().flat_map(|interface| &interface.description.variables);
    if !descriptions().any(|variable| variable.is_structural) {
        return structures;
    }
    let list = system.instances.iter().map(|instance| instance.name.value.as_str()).collect();
    let names = Names::of(list, interfaces);
    let units = Units::new(&system.units);
    let mut last = BTreeMap::new();
    // Unknown names may be those of elements that exist later.
    for Given { at, setting, value } in locate(system, &names, &mut Findings::default()) {
        if !names.variable(at).is_structural {
            continue;
        }
        let mut found = Findings::default();
        let typed = check(&names, at, (setting, &value), units, &mut found);
        if found.n_errors() > 0 {
            findings.extend(found);
        }
        last.extend(typed.map(|typed| (at, (typed, &setting.value.span))));
    }
    for (at, (value, span)) in last {
        let variable = names.variable(at);
        if variable.kind.start().as_ref() != Some(&value) {
            structures[at.0].values.set(variable.value_reference, value);
            structures[at.0].span.clone_from(span);
        }
    }
    structures
}
