//! Analysis of the coupling: what the exchange of values at communication points adds to the systems it couples.
//!
//! Runs start from one saved point, with and without a perturbed input (`measure.rs`, `test_harness.rs`). Their differences
//! become the growth per step of the coupled scheme (`growth.rs`); growth at several steps becomes the step from which the
//! coupling is unstable ([`CriticalStep`]); sensitivities of outputs to inputs over one step become the [`Contraction`] of
//! iterations; [`Advice`] says what follows. Start reading at [`Coupling`], which [`analyze`] returns.

mod advice;
mod critical_step;
mod growth;
mod interface;
mod measure;
mod report;
mod requirements;
mod response;
mod schemes;
mod sensitivity;
mod short;
mod spectral;
mod test_harness;

#[cfg(test)]
mod coupled_pair;

pub use advice::Advice;
pub use critical_step::CriticalStep;
pub use growth::Undetermined;
pub use measure::analyze;
pub use report::{Coupling, Sensitivity};
pub use schemes::{ComparedSweep, Outputs, Scheme};
pub use spectral::Contraction;

use critical_step::{StepRange, critical_step};
use growth::{Growth, growth};
use spectral::contraction;
