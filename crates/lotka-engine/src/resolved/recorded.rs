//! Recorded variables.

use lotka_instance::description::{Causality, Variability, Variable};

/// Whether a variable keeps its value after initialization; tunable parameters are not set during a run.
#[must_use]
pub fn is_constant(variable: &Variable) -> bool {
    let is_parameter = matches!(variable.causality, Causality::Parameter | Causality::CalculatedParameter);
    is_parameter || matches!(variable.variability, Variability::Constant | Variability::Fixed)
}
