//! Removes the values that a lenient read leaves out. The rule checks have already reported all of them.

use fmi_xml::repair_experiment;

use super::super::{ModelDescription, Unknown, VariableKind};

/// Removes invalid values, so that users of the description need not check for them.
pub(super) fn repair(description: &mut ModelDescription) {
    let count = description.variables.len();
    let exists = |index: u32| index >= 1 && index as usize <= count;
    let structure = &mut description.model_structure;
    for unknowns in [&mut structure.outputs, &mut structure.derivatives, &mut structure.initial_unknowns] {
        unknowns.retain(|unknown| exists(unknown.index));
        unknowns.iter_mut().for_each(|unknown| repair_dependencies(unknown, exists));
    }
    for variable in &mut description.variables {
        if let VariableKind::Real(real) = &mut variable.kind {
            real.derivative = real.derivative.filter(|index| exists(*index));
        }
    }
    if let Some(experiment) = &mut description.default_experiment {
        repair_experiment(experiment);
    }
}

/// Removes a list that names a variable that does not exist. Its numbering is unreliable, so the unknown may depend on everything.
fn repair_dependencies(unknown: &mut Unknown, exists: impl Fn(u32) -> bool) {
    let length = unknown.dependencies.as_ref().map(Vec::len);
    if unknown.dependencies.as_ref().is_some_and(|list| !list.iter().all(|index| exists(*index))) {
        unknown.dependencies = None;
        unknown.dependency_kinds = None;
    }
    if unknown.dependency_kinds.as_ref().map(Vec::len) != length {
        unknown.dependency_kinds = None;
    }
}
