//! Removes the values that a lenient read leaves out. The rule checks have already reported all of them.

use fmi_xml::{repair_dependencies, repair_experiment};

use super::super::{ModelDescription, VariableKind};

/// Removes invalid values, so that users of the description need not check for them.
pub(super) fn repair(description: &mut ModelDescription) {
    let count = description.variables.len();
    let exists = |index: u32| index >= 1 && index as usize <= count;
    let structure = &mut description.model_structure;
    for unknowns in [&mut structure.outputs, &mut structure.derivatives, &mut structure.initial_unknowns] {
        unknowns.retain(|unknown| exists(unknown.index));
        for unknown in unknowns {
            repair_dependencies(&mut unknown.dependencies, &mut unknown.dependency_kinds, exists);
        }
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
