//! Removes the values that a lenient read leaves out. The rule checks have already reported all of them.

use std::collections::HashSet;

use fmi_xml::repair_experiment;

use super::super::{ModelDescription, Unknown, VariableKind};

/// Removes invalid values, so that users of the description need not check for them.
pub(super) fn repair(description: &mut ModelDescription) {
    let references: HashSet<u32> = description.variables.iter().map(|variable| variable.value_reference).collect();
    let exists = |reference: &u32| references.contains(reference);
    for unknowns in description.model_structure.lists_mut() {
        unknowns.retain(|unknown| exists(&unknown.value_reference));
        unknowns.iter_mut().for_each(|unknown| repair_dependencies(unknown, exists));
    }
    for variable in &mut description.variables {
        variable.previous = variable.previous.filter(exists);
        if let Some(clocks) = &mut variable.clocks {
            clocks.retain(exists);
        }
        if let VariableKind::Float64(float) | VariableKind::Float32(float) = &mut variable.kind {
            float.derivative = float.derivative.filter(exists);
        }
    }
    if let Some(co_simulation) = &mut description.co_simulation {
        co_simulation.fixed_internal_step_size = co_simulation.fixed_internal_step_size.filter(|step| *step > 0.0);
    }
    if let Some(experiment) = &mut description.default_experiment {
        repair_experiment(experiment);
    }
}

/// Removes a list that names a variable that does not exist, so the unknown may depend on everything.
fn repair_dependencies(unknown: &mut Unknown, exists: impl Fn(&u32) -> bool) {
    let length = unknown.dependencies.as_ref().map(Vec::len);
    if unknown.dependencies.as_ref().is_some_and(|list| !list.iter().all(exists)) {
        unknown.dependencies = None;
        unknown.dependency_kinds = None;
    }
    if unknown.dependency_kinds.as_ref().map(Vec::len) != length {
        unknown.dependency_kinds = None;
    }
}
