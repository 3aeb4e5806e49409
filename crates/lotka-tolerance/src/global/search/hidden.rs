//! Fast modes that ordinary steps do not show.

use lotka_step::algorithm::FastMode;

/// A fast mode of a value that does not move in ordinary steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hidden {
    pub(super) mode: FastMode,
    /// Whether a comb has shown its mean.
    pub(super) is_measured: bool,
}
