//! Recorded variables.

use lotka_instance::description::{Causality, Variability, Variable};

/// Returns whether a variable keeps its value after initialization. Tunable parameters do, because Lotka never sets them during a run.
#[must_use]
pub fn is_constant(variable: &Variable) -> bool {
    let is_parameter = matches!(variable.causality, Causality::Parameter | Causality::CalculatedParameter);
    is_parameter || matches!(variable.variability, Variability::Constant | Variability::Fixed)
}
