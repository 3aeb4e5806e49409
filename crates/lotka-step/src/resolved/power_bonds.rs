//! Power bonds.

/// A bond, given by the names of its signals, `instance.variable`.
#[derive(Debug, Clone, PartialEq)]
pub struct PowerBond {
    /// Its name.
    pub name: String,
    /// An output, read by the instance that outputs the flow.
    pub effort: String,
    /// An output, read by the instance that outputs the effort.
    pub flow: String,
    /// The product of one unit of the input that reads the effort and one unit of the input that reads the flow \[W\].
    pub watts: f64,
}
