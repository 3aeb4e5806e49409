//! A run in pieces, over the session of `lotka-run`: variables by name, and the pace of the clock.

mod pace;
#[cfg(test)]
mod tests;
mod variable;

pub use pace::Overruns;
pub use variable::{VariableHandle, VariableKey};

use std::fmt;

use lotka_instance::TypedValue;
use lotka_message::Findings;
use lotka_run::{Mark, Report, RunFailure, record::Observer};
use lotka_step::{algorithm::MethodRegistry, error::SessionRefusal, model::Model};
use lotka_system::{StartValue, SystemDescription};
use pace::Pace;
use variable::Variables;

use crate::{Error, Simulation, profile::Stopwatch};

/// A run that pauses: it advances to a time, reads and sets variables, saves a point and returns to it.
///
/// ```
/// use lotka::{Fmu, Memory, System};
/// # let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// # let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
/// # let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
/// # let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(20.0).step(0.1);
///
/// let mut rows = Memory::new();
/// let mut session = system.build()?.start(vec![Box::new(&mut rows)])?;
/// session.advance_to(2.0);
/// let mark = session.save()?;
/// session.set("prey.y", 0.0)?; // no predators for a while
/// session.advance_to(5.0);
/// let without = session.real("prey.x")?;
/// session.restore(&mark)?;
/// session.advance_to(5.0);
/// assert!(without > session.real("prey.x")?);
/// let (_simulation, report) = session.finish();
/// assert_eq!(report?.time, 5.0);
/// assert_eq!(rows.time().last(), Some(&5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Without changes, the rows are bitwise those of [`Simulation::run`], whatever the pieces. A change is bitwise a `[[scenario]]`
/// of that time with the same method, at a communication point.
///
/// A failure ends the run: [`Session::advance_to`] returns false, and [`Session::finish`] the error with the report.
pub struct Session<'o> {
    engine: lotka_run::Session<'o>,
    description: SystemDescription,
    findings: Findings,
    methods: MethodRegistry,
    models: Vec<Model>,
    stopwatches: Vec<Stopwatch>,
    variables: Variables,
    pace: Option<Pace>,
    overruns: Overruns,
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("time", &self.time()).finish_non_exhaustive()
    }
}

impl Simulation {
    /// Begins a run in pieces: initializes the instances. The observers receive the first row.
    ///
    /// An observer can be a reference: `Box::new(&mut rows)`. If the initialization fails, [`Session::finish`] returns the error.
    ///
    /// # Errors
    /// The simulation has a `tolerance`, which repeats whole runs, or a checkpoint token.
    pub fn start<'o>(self, observers: Vec<Box<dyn Observer + Send + 'o>>) -> Result<Session<'o>, Error> {
        let Self { engine, description, findings, methods, models, stopwatches } = self;
        let engine = engine.start(observers)?;
        let (variables, overruns) = (Variables::new(), Overruns::default());
        Ok(Session { engine, description, findings, methods, models, stopwatches, variables, pace: None, overruns })
    }

    /// Checks that [`Simulation::start`] can begin a run in pieces, which would otherwise lose the simulation.
    ///
    /// # Errors
    /// As for [`Simulation::start`].
    pub fn check_session(&self) -> Result<(), Error> {
        Ok(self.engine.check_session()?)
    }
}

impl Session<'_> {
    /// Returns the time of the last communication point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.engine.time()
    }

    /// Returns whether the run can continue: it has neither ended nor failed.
    #[must_use]
    pub fn can_continue(&self) -> bool {
        self.engine.can_continue()
    }

    /// Advances to the first communication point at or after `time` \[s\], or to the end of the run. Returns whether the run can
    /// continue from there.
    ///
    /// No step is changed for it. Under error control, steps end at the rows of `output-interval`; to end one at any other time,
    /// use [`Session::advance_exactly_to`]. With the sweep `symmetric`, the run pauses at rows only.
    pub fn advance_to(&mut self, time: f64) -> bool {
        if self.pace.is_none() {
            return self.engine.advance_to(time);
        }
        while self.engine.can_continue() && !self.engine.has_reached(time) {
            self.engine.step();
            self.wait();
        }
        self.engine.can_continue()
    }

    /// Advances to exactly `time` \[s\], or to the end of the run. The step that would pass it ends there, with a row, as at a
    /// time event known before the run. Returns whether the run can continue from there.
    ///
    /// # Errors
    /// An FMU takes steps of one size only.
    pub fn advance_exactly_to(&mut self, time: f64) -> Result<bool, Error> {
        if self.pace.is_none() {
            return Ok(self.engine.advance_exactly_to(time)?);
        }
        while self.engine.can_continue() && !self.engine.has_reached(time) {
            self.engine.step_toward(time)?;
            self.wait();
        }
        Ok(self.engine.can_continue())
    }

    /// Makes one communication step. Returns whether the run can continue from its end.
    pub fn step(&mut self) -> bool {
        let can_continue = self.engine.step();
        self.wait();
        can_continue
    }

    /// Returns a handle of `instance.variable`, with which it is read and set without a search for its name.
    ///
    /// # Errors
    /// There is no such variable.
    pub fn variable(&mut self, name: &str) -> Result<VariableHandle, Error> {
        self.variables.find(name, &self.description, &self.models)
    }

    /// Returns the value of a variable at this communication point, after the changes made here. Recorded variables have the
    /// value of a row; others are read from their instance.
    ///
    /// # Errors
    /// There is no such variable; the run has failed; a source is neither connected nor recorded.
    pub fn get(&mut self, variable: impl VariableKey) -> Result<TypedValue, Error> {
        let handle = variable.handle(self)?;
        let reading = self.variables.reading(handle, &self.engine)?;
        Ok(self.engine.read(reading)?)
    }

    /// Returns the value of a Real, Integer or Boolean variable as a number; booleans are 0 and 1.
    ///
    /// # Errors
    /// As for [`Session::get`]; the variable is a String.
    pub fn real(&mut self, variable: impl VariableKey) -> Result<f64, Error> {
        let handle = variable.handle(self)?;
        let reading = self.variables.reading(handle, &self.engine)?;
        let value = self.engine.read(reading)?.as_f64();
        let name = || self.variables.name(handle).to_owned();
        Ok(value.ok_or_else(|| SessionRefusal::NotANumber { variable: name() })?)
    }

    /// Sets an input or a tunable parameter from this communication point on, in its own unit. An input that is connected no
    /// longer reads its sources, until the next `[[scenario]]` of the variable or [`Session::reconnect`].
    ///
    /// Changes at one communication point take effect together: before the next step, or when a variable is read. They end in two
    /// rows of the same time, with the values before and after, as for `[[scenario]]`.
    ///
    /// # Errors
    /// There is no such variable; it cannot be changed during a run; the value does not suit it; the run is over.
    pub fn set(&mut self, variable: impl VariableKey, value: impl Into<StartValue>) -> Result<(), Error> {
        let handle = variable.handle(self)?;
        let Self { variables, engine, description, models, .. } = self;
        let target = variables.target(handle, engine, (description, models))?;
        let value = variables.value(handle, models, value.into())?;
        Ok(engine.set(target, Some(value))?)
    }

    /// Connects an input again that was set.
    ///
    /// # Errors
    /// There is no such variable, or it is not a connected input; the run is over.
    pub fn reconnect(&mut self, variable: impl VariableKey) -> Result<(), Error> {
        let handle = variable.handle(self)?;
        let Self { variables, engine, description, models, .. } = self;
        let target = variables.target(handle, engine, (description, models))?;
        if !variables.is_connected(handle) {
            return Err(SessionRefusal::NotConnected { variable: variables.name(handle).to_owned() }.into());
        }
        Ok(engine.set(target, None)?)
    }

    /// Saves this point. [`Session::restore`] returns to it any number of times. Its memory is used again once the mark is
    /// dropped.
    ///
    /// # Errors
    /// FMUs cannot save their state; the run has failed.
    pub fn save(&mut self) -> Result<Mark, Error> {
        Ok(self.engine.save()?)
    }

    /// Returns to a saved point, as if there had been nothing after it: counters and warnings are those of the point, and
    /// observers withdraw later rows ([`Notification::Returned`](crate::Notification::Returned)). Files cannot, so their writers
    /// report an error.
    ///
    /// # Errors
    /// The point was saved by another session; the run has failed.
    pub fn restore(&mut self, mark: &Mark) -> Result<(), Error> {
        self.engine.restore(mark)?;
        self.pace = self.pace.take().map(|pace| Pace::new(pace.factor(), self.engine.time()));
        Ok(())
    }

    /// Lets simulated time pass `factor` times as fast as the clock from now on: each step ends no earlier than the clock
    /// permits. `None` lets it pass as fast as possible.
    ///
    /// # Panics
    /// The factor is not positive.
    pub fn pace(&mut self, factor: Option<f64>) {
        self.pace = factor.map(|factor| Pace::new(factor, self.engine.time()));
    }

    /// Returns the steps that ended later than [`Session::pace`] requests.
    #[must_use]
    pub fn overruns(&self) -> Overruns {
        self.overruns
    }

    fn wait(&mut self) {
        if let Some(pace) = &self.pace {
            self.overruns.add(pace.wait_for(self.engine.time()));
        }
    }

    /// Ends the run where it is, or after its end. The simulation can run again.
    ///
    /// The result is the report, or the reason why the run failed with the report up to there: [`RunFailure`].
    pub fn finish(self) -> (Simulation, Result<Report, Box<RunFailure>>) {
        let Self { engine, description, findings, methods, models, stopwatches, .. } = self;
        let (engine, result) = engine.finish();
        let simulation = Simulation { engine, description, findings, methods, models, stopwatches };
        let result = simulation.timed(result);
        (simulation, result)
    }
}
