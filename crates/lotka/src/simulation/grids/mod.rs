//! Instances that advance in steps of their own, whatever communication steps they are given.
//!
//! Such an FMU goes from one point of a grid inside to the next. Steps below that grid change nothing but the times at which it is asked: runs
//! with such steps agree, and say nothing of their error. [`measure`] finds grids by trial before the first run (`trial` has the
//! method); [`Pauses`](crate::algorithm::Pauses) finds those that show in a run.

mod trial;

use crate::algorithm::{Change, Coupled, Grid, watched};

use trial::Walk;

/// By which share inputs are changed where an instance does nothing with those it has; those that are zero become the share itself.
const SHARE: f64 = 0.25;

/// Tries all instances that read Real inputs and take steps of different size, from the start on, and never beyond the stop; rows are `row`
/// apart \[s\]. Grids are looked for up to this share of the span. Afterwards they must be initialized again. What an instance refuses counts as not shown.
pub(crate) fn measure(coupled: &mut Coupled, span: (f64, f64), row: f64, share: f64) -> Vec<Grid> {
    let tried = watched(&coupled.plan).into_iter();
    let tried: Vec<_> = tried.filter(|(index, _)| coupled.members[*index].instance.capabilities().variable_step).collect();
    tried.into_iter().filter_map(|(index, signals)| measure_one(coupled, index, &signals, span, (row, share))).collect()
}

fn measure_one(
    coupled: &mut Coupled,
    index: usize,
    signals: &[usize],
    span: (f64, f64),
    (row, share): (f64, f64),
) -> Option<Grid> {
    let inputs = coupled.inputs_of(index);
    coupled.set_discrete_inputs(index, false).ok()?;
    let unit = &coupled.plan.units[index];
    let watched = signals.iter().map(|signal| signal - unit.outputs.start).collect();
    let outputs = coupled.newest.reals[unit.outputs.clone()].to_vec();
    let mut alone = Alone { coupled, index, watched, inputs, before: outputs.clone(), outputs, t: span.0, stop: span.1 };
    let (low, high) = trial::grid(&mut alone, row, share)?;
    Some(Grid { instance: index, low, high })
}

/// One instance that is stepped alone, with inputs that stay.
struct Alone<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    /// The outputs that count.
    watched: Vec<usize>,
    inputs: Vec<f64>,
    before: Vec<f64>,
    outputs: Vec<f64>,
    t: f64,
    stop: f64,
}

impl Walk for Alone<'_> {
    fn now(&self) -> f64 {
        self.t
    }

    fn stop(&self) -> f64 {
        self.stop
    }

    fn step(&mut self, h: f64) -> Option<Change> {
        if h <= 0.0 || self.t + h <= self.t || self.t + h > self.stop {
            return None;
        }
        let member = &mut self.coupled.members[self.index];
        member.calls.steps += 1;
        let outcome = member.instance.step(&self.inputs, self.t, h, true, &mut self.outputs);
        if !matches!(outcome, Ok(fmi2::StepOutcome::Complete)) {
            return None;
        }
        self.t += h;
        let change = Change::of(self.watched.iter().map(|&output| (self.before[output], self.outputs[output])));
        self.before.copy_from_slice(&self.outputs);
        Some(change)
    }

    fn stir(&mut self) {
        for input in &mut self.inputs {
            *input = if *input == 0.0 { SHARE } else { *input * (1.0 + SHARE) };
        }
    }
}
