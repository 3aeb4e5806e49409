//! How an attempt to step ends.

use std::ops::ControlFlow;

use fmi2::{CallError, Discard};

use crate::Error;

/// A communication step to try, from `t` by `h` \[s\]. Two numbers are handed over in registers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub(crate) t: f64,
    pub(crate) h: f64,
}

/// How an attempt to step ended: it was made, or it stopped for a reason. What is rare is boxed, so that `Attempt<()>` is one word.
pub(crate) type Attempt<T> = ControlFlow<Box<Stop>, T>;

/// Why an attempt stopped before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The step was not made; another may be tried after a rollback.
    Refused(Refusal),
    /// The run is over.
    Failed(Box<Error>),
}

/// Why a step was not made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refusal {
    Discarded {
        instance: usize,
        discard: Discard,
    },
    /// Without a Real signal, integers, booleans or strings kept changing.
    NotConverged {
        component: usize,
        norm: f64,
        signal: Option<usize>,
        accelerated: bool,
    },
    NotFinite {
        signal: usize,
        value: f64,
    },
}

/// An error of a call ends the run.
#[inline]
pub(crate) fn proceed(result: Result<(), Box<Error>>) -> Attempt<()> {
    match result {
        Ok(()) => Attempt::Continue(()),
        Err(error) => fail(error),
    }
}

/// A step that was not made.
#[cold]
pub(crate) fn refuse(refusal: Refusal) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Refused(refusal)))
}

#[cold]
pub(super) fn fail(error: Box<Error>) -> Attempt<()> {
    Attempt::Break(Box::new(Stop::Failed(error)))
}

#[cold]
pub(crate) fn call_failed(error: Box<CallError>) -> Box<Error> {
    Box::new(Error::Call(error))
}
