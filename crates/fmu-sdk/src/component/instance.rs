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
const LIVE: u64 = u64::from_le_bytes(*b"fmu-sdk\x01");
/// Marks live instances between steps, in [`Phase::StepComplete`] with every value computed, whose model keeps no log. A call that is allowed there
/// needs no other check, before or after.
const READY: u64 = u64::from_le_bytes(*b"fmu-sdk\x02");

/// One instance.
#[repr(C)] // the mark comes first
pub(crate) struct Component<M: Model> {
    mark: u64,
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
        let component = Self { mark: LIVE, state, declared, logger, environment, strings: Vec::new() };
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
        unsafe { marked(pointer, [READY, LIVE]) }
    }

    /// Returns the instance behind the pointer if it is at a communication point, and nothing is left to do after a successful call that
    /// [keeps](keeps_mark) its mark.
    ///
    /// # Safety
    /// As for [`Self::from_raw`].
    #[inline]
    pub unsafe fn ready<'a>(pointer: ffi::Component) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, [READY]) }
    }

    /// Frees the instance.
    ///
    /// # Safety
    /// As for [`Self::from_raw`], and the pointer is not used again.
    pub unsafe fn free(pointer: ffi::Component) {
        // SAFETY: passed on.
        let Some(component) = (unsafe { Self::from_raw(pointer) }) else { return };
        component.mark = 0;
        // SAFETY: the pointer comes from `Box::into_raw` and is not used again.
        drop(unsafe { Box::from_raw(pointer.cast::<Self>()) });
    }

    /// Whether `function` may be called now. Beyond the call table, values may be read right after instantiation, as some
    /// importers do: they are the results that initialization would have.
    pub fn allows(&self, function: Function) -> bool {
        use Function::{GetBoolean, GetInteger, GetReal, GetString};
        let phase = self.state.run.phase;
        function.allowed_in(phase)
            || (phase == Phase::Instantiated && matches!(function, GetReal | GetInteger | GetBoolean | GetString))
    }

    /// Marks the instance according to its phase.
    #[inline]
    fn settle(&mut self) {
        let run = &self.state.run;
        let is_ready = run.phase == Phase::StepComplete && !run.stale && self.declared.environment.is_none();
        self.mark = if is_ready { READY } else { LIVE };
    }

    /// Continues from a saved state, which is kept.
    #[inline]
    pub fn restore(&mut self, saved: &State<M>) {
        self.state.clone_from(saved);
        self.state.enter(self.declared, &self.environment);
        self.settle();
    }

    /// Concludes a call: sends the log of the model to the importer, logs a failure, and returns the status.
    #[inline(never)]
    pub fn conclude(&mut self, function: Function, outcome: Result<(), Refusal>) -> ffi::RawStatus {
        let is_warned = self.declared.environment.is_some() && self.environment.deliver(&self.logger);
        let status = match outcome {
            Ok(()) if is_warned => Status::Warning,
            Ok(()) => Status::Ok,
            Err(refusal) => self.refuse(function, &refusal),
        };
        self.settle();
        status as ffi::RawStatus
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
    fn refuse(&mut self, function: Function, refusal: &Refusal) -> Status {
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
        status
    }
}

/// Whether a successful call of `function` leaves a ready instance with the mark that its phase requires.
pub(super) const fn keeps_mark(function: Function) -> bool {
    use Function::{
        DoStep, GetBoolean, GetDirectionalDerivative, GetFMUstate, GetInteger, GetReal, GetRealOutputDerivatives, GetString,
        SetBoolean, SetFMUstate, SetInteger, SetReal, SetRealInputDerivatives, SetString,
    };
    let accesses_values =
        matches!(function, GetReal | GetInteger | GetBoolean | GetString | SetReal | SetInteger | SetBoolean | SetString);
    let accesses_derivatives = matches!(function, GetDirectionalDerivative | GetRealOutputDerivatives | SetRealInputDerivatives);
    accesses_values || accesses_derivatives || matches!(function, DoStep | GetFMUstate | SetFMUstate)
}
