//! The contents of a saved state.

use lotka_instance::{Experiment, Phase};
use serde::{Deserialize, Serialize};

use super::stops::stops;
use crate::declaration::Declared;
use crate::{Environment, Model, Refusal, Step};

/// The model and the kit's data about its run. `Clone` copies it completely; `clone_from` reuses the memory of the model.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct State<M: Model> {
    pub model: M,
    pub run: Run,
}

/// The kit's part of a state: plain numbers.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Run {
    #[serde(with = "phase_as_byte")]
    pub phase: Phase,
    /// Whether a value was set since the model was last initialized.
    pub stale: bool,
    pub slopes: Slopes,
    /// Whether the model requested the end of the simulation when it discarded the last step.
    pub terminate: bool,
    /// Current communication point; after a discarded step the last time reached \[s\].
    pub time: f64,
    /// Stop time, the largest number without one \[s\].
    pub stop: f64,
    pub tolerance: Option<f64>,
    /// Time of the next event that the model announced, the largest number without one \[s\].
    pub next_event: f64,
    /// Whether a value was set since the discrete states were last updated.
    pub is_update_due: bool,
    /// Whether the instance is in configuration mode (FMI 3.0).
    pub configuring: bool,
}

/// The state of the input derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Slopes {
    /// All zero.
    None,
    /// Set for the next step.
    Fresh,
    /// Left from the last step, for output derivatives; cleared when the next step starts.
    Used,
}

/// Relative tolerance in comparisons of times: the rounding error of summed steps.
const TIME_SLACK: f64 = 1e-9;

impl<M: Model> Clone for State<M> {
    fn clone(&self) -> Self {
        Self { model: self.model.clone(), run: self.run }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.model.clone_from(&source.model);
        self.run = source.run;
    }
}

impl<M: Model> State<M> {
    /// Creates the state right after instantiation.
    pub fn new(declared: &Declared<M>, environment: &Environment) -> Self {
        let run = Run {
            phase: Phase::Instantiated,
            stale: true,
            slopes: Slopes::None,
            terminate: false,
            time: 0.0,
            stop: f64::MAX,
            tolerance: None,
            next_event: f64::MAX,
            is_update_due: false,
            configuring: false,
        };
        let mut state = Self { model: M::default(), run };
        state.enter(declared, environment);
        state
    }

    /// Passes the environment of the instance to the model, if it declares one.
    #[inline]
    pub fn enter(&mut self, declared: &Declared<M>, environment: &Environment) {
        if let Some(place) = &declared.environment {
            place(&mut self.model).clone_from(environment);
        }
    }

    /// Recomputes outputs and states after values were set before the first step.
    pub fn refresh(&mut self) -> Result<(), Refusal> {
        if self.run.stale {
            let Run { time: start, stop, tolerance, .. } = self.run;
            let experiment = Experiment { start, stop: (stop < f64::MAX).then_some(stop), tolerance };
            self.model.initialize(&experiment).map_err(Refusal::into_error)?;
            self.run.stale = false;
        }
        Ok(())
    }

    /// Sets the derivative of an input for the next step. Returns `false` if the input is not a polynomial, or the order is not 1
    /// to 3.
    pub fn set_input_derivative(
        &mut self,
        declared: &Declared<M>,
        (input, element): (usize, usize),
        order: i32,
        value: f64,
    ) -> bool {
        if self.run.slopes == Slopes::Used {
            self.hold_inputs(declared);
        }
        self.run.slopes = Slopes::Fresh;
        (declared.inputs[input].at)(&mut self.model, element).is_some_and(|polynomial| polynomial.set_derivative(order, value))
    }

    /// Steps the model from `t` by `h`.
    #[inline]
    pub fn step(&mut self, declared: &Declared<M>, t: f64, h: f64) -> Result<(), Refusal> {
        self.run.check_step(t, h)?;
        if self.run.slopes == Slopes::Used {
            self.hold_inputs(declared);
        }
        self.run.time = t;
        let last_part = if stops::<M>() {
            self.through_stops(declared, t, h)?
        } else {
            self.model.do_step(&Step { t, h, tolerance: self.run.tolerance })?;
            h
        };
        self.run.time = t + h;
        if self.run.slopes == Slopes::Fresh {
            self.advance_inputs(declared, last_part);
        }
        Ok(())
    }

    /// Ends a step from `t` at `time`, where the simulation must end.
    #[cold]
    pub fn stop_at(&mut self, declared: &Declared<M>, t: f64, time: f64) {
        self.run.time = time;
        if self.run.slopes == Slopes::Fresh {
            self.advance_inputs(declared, time - t);
        }
    }

    /// Holds all inputs.
    #[cold]
    pub fn hold_inputs(&mut self, declared: &Declared<M>) {
        declared.each_polynomial(&mut self.model, |_, polynomial| polynomial.hold());
        self.run.slopes = Slopes::None;
    }

    #[cold]
    pub fn advance_inputs(&mut self, declared: &Declared<M>, h: f64) {
        declared.each_polynomial(&mut self.model, |_, polynomial| polynomial.advance(h));
        self.run.slopes = Slopes::Used;
    }
}

impl Run {
    /// Sets the experiment. A tolerance that is not positive is ignored.
    pub fn set_experiment(&mut self, start: f64, stop: Option<f64>, tolerance: Option<f64>) -> Result<(), Refusal> {
        if !start.is_finite() {
            return Err(Refusal::error(format!("expected a finite start time, found {start}")));
        }
        if let Some(stop) = stop.filter(|stop| !stop.is_finite() || *stop < start) {
            return Err(Refusal::error(format!("the stop time {stop} s is not finite, or before the start time {start} s")));
        }
        let tolerance = tolerance.filter(|tolerance| *tolerance > 0.0);
        (self.time, self.stop, self.tolerance, self.stale) = (start, stop.unwrap_or(f64::MAX), tolerance, true);
        Ok(())
    }

    /// Whether values that are set now are start values.
    #[inline]
    pub fn is_before_first_step(&self) -> bool {
        matches!(self.phase, Phase::Instantiated | Phase::Initialization)
    }

    /// Checks time and size of a step.
    #[inline]
    pub fn check_step(&self, t: f64, h: f64) -> Result<(), Refusal> {
        if t == self.time && h > 0.0 && t + h <= self.stop { Ok(()) } else { self.check_with_slack(t, h) }
    }

    #[cold]
    fn check_with_slack(&self, t: f64, h: f64) -> Result<(), Refusal> {
        let slack = TIME_SLACK * t.abs().max(self.time.abs()).max(h);
        let fits = h > 0.0 && h.is_finite() && (t - self.time).abs() <= slack && t + h <= self.stop + slack;
        if fits { Ok(()) } else { Err(self.unfit_step(t, h)) }
    }

    fn unfit_step(&self, t: f64, h: f64) -> Refusal {
        let Self { time, stop, .. } = self;
        Refusal::error(if !(h > 0.0 && h.is_finite()) {
            format!("expected a positive, finite communication step size, found {h} s")
        } else if t + h > *stop {
            format!("a step from {t} s with size {h} s exceeds the stop time {stop} s of the experiment")
        } else {
            format!("expected a step from {time} s, the time of the instance, found {t} s; restore a saved state to step back")
        })
    }
}

mod phase_as_byte {
    use lotka_instance::Phase;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Phases in which an instance can be saved.
    const PHASES: [Phase; 9] = [
        Phase::Instantiated,
        Phase::Initialization,
        Phase::StepComplete,
        Phase::StepInProgress,
        Phase::StepFailed,
        Phase::StepCanceled,
        Phase::Terminated,
        Phase::Error,
        Phase::Event,
    ];

    pub fn serialize<S: Serializer>(phase: &Phase, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*phase as u8)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Phase, D::Error> {
        let byte = u8::deserialize(deserializer)?;
        let phase = PHASES.into_iter().find(|phase| *phase as u8 == byte);
        phase.ok_or_else(|| D::Error::custom(format_args!("{byte} is not a phase")))
    }
}
