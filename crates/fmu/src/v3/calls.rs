//! The calls into an instance: each function of this file makes one call and nothing else. Statuses are returned unchecked.
//!
//! Their soundness rests on these facts: the instance comes from `fmi3InstantiateCoSimulation` of the same library, which is
//! never unloaded; it is freed once, when [`Calls`] is dropped; `&mut self` prevents overlapping calls; every array has the
//! length that is passed. The number of values is that of the elements of all variables, which follows from the model
//! description.

use std::ffi::{CStr, CString};
use std::ptr::null;
use std::sync::Arc;

use fmi3::ffi::{self, Boolean, FmiString, RawStatus};
use lotka_instance::Experiment;

use super::Loaded;
use super::intermediate::{CALLBACK, Gate, Polynomials, Stepping, Trouble};
use crate::instance::{Marked, Refused, Reply, common_calls, has_values, read, read_texts};
use crate::log::Environment;
use crate::shared::Shared;

/// The functions of an FMU, which is kept alive, with one instance as their argument.
pub(crate) struct Calls {
    pub shared: Arc<Shared<Loaded>>,
    /// NULL once abandoned.
    instance: ffi::Instance,
    /// Whether the FMU asks for inputs during its steps.
    asks_for_inputs: bool,
}

/// The arguments of `fmi3InstantiateCoSimulation`.
pub(crate) struct Arguments<'a> {
    pub name: &'a CStr,
    pub token: CString,
    pub visible: bool,
    pub logging_on: bool,
    /// Whether its events are handled in event mode, and its steps may end early.
    pub event_mode: bool,
    /// Whether it asks for inputs during its steps.
    pub asks_for_inputs: bool,
}

/// What `fmi3UpdateDiscreteStates` returns. Booleans and the time are untrusted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Updated {
    pub needs_update: Boolean,
    pub terminate_simulation: Boolean,
    pub is_event_time_defined: Boolean,
    pub next_event_time: f64,
}

/// What `fmi3DoStep` returns. Booleans and the time are untrusted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stepped {
    pub status: RawStatus,
    pub event_handling_needed: Boolean,
    pub terminate_simulation: Boolean,
    pub early_return: Boolean,
    pub last_successful_time: f64,
}

common_calls! {
    deserialize_fmu_state,
    required { exit_initialization_mode terminate }
    optional { reset enter_event_mode enter_step_mode enter_configuration_mode exit_configuration_mode }
}

/// Reads a byte by itself: a processor is slow to load several bytes at once that were just stored one by one.
#[inline]
fn alone(byte: &Boolean) -> Boolean {
    // SAFETY: a reference is valid for reads.
    unsafe { std::ptr::from_ref(byte).read_volatile() }
}

/// Reads and sets values of one type.
macro_rules! values {
    ($($get:ident $set:ident $value:ty;)*) => {$(
        #[inline]
        pub fn $get(&mut self, references: &[u32], values: &mut [$value]) -> Reply {
            let function = self.functions().$get.ok_or(Refused::Missing)?;
            read(values, |values| {
                // SAFETY: both arrays have the lengths that are passed.
                unsafe { function(self.instance, references.as_ptr(), references.len(), values.as_mut_ptr(), values.len()) }
            })
        }

        #[inline]
        pub fn $set(&mut self, references: &[u32], values: &[$value]) -> Reply {
            let function = self.functions().$set.ok_or(Refused::Missing)?;
            // SAFETY: as for reading.
            Ok(unsafe { function(self.instance, references.as_ptr(), references.len(), values.as_ptr(), values.len()) })
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
        let Loaded { functions, resources, intermediates, .. } = &shared.version;
        let asked: &[u32] = if arguments.asks_for_inputs { &intermediates.references } else { &[] };
        // SAFETY: all texts end with NUL, or are NULL where the standard allows it; the callback and its environment live as long
        // as the process.
        let instance = unsafe {
            (functions.instantiate_co_simulation)(
                arguments.name.as_ptr(),
                arguments.token.as_ptr(),
                resources.as_ref().map_or(null(), |path| path.as_ptr()),
                boolean(arguments.visible),
                boolean(arguments.logging_on),
                boolean(arguments.event_mode),
                boolean(arguments.event_mode),
                asked.as_ptr(),
                asked.len(),
                environment.pointer(),
                Some(Environment::log_message()),
                arguments.asks_for_inputs.then_some(CALLBACK),
            )
        };
        let asks_for_inputs = arguments.asks_for_inputs;
        (!instance.is_null()).then(|| Self { shared: shared.clone(), instance, asks_for_inputs })
    }

    /// Whether the FMU asks for inputs during its steps.
    pub fn asks_for_inputs(&self) -> bool {
        self.asks_for_inputs
    }

    values! {
        get_float64 set_float64 f64;
        get_float32 set_float32 f32;
        get_int8 set_int8 i8;
        get_uint8 set_uint8 u8;
        get_int16 set_int16 i16;
        get_uint16 set_uint16 u16;
        get_int32 set_int32 i32;
        get_uint32 set_uint32 u32;
        get_int64 set_int64 i64;
        get_uint64 set_uint64 u64;
        get_boolean set_boolean Boolean;
    }

    pub fn enter_initialization_mode(&mut self, experiment: &Experiment) -> RawStatus {
        let Experiment { start, stop, tolerance } = *experiment;
        // SAFETY: see the top of this file.
        unsafe {
            (self.functions().enter_initialization_mode)(
                self.instance,
                boolean(tolerance.is_some()),
                tolerance.unwrap_or(0.0),
                start,
                boolean(stop.is_some()),
                stop.unwrap_or(0.0),
            )
        }
    }

    pub fn update_discrete_states(&mut self) -> (Reply, Updated) {
        let mut updated = Updated {
            needs_update: ffi::FALSE,
            terminate_simulation: ffi::FALSE,
            is_event_time_defined: ffi::FALSE,
            next_event_time: 0.0,
        };
        let (mut nominals_changed, mut states_changed) = (ffi::FALSE, ffi::FALSE);
        let Some(function) = self.functions().update_discrete_states else { return (Err(Refused::Missing), updated) };
        // SAFETY: each pointer is valid for one value.
        let status = unsafe {
            function(
                self.instance,
                &raw mut updated.needs_update,
                &raw mut updated.terminate_simulation,
                &raw mut nominals_changed,
                &raw mut states_changed,
                &raw mut updated.is_event_time_defined,
                &raw mut updated.next_event_time,
            )
        };
        (Ok(status), updated)
    }

    /// Makes a step during which the inputs that the FMU asks for, if it does, are the polynomials that begin at `bases`; they
    /// are constant afterwards. Returns the first problem of a callback, too.
    pub(super) fn do_asking_step(
        &mut self,
        (t, h, commit): (f64, f64, bool),
        bases: &[f64],
        polynomials: &mut Polynomials,
        gate: &Gate,
    ) -> (Stepped, Option<Trouble>) {
        if !self.asks_for_inputs {
            return (self.call_do_step(t, h, commit), None);
        }
        if polynomials.are_constant() {
            return (gate.on_this_thread(|| self.call_do_step(t, h, commit)), None);
        }
        let references = &self.shared.version.intermediates.references;
        let set = self.functions().set_float64;
        let mut stepping = Stepping { instance: self.instance, set, references, bases, polynomials, t, h, trouble: None };
        let stepped = gate.during(&mut stepping, || self.call_do_step(t, h, commit));
        let trouble = stepping.trouble;
        polynomials.clear();
        (stepped, trouble)
    }

    /// Makes a step of an instance that does not ask for inputs.
    #[inline(always)]
    pub(super) fn do_step(&mut self, t: f64, h: f64, commit: bool) -> Stepped {
        self.call_do_step(t, h, commit)
    }

    #[inline(always)]
    fn call_do_step(&self, t: f64, h: f64, commit: bool) -> Stepped {
        let (mut event_handling_needed, mut terminate_simulation, mut early_return) = (ffi::FALSE, ffi::FALSE, ffi::FALSE);
        let [mut last_successful_time, _] = f64::MARKS;
        // SAFETY: each pointer is valid for one value.
        let status = unsafe {
            (self.functions().do_step)(
                self.instance,
                t,
                h,
                boolean(commit),
                &raw mut event_handling_needed,
                &raw mut terminate_simulation,
                &raw mut early_return,
                &raw mut last_successful_time,
            )
        };
        Stepped {
            status,
            event_handling_needed: alone(&event_handling_needed),
            terminate_simulation: alone(&terminate_simulation),
            early_return: alone(&early_return),
            last_successful_time,
        }
    }

    pub fn set_string(&mut self, references: &[u32], values: &[CString]) -> Reply {
        let function = self.functions().set_string.ok_or(Refused::Missing)?;
        let pointers: Vec<FmiString> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: both arrays have the lengths that are passed, and the texts live during the call.
        Ok(unsafe { function(self.instance, references.as_ptr(), references.len(), pointers.as_ptr(), pointers.len()) })
    }

    pub fn get_string(&mut self, references: &[u32], values: &mut [String]) -> Reply {
        let function = self.functions().get_string.ok_or(Refused::Missing)?;
        let call = |pointers: &mut [FmiString]| {
            // SAFETY: both arrays have the lengths that are passed.
            unsafe { function(self.instance, references.as_ptr(), references.len(), pointers.as_mut_ptr(), pointers.len()) }
        };
        // SAFETY: FMI requires texts that end with NUL and are valid until the next call on the instance.
        unsafe { read_texts(values, call) }
    }

    pub fn set_binary(&mut self, references: &[u32], values: &[Vec<u8>]) -> Reply {
        let function = self.functions().set_binary.ok_or(Refused::Missing)?;
        let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
        let pointers: Vec<ffi::Binary> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: all arrays have the lengths that are passed, and the bytes live during the call.
        Ok(unsafe {
            function(self.instance, references.as_ptr(), references.len(), sizes.as_ptr(), pointers.as_ptr(), pointers.len())
        })
    }

    /// Copies the bytes immediately if the status is OK or a warning; returns false, and copies nothing, if a size exceeds
    /// `limit` or there are no bytes behind it.
    pub fn get_binary(&mut self, references: &[u32], values: &mut [Vec<u8>], limit: usize) -> Result<(RawStatus, bool), Refused> {
        let function = self.functions().get_binary.ok_or(Refused::Missing)?;
        let mut sizes = vec![0; values.len()];
        let mut pointers: Vec<ffi::Binary> = vec![null(); values.len()];
        let (count, pointer) = (values.len(), pointers.as_mut_ptr());
        let status = read(&mut sizes, |sizes| {
            // SAFETY: all arrays have the lengths that are passed.
            unsafe { function(self.instance, references.as_ptr(), references.len(), sizes.as_mut_ptr(), pointer, count) }
        })?;
        let is_possible = sizes.iter().zip(&pointers).all(|(size, pointer)| *size == 0 || (*size <= limit && !pointer.is_null()));
        if has_values(status) && is_possible {
            for ((value, pointer), size) in values.iter_mut().zip(pointers).zip(sizes) {
                value.clear();
                if size > 0 {
                    // SAFETY: FMI requires that many bytes, valid until the next call on the instance.
                    value.extend_from_slice(unsafe { std::slice::from_raw_parts(pointer, size) });
                }
            }
        }
        Ok((status, is_possible))
    }

    pub fn get_output_derivatives(&mut self, references: &[u32], orders: &[i32], values: &mut [f64]) -> Reply {
        let function = self.functions().get_output_derivatives.ok_or(Refused::Missing)?;
        if references.len() != orders.len() {
            return Err(Refused::Lengths);
        }
        read(values, |values| {
            let (count, n_values) = (references.len(), values.len());
            // SAFETY: references and orders have the same length, and the values the one that is passed.
            unsafe { function(self.instance, references.as_ptr(), count, orders.as_ptr(), values.as_mut_ptr(), n_values) }
        })
    }

    pub fn directional_derivative(&mut self, unknowns: &[u32], knowns: &[u32], seed: &[f64], result: &mut [f64]) -> Reply {
        let function = self.functions().get_directional_derivative.ok_or(Refused::Missing)?;
        read(result, |result| {
            // SAFETY: all arrays have the lengths that are passed.
            unsafe {
                function(
                    self.instance,
                    unknowns.as_ptr(),
                    unknowns.len(),
                    knowns.as_ptr(),
                    knowns.len(),
                    seed.as_ptr(),
                    seed.len(),
                    result.as_mut_ptr(),
                    result.len(),
                )
            }
        })
    }
}
