//! Power bonds.

/// A bond by the names of its signals, `instance.variable`.
#[derive(Debug, Clone, PartialEq)]
pub struct PowerBond {
    /// Its name.
    pub name: String,
    /// An output, read by the instance that gives the flow.
    pub effort: String,
    /// An output, read by the instance that gives the effort.
    pub flow: String,
    /// The product of a unit of the input that reads the effort and one of the flow \[W\].
    pub watts: f64,
}
