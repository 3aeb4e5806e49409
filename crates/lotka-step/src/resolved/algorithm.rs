//! The method that computes a system.

use serde::Serialize;

use crate::{
    algorithm::{AccelerationMethod, SweepMethod},
    error_control::Tolerances,
};

/// The method that computes a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Algorithm {
    /// The coupling scheme.
    pub sweep: SweepMethod,
    /// The reason for the choice, unless the user specified the coupling scheme.
    pub reason: Option<&'static str>,
    /// Order in which the instances step, if the file specifies it.
    pub order: Option<Vec<usize>>,
    /// Assumptions about inputs during a step.
    pub inputs: Inputs,
    /// How loops are iterated, if they are.
    pub iteration: Option<Iteration>,
    /// Whether steps end at events.
    pub has_events: bool,
    /// Whether sources jump.
    pub has_jumps: bool,
    /// Whether the dependencies of outputs may determine the choice, because nothing that is specified restricts it.
    pub is_open: bool,
}

impl Algorithm {
    /// Whether outputs with direct feedthrough may have to be read again between two steps.
    #[must_use]
    pub fn reads_again(&self) -> bool {
        self.has_events || self.has_jumps
    }
}

/// Assumptions about inputs during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inputs {
    /// Degree of the polynomials.
    pub degree: usize,
    /// `None`: according to the capabilities of each FMU.
    pub delivery: Option<InputDelivery>,
    /// Whether output derivatives are used if models provide them.
    pub output_derivatives: bool,
    /// How outputs with direct feedthrough are refreshed.
    pub feedthrough: FeedthroughOutputs,
}

/// Iteration inside loops.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// Maximum number of passes.
    pub limit: u32,
    /// Tolerances.
    pub tolerances: Tolerances,
    /// The acceleration.
    pub acceleration: AccelerationMethod,
    /// Whether the user did not request it, but a loop of direct feedthrough needs it.
    pub is_default: bool,
    /// Whether the tolerances are a default: they may then be widened to what inexact rollback allows.
    pub is_tight: bool,
    /// Whether the values of the last iteration are kept if a loop does not converge.
    pub keeps_last: bool,
    /// Shorter steps are not iterated \[s\].
    pub shortest: f64,
}

/// How inputs that are polynomials over a step are delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputDelivery {
    /// As their exact mean over the step: for every FMU.
    Mean,
    /// As value and derivatives: for FMUs that interpolate their inputs.
    Derivatives,
}

/// How outputs with direct feedthrough are refreshed after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedthroughOutputs {
    /// According to the capabilities of the FMU, if the method benefits.
    #[default]
    Auto,
    /// They are not refreshed.
    Stale,
    /// The inputs are set and the outputs read again: for FMUs that recompute.
    ReRead,
    /// By the FMU's directional derivatives.
    Derivative,
}
