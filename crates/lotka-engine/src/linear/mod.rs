//! Systems of linear equations in which most coefficients are zero, because an instance reads from few others.

mod factors;
mod matrix;
mod ordering;

pub(crate) use factors::Factors;
pub(crate) use matrix::SparseMatrix;
