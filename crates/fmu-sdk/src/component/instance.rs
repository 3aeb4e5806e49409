//! The memory behind `fmi2Component`.

use std::ffi::CString;

use fmi2::{Function, ffi};
use lotka_instance::{Phase, Status};

use super::{State, pointers::marked};
use crate::declaration::Declared;
use crate::log::Logger;
use crate::model::RefusalKind;
use crate::{Environment, Model, Refusal};

/// Marks live instances, so that a foreign or freed pointer is refused if it can be recognized.
const MAGIC: u64 = u64::from_le_bytes(*b"fmu-sdk\x01");

/// One instance.
#[repr(C)] // the mark comes first
pub(crate) struct Component<M: Model> {
    magic: u64,
    pub state: State<M>,
    pub declared: &'static Declared<M>,
    pub logger: Logger,
    pub environment: Environment,
    /// Strings returned by the last `fmi2GetString`.
    pub strings: Vec<CString>,
}

impl<M: Model> Component<M> {
    /// Creates an instance on the heap and returns the pointer for the importer.
    pub fn into_raw(declared: &'static Declared<M>, state: State<M>, logger: Logger, environment: Environment) -> ffi::Component {
        let component = Self { magic: MAGIC, state, declared, logger, environment, strings: Vec::new() };
        Box::into_raw(Box::new(component)).cast()
    }

    /// Returns the instance behind the pointer; `None` for NULL and for a pointer recognized as invalid.
    ///
    /// # Safety
    /// The pointer is NULL, or comes from [`Self::into_raw`] of the same model and is not freed, or at least points to readable
    /// memory of the size of an instance. No other reference to the instance is alive.
    #[inline]
    pub unsafe fn from_raw<'a>(pointer: ffi::Component) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, MAGIC) }
    }

    /// Frees the instance.
    ///
    /// # Safety
    /// As for [`Self::from_raw`], and the pointer is not used again.
    pub unsafe fn free(pointer: ffi::Component) {
        // SAFETY: passed on.
        let Some(component) = (unsafe { Self::from_raw(pointer) }) else { return };
        component.magic = 0;
        // SAFETY: the pointer comes from `Box::into_raw` and is not used again.
        drop(unsafe { Box::from_raw(pointer.cast::<Self>()) });
    }

    /// Whether `function` may be called now. Beyond the call table, values may be read right after instantiation, as some
    /// importers do: they are the results that initialization would have.
    #[inline]
    pub fn allows(&self, function: Function) -> bool {
        use Function::{GetBoolean, GetInteger, GetReal, GetString};
        let phase = self.state.run.phase;
        function.allowed_in(phase)
            || (phase == Phase::Instantiated && matches!(function, GetReal | GetInteger | GetBoolean | GetString))
    }

    /// Sends the log of the model to the importer. Returns `true` if it contained a warning.
    #[inline]
    pub fn deliver_log(&self) -> bool {
        self.declared.environment.is_some() && self.environment.deliver(&self.logger)
    }

    /// Returns the refusal of a call out of order.
    #[cold]
    pub fn out_of_order(&self) -> Refusal {
        let hint = match self.state.run.phase {
            Phase::Error => "; call fmi2Reset or fmi2SetFMUstate first",
            Phase::StepFailed => "; the last step was discarded: call fmi2SetFMUstate or fmi2Reset first",
            _ => "",
        };
        Refusal::error(format!("the call is not allowed in phase `{}`{hint}", self.state.run.phase))
    }

    /// Logs why `function` fails, changes the phase accordingly, and returns the status.
    #[cold]
    pub fn refuse(&mut self, function: Function, refusal: &Refusal) -> ffi::RawStatus {
        let status = match refusal.kind() {
            RefusalKind::Discard { last_successful_time, terminate } => {
                if function == Function::DoStep {
                    let run = &mut self.state.run;
                    run.phase = Phase::StepFailed;
                    run.terminate = terminate;
                    run.time = last_successful_time.unwrap_or(run.time);
                }
                Status::Discard
            }
            RefusalKind::Error => {
                self.state.run.phase = Phase::Error;
                Status::Error
            }
        };
        self.logger.explain(status, &format!("{function}: {refusal}"));
        status as ffi::RawStatus
    }
}
