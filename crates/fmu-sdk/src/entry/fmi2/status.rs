//! Queries about the last step. Steps are never asynchronous.

use fmi2::{Function, ffi};

use crate::component::{Component, guard, put};
use crate::entry::shared::guarded;
use crate::{Model, Refusal};

/// `fmi2CancelStep`: there is never a step to cancel.
pub unsafe extern "C" fn cancel_step<M: Model>(component: ffi::Component) -> ffi::RawStatus {
    // SAFETY: the importer passes one of its instances.
    unsafe { guard::<M, _>(component, Function::CancelStep, |_| Err(Refusal::error("steps of this FMU are never asynchronous"))) }
}

guarded! { guard: "fmi2", ffi::Component;
    /// The last successful time.
    get_real_status: GetRealStatus(|c| kind: ffi::RawStatusKind, value: *mut ffi::Real) {
        if kind != ffi::LAST_SUCCESSFUL_TIME {
            return Err(unknown_kind(kind));
        }
        // SAFETY: the importer passes memory for one value.
        unsafe { put(value, c.state.run.time) }
    }

    /// Whether the model requests the end of the simulation.
    get_boolean_status: GetBooleanStatus(|c| kind: ffi::RawStatusKind, value: *mut ffi::Boolean) {
        if kind != ffi::TERMINATED {
            return Err(unknown_kind(kind));
        }
        // SAFETY: the importer passes memory for one value.
        unsafe { put(value, ffi::Boolean::from(c.state.run.terminate)) }
    }
}

macro_rules! no_status {
    ($($(#[$doc:meta])* $name:ident: $function:ident, $value:ty;)*) => {$(
        $(#[$doc])*
        pub unsafe extern "C" fn $name<M: Model>(
            component: ffi::Component,
            kind: ffi::RawStatusKind,
            _value: *mut $value,
        ) -> ffi::RawStatus {
            // SAFETY: the importer passes one of its instances.
            unsafe { guard::<M, _>(component, Function::$function, |_| Err(unknown_kind(kind))) }
        }
    )*};
}

no_status! {
    /// `fmi2GetStatus`: defined for asynchronous steps only, so it is discarded.
    get_status: GetStatus, ffi::RawStatus;
    /// `fmi2GetIntegerStatus`: there is no such status, so it is discarded.
    get_integer_status: GetIntegerStatus, ffi::Integer;
    /// `fmi2GetStringStatus`: defined for asynchronous steps only, so it is discarded.
    get_string_status: GetStringStatus, ffi::FmiString;
}

#[cold]
fn unknown_kind(kind: ffi::RawStatusKind) -> Refusal {
    Refusal::discard(format!("status kind {kind} is not available: steps are not asynchronous"))
}
