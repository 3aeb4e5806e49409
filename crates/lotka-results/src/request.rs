//! What is read of a table.

/// What is read of a table.
pub struct Request<'a> {
    /// Whether the first column is the time.
    pub is_timed: bool,
    /// Whether rows are read; otherwise columns have names and units only.
    pub has_rows: bool,
    /// What is wanted of a column, by its name.
    pub wanted: &'a dyn Fn(&str) -> Wanted,
}

/// What is wanted of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: the column has no values.
    Nothing,
    /// The values, of whatever type.
    Any,
    /// Finite numbers: [`Values::Real`](crate::Values::Real).
    Reals,
    /// Whole numbers in this range, as text that [`whole`](crate::whole) parses: not all fit into 64 bits.
    Integers(i128, i128),
    /// [`Values::Boolean`](crate::Values::Boolean), also of 0 and 1.
    Booleans,
    /// The text of the fields; numbers of a binary format in the shortest digits.
    Texts,
}
