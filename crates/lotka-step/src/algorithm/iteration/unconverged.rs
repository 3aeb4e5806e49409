//! The record of a loop whose last pass was kept although it did not converge.

/// A loop that did not converge.
#[derive(Debug, Clone, PartialEq)]
pub struct Unconverged {
    /// Index of the component of the graph.
    pub component: usize,
    /// WRMS norm of the change of its connected Real outputs in the last pass, in units of the tolerances.
    pub norm: f64,
    /// An integer, boolean or string that was still changing.
    pub changed: Option<String>,
    /// Connected Real outputs that changed by more than the tolerances, with the change; the largest first.
    pub residuals: Vec<(usize, f64)>,
}
