//! The calls into an instance: each function of this file makes one call and nothing else. Statuses are returned unchecked.
//!
//! Their soundness rests on these facts: the component comes from `fmi2Instantiate` of the same library, which is never unloaded;
//! it is freed once, when [`Calls`] is dropped; `&mut self` prevents overlapping calls; lengths are compared here.

use std::ffi::{CStr, CString};
use std::ptr::null_mut;
use std::slice::from_mut;
use std::sync::Arc;

use fmi2::ffi::{self, Boolean, FmiString, Functions, RawStatus, RawStatusKind};
use lotka_instance::{BooleanRef, Experiment, IntegerRef, RealRef, StringRef};

use super::Loaded;
use crate::instance::{Refused, Reply, SavedState, StateCalls, read, read_some, read_texts};
use crate::log::Environment;
use crate::shared::Shared;

/// The functions of an FMU, which is kept alive, with one component as their argument.
pub(crate) struct Calls {
    pub shared: Arc<Shared<Loaded>>,
    /// NULL once abandoned.
    component: ffi::Component,
}

// SAFETY: FMI allows an instance to be used from different threads, one at a time.
unsafe impl Send for Calls {}

/// The arguments of `fmi2Instantiate`.
pub(crate) struct Arguments<'a> {
    pub name: &'a CStr,
    pub guid: CString,
    pub visible: bool,
    pub logging_on: bool,
}

fn boolean(value: bool) -> Boolean {
    if value { ffi::TRUE } else { ffi::FALSE }
}

#[inline]
fn same_length(a: usize, b: usize) -> Result<(), Refused> {
    if a == b { Ok(()) } else { Err(Refused::Lengths) }
}

/// Functions whose only argument is the component.
macro_rules! plain {
    ($($name:ident)*) => {$(
        pub fn $name(&mut self) -> RawStatus {
            // SAFETY: see the top of this file.
            unsafe { (self.functions().$name)(self.component) }
        }
    )*};
}

/// Optional functions whose only argument is the component.
macro_rules! plain_optional {
    ($($name:ident)*) => {$(
        pub fn $name(&mut self) -> Reply {
            let function = self.functions().$name.ok_or(Refused::Missing)?;
            // SAFETY: see the top of this file.
            Ok(unsafe { function(self.component) })
        }
    )*};
}

/// Reads and sets values that are passed unchanged.
macro_rules! values {
    ($($get:ident $set:ident $reference:ident $value:ty;)*) => {$(
        #[inline]
        pub fn $get(&mut self, references: &[$reference], values: &mut [$value]) -> Reply {
            let function = self.functions().$get.ok_or(Refused::Missing)?;
            same_length(references.len(), values.len())?;
            read(values, |values| {
                // SAFETY: both arrays have the length that is passed; references are `repr(transparent)` over the C type.
                unsafe { function(self.component, references.as_ptr().cast(), references.len(), values.as_mut_ptr()) }
            })
        }

        #[inline]
        pub fn $set(&mut self, references: &[$reference], values: &[$value]) -> Reply {
            let function = self.functions().$set.ok_or(Refused::Missing)?;
            same_length(references.len(), values.len())?;
            // SAFETY: as for reading.
            Ok(unsafe { function(self.component, references.as_ptr().cast(), references.len(), values.as_ptr()) })
        }
    )*};
}

/// The functions of the status family.
macro_rules! statuses {
    ($($name:ident $value:ty;)*) => {$(
        /// Returns the status of the call, and the answer.
        pub fn $name(&mut self, kind: RawStatusKind) -> Result<(RawStatus, $value), Refused> {
            let function = self.functions().$name.ok_or(Refused::Missing)?;
            let mut value = <$value>::default();
            // SAFETY: the pointer is valid for one value.
            let status = read(from_mut(&mut value), |value| unsafe { function(self.component, kind, value.as_mut_ptr()) })?;
            Ok((status, value))
        }
    )*};
}

impl Calls {
    #[inline]
    fn functions(&self) -> &Functions {
        &self.shared.version.functions
    }

    /// Creates an instance; `None` if the FMU returns NULL.
    pub fn instantiate(
        shared: &Arc<Shared<Loaded>>,
        arguments: &Arguments<'_>,
        environment: &'static Environment,
    ) -> Option<Self> {
        let Loaded { functions, resources, .. } = &shared.version;
        // SAFETY: all texts end with NUL, and the callbacks and their environment live as long as the process.
        let component = unsafe {
            (functions.instantiate)(
                arguments.name.as_ptr(),
                ffi::CO_SIMULATION,
                arguments.guid.as_ptr(),
                resources.as_ptr(),
                environment.callbacks(),
                boolean(arguments.visible),
                boolean(arguments.logging_on),
            )
        };
        (!component.is_null()).then(|| Self { shared: shared.clone(), component })
    }

    /// The address that identifies the instance.
    #[inline]
    pub fn address(&self) -> usize {
        self.component as usize
    }

    /// Marks the component as never to be freed: no function may be called any more.
    pub fn abandon(&mut self) {
        self.component = null_mut();
    }

    plain! { enter_initialization_mode exit_initialization_mode terminate }
    plain_optional! { reset cancel_step }
    values! {
        get_real set_real RealRef f64;
        get_integer set_integer IntegerRef i32;
        get_boolean set_boolean BooleanRef Boolean;
    }
    statuses! {
        get_status RawStatus;
        get_real_status f64;
        get_boolean_status Boolean;
    }

    #[inline]
    pub fn do_step(&mut self, t: f64, h: f64, commit: bool) -> RawStatus {
        // SAFETY: see the top of this file.
        unsafe { (self.functions().do_step)(self.component, t, h, boolean(commit)) }
    }

    pub fn setup_experiment(&mut self, experiment: &Experiment) -> RawStatus {
        let Experiment { start, stop, tolerance } = *experiment;
        // SAFETY: see the top of this file.
        unsafe {
            (self.functions().setup_experiment)(
                self.component,
                boolean(tolerance.is_some()),
                tolerance.unwrap_or(0.0),
                start,
                boolean(stop.is_some()),
                stop.unwrap_or(0.0),
            )
        }
    }

    pub fn set_debug_logging(&mut self, on: bool, categories: &[CString]) -> Reply {
        let function = self.functions().set_debug_logging.ok_or(Refused::Missing)?;
        let pointers: Vec<FmiString> = categories.iter().map(|category| category.as_ptr()).collect();
        // SAFETY: the number of pointers is the one passed, and they live during the call.
        Ok(unsafe { function(self.component, boolean(on), pointers.len(), pointers.as_ptr()) })
    }

    pub fn set_string(&mut self, references: &[StringRef], values: &[CString]) -> Reply {
        let function = self.functions().set_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let pointers: Vec<FmiString> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: both arrays have the length that is passed, and the texts live during the call.
        Ok(unsafe { function(self.component, references.as_ptr().cast(), references.len(), pointers.as_ptr()) })
    }

    pub fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> Reply {
        let function = self.functions().get_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let call = |pointers: &mut [FmiString]| {
            // SAFETY: both arrays have the length that is passed.
            unsafe { function(self.component, references.as_ptr().cast(), references.len(), pointers.as_mut_ptr()) }
        };
        // SAFETY: FMI requires texts that end with NUL and are valid until the next call on the instance.
        unsafe { read_texts(values, call) }
    }

    pub fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> Reply {
        let function = self.functions().set_real_input_derivatives.ok_or(Refused::Missing)?;
        same_length(references.len(), orders.len())?;
        same_length(references.len(), values.len())?;
        let count = references.len();
        // SAFETY: all arrays have the length that is passed.
        Ok(unsafe { function(self.component, references.as_ptr().cast(), count, orders.as_ptr(), values.as_ptr()) })
    }

    pub fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> Reply {
        let function = self.functions().get_real_output_derivatives.ok_or(Refused::Missing)?;
        same_length(references.len(), orders.len())?;
        same_length(references.len(), values.len())?;
        let count = references.len();
        read(values, |values| {
            // SAFETY: all arrays have the length that is passed.
            unsafe { function(self.component, references.as_ptr().cast(), count, orders.as_ptr(), values.as_mut_ptr()) }
        })
    }

    pub fn directional_derivative(
        &mut self,
        unknowns: &[RealRef],
        knowns: &[RealRef],
        seed: &[f64],
        result: &mut [f64],
    ) -> Reply {
        let function = self.functions().get_directional_derivative.ok_or(Refused::Missing)?;
        same_length(knowns.len(), seed.len())?;
        same_length(unknowns.len(), result.len())?;
        read(result, |result| {
            // SAFETY: seed is as long as knowns, result as long as unknowns.
            unsafe {
                function(
                    self.component,
                    unknowns.as_ptr().cast(),
                    unknowns.len(),
                    knowns.as_ptr().cast(),
                    knowns.len(),
                    seed.as_ptr(),
                    result.as_mut_ptr(),
                )
            }
        })
    }
}

impl StateCalls for Calls {
    #[inline]
    fn save(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().get_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state is NULL or was made by this component.
        Ok(unsafe { function(self.component, &raw mut state.0) })
    }

    #[inline]
    fn restore(&mut self, state: &SavedState) -> Reply {
        let function = self.functions().set_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this component.
        Ok(unsafe { function(self.component, state.0) })
    }

    fn free_state(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().free_fmu_state.ok_or(Refused::Missing)?;
        let mut freed = std::mem::replace(&mut state.0, null_mut());
        // SAFETY: the state was made by this component and cannot be used again.
        Ok(unsafe { function(self.component, &raw mut freed) })
    }

    fn serialized_size(&mut self, state: &SavedState) -> Result<(RawStatus, usize), Refused> {
        let function = self.functions().serialized_fmu_state_size.ok_or(Refused::Missing)?;
        let mut size = 0;
        // SAFETY: the state was made by this component, and the pointer is valid for one number.
        let status = read(from_mut(&mut size), |size| unsafe { function(self.component, state.0, size.as_mut_ptr()) })?;
        Ok((status, size))
    }

    fn serialize(&mut self, state: &SavedState, bytes: &mut [u8]) -> Reply {
        let function = self.functions().serialize_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this component, and the buffer has the length that is passed.
        read_some(bytes, |bytes| unsafe { function(self.component, state.0, bytes.as_mut_ptr().cast(), bytes.len()) })
    }

    fn deserialize(&mut self, bytes: &[u8], state: &mut SavedState) -> Reply {
        let function = self.functions().de_serialize_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the buffer has the length that is passed, and the pointer is valid for one state.
        Ok(unsafe { function(self.component, bytes.as_ptr().cast(), bytes.len(), &raw mut state.0) })
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        if !self.component.is_null() {
            // SAFETY: the component is freed here and nowhere else.
            unsafe { (self.functions().free_instance)(self.component) }
        }
    }
}
