//! An instantiated FMU from the master's point of view, wherever it runs.

use std::fmt;

use crate::{BinaryRef, BooleanRef, CallError, CallResult, Cause, FunctionName, IntegerRef, Phase, RealRef, StringRef};

/// The experiment passed to every instance before initialization. Times in seconds.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Experiment {
    /// Start time.
    pub start: f64,
    /// Stop time, if it is passed to the FMU.
    pub stop: Option<f64>,
    /// Relative tolerance for the FMU's own integration, if configured.
    pub tolerance: Option<f64>,
}

/// Capabilities of an instance: the flags of its model description, without those that its library turned out to lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Capabilities {
    /// Whether steps of any size are possible (FMI: `canHandleVariableCommunicationStepSize`).
    pub variable_step: bool,
    /// Whether its state can be saved and restored (FMI: `canGetAndSetFMUstate`).
    pub save_state: bool,
    /// Whether a saved state can be written as bytes (FMI: `canSerializeFMUstate`).
    pub serialize_state: bool,
    /// Whether it computes directional derivatives (FMI: `providesDirectionalDerivative`).
    pub directional_derivative: bool,
    /// Whether it takes derivatives of inputs (FMI: `canInterpolateInputs`).
    pub interpolate_inputs: bool,
    /// Highest order of output derivatives; 0 = none (FMI: `maxOutputDerivativeOrder`).
    pub max_output_derivative_order: u32,
    /// Whether a step may continue after the call that began it (FMI: `canRunAsynchronuously`).
    pub run_asynchronously: bool,
    /// Whether a process can hold one instance at most (FMI: `canBeInstantiatedOnlyOncePerProcess`).
    pub only_once_per_process: bool,
    /// Whether its events can be handled in event mode (FMI 3.0: `hasEventMode`).
    pub event_mode: bool,
}

/// A saved state inside an instance: an integer, so that it can be passed to another process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Slot(pub u32);

/// A step that was not completed.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Discard {
    /// Time up to which the FMU computed \[s\], if it returns one that is finite and within the step.
    pub last_successful_time: Option<f64>,
    /// Whether the FMU requests the end of the simulation at `last_successful_time`.
    pub terminate: bool,
}

/// Returns the rounding error that a time of an FMU may have in a step from `t` by `h` \[s\].
#[must_use]
#[inline]
pub fn time_rounding(t: f64, h: f64) -> f64 {
    1e-9 * (t.abs() + h)
}

impl Discard {
    /// Drops the last successful time unless it lies within the step from `t` by `h`; small deviations due to rounding are
    /// corrected.
    ///
    /// ```
    /// let discard = |time| lotka::instance::Discard { last_successful_time: Some(time), terminate: false }.within(1.0, 0.5).last_successful_time;
    /// assert_eq!((discard(1.25), discard(1.5 + 1e-12)), (Some(1.25), Some(1.5)));
    /// assert_eq!([f64::NAN, f64::INFINITY, 0.9, 1.6].map(discard), [None; 4]);
    /// ```
    #[must_use]
    pub fn within(self, t: f64, h: f64) -> Self {
        let slack = time_rounding(t, h);
        let reached = self.last_successful_time.filter(|time| (t - slack..=t + h + slack).contains(time));
        Self { last_successful_time: reached.map(|time| time.clamp(t, t + h)), ..self }
    }
}

/// How a step without an error ended. Rare outcomes are boxed, so that a result fits into two registers.
///
/// An early return differs from a discarded step. After an early return the instance *is* at a time inside the step, with outputs
/// of that time, and continues from there. After a discarded step it must be restored.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum StepOutcome {
    /// The instance is at `t + h`.
    Complete,
    /// The instance returned early from inside the step, for example at an event of its own. It is at this time \[s\].
    EarlyReturn(f64),
    /// The instance is at this time \[s\], inside the step or at its beginning or end, just before an event. The event must be
    /// handled in event mode before the next step: [`Instance::enter_event_mode`].
    Event(f64),
    /// The instance refused the step; before the next one it must be restored or reset.
    Discarded(Box<Discard>),
}

impl StepOutcome {
    /// Returns the outcome of a step from `t` by `h` that stopped at `time` \[s\]. It is complete if that is `t + h` up to
    /// rounding, and discarded if it does not lie inside the step: at the beginning, too, however short the step is.
    ///
    /// ```
    /// use lotka::instance::StepOutcome;
    ///
    /// assert_eq!(StepOutcome::stopped_at(1.25, 1.0, 0.5), StepOutcome::EarlyReturn(1.25));
    /// assert_eq!(StepOutcome::stopped_at(1.5 - 1e-12, 1.0, 0.5), StepOutcome::Complete);
    /// for time in [f64::NAN, 0.9, 1.0, 1.6] {
    ///     assert!(matches!(StepOutcome::stopped_at(time, 1.0, 0.5), StepOutcome::Discarded(_)));
    /// }
    /// assert!(matches!(StepOutcome::stopped_at(1.0, 1.0, 1e-12), StepOutcome::Discarded(_)));
    /// ```
    #[must_use]
    pub fn stopped_at(time: f64, t: f64, h: f64) -> Self {
        let slack = time_rounding(t, h).min(h / 2.0);
        if (time - (t + h)).abs() <= slack {
            Self::Complete
        } else if time > t && time < t + h {
            Self::EarlyReturn(time)
        } else {
            Self::Discarded(Box::new(Discard { last_successful_time: None, terminate: false }))
        }
    }
}

/// What an instance answers when it has updated its discrete states.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct DiscreteUpdate {
    /// Whether the states must be updated again at the same time.
    pub needs_update: bool,
    /// Whether the instance requests the end of the simulation. Its next step is then discarded with the same request
    /// ([`Discard::terminate`]).
    pub terminate: bool,
    /// Time of its next event \[s\], if it knows it.
    pub next_event_time: Option<f64>,
}

/// One instantiated FMU.
///
/// The phases and the functions allowed in each are those of the call tables of FMI (`fmi2::Function::allowed_in`,
/// `fmi3::Function::allowed_in`). A call out of order is an error, and the FMU is not called. All slices of one call have equal
/// length. `get_*` of an instance in [`Phase::Instantiated`] is refused, because real FMUs respond to it with an error from which
/// they do not recover.
///
/// Every implementation must pass one conformance suite.
#[doc(alias = "slave")]
#[allow(clippy::missing_errors_doc, reason = "all functions fail in the same way, which the trait says")]
pub trait Instance: Send {
    /// Name of the instance, as given at instantiation.
    fn name(&self) -> &str;
    /// The present phase of the instance.
    fn phase(&self) -> Phase;
    /// The capabilities of the instance.
    fn capabilities(&self) -> &Capabilities;

    /// Switches logging on or off for the named categories; an empty list means all.
    fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> CallResult<()>;
    /// Sets start time, stop time and tolerance. Must be called at least once before [`Instance::enter_initialization_mode`].
    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()>;
    /// Enters initialization mode.
    fn enter_initialization_mode(&mut self) -> CallResult<()>;
    /// Exits initialization mode; the instance is at its first communication point.
    fn exit_initialization_mode(&mut self) -> CallResult<()>;
    /// Ends the run; final values stay readable.
    fn terminate(&mut self) -> CallResult<()>;
    /// Returns to the state right after instantiation. Saved slots stay valid.
    fn reset(&mut self) -> CallResult<()>;

    /// Reads Real variables. A value that the FMU does not write is zero, here and for the other types.
    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()>;
    /// Reads integers of all widths, and enumerations.
    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()>;
    /// Reads Boolean variables.
    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()>;
    /// Reads String variables; each value is copied immediately.
    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()>;
    /// Sets Real variables.
    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()>;
    /// Sets integers of all widths, and enumerations. A value outside the range of its variable is refused, and the FMU is not
    /// called.
    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()>;
    /// Sets Boolean variables.
    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()>;
    /// Sets String variables.
    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()>;

    /// Reads Binary variables; each value is copied immediately. Instances without such variables need not implement it.
    fn get_binary(&mut self, references: &[BinaryRef], values: &mut [Vec<u8>]) -> CallResult<()> {
        if references.is_empty() && values.is_empty() { Ok(()) } else { Err(unsupported(self.name(), "get_binary")) }
    }
    /// Sets Binary variables. Instances without such variables need not implement it.
    fn set_binary(&mut self, references: &[BinaryRef], values: &[&[u8]]) -> CallResult<()> {
        if references.is_empty() && values.is_empty() { Ok(()) } else { Err(unsupported(self.name(), "set_binary")) }
    }

    /// Sets time derivatives of Real inputs at the start of the next step, `orders[i] >= 1`.
    fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()>;
    /// Reads time derivatives of Real outputs at the current communication point, `orders[i] >= 1`.
    fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()>;
    /// Computes `result = (d unknowns / d knowns) * seed`; `seed` is as long as `knowns`, `result` as long as `unknowns`.
    fn directional_derivative(
        &mut self,
        unknowns: &[RealRef],
        knowns: &[RealRef],
        seed: &[f64],
        result: &mut [f64],
    ) -> CallResult<()>;

    /// Steps from communication point `t` by `h` > 0 \[s\]. `commit` guarantees that no state before `t` will be restored; one at
    /// `t` may be. Waits for the end of an asynchronous step.
    fn do_step(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome>;

    /// Sets the Real variables that every [`Instance::step`] sets and reads. They stay bound until the next call.
    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()>;

    /// Sets the bound inputs, steps like [`Instance::do_step`], and reads the bound outputs: a single request where requests are
    /// expensive. An empty slice of inputs leaves them as they are. Outputs are read only after a complete step or an early
    /// return; one that the FMU does not write keeps its value.
    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome>;

    /// The two halves of a step that proceeds beside the work of the caller; `None` if the instance steps on the thread of the
    /// caller.
    fn split_step(&mut self) -> Option<&mut dyn SplitStep> {
        None
    }

    /// Enters event mode at the communication point. Only for instances that were instantiated with event mode
    /// ([`InstantiateOptions::event_mode`](crate::InstantiateOptions)) and have it ([`Capabilities::event_mode`]). For these,
    /// [`Instance::exit_initialization_mode`] leads to event mode, too; and discrete inputs may change in event mode only.
    fn enter_event_mode(&mut self) -> CallResult<()> {
        Err(unsupported(self.name(), "enter_event_mode"))
    }

    /// Concludes an event in event mode: the instance computes its discrete states from its inputs.
    fn update_discrete_states(&mut self) -> CallResult<DiscreteUpdate> {
        Err(unsupported(self.name(), "update_discrete_states"))
    }

    /// Leaves event mode; the next step may follow.
    fn enter_step_mode(&mut self) -> CallResult<()> {
        Err(unsupported(self.name(), "enter_step_mode"))
    }

    /// The instance to be used instead of this one from now on, if there is one: it has the same state and answers in the same
    /// way. The master asks once after the first steps of a run. By then an instance may know how long its steps take, and better
    /// ways to make them.
    fn replacement(&mut self) -> Option<Box<dyn Instance>> {
        None
    }

    /// Allocates a slot for a saved state, which is still empty.
    fn new_slot(&mut self) -> CallResult<Slot>;
    /// Saves the complete state into the slot, reusing its memory.
    fn save(&mut self, slot: Slot) -> CallResult<()>;
    /// Restores the last state saved in the slot, including the phase; the slot keeps it.
    fn restore(&mut self, slot: Slot) -> CallResult<()>;
    /// Frees the slot.
    fn free_slot(&mut self, slot: Slot) -> CallResult<()>;
    /// Returns the saved state as bytes that another instance of the same FMU, in another process, can restore.
    fn serialize(&mut self, slot: Slot) -> CallResult<Vec<u8>>;
    /// Fills the slot with bytes from [`Instance::serialize`].
    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()>;

    /// Frees the instance and returns any error. Dropping the instance frees it as well, without reporting errors.
    fn free(self: Box<Self>) -> CallResult<()> {
        Ok(())
    }
}

impl fmt::Debug for dyn Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").field("name", &self.name()).field("phase", &self.phase()).finish_non_exhaustive()
    }
}

#[cold]
fn unsupported(instance: &str, function: &'static str) -> Box<CallError> {
    Box::new(CallError {
        instance: instance.to_owned(),
        function: FunctionName::new("", function),
        variables: Vec::new(),
        time: None,
        cause: Cause::Unsupported,
        log: Vec::new(),
    })
}

/// A step in two halves, so that several instances step at the same time.
///
/// Between the halves no other function of the instance may be called.
pub trait SplitStep {
    /// Begins a step as [`Instance::step`] does. `outputs` are the values that remain if the model writes none.
    ///
    /// # Errors
    /// The step cannot begin; it must not be finished then.
    fn begin_step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &[f64]) -> CallResult<()>;

    /// Waits for the end of the step, and returns what [`Instance::step`] returns.
    ///
    /// # Errors
    /// Those of the step.
    fn finish_step(&mut self, outputs: &mut [f64]) -> CallResult<StepOutcome>;
}
