//! Room for steps that instances make at the same time.

/// Room for the steps of one level, so that they allocate nothing.
#[derive(Debug, Default)]
pub(super) struct SplitSteps {
    /// Whether there are instances that step while others do.
    pub(super) is_used: bool,
    /// Number of steps until instances are asked for replacements.
    pub(super) first_steps: u32,
    /// Which instances of the present level have begun, by position.
    pub(super) begun: Vec<bool>,
    /// The calls of these instances before.
    pub(super) calls: Vec<u64>,
}
