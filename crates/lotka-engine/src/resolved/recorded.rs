//! What is recorded.

use lotka_instance::description::{Causality, Variability, Variable};

/// Whether a variable keeps the value that it has after initialization; nobody sets tunable parameters during a run.
#[must_use]
pub fn is_constant(variable: &Variable) -> bool {
    let is_parameter = matches!(variable.causality, Causality::Parameter | Causality::CalculatedParameter);
    is_parameter || matches!(variable.variability, Variability::Constant | Variability::Fixed)
}
