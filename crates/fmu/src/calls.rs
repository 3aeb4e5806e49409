//! The calls into an instance: each function of this file makes one call and nothing else. Statuses come back unjudged.
//!
//! What keeps them sound: the component comes from `fmi2Instantiate` of the same library, which is never unloaded; it is
//! freed once, when [`Calls`] is dropped; `&mut self` keeps calls from overlapping; lengths are compared here.

use std::ffi::{CStr, CString};
use std::ptr::null_mut;

use fmi2::ffi::{self, Boolean, FmiString, FmuState, Functions, RawStatus, RawStatusKind};
use lotka_instance::{BooleanRef, Experiment, IntegerRef, RealRef, StringRef};

use crate::Fmu;
use crate::log::Environment;

/// Why a function was not called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The library lacks it.
    Missing,
    /// Slices differ in length.
    Lengths,
}

/// The status as it came, or why there was no call.
pub(crate) type Reply = Result<RawStatus, Refused>;

/// The functions of an FMU, which is kept alive, with one component to apply them to.
pub(crate) struct Calls {
    pub fmu: Fmu,
    /// NULL once it is abandoned.
    component: ffi::Component,
}

// SAFETY: FMI allows an instance to be used from different threads, one at a time.
unsafe impl Send for Calls {}

/// A state that the FMU keeps for us; NULL until something is saved.
pub(crate) struct SavedState(FmuState);

// SAFETY: the pointer is only handed back to the FMU that it came from.
unsafe impl Send for SavedState {}

impl SavedState {
    pub fn empty() -> Self {
        Self(null_mut())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_null()
    }
}

/// What `fmi2Instantiate` is given.
pub(crate) struct Identity {
    pub name: CString,
    pub guid: CString,
    pub resources: CString,
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

/// Functions without arguments but the component.
macro_rules! plain {
    ($($name:ident)*) => {$(
        pub fn $name(&mut self) -> RawStatus {
            // SAFETY: see the top of this file.
            unsafe { (self.functions().$name)(self.component) }
        }
    )*};
}

/// Optional functions without arguments but the component.
macro_rules! plain_optional {
    ($($name:ident)*) => {$(
        pub fn $name(&mut self) -> Reply {
            let function = self.functions().$name.ok_or(Refused::Missing)?;
            // SAFETY: see the top of this file.
            Ok(unsafe { function(self.component) })
        }
    )*};
}

/// Reading and setting values that are passed as they are. What the FMU does not write stays as it is.
macro_rules! values {
    ($($get:ident $set:ident $reference:ident $value:ty;)*) => {$(
        #[inline]
        pub fn $get(&mut self, references: &[$reference], values: &mut [$value]) -> Reply {
            let function = self.functions().$get.ok_or(Refused::Missing)?;
            same_length(references.len(), values.len())?;
            // SAFETY: both arrays have the length that is passed; references are `repr(transparent)` over the C type.
            Ok(unsafe { function(self.component, references.as_ptr().cast(), references.len(), values.as_mut_ptr()) })
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
        /// The status of the call, and the answer.
        pub fn $name(&mut self, kind: RawStatusKind) -> Result<(RawStatus, $value), Refused> {
            let function = self.functions().$name.ok_or(Refused::Missing)?;
            let mut value = <$value>::default();
            // SAFETY: the pointer is valid for one value.
            let status = unsafe { function(self.component, kind, &raw mut value) };
            Ok((status, value))
        }
    )*};
}

impl Calls {
    #[inline]
    fn functions(&self) -> &Functions {
        &self.fmu.shared.functions
    }

    /// `None` when the FMU returns NULL.
    pub fn instantiate(fmu: &Fmu, identity: &Identity, environment: &'static Environment) -> Option<Self> {
        let functions = fmu.functions();
        // SAFETY: all texts end with NUL, and the callbacks and their environment live as long as the process.
        let component = unsafe {
            (functions.instantiate)(
                identity.name.as_ptr(),
                ffi::CO_SIMULATION,
                identity.guid.as_ptr(),
                identity.resources.as_ptr(),
                environment.callbacks(),
                boolean(identity.visible),
                boolean(identity.logging_on),
            )
        };
        (!component.is_null()).then(|| Self { fmu: fmu.clone(), component })
    }

    /// What tells the instance from others.
    #[inline]
    pub fn address(&self) -> usize {
        self.component as usize
    }

    /// The component will not be freed: nothing may be called any more.
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
        // SAFETY: the pointers are as many as is said and live during the call.
        Ok(unsafe { function(self.component, boolean(on), pointers.len(), pointers.as_ptr()) })
    }

    pub fn set_string(&mut self, references: &[StringRef], values: &[CString]) -> Reply {
        let function = self.functions().set_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let pointers: Vec<FmiString> = values.iter().map(|value| value.as_ptr()).collect();
        // SAFETY: both arrays have the length that is passed, and the texts live during the call.
        Ok(unsafe { function(self.component, references.as_ptr().cast(), references.len(), pointers.as_ptr()) })
    }

    /// Copies the texts at once if the status is OK or a warning. NULL is an empty text, broken UTF-8 is repaired.
    pub fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> Reply {
        let function = self.functions().get_string.ok_or(Refused::Missing)?;
        same_length(references.len(), values.len())?;
        let mut pointers: Vec<FmiString> = vec![std::ptr::null(); references.len()];
        // SAFETY: both arrays have the length that is passed.
        let status = unsafe { function(self.component, references.as_ptr().cast(), references.len(), pointers.as_mut_ptr()) };
        if matches!(status, 0 | 1) {
            for (value, pointer) in values.iter_mut().zip(pointers) {
                value.clear();
                if !pointer.is_null() {
                    // SAFETY: FMI demands a text that ends with NUL and is valid until the next call on the instance.
                    value.push_str(&unsafe { CStr::from_ptr(pointer) }.to_string_lossy());
                }
            }
        }
        Ok(status)
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
        // SAFETY: all arrays have the length that is passed.
        Ok(unsafe { function(self.component, references.as_ptr().cast(), count, orders.as_ptr(), values.as_mut_ptr()) })
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
        // SAFETY: seed is as long as knowns, result as long as unknowns.
        Ok(unsafe {
            function(
                self.component,
                unknowns.as_ptr().cast(),
                unknowns.len(),
                knowns.as_ptr().cast(),
                knowns.len(),
                seed.as_ptr(),
                result.as_mut_ptr(),
            )
        })
    }

    /// Saves into a state of this component, which the FMU reuses.
    #[inline]
    pub fn save(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().get_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state is NULL or was made by this component.
        Ok(unsafe { function(self.component, &raw mut state.0) })
    }

    #[inline]
    pub fn restore(&mut self, state: &SavedState) -> Reply {
        let function = self.functions().set_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this component.
        Ok(unsafe { function(self.component, state.0) })
    }

    /// The state is empty afterwards, whatever the FMU says.
    pub fn free_state(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().free_fmu_state.ok_or(Refused::Missing)?;
        let mut freed = std::mem::replace(&mut state.0, null_mut());
        // SAFETY: the state was made by this component and cannot be used again.
        Ok(unsafe { function(self.component, &raw mut freed) })
    }

    /// The status of the call, and the number of bytes.
    pub fn serialized_size(&mut self, state: &SavedState) -> Result<(RawStatus, usize), Refused> {
        let function = self.functions().serialized_fmu_state_size.ok_or(Refused::Missing)?;
        let mut size = 0;
        // SAFETY: the state was made by this component, and the pointer is valid for one number.
        let status = unsafe { function(self.component, state.0, &raw mut size) };
        Ok((status, size))
    }

    pub fn serialize(&mut self, state: &SavedState, bytes: &mut [u8]) -> Reply {
        let function = self.functions().serialize_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this component, and the buffer has the length that is passed.
        Ok(unsafe { function(self.component, state.0, bytes.as_mut_ptr().cast(), bytes.len()) })
    }

    /// Fills an empty state.
    pub fn deserialize(&mut self, bytes: &[u8], state: &mut SavedState) -> Reply {
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
