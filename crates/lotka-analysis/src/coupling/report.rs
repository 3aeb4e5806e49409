//! What an analysis of the coupling found.

use super::{Advice, Contraction, CriticalStep, Scheme};

/// What the exchange of values at communication points adds to a system: to first order, at its start, with inputs that are
/// constant over each step.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Coupling {
    /// Step of the sensitivities and of the contraction \[s\].
    pub step: f64,
    /// How connected outputs answer to the connected inputs of their instance; pairs without an answer are left out.
    pub sensitivities: Vec<Sensitivity>,
    /// Of the iterations of one step; `None` if eigenvalues did not converge.
    pub contraction: Option<Contraction>,
    /// The steps from which on coupling without iteration adds growth; empty if the system has no loop.
    pub critical_steps: Vec<(Scheme, CriticalStep)>,
    /// Instances in loops whose outputs follow their inputs without delay and cannot be made fresh after a step.
    pub stale: Vec<String>,
    /// What follows, the most important first.
    pub advice: Vec<Advice>,
}

/// How an output answers to an input that is held over one step.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sensitivity {
    /// The output, as `instance.variable`.
    pub output: String,
    /// The input, as `instance.variable`.
    pub input: String,
    /// Derivative of the output at the end of the step by the input \[unit of the output / unit of the input\].
    pub derivative: f64,
    /// The derivative in terms of the nominal values of both, or, where none is declared, of the size of the signals.
    pub relative: f64,
}
