//! Instances of FMUs that can change the state of their process: each call is made in a state of its own.

use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, DiscreteUpdate, Experiment, Instance, IntegerRef, RealRef, Slot, StepOutcome, StringRef,
    forward,
};

use super::{Imported, changes::warn_of};
use crate::{Error, log::Journal, platform::OwnState};

/// An instance with a process state of its own.
pub(crate) struct Apart {
    /// `None` only while it is dropped.
    inner: Option<Box<dyn Instance>>,
    own: OwnState,
    journal: &'static Journal,
}

impl Apart {
    /// Makes an instance in this state.
    pub fn new<I: Imported + Instance + 'static>(
        mut own: OwnState,
        make: impl FnOnce() -> Result<I, Error>,
    ) -> Result<Self, Error> {
        let (made, changes) = own.within(make);
        let inner = made?;
        let journal = inner.identity().journal();
        warn_of(journal, changes);
        Ok(Self { inner: Some(Box::new(inner)), own, journal })
    }

    fn call<T>(&mut self, call: impl FnOnce(&mut dyn Instance) -> T) -> T {
        let Self { inner, own, journal } = self;
        let (result, changes) = own.within(|| inner.as_mut().map(|inner| call(&mut **inner)));
        warn_of(journal, changes);
        result.expect("it is not dropped")
    }

    fn inner(&self) -> &dyn Instance {
        self.inner.as_deref().expect("it is not dropped")
    }
}

impl Instance for Apart {
    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.call(|inner| inner.bind(inputs, outputs))
    }

    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.call(|inner| inner.step(inputs, t, h, commit, outputs))
    }

    forward!(call, inner);
}

impl Drop for Apart {
    fn drop(&mut self) {
        let Self { inner, own, .. } = self;
        let _ = own.within(|| drop(inner.take()));
    }
}
