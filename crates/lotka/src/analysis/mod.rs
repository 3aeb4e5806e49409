//! Mathematics of the coupling analysis: what the exchange of values at communication points adds to the systems it couples.
//!
//! Numbers in, numbers out: the measurements are made elsewhere. Recorded responses to perturbed inputs become the growth per step
//! of the coupled scheme ([`growth()`]); growth at several steps becomes the step from which the coupling is unstable
//! ([`critical_step()`]); sensitivities of outputs to inputs over one step become the contraction of iterations ([`contraction`]);
//! [`Advice`] says what follows. Start reading at [`growth()`].

mod advice;
mod critical_step;
mod growth;
mod response;
mod spectral;

#[cfg(test)]
mod coupled_pair;

pub(crate) use advice::{Advice, Outputs, Scheme, advise};
pub(crate) use critical_step::{CriticalStep, StepRange, critical_step};
pub(crate) use growth::{Growth, Signal, Undetermined, growth};
pub(crate) use spectral::{Contraction, contraction};
