//! Start values to be solved for.

/// One unknown start value, and its residual. Variables are indices into their model description.
#[derive(Debug, Clone, PartialEq)]
pub struct Solve {
    /// Instance and variable of the start value.
    pub unknown: (usize, usize),
    /// An output, or a connected input, whose value counts.
    pub residual: (usize, usize),
    /// The required value of the residual.
    pub target: f64,
}
