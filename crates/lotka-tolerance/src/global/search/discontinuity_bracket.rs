//! A place where a signal is not smooth.

/// A place where a value or one of its derivatives is discontinuous at the scale of the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DiscontinuityBracket {
    /// Its index in the order of [`followed`](lotka_step::algorithm::followed).
    pub(crate) value: usize,
    /// Communication point of the finest run, its time \[s\] and its base step.
    pub(super) point: usize,
    pub(crate) time: f64,
    pub(super) step: usize,
    /// Distance of the communication points there \[s\].
    pub(crate) width: f64,
    /// The difference, and its ratio to the tolerance and the range of the value.
    pub(super) size: f64,
    pub(crate) share: f64,
    /// Whether it does not fall with the step size.
    pub(crate) jumps: bool,
}
