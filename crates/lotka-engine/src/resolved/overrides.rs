//! What is set at known times.

use super::{SignalType, TypedValue};

/// All overrides of a system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// The variables that are set.
    pub targets: Vec<Target>,
    /// In the order of time.
    pub actions: Vec<Action>,
}

/// A variable that is overridden.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Index of the instance.
    pub instance: usize,
    /// Value reference.
    pub reference: u32,
    /// Its type.
    pub signal: SignalType,
    /// What feeds it otherwise are other instances.
    pub is_connected: bool,
}

/// What becomes of a variable at a point of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// When \[s\].
    pub time: f64,
    /// Counts the targets.
    pub target: usize,
    /// What it is; `None`: what feeds it.
    pub value: Option<TypedValue>,
    /// What is added to that.
    pub bias: f64,
}
