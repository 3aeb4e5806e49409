//! A diagonally implicit method of order 3 whose first stage is explicit.

use diffsol::Tableau;

use super::sdirk::DiagonallyImplicit;

/// Order 3, L-stable, four stages, the first explicit.
///
/// Source: J. B. Jørgensen, M. R. Kristensen, P. G. Thomsen, A Family of ESDIRK Integration Methods, 2018, arXiv 1803.01613.
pub(super) const ESDIRK34: DiagonallyImplicit = DiagonallyImplicit { tableau: Tableau::esdirk34 };
