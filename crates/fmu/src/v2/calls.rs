//! The calls into an instance: each function of this file makes one call and nothing else. Statuses are returned unchecked.
//!
//! Their soundness rests on these facts: the instance comes from `fmi2Instantiate` of the same library, which is never unloaded;
//! it is freed once, when [`Calls`] is dropped; `&mut self` prevents overlapping calls; lengths are compared here.

use std::ffi::{CStr, CString};
use std::slice::from_mut;
use std::sync::Arc;

use fmi2::ffi::{self, Boolean, FmiString, RawStatus, RawStatusKind};
use lotka_instance::{BooleanRef, Experiment, IntegerRef, RealRef, StringRef};

use super::Loaded;
use crate::instance::{Refused, Reply, common_calls, read, read_texts};
use crate::log::Environment;
use crate::shared::Shared;

/// The functions of an FMU, which is kept alive, with one instance as their argument.
pub(crate) struct Calls {
    pub shared: Arc<Shared<Loaded>>,
    /// NULL once abandoned.
    instance: ffi::Component,
}

/// The arguments of `fmi2Instantiate`.
pub(crate) struct Arguments<'a> {
    pub name: &'a CStr,
    pub guid: CString,
    pub visible: bool,
    pub logging_on: bool,
}

common_calls! {
    de_serialize_fmu_state,
    required { enter_initialization_mode exit_initialization_mode terminate }
    optional { reset cancel_step }
}

#[inline]
fn same_length(a: usize, b: usize) -> Result<(), Refused> {
    if a == b { Ok(()) } else { Err(Refused::Lengths) }
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
                unsafe { function(self.instance, references.as_ptr().cast(), references.len(), values.as_mut_ptr()) }
            })
        }

        #[inline]
        pub fn $set(&mut self, references: &[$reference], values: &[$value]) -> Reply {
            let function = self.functions().$set.ok_or(Refused::Missing)?;
            same_length(references.len(), values.len())?;
            // SAFETY: as for reading.
            Ok(unsafe { function(self.instance, references.as_ptr().cast(), references.len(), values.as_ptr()) })
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
            let status = read(from_mut(&mut value), |value| unsafe { function(self.instance, kind, value.as_mut_ptr()) })?;
            Ok((status, value))
        }
    )*};
}

impl Calls {
    /// Creates an instance; `None` if the FMU returns NULL.
    pub fn instantiate(
        shared: &Arc<Shared<Loaded>>,
        arguments: &Arguments<'_>,
        environment: &'static Environment,
    ) -> Option<Self> {
        let Loaded { functions, resources, .. } = &shared.version;
        // SAFETY: all texts end with NUL, and the callbacks and their environment live as long as the process.
        let instance = unsafe {
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
        (!instance.is_null()).then(|| Self { shared: shared.clone(), instance })
    }

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
        unsafe { (self.functions().do_step)(self.instance, t, h, boolean(commit)) }
    }

    pub fn setup_experiment(&mut self, experiment: &Experiment) -> RawStatus {
        let Experiment { start, stop, tolerance } = *experiment;
        // SAFETY: see the top of this file.
        unsafe {
            (self.functions().setup_experiment)(
                self.instance,
                boolean(tolerance.is_some()),
                tolerance.unwrap_or(0.0),
                start,
                boolean(stop.is_some()),
                stop.unwrap_or(0.0),
            )
        }
    }

    pub fn set_string(&mut self, references: &[StringRef], values: &[CString]) -> Reply {
        let function = self.functions().set_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let pointers: Vec<FmiString> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: both arrays have the length that is passed, and the texts live during the call.
        Ok(unsafe { function(self.instance, references.as_ptr().cast(), references.len(), pointers.as_ptr()) })
    }

    pub fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> Reply {
        let function = self.functions().get_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let call = |pointers: &mut [FmiString]| {
            // SAFETY: both arrays have the length that is passed.
            unsafe { function(self.instance, references.as_ptr().cast(), references.len(), pointers.as_mut_ptr()) }
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
        Ok(unsafe { function(self.instance, references.as_ptr().cast(), count, orders.as_ptr(), values.as_ptr()) })
    }

    pub fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> Reply {
        let function = self.functions().get_real_output_derivatives.ok_or(Refused::Missing)?;
        same_length(references.len(), orders.len())?;
        same_length(references.len(), values.len())?;
        let count = references.len();
        read(values, |values| {
            // SAFETY: all arrays have the length that is passed.
            unsafe { function(self.instance, references.as_ptr().cast(), count, orders.as_ptr(), values.as_mut_ptr()) }
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
                    self.instance,
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
