//! What a check demands of the outcome of a call.

use crate::{CallError, CallResult, Cause};

/// Returns the value of a call that must succeed.
#[track_caller]
pub(super) fn must<T>(result: CallResult<T>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the error of a call that must fail.
#[track_caller]
pub(super) fn refused<T>(result: CallResult<T>) -> Box<CallError> {
    match result {
        Ok(_) => panic!("the call should have been refused"),
        Err(error) => error,
    }
}

#[track_caller]
pub(super) fn refused_as_unfit<T>(result: CallResult<T>) {
    let error = refused(result);
    assert!(matches!(error.cause, Cause::BadArgument(_)), "{error}");
}

#[track_caller]
pub(super) fn refused_as_unsupported<T>(result: CallResult<T>) {
    let error = refused(result);
    assert_eq!(error.cause, Cause::Unsupported, "{error}");
}
