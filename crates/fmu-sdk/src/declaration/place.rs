//! The value references of FMI 3.0.

use super::attributes::Variable;
use super::{Declared, ElementType};

/// The value reference of the time; those of the variables follow in the order of their declaration.
pub(crate) const TIME: u32 = 0;

/// What a value reference of FMI 3.0 refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Referenced {
    pub element: ElementType,
    pub is_array: bool,
    /// Whether it is an input that is a polynomial over a step.
    pub is_interpolated: bool,
    /// Index in the table of its base type: among the scalars, or among the arrays.
    pub at: u32,
}

/// Returns the value reference of a variable.
pub(crate) fn reference(variable: usize) -> u32 {
    variable as u32 + 1
}

impl<M: 'static> Declared<M> {
    /// Returns what a value reference refers to; `None` for the time, and if there is no such variable.
    #[inline]
    pub fn place(&self, reference: u32) -> Option<&Referenced> {
        self.places.get((reference as usize).wrapping_sub(1))
    }

    /// Returns the variable with this value reference, which must exist and not be the time.
    pub fn referred(&self, reference: u32) -> &Variable {
        &self.variables[reference as usize - 1]
    }
}
