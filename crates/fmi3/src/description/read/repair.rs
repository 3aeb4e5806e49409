//! Removes the values that a lenient read leaves out. The rule checks have already reported all of them.

use std::collections::HashSet;

use fmi_xml::{repair_dependencies, repair_experiment};

use super::super::{ModelDescription, VariableKind};

/// Removes invalid values, so that users of the description need not check for them.
pub(super) fn repair(description: &mut ModelDescription) {
    let references: HashSet<u32> = description.variables.iter().map(|variable| variable.value_reference).collect();
    let exists = |reference: u32| references.contains(&reference);
    for unknowns in description.model_structure.lists_mut() {
        unknowns.retain(|unknown| exists(unknown.value_reference));
        for unknown in unknowns {
            repair_dependencies(&mut unknown.dependencies, &mut unknown.dependency_kinds, exists);
        }
    }
    for variable in &mut description.variables {
        variable.previous = variable.previous.filter(|reference| exists(*reference));
        if let Some(clocks) = &mut variable.clocks {
            clocks.retain(|reference| exists(*reference));
        }
        if let VariableKind::Float64(float) | VariableKind::Float32(float) = &mut variable.kind {
            float.derivative = float.derivative.filter(|reference| exists(*reference));
        }
    }
    if let Some(co_simulation) = &mut description.co_simulation {
        co_simulation.fixed_internal_step_size = co_simulation.fixed_internal_step_size.filter(|step| *step > 0.0);
    }
    if let Some(experiment) = &mut description.default_experiment {
        repair_experiment(experiment);
    }
}
