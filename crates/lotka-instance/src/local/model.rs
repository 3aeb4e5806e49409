//! The interface of a Rust value that serves as an instance.

use crate::{BooleanRef, Experiment, IntegerRef, RealRef, StepOutcome, StringRef};

/// A model that is a Rust value. Cloning it saves its state, so that it supports rollback and thus every method.
///
/// Implement the functions for the types of variables in the model. An unknown reference is an error of the call.
pub trait LocalModel: Clone + Send + 'static {
    /// Ends the initialization; the first communication point is `experiment.start` \[s\].
    ///
    /// # Errors
    /// The reason, if the model cannot start with the present values.
    fn initialize(&mut self, experiment: &Experiment) -> Result<(), String> {
        let _ = experiment;
        Ok(())
    }

    /// Steps from communication point `t` by `h` > 0 \[s\]. A model that stops inside the step, at an event of its own, returns
    /// [`StepOutcome::EarlyReturn`] with the time it reached.
    ///
    /// # Errors
    /// The reason; afterwards the instance can only be restored or reset.
    fn do_step(&mut self, t: f64, h: f64) -> Result<StepOutcome, String>;

    /// Returns the value of a Real variable; `None` for an unknown reference.
    fn real(&self, reference: RealRef) -> Option<f64> {
        let _ = reference;
        None
    }

    /// Sets a Real variable. Returns false if the reference is unknown or the variable cannot be set; the same applies to the
    /// other types.
    fn set_real(&mut self, reference: RealRef, value: f64) -> bool {
        let _ = (reference, value);
        false
    }

    /// Returns the value of an integer or an enumeration.
    fn integer(&self, reference: IntegerRef) -> Option<i128> {
        let _ = reference;
        None
    }

    /// Sets an integer or an enumeration.
    fn set_integer(&mut self, reference: IntegerRef, value: i128) -> bool {
        let _ = (reference, value);
        false
    }

    /// Returns the value of a Boolean variable.
    fn boolean(&self, reference: BooleanRef) -> Option<bool> {
        let _ = reference;
        None
    }

    /// Sets a Boolean variable.
    fn set_boolean(&mut self, reference: BooleanRef, value: bool) -> bool {
        let _ = (reference, value);
        false
    }

    /// Returns the value of a String variable.
    fn string(&self, reference: StringRef) -> Option<String> {
        let _ = reference;
        None
    }

    /// Sets a String variable.
    fn set_string(&mut self, reference: StringRef, value: &str) -> bool {
        let _ = (reference, value);
        false
    }
}
