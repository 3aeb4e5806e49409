//! What a method is.

use super::{failure::Failure, problem::Problem};

/// A method of integration. It keeps nothing from one communication step to the next, in which inputs may jump: multistep methods start
/// anew in each. So the states of the model are all that a saved state has to contain, and a step is a function of states and inputs.
pub(super) trait Method: Sync {
    /// Advances the states `x` over the communication step. On failure they are left somewhere within it.
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure>;
}
