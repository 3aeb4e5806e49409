//! One run of one instance, step by step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lotka_host::HostedInstance;
use lotka_instance::InstantiateOptions;
use lotka_instance::{CallResult, Experiment, Instance, LogMessage, LogSink, Shown, StepOutcome};

use super::test_harness::TestHarness;
use super::trouble::Trouble;
use super::values::Values;

/// Maximum number of stored log lines per run, because an FMU may log without end.
const MOST_LINES: usize = 10_000;

/// Maximum number of parts in which a step is made, if the FMU returns early.
const MOST_PARTS: u32 = 10_000;

/// An instance in a process of its own, and its communication point.
pub(super) struct ProbeRun<'b> {
    harness: &'b TestHarness,
    pub instance: HostedInstance,
    /// Communication point \[s\]: the sum of the steps, as the FMU forms it.
    pub t: f64,
    /// Steps guarantee that no state before them is restored.
    pub commits: bool,
    lines: Arc<Mutex<Vec<LogMessage>>>,
}

impl<'b> ProbeRun<'b> {
    /// Creates an instance.
    pub fn instantiated(harness: &'b TestHarness, logging_on: bool) -> Result<Self, Trouble> {
        Self::named(harness, "probe", logging_on)
    }

    /// The same with a name of its own.
    pub fn named(harness: &'b TestHarness, name: &str, logging_on: bool) -> Result<Self, Trouble> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&lines);
        let log: LogSink = Arc::new(move |line| {
            let mut lines: MutexGuard<'_, Vec<_>> = to.lock().unwrap_or_else(PoisonError::into_inner);
            if lines.len() < MOST_LINES {
                lines.push(line);
            }
        });
        let options = InstantiateOptions { log: Some(log), logging_on, ..InstantiateOptions::default() };
        let instance = harness.fmu.instantiate(name, &options)?;
        Ok(Self { harness, instance, t: harness.experiment.start, commits: true, lines })
    }

    /// An instance at its first communication point.
    pub fn start(harness: &'b TestHarness) -> Result<Self, Trouble> {
        Self::start_with(harness, &harness.experiment)
    }

    /// The same in another experiment.
    pub fn start_with(harness: &'b TestHarness, experiment: &Experiment) -> Result<Self, Trouble> {
        let mut run = Self::instantiated(harness, false)?;
        run.initialize(experiment)?;
        Ok(run)
    }

    /// Initialization mode from beginning to end, for an instance that was just made or reset.
    pub fn initialize(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.instance.setup_experiment(experiment)?;
        self.instance.enter_initialization_mode()?;
        self.set_inputs()?;
        Values::read(&mut self.instance, &self.harness.outputs)?;
        self.instance.exit_initialization_mode()?;
        self.t = experiment.start;
        Ok(())
    }

    /// Sets the inputs to their start values.
    pub fn set_inputs(&mut self) -> CallResult<()> {
        let (references, values): (Vec<_>, Vec<_>) = self.harness.inputs.iter().copied().unzip();
        if references.is_empty() { Ok(()) } else { self.instance.set_real(&references, &values) }
    }

    /// Sets the inputs to other values than at the start, within their bounds.
    pub fn move_inputs(&mut self) -> CallResult<()> {
        let references: Vec<_> = self.harness.inputs.iter().map(|(reference, _)| *reference).collect();
        if references.is_empty() { Ok(()) } else { self.instance.set_real(&references, &self.harness.moved_inputs) }
    }

    /// A step that must be complete, perhaps in parts.
    pub fn step(&mut self, h: f64) -> Result<(), Trouble> {
        let (begin, end) = (self.t, self.t + h);
        let mut h = h;
        for _ in 0..MOST_PARTS {
            let t = self.t;
            self.t = match self.instance.do_step(t, h, self.commits)? {
                StepOutcome::Complete => end,
                StepOutcome::EarlyReturn(time) | StepOutcome::Event(time) => time,
                StepOutcome::Discarded(discard) => {
                    let lines = self.lines();
                    return Err(Trouble::discarded(t, h, &discard, lines.last().map(|line| line.message.as_str())));
                }
            };
            if self.t >= end {
                return Ok(());
            }
            h = end - self.t;
        }
        Err(Trouble::new(format!(
            "the step from t = {begin} s to t = {end} s returned early {MOST_PARTS} times, the last time at t = {} s",
            Shown(self.t)
        )))
    }

    /// Steps of the usual size.
    pub fn steps(&mut self, count: u32) -> Result<(), Trouble> {
        (0..count).try_for_each(|_| self.step(self.harness.h))
    }

    pub fn outputs(&mut self) -> CallResult<Values> {
        Values::read(&mut self.instance, &self.harness.outputs)
    }

    /// The outputs after each of some steps.
    pub fn rows(&mut self, count: u32) -> Result<Vec<Values>, Trouble> {
        (0..count)
            .map(|_| {
                self.step(self.harness.h)?;
                Ok(self.outputs()?)
            })
            .collect()
    }

    /// What was logged so far, up to a limit.
    pub fn lines(&self) -> Vec<LogMessage> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends the instance and its process; what was logged up to the very end.
    pub fn end(self) -> Vec<LogMessage> {
        let lines = Arc::clone(&self.lines);
        drop(self);
        lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first row that is not what it should be, with its number.
    pub fn difference(harness: &TestHarness, rows: &[Values], wanted: &[Values]) -> Option<String> {
        let mut pairs = rows.iter().zip(wanted).enumerate();
        pairs.find_map(|(n, (row, wanted))| {
            let difference = row.difference(wanted, &harness.outputs)?;
            Some(format!("after step {}, {difference}", n + 1))
        })
    }
}
