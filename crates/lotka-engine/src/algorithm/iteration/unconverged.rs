//! The record of a loop whose last pass was kept although it did not converge.

/// A loop that did not converge.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unconverged {
    pub(crate) component: usize,
    /// WRMS norm of the change of its connected Real outputs in the last pass, in units of the tolerances.
    pub(crate) norm: f64,
    /// An integer, boolean or string that was still changing.
    pub(crate) changed: Option<String>,
    /// Connected Real outputs that changed by more than the tolerances, with the change; the largest first.
    pub(crate) residuals: Vec<(usize, f64)>,
}
