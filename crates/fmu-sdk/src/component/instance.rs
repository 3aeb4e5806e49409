//! The memory behind `fmi2Component` and `fmi3Instance`.

use std::ffi::{CString, c_int, c_void};

use lotka_instance::{Phase, Status};

use super::{Called, Options, State, pointers::marked};
use crate::declaration::Declared;
use crate::log::Logger;
use crate::{Environment, Model, Refusal, RefusalKind};

/// Marks live instances, so that a foreign or freed pointer is refused if it can be recognized.
const LIVE: u64 = u64::from_le_bytes(*b"fmu-sdk\x01");
/// Marks live instances between steps, in [`Phase::StepComplete`] with every value computed, whose model keeps no log. A call
/// that is allowed there needs no other check, before or after.
const READY: u64 = u64::from_le_bytes(*b"fmu-sdk\x02");
/// Added to [`READY`] if the instance asks the importer for inputs at the beginning of a step. Other calls need not know.
const ASKS: u64 = 4 << 56;
/// Marks live instances that ask for inputs, whose model keeps no log: the importer may set them, and no call needs another
/// check.
const ASKING: u64 = u64::from_le_bytes(*b"fmu-sdk\x08");

#[inline]
fn is_ready(mark: u64) -> bool {
    mark & !ASKS == READY
}

/// One instance.
#[repr(C)] // the mark comes first
pub(crate) struct Component<M: Model> {
    mark: u64,
    pub state: State<M>,
    pub declared: &'static Declared<M>,
    pub logger: Logger,
    pub environment: Environment,
    /// What the importer chose when it created an instance of FMI 3.0.
    pub options: Options,
    /// The state before the last step, if the instance may have to return to it (FMI 3.0).
    pub(super) before: Option<Box<State<M>>>,
    /// Strings returned by the last function that reads String variables.
    pub strings: Vec<CString>,
    /// Values returned by the last `fmi3GetBinary`.
    pub binaries: Vec<Vec<u8>>,
}

impl<M: Model> Component<M> {
    /// Creates an instance on the heap and returns the pointer for the importer.
    pub fn into_raw(
        declared: &'static Declared<M>,
        state: State<M>,
        logger: Logger,
        environment: Environment,
        options: Options,
    ) -> *mut c_void {
        let (mark, before, strings, binaries) = (LIVE, None, Vec::new(), Vec::new());
        let component = Self { mark, state, declared, logger, environment, options, before, strings, binaries };
        Box::into_raw(Box::new(component)).cast()
    }

    /// Returns the instance behind the pointer; `None` for NULL and for a pointer recognized as invalid.
    ///
    /// # Safety
    /// The pointer is NULL, or comes from [`Self::into_raw`] of the same model and is not freed, or at least points to readable
    /// memory of the size of an instance. No other reference to the instance is alive.
    #[inline]
    pub unsafe fn from_raw<'a>(pointer: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, |mark| is_ready(mark) || mark == LIVE || mark == ASKING) }
    }

    /// Returns the instance behind the pointer if it is at a communication point, and nothing is left to do after a successful
    /// call that [keeps](Called::keeps_mark) its mark.
    ///
    /// # Safety
    /// As for [`Self::from_raw`].
    #[inline]
    pub unsafe fn ready<'a>(pointer: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, is_ready) }
    }

    /// Returns the instance behind the pointer if it asks for inputs, and nothing is left to do after a successful call that
    /// [serves](Called::serves_intermediate_update) that.
    ///
    /// # Safety
    /// As for [`Self::from_raw`].
    #[inline]
    pub unsafe fn asking<'a>(pointer: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, |mark| mark == ASKING) }
    }

    /// Same as [`Self::ready`], but `None` also if it asks for inputs.
    ///
    /// # Safety
    /// As for [`Self::from_raw`].
    #[inline]
    pub unsafe fn ready_without_inputs<'a>(pointer: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, |mark| mark == READY) }
    }

    /// Frees the instance, unless its step is in progress.
    ///
    /// # Safety
    /// As for [`Self::from_raw`], and the pointer is not used again.
    pub unsafe fn free(pointer: *mut c_void) {
        // SAFETY: passed on.
        let Some(component) = (unsafe { Self::from_raw(pointer) }) else { return };
        if component.state.run.phase == Phase::StepInProgress {
            component.logger.explain(Status::Error, "the instance is not freed, because its step is in progress");
            return;
        }
        component.mark = 0;
        // SAFETY: the pointer comes from `Box::into_raw` and is not used again.
        drop(unsafe { Box::from_raw(pointer.cast::<Self>()) });
    }

    /// Whether `function` may be called now. Beyond the call table, values may be read right after instantiation, as some
    /// importers do: they are the results that initialization would have.
    pub fn allows<F: Called>(&self, function: F) -> bool {
        let phase = self.state.run.phase;
        function.is_allowed_in(phase)
            || (phase == Phase::Instantiated && function.reads_variables())
            || (phase == Phase::StepInProgress && function.serves_intermediate_update())
    }

    /// Marks the instance according to its phase.
    #[inline]
    pub(super) fn settle(&mut self) {
        let run = &self.state.run;
        let needs_nothing = !run.stale && self.declared.environment.is_none();
        self.mark = match run.phase {
            Phase::StepComplete if needs_nothing && self.options.intermediate_update.is_none() => READY,
            Phase::StepComplete if needs_nothing => READY | ASKS,
            Phase::StepInProgress if needs_nothing => ASKING,
            _ => LIVE,
        };
    }

    /// Continues from a saved state, which is kept.
    #[inline]
    pub fn restore(&mut self, saved: &State<M>) {
        self.state.clone_from(saved);
        self.state.enter(self.declared, &self.environment);
        self.settle();
    }

    /// Keeps a copy of the state before a step.
    #[inline]
    pub fn keep(&mut self) {
        match &mut self.before {
            Some(before) => (**before).clone_from(&self.state),
            None => self.before = Some(Box::new(self.state.clone())),
        }
    }

    /// Returns to the state of the last [`Self::keep`].
    #[cold]
    pub fn rewind(&mut self) {
        if let Some(before) = &mut self.before {
            std::mem::swap(&mut self.state, before);
        }
    }

    /// Concludes a call: sends the log of the model to the importer, logs a failure, and returns the status.
    #[inline(never)]
    pub fn conclude<F: Called>(&mut self, function: F, outcome: Result<(), Refusal>) -> c_int {
        let is_warned = self.declared.environment.is_some() && self.environment.deliver(&self.logger);
        let status = match outcome {
            Ok(()) if is_warned => Status::Warning,
            Ok(()) => Status::Ok,
            Err(refusal) => self.refuse(function, &refusal),
        };
        self.settle();
        status as c_int
    }

    /// Returns the refusal of a call out of order.
    #[cold]
    pub fn out_of_order<F: Called>(&self) -> Refusal {
        let hint = match self.state.run.phase {
            Phase::Error => format!("; call {} first", F::WAYS_OUT),
            Phase::StepFailed => format!("; the last step was discarded: call {} first", F::WAYS_OUT),
            _ => String::new(),
        };
        Refusal::error(format!("the call is not allowed in phase `{}`{hint}", self.state.run.phase))
    }

    /// Logs why `function` fails, changes the phase accordingly, and returns the status.
    #[cold]
    fn refuse<F: Called>(&mut self, function: F, refusal: &Refusal) -> Status {
        let status = match refusal.kind() {
            RefusalKind::Discard { last_successful_time, terminate } => {
                if function.fails_step() {
                    let run = &mut self.state.run;
                    run.phase = Phase::StepFailed;
                    run.terminate = terminate;
                    run.time = last_successful_time.unwrap_or(run.time);
                }
                Status::Discard
            }
            RefusalKind::Error | RefusalKind::Stop { .. } => {
                self.state.run.phase = Phase::Error;
                Status::Error
            }
        };
        self.logger.explain(status, &format!("{function}: {refusal}"));
        status
    }
}
