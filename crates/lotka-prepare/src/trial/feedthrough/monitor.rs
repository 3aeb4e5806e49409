//! Repetition of the trials during each run: at its start, at some of its rows, after events.

use lotka_step::{Error, algorithm::Coupled};

use super::{measure::Absent, trial::FeedthroughTrial};

/// Maximum number of rows with trials in a run, in addition to the start.
const ROWS: usize = 4;

/// Minimum number of steps of the run per row with trials: a trial takes about a dozen steps of each instance.
const STEPS: f64 = 48.0;

/// The fractional part of the golden ratio: the trials of two runs are at different times.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Assumptions of a method: these outputs do not follow these inputs at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentFeedthrough(Vec<One>);

/// The assumptions about one instance; inputs and outputs are indexed like those of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
struct One {
    instance: usize,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

impl AbsentFeedthrough {
    /// What trials have not found.
    pub fn new(absent: &[Absent]) -> Self {
        Self(absent.iter().map(One::new).collect())
    }
}

impl One {
    /// Inputs that some output does not follow are changed together; the outputs that follow none of them are checked.
    fn new(absent: &Absent) -> Self {
        let inputs: Vec<usize> = (0..absent.outputs.len()).filter(|&input| absent.outputs[input].contains(&true)).collect();
        let outputs = (0..inputs.first().map_or(0, |&input| absent.outputs[input].len()))
            .filter(|&output| inputs.iter().all(|&input| absent.outputs[input][output]))
            .collect();
        Self { instance: absent.instance, inputs, outputs }
    }

    /// Describes the first output that follows the inputs at once. A trial that is no longer possible also counts as a
    /// contradiction.
    fn look(&self, coupled: &mut Coupled, point: (f64, f64)) -> Result<Option<String>, Box<Error>> {
        if self.outputs.is_empty() {
            return Ok(None);
        }
        let failed = |error| Box::new(Error::Call(error));
        let mut trial = FeedthroughTrial::begin(coupled, self.instance, point).map_err(failed)?;
        let follows = trial.follows(&self.inputs).map_err(failed)?;
        trial.end().map_err(failed)?;
        let time = point.0;
        let Some(follows) = follows else {
            let name = coupled.name(self.instance);
            return Ok(Some(format!(
                "instance `{name}` refuses the trial steps at t = {time} s, or cannot be rolled back exactly there"
            )));
        };
        let first = self.outputs.iter().find(|&&output| follows[output]);
        let name = |output: usize| coupled.signal_name(coupled.plan.instances[self.instance].outputs.start + output);
        Ok(first.map(|&output| format!("trial steps show direct feedthrough to `{}` at t = {time} s", name(output))))
    }
}

/// The schedule of the trials in one run.
#[derive(Debug, Clone)]
pub struct FeedthroughMonitor<'a> {
    watched: &'a AbsentFeedthrough,
    /// Size of the trial steps, and the stop time \[s\].
    h: f64,
    stop: f64,
    /// Times from which on the next row has trials \[s\], latest first.
    times: Vec<f64>,
    /// Whether trials are due at the communication point.
    is_due: bool,
    /// The contradiction that was found, if the method can no longer rely on the trials.
    pub refuted: Option<String>,
}

impl<'a> FeedthroughMonitor<'a> {
    /// For the run over `span` with `subdivisions` of the steps of the coarsest run, which are then of size `h`.
    #[must_use]
    pub fn new(watched: &'a AbsentFeedthrough, span: (f64, f64), subdivisions: u32, h: f64) -> Self {
        let duration = span.1 - span.0;
        let rows = ((duration / h / STEPS) as usize).min(ROWS);
        let shift = (GOLDEN * f64::from(subdivisions)).fract();
        let time = |row: usize| span.0 + duration * (row as f64 + shift) / rows as f64;
        let times = (0..rows).rev().map(time).chain([span.0]).collect();
        Self { watched, h, stop: span.1, times, is_due: false, refuted: None }
    }

    /// Handles a row at `time`.
    pub fn pass_row(&mut self, time: f64) {
        while self.times.last().is_some_and(|next| *next <= time) {
            self.times.pop();
            self.is_due = true;
        }
    }

    /// Handles an event, after which outputs may follow other inputs.
    pub fn pass_event(&mut self) {
        self.is_due = true;
    }

    /// Makes the trials due at `t`, the time of all instances. Returns true if the method can still rely on them.
    ///
    /// # Errors
    /// A state cannot be saved or restored.
    pub fn holds(&mut self, coupled: &mut Coupled, t: f64) -> Result<bool, Box<Error>> {
        // No FMU needs to step past the stop time.
        let fits = t + self.h <= self.stop;
        if std::mem::take(&mut self.is_due) && fits {
            for one in &self.watched.0 {
                if self.refuted.is_none() {
                    self.refuted = one.look(coupled, (t, self.h))?;
                }
            }
        }
        Ok(self.refuted.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_with_trials(subdivisions: u32, h: f64) -> Vec<f64> {
        let watched = AbsentFeedthrough(Vec::new());
        let mut watch = FeedthroughMonitor::new(&watched, (0.0, 10.0), subdivisions, h);
        let rows = (0..=10).map(f64::from);
        rows.filter(|row| {
            watch.pass_row(*row);
            std::mem::take(&mut watch.is_due)
        })
        .collect()
    }

    #[test]
    fn every_run_tries_its_start_and_other_rows() {
        assert_eq!(rows_with_trials(1, 1.0), [0.0]);
        let [first, second] = [rows_with_trials(2, 1e-2), rows_with_trials(3, 1e-3)];
        assert_eq!((first.len(), second.len()), (5, 5));
        assert!(first != second && first[0] == 0.0);
    }

    #[test]
    fn only_what_is_relied_on_is_watched() {
        let absent = Absent { instance: 2, outputs: vec![vec![true, true], vec![false, false], vec![true, false]] };
        assert_eq!(One::new(&absent), One { instance: 2, inputs: vec![0, 2], outputs: vec![0] });
    }
}
