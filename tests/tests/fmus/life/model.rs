//! The state machine that instances must agree with.

use super::{
    Answer,
    call::{Call, SLOTS},
};

/// What the standard says about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Allowed,
    /// Refused, because of the phase.
    Refused,
    /// Refused in every phase: the instance cannot do it, or has not saved what it needs.
    Impossible,
    /// Left to the FMU, or not used here.
    Open,
}

/// Phases, named as messages name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Instantiated,
    Initialization,
    Event,
    StepComplete,
    StepFailed,
    Terminated,
    Error,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Self::Instantiated => "instantiated",
            Self::Initialization => "initialization mode",
            Self::Event => "event mode",
            Self::StepComplete => "step complete",
            Self::StepFailed => "step failed",
            Self::Terminated => "terminated",
            Self::Error => "error",
        }
    }
}

/// What is called, and how.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    is_fmi3: bool,
    has_event_mode: bool,
    /// The functions of the FMU itself: a call that is refused is an error, from which reset and restore lead back.
    is_functions: bool,
}

impl Kind {
    pub fn prey() -> Self {
        Self { is_fmi3: false, has_event_mode: false, is_functions: false }
    }

    pub fn ball(has_event_mode: bool) -> Self {
        Self { is_fmi3: true, has_event_mode, is_functions: false }
    }

    pub fn prey_functions() -> Self {
        Self { is_functions: true, ..Self::prey() }
    }

    pub fn ball_functions(has_event_mode: bool) -> Self {
        Self { is_functions: true, ..Self::ball(has_event_mode) }
    }
}

/// Everything that a saved state holds.
#[derive(Debug, Clone, Copy)]
struct State {
    phase: Phase,
    is_set_up: bool,
    /// Whether discrete states must be updated before the next step.
    is_update_due: bool,
    time: f64,
    /// Prey: its number. Ball: its height \[m\].
    value: f64,
    /// Prey: the number of predators. Ball: its velocity \[m/s\].
    other: f64,
    /// How far the value may be from the one that was read: rounding after a step, none after everything else.
    slack: f64,
}

/// An instance as it should be.
#[derive(Debug)]
pub struct Life {
    kind: Kind,
    state: State,
    saved: [Option<State>; SLOTS],
}

/// The ball has not reached the floor before this time \[s\].
const END: f64 = 0.4;

impl Life {
    pub fn new(kind: Kind) -> Self {
        Self { kind, state: start(kind), saved: [None; SLOTS] }
    }

    pub fn phase(&self) -> Phase {
        self.state.phase
    }

    /// The communication point \[s\].
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// What must become of a call.
    pub fn verdict(&self, call: Call) -> Verdict {
        use Phase::*;
        let (Kind { is_fmi3, has_event_mode, is_functions }, phase) = (self.kind, self.state.phase);
        let within = |phases: &[Phase]| if phases.contains(&phase) { Verdict::Allowed } else { Verdict::Refused };
        match call {
            // It is no function of FMI 3.0.
            Call::Setup if is_fmi3 && (is_functions || phase != Instantiated) => Verdict::Open,
            Call::Setup => within(&[Instantiated]),
            Call::EnterInitialization if phase == Instantiated && !self.state.is_set_up => {
                if is_functions && !is_fmi3 {
                    Verdict::Open
                } else if is_functions {
                    Verdict::Allowed
                } else {
                    Verdict::Impossible
                }
            }
            Call::EnterInitialization => within(&[Instantiated]),
            Call::ExitInitialization => within(&[Initialization]),
            Call::EnterEventMode | Call::Update | Call::EnterStepMode if !is_fmi3 => Verdict::Open,
            Call::EnterEventMode | Call::Update | Call::EnterStepMode if !has_event_mode => Verdict::Impossible,
            Call::EnterEventMode => within(&[StepComplete]),
            Call::Update => within(&[Event]),
            Call::EnterStepMode if phase == Event && self.state.is_update_due => Verdict::Open,
            Call::EnterStepMode => within(&[Event]),
            // The parameter of the ball is fixed; no prey is eaten by a negative number of predators.
            Call::Set(value) if is_fmi3 && (value < 0.0 || matches!(phase, Event | StepComplete)) => Verdict::Open,
            Call::Set(value) if value < 0.0 && !(is_functions && phase == StepComplete) => Verdict::Open,
            Call::Set(_) => within(&[Instantiated, Initialization, StepComplete]),
            // FMI 3.0 allows it, and importers of FMI 2.0 do it; instances refuse it, because some FMUs do not recover from it.
            Call::Get if is_functions && phase == Instantiated => Verdict::Open,
            Call::Get => within(&[Initialization, Event, StepComplete, StepFailed, Terminated, Error]),
            Call::Step(h) if is_fmi3 && self.state.time + h > END => Verdict::Open,
            Call::Step(_) => within(&[StepComplete]),
            Call::Save(_) => Verdict::Allowed,
            Call::Restore(slot) | Call::Copy(slot, _) if self.saved[slot].is_none() => Verdict::Impossible,
            Call::FreeSaved(slot) if self.saved[slot].is_none() => Verdict::Open,
            Call::Restore(_) | Call::Copy(..) | Call::FreeSaved(_) => Verdict::Allowed,
            Call::Terminate => within(&[Event, StepComplete, StepFailed]),
            Call::Reset => Verdict::Allowed,
        }
    }

    /// Compares an answer with what it must be, and follows the call.
    pub fn take(&mut self, call: Call, answer: &Answer) -> Result<(), String> {
        let verdict = self.verdict(call);
        match (verdict, answer) {
            (Verdict::Allowed, Answer::Refused(message)) => Err(format!("{call:?} is allowed, but refused: {message}")),
            (Verdict::Allowed, Answer::Value(value)) => self.read(*value),
            (Verdict::Allowed, Answer::Done | Answer::Discarded) => {
                self.follow(call);
                let is_discarded = matches!(call, Call::Step(_)) && self.state.phase == Phase::StepFailed;
                let expected = if is_discarded { Answer::Discarded } else { Answer::Done };
                if *answer == expected { Ok(()) } else { Err(format!("expected {expected:?}")) }
            }
            (_, Answer::Refused(message)) => self.refused(call, verdict, message),
            (_, answer) => Err(format!("{call:?} must be refused in phase {:?}, found {answer:?}", self.state.phase)),
        }
    }

    /// A refusal names the function, and the phase if it is the reason.
    fn refused(&mut self, call: Call, verdict: Verdict, message: &str) -> Result<(), String> {
        let prefix = if self.kind.is_fmi3 { "fmi3" } else { "fmi2" };
        let names: Vec<_> = functions(call).iter().map(|name| format!("{prefix}{name}").to_lowercase()).collect();
        if !names.iter().any(|name| message.to_lowercase().contains(name)) {
            return Err(format!("the refusal of {call:?} names none of {names:?}: {message}"));
        }
        let phase = self.state.phase.name();
        if verdict == Verdict::Refused && !message.contains(&format!("`{phase}`")) {
            return Err(format!("the refusal of {call:?} does not name the phase {phase}: {message}"));
        }
        if self.kind.is_functions {
            self.state.phase = Phase::Error;
        }
        Ok(())
    }

    fn read(&mut self, value: f64) -> Result<(), String> {
        let expected = self.state.value;
        if (value - expected).abs() > self.state.slack * expected.abs() || value.is_nan() {
            return Err(format!("expected the value {expected:e}, found {value:e}"));
        }
        (self.state.value, self.state.slack) = (value, 0.0);
        Ok(())
    }

    fn follow(&mut self, call: Call) {
        let state = &mut self.state;
        match call {
            Call::Setup => state.is_set_up = true,
            Call::EnterInitialization => state.phase = Phase::Initialization,
            Call::ExitInitialization if self.kind.has_event_mode => (state.phase, state.is_update_due) = (Phase::Event, true),
            Call::ExitInitialization | Call::EnterStepMode => state.phase = Phase::StepComplete,
            Call::EnterEventMode => (state.phase, state.is_update_due) = (Phase::Event, true),
            Call::Update => state.is_update_due = false,
            Call::Set(value) if !self.kind.is_fmi3 => state.other = value,
            Call::Set(_) | Call::Get => {}
            Call::Step(_) if !self.kind.is_fmi3 && state.other < 0.0 => state.phase = Phase::StepFailed,
            Call::Step(h) => {
                if self.kind.is_fmi3 {
                    state.value += h * (state.other - 9.81 * h / 2.0);
                    state.other -= 9.81 * h;
                } else {
                    state.value *= ((0.1 - 0.02 * state.other) * h).exp();
                }
                (state.time, state.slack) = (state.time + h, 1e-12);
            }
            Call::Save(slot) => self.saved[slot] = Some(*state),
            Call::Restore(slot) => *state = self.saved[slot].unwrap_or(*state),
            Call::FreeSaved(slot) => self.saved[slot] = None,
            Call::Copy(from, to) => self.saved[to] = self.saved[from],
            Call::Terminate => state.phase = Phase::Terminated,
            Call::Reset => *state = start(self.kind),
        }
    }
}

/// The state of an instance after it was made.
fn start(kind: Kind) -> State {
    let (value, other) = if kind.is_fmi3 { (1.0, 0.0) } else { (10.0, 10.0) };
    State { phase: Phase::Instantiated, is_set_up: false, is_update_due: false, time: 0.0, value, other, slack: 0.0 }
}

/// The functions that may refuse a call, in small letters and capitals of either version.
fn functions(call: Call) -> &'static [&'static str] {
    match call {
        Call::Setup => &["SetupExperiment"],
        Call::EnterInitialization => &["EnterInitializationMode"],
        Call::ExitInitialization => &["ExitInitializationMode"],
        Call::EnterEventMode => &["EnterEventMode"],
        Call::Update => &["UpdateDiscreteStates"],
        Call::EnterStepMode => &["EnterStepMode"],
        Call::Set(_) => &["SetReal", "SetFloat64"],
        Call::Get => &["GetReal", "GetFloat64"],
        Call::Step(_) => &["DoStep"],
        Call::Save(_) => &["GetFMUState"],
        Call::Restore(_) => &["SetFMUState"],
        Call::FreeSaved(_) => &["FreeFMUState"],
        Call::Copy(..) => &["SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState"],
        Call::Terminate => &["Terminate"],
        Call::Reset => &["Reset"],
    }
}
