//! Calls, and random sequences of them.

use proptest::{collection::vec, prelude::*, sample::select};

/// Numbers of saved states that a sequence uses.
pub const SLOTS: usize = 3;

/// A call of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call {
    Setup,
    EnterInitialization,
    ExitInitialization,
    EnterEventMode,
    Update,
    EnterStepMode,
    /// Sets the variable that a sequence sets.
    Set(f64),
    /// Reads the variable that a sequence reads.
    Get,
    /// Steps by this size \[s\].
    Step(f64),
    Save(usize),
    Restore(usize),
    FreeSaved(usize),
    /// Writes a saved state as bytes, and fills another one from them.
    Copy(usize, usize),
    Terminate,
    Reset,
}

fn call() -> impl Strategy<Value = Call> {
    // One that has no meaning for the model of an instance makes its step fail.
    let value = prop_oneof![8 => 0.0..1.0_f64, 1 => Just(-1.0)];
    prop_oneof![
        3 => Just(Call::Setup),
        3 => Just(Call::EnterInitialization),
        3 => Just(Call::ExitInitialization),
        2 => Just(Call::EnterEventMode),
        2 => Just(Call::Update),
        2 => Just(Call::EnterStepMode),
        3 => value.prop_map(Call::Set),
        1 => Just(Call::Get),
        6 => select(vec![0.01, 0.005, 0.02]).prop_map(Call::Step),
        2 => (0..SLOTS).prop_map(Call::Save),
        2 => (0..SLOTS).prop_map(Call::Restore),
        1 => (0..SLOTS).prop_map(Call::FreeSaved),
        1 => (0..SLOTS, 0..SLOTS).prop_map(|(from, to)| Call::Copy(from, to)),
        1 => Just(Call::Terminate),
        1 => Just(Call::Reset),
    ]
}

/// Sequences; calls that are refused are made where the second item is true.
pub fn calls() -> impl Strategy<Value = Vec<(Call, bool)>> {
    vec((call(), prop::bool::weighted(0.15)), 1..80)
}
