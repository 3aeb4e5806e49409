//! Variables that are set at known times.

use lotka_instance::TypedValue;
use lotka_plan::link::SignalType;

/// All overrides of a system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// The variables that are set.
    pub targets: Vec<Target>,
    /// The actions, in order of time.
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
    /// Whether other instances normally feed it.
    pub is_connected: bool,
}

/// The change of a variable at a point of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// Its time \[s\].
    pub time: f64,
    /// Index of the target.
    pub target: usize,
    /// The new value; `None` restores the original sources.
    pub value: Option<TypedValue>,
    /// An offset added to the value.
    pub bias: f64,
}
