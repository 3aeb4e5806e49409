//! The method by which a system is computed.

use serde::Serialize;

use crate::{
    algorithm::{AccelerationMethod, SweepMethod},
    error_control::Tolerances,
};

/// The method by which a system is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Algorithm {
    /// The coupling scheme.
    pub sweep: SweepMethod,
    /// Why, if the sweep was not given.
    pub reason: Option<&'static str>,
    /// Instances in the order they are stepped, if the file says so.
    pub order: Option<Vec<usize>>,
    /// What inputs do during a step.
    pub inputs: Inputs,
    /// How loops are iterated, if they are.
    pub iteration: Option<Iteration>,
    /// Steps end at events.
    pub has_events: bool,
    /// Sources jump.
    pub has_jumps: bool,
    /// Nothing is given that a choice by what outputs follow must keep to.
    pub is_open: bool,
}

impl Algorithm {
    /// Whether outputs that follow inputs at once may have to be read again between two steps.
    #[must_use]
    pub fn reads_again(&self) -> bool {
        self.has_events || self.has_jumps
    }
}

/// What inputs do during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inputs {
    /// Degree of the polynomials.
    pub degree: usize,
    /// `None`: as each FMU can.
    pub delivery: Option<InputDelivery>,
    /// Output derivatives are used where models give them.
    pub output_derivatives: bool,
    /// How outputs that follow inputs without delay are made fresh.
    pub feedthrough: FeedthroughOutputs,
}

/// Iteration inside loops.
#[derive(Debug, Clone, PartialEq)]
pub struct Iteration {
    /// Passes at most.
    pub limit: u32,
    /// Tolerances.
    pub tolerances: Tolerances,
    /// The acceleration.
    pub acceleration: AccelerationMethod,
    /// The user did not ask for it, but a loop of direct feedthrough needs it.
    pub is_default: bool,
    /// The tolerances are a default: they may be widened to what inexact rollback allows.
    pub is_tight: bool,
    /// The values of the last iteration are kept where a loop does not converge.
    pub keeps_last: bool,
    /// Shorter steps are not iterated \[s\].
    pub shortest: f64,
}

/// How inputs that are polynomials over a step are handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputDelivery {
    /// As their exact mean over the step: for every FMU.
    Mean,
    /// As value and derivatives: for FMUs that interpolate their inputs.
    Derivatives,
}

/// How outputs that follow inputs without delay are made fresh after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedthroughOutputs {
    /// As the FMU allows, where the method gains by it.
    #[default]
    Auto,
    /// They stay as they are.
    Stale,
    /// The inputs are set and the outputs read again: for FMUs that recompute.
    ReRead,
    /// By the FMU's directional derivatives.
    Derivative,
}
