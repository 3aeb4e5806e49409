//! What is read for rows, and where the values of columns are found.

use std::ops::Range;

use lotka_instance::{BinaryRef, BooleanRef, IntegerRef, RealRef, StringRef};

/// The place of the values of a recorded column: among the signals, or among the variables read for rows only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnSource {
    /// A Real signal.
    Real(usize),
    /// An Integer signal.
    Integer(usize),
    /// A Boolean signal.
    Boolean(usize),
    /// A String signal.
    Text(usize),
    /// A Binary signal.
    Binary(usize),
    /// A Real that is read for rows only.
    RowReal(usize),
    /// An Integer that is read for rows only.
    RowInteger(usize),
    /// A Boolean that is read for rows only.
    RowBoolean(usize),
    /// A String that is read for rows only.
    RowText(usize),
    /// A Binary that is read for rows only.
    RowBinary(usize),
}

/// Variables that are read for rows only: recorded variables that are not outputs.
#[derive(Debug, Clone, Default)]
pub struct RowReads {
    /// Instances to read from.
    pub instances: Vec<InstanceReads>,
    /// Connected Real inputs, as indices into [`Plan::gathers`](super::Plan::gathers): the values of their sources.
    pub inputs: Vec<(usize, usize)>,
    /// Connected Integer, Boolean, String and Binary inputs: the instance, and the position among its inputs of the type. Their
    /// sources may change.
    pub integer_inputs: Vec<(usize, Input)>,
    /// The same of Boolean inputs.
    pub boolean_inputs: Vec<(usize, Input)>,
    /// The same of String inputs.
    pub text_inputs: Vec<(usize, Input)>,
    /// The same of Binary inputs.
    pub binary_inputs: Vec<(usize, Input)>,
    /// Number of values of each type.
    pub reals: usize,
    /// The same of integers.
    pub integers: usize,
    /// The same of booleans.
    pub booleans: usize,
    /// The same of strings.
    pub texts: usize,
    /// The same of binaries.
    pub binaries: usize,
}

/// A connected input that is not Real.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// The instance.
    pub instance: usize,
    /// Its position among the inputs of its type.
    pub position: usize,
}

/// Variables of one instance to read for rows: references, and the places of their values.
#[derive(Debug, Clone, Default)]
pub struct InstanceReads {
    /// The instance.
    pub instance: usize,
    /// Real variables, and where their values are kept.
    pub reals: (Vec<RealRef>, Range<usize>),
    /// Integers, and where their values are kept.
    pub integers: (Vec<IntegerRef>, Range<usize>),
    /// Booleans, and where their values are kept.
    pub booleans: (Vec<BooleanRef>, Range<usize>),
    /// Strings, and where their values are kept.
    pub texts: (Vec<StringRef>, Range<usize>),
    /// Binaries, and where their values are kept.
    pub binaries: (Vec<BinaryRef>, Range<usize>),
}
