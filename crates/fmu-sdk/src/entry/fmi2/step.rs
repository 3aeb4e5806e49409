//! The step itself.

use fmi2::{Function, ffi};

use crate::Model;
use crate::component::{Component, guard};

/// `fmi2DoStep`.
pub unsafe extern "C" fn do_step<M: Model>(
    component: ffi::Component,
    current_communication_point: ffi::Real,
    communication_step_size: ffi::Real,
    _no_set_fmu_state_prior_to_current_point: ffi::Boolean,
) -> ffi::RawStatus {
    let step = move |c: &mut Component<M>| c.state.step(c.declared, current_communication_point, communication_step_size);
    // SAFETY: the importer passes one of its instances.
    unsafe { guard(component, Function::DoStep, step) }
}
