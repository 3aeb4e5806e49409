//! The step itself.

use fmi2::{Function, ffi};

use crate::Model;
use crate::component::{Component, guard_quick};

/// `fmi2DoStep`.
pub unsafe extern "C" fn do_step<M: Model>(
    component: ffi::Component,
    current_communication_point: ffi::Real,
    communication_step_size: ffi::Real,
    _no_set_fmu_state_prior_to_current_point: ffi::Boolean,
) -> ffi::RawStatus {
    let (t, h) = (current_communication_point, communication_step_size);
    // The same twice, so that each is compiled into its caller.
    let (ready, other) = (
        |c: &mut Component<M>, _: &mut ()| c.state.step(c.declared, t, h),
        |c: &mut Component<M>, _: &mut ()| c.state.step(c.declared, t, h),
    );
    // SAFETY: the importer passes one of its instances.
    unsafe { guard_quick(component, Function::DoStep, Ok(()), ready, other) }
}
