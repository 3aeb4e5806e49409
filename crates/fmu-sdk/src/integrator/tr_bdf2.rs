//! The trapezoidal rule followed by a backward differentiation formula.

use diffsol::Tableau;

use super::sdirk::DiagonallyImplicit;

/// Order 2, L-stable: a step of the trapezoidal rule over the first 58.6 % of the step, then the formula of order 2 for the whole.
///
/// Source: M. E. Hosea, L. F. Shampine, Analysis and Implementation of TR-BDF2, Applied Numerical Mathematics 20 (1996), doi
/// 10.1016/0168-9274(95)00115-8.
pub(super) const TR_BDF2: DiagonallyImplicit = DiagonallyImplicit { tableau: Tableau::tr_bdf2 };
