//! Systems of linear equations in which most coefficients are zero, because an instance reads from few others.

mod factors;
mod matrix;
mod ordering;

pub use factors::Factors;
pub use matrix::SparseMatrix;
