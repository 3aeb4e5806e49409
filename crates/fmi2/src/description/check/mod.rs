//! The rules of the standard that a description must keep.

use super::{ModelDescription, Problem};

impl ModelDescription {
    /// The broken rules of the standard, without positions.
    pub fn check(&self) -> Vec<Problem> {
        Vec::new()
    }
}
