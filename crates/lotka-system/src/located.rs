//! Values with their places in a file.

use std::ops::Range;

use serde::{Serialize, Serializer};

/// A value with its place in the file, if it comes from one.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Byte range in the file.
    pub span: Option<Range<usize>>,
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self { value, span: None }
    }
}

/// Serializes the value alone, as in a system file.
impl<T: Serialize> Serialize for Located<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}
