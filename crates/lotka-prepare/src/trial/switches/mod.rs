//! Switches inside instances: levels of inputs at which their behavior changes abruptly.
//!
//! Such an instance decides at the beginning of a step, by its inputs, how it behaves during the step. A level passed within a
//! step takes effect only in the next step: an error of first order in the step size. Steps that end where the level is passed
//! avoid this error. No model description declares such a level. [`find`] measures it by trial steps (`threshold` has the
//! method), and [`WatchedLevel`] checks at each event that it has not moved.

mod bends;
mod kinks;
mod stepwise;
mod threshold;
mod try_step;
mod turns;
mod watched;
mod within;

use lotka_instance::{CallResult, RealRef, Slot, StepOutcome};
use lotka_plan::{graph::Plan, time::ulp};
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Level, Method, Step, Stop},
    resolved::{Events, Indicator, IndicatorLevel, Resolved},
};
use try_step::try_step;

use super::{plain, saved::save, stiffness::Stiffness};

pub use bends::{Bend, find as find_kinks};
pub use stepwise::find as find_stepwise;
pub(crate) use threshold::Threshold;
pub use turns::Turns;
pub use watched::{WatchedLevel, watched};

/// Number of steps in which all instances pass the place of a trial.
const STEPS: u32 = 8;

/// Accuracy of a level, in units in its last place.
const DIGITS: f64 = 4.0;

/// Extension of the range of inputs in a trial, as a share of their range so far.
const FARTHER: f64 = 0.25;

/// Levels are equal within this share of them, or of the change of the input when they were found. There, outputs jump by at
/// least [`JUMPS`] times their change beside the level, and by at least [`ROUNDING`] times their size.
const SAME: f64 = 1e-9;
const JUMPS: f64 = 10.0;
const ROUNDING: f64 = 1e-12;

/// By how many units in its last place a measured level of an instance without memory must be passed: it may be off by one, and
/// the instance would react a step late. Where an instance remembers its side, its input turns at the level, and passes the
/// margin on the way back again.
const MARGIN: f64 = 16.0;

/// A level of an output at which an instance that reads it switches.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    /// The instance that has the output, and its signal.
    pub source: (usize, RealRef),
    /// The signal of this output.
    pub signal: usize,
    /// The level of the output.
    pub level: f64,
    /// The instance that switches.
    pub reader: usize,
    pub(crate) threshold: Threshold,
    /// The change of its input when the level was found, in a step of this size \[s\].
    pub(crate) range: f64,
    pub(crate) h: f64,
    /// Whether it cannot move, because the instance depends on nothing but its input.
    pub is_fixed: bool,
}

impl Switch {
    /// By how much the output must pass the level.
    #[must_use]
    pub fn margin(&self) -> f64 {
        if self.is_fixed { MARGIN * ulp(self.level) } else { 0.0 }
    }
}

/// The result of a trial of an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tried {
    /// Levels at which the instance switches.
    pub switches: Vec<Switch>,
    /// Outputs that are constant between jumps, by instance.
    pub stepwise: Vec<(usize, RealRef)>,
    /// Responses that mark kinks.
    pub bends: Vec<Bend>,
    /// The instance, if it switches within steps at the correct time, so that it is never late.
    pub within: Option<usize>,
    /// Loops with fast outputs.
    pub stiffness: Option<Stiffness>,
}

impl Tried {
    /// Whether other runs can use the findings.
    #[must_use]
    pub fn changes_runs(&self) -> bool {
        !self.switches.is_empty() || !self.stepwise.is_empty() || !self.bends.is_empty() || self.suits_implicit()
    }

    /// Whether a method that solves for the values at the end of each step may help: instances follow each other within a step,
    /// but not so closely that such a step means nothing.
    #[must_use]
    pub fn suits_implicit(&self) -> bool {
        self.stiffness.as_ref().is_some_and(|stiffness| stiffness.locked.is_none())
    }
}

/// Tries an instance between two times \[s\]. It receives the inputs of that interval at once, in one step from now. Once it has
/// switched, the inputs return, as far as they reached in a run, in which each Real signal had values `seen` from the least to
/// the largest. If it switches at no level of an input, the trial checks whether it does so within a step. The instances must be
/// initialized again afterwards. The result is empty if nothing jumps, or if a trial is not possible.
///
/// # Errors
/// An FMU ended its process, or returned fmi2Fatal.
pub fn find(
    coupled: &mut Coupled,
    method: &mut Method,
    reader: usize,
    (t, until): (f64, f64),
    seen: &[(f64, f64)],
) -> Result<Tried, Box<Error>> {
    let h = until - t;
    if h.is_nan() || h <= 0.0 || !coupled.instances[reader].inner.capabilities().save_state {
        return Ok(Tried::default());
    }
    let from = coupled.inputs_of(reader);
    let Ok(slot) = save(coupled, reader) else { return Ok(Tried::default()) };
    let on_the_way = pass(coupled, method, reader, (t, h))?;
    let ways = on_the_way.iter().flat_map(|on_the_way| [continued(&from, on_the_way), farthest(&from, on_the_way)]);
    let found = ways.into_iter().find_map(|to| {
        let there = Switch::between(coupled, reader, slot, (&from, &to), (t, h))?;
        let back = back(coupled, (reader, slot), (&from, &to), (t, h), seen).filter(|back| !back.is(&there));
        Some([Some(there), back].into_iter().flatten().collect())
    });
    let kinks = if found.is_none() { bends::find_here(coupled, (reader, slot), (t, h), seen) } else { Tried::default() };
    let is_within = found.is_none() && !kinks.changes_runs() && within::switches(coupled, (reader, slot), &from, (t, h));
    let _ = coupled.instances[reader].inner.free_slot(slot);
    Ok(Tried {
        switches: found.unwrap_or(kinks.switches),
        within: is_within.then_some(reader),
        bends: kinks.bends,
        ..Tried::default()
    })
}

/// Finds where an instance that has switched on the way there switches on the way back, and beyond.
fn back(
    coupled: &mut Coupled,
    (reader, slot): (usize, Slot),
    (from, to): (&[f64], &[f64]),
    (t, h): (f64, f64),
    seen: &[(f64, f64)],
) -> Option<Switch> {
    let beyond = beyond(&coupled.plan, reader, (from, to), seen);
    let first = h / f64::from(STEPS);
    let mut outputs = vec![0.0; coupled.plan.instances[reader].outputs.len()];
    let instance = &mut coupled.instances[reader];
    instance.inner.restore(slot).ok()?;
    instance.calls.steps += 1;
    let outcome = instance.inner.step(to, t, first, false, &mut outputs);
    let found = match (outcome, save(coupled, reader)) {
        (Ok(StepOutcome::Complete), Ok(switched)) => {
            let found = Switch::between(coupled, reader, switched, (to, &beyond), (t + first, h));
            let _ = coupled.instances[reader].inner.free_slot(switched);
            found
        }
        (_, Ok(switched)) => {
            let _ = coupled.instances[reader].inner.free_slot(switched);
            None
        }
        _ => None,
    };
    coupled.instances[reader].inner.restore(slot).ok()?;
    found
}

/// The inputs of an instance while all instances make a few steps; `None` if one is refused.
fn pass(
    coupled: &mut Coupled,
    method: &mut Method,
    reader: usize,
    (t, h): (f64, f64),
) -> Result<Option<Vec<Vec<f64>>>, Box<Error>> {
    let mut on_the_way = Vec::new();
    for number in 0..STEPS {
        let step = Step { t: t + h * f64::from(number) / f64::from(STEPS), h: h / f64::from(STEPS) };
        if method.needs_rollback() {
            coupled.save(Level::Communication, step.t)?;
        }
        if let Attempt::Break(stop) = method.advance(coupled, step, true, Level::Communication) {
            return match *stop {
                Stop::Failed(error) if error.ended_process() || error.is_fatal() => Err(error),
                _ => Ok(None),
            };
        }
        on_the_way.push(coupled.inputs_of(reader));
    }
    Ok(Some(on_the_way))
}

/// Extrapolates the inputs from their beginning, because a switch may make them jump or reverse.
fn continued(from: &[f64], others: &[Vec<f64>]) -> Vec<f64> {
    let next = others.first().map_or(from, Vec::as_slice);
    from.iter().zip(next).map(|(from, next)| from + (1.0 + FARTHER) * f64::from(STEPS) * (next - from)).collect()
}

/// The inputs that are farthest from the first ones, and a little farther.
fn farthest(from: &[f64], others: &[Vec<f64>]) -> Vec<f64> {
    let distance = |inputs: &[f64], input: usize| (inputs[input] - from[input]).abs();
    let largest = |input: usize| others.iter().map(|inputs| distance(inputs, input)).fold(f64::MIN_POSITIVE, f64::max);
    let ranges: Vec<f64> = (0..from.len()).map(largest).collect();
    let far = |inputs: &Vec<f64>| (0..from.len()).map(|input| distance(inputs, input) / ranges[input]).sum::<f64>();
    let farthest = others.iter().max_by(|a, b| far(a).total_cmp(&far(b))).map_or(from, Vec::as_slice);
    from.iter().zip(farthest).map(|(from, far)| far + FARTHER * (far - from)).collect()
}

/// The inputs opposite to the direction from some to others, and a little farther, within their range in a run.
fn beyond(plan: &Plan, reader: usize, (from, to): (&[f64], &[f64]), seen: &[(f64, f64)]) -> Vec<f64> {
    let gathers = &plan.gathers[plan.instances[reader].gathers.clone()];
    let ends = from.iter().zip(to).zip(gathers).map(|((from, to), gather)| {
        let is_up = to > from;
        let end = plan.terms[gather.terms.clone()].iter().fold(gather.offset, |sum, term| {
            let (low, high) = seen[term.signal];
            sum + term.factor * if (term.factor > 0.0) == is_up { low } else { high }
        });
        if end.is_finite() { end + FARTHER * (end - to) } else { from - (to - from) }
    });
    ends.collect()
}

impl Switch {
    /// Whether steps end at this level anyway.
    #[must_use]
    pub fn is_among(&self, events: Option<&Events>) -> bool {
        let is_there = |indicator: &Indicator| match indicator.level {
            IndicatorLevel::Value(level) => (indicator.instance, indicator.reference) == self.source && self.is_at(level),
            IndicatorLevel::Output { .. } => false,
        };
        events.is_some_and(|events| events.indicators.iter().any(is_there))
    }

    /// Whether the user declares another level of the same output.
    #[must_use]
    pub fn is_declared_elsewhere(&self, resolved: &Resolved) -> bool {
        let is_value = |indicator: &Indicator| matches!(indicator.level, IndicatorLevel::Value(_));
        let is_there = |indicator: &Indicator| is_value(indicator) && (indicator.instance, indicator.reference) == self.source;
        resolved.events.as_ref().is_some_and(|events| events.indicators.iter().any(is_there))
    }

    /// Whether its level is close to this one.
    fn is_at(&self, level: f64) -> bool {
        (level - self.level).abs() <= SAME * self.range.max(self.level.abs())
    }

    /// Whether steps that end at the other level end at this one, too.
    fn is(&self, other: &Self) -> bool {
        self.source == other.source && self.is_at(other.level)
    }

    /// Finds where an instance switches as its inputs change from some values to others, in a step from a saved state.
    fn between(coupled: &mut Coupled, reader: usize, slot: Slot, (from, to): (&[f64], &[f64]), step: (f64, f64)) -> Option<Self> {
        let found = threshold::threshold(|inputs| try_step(coupled, reader, slot, inputs, step), from, to)?;
        let range = (to[found.input] - from[found.input]).abs();
        Self::new(coupled, reader, found, (range, step.1))
    }

    /// Converts a threshold to a level of the output that the input follows; `None` if it follows several.
    fn new(coupled: &Coupled, reader: usize, threshold: Threshold, (range, h): (f64, f64)) -> Option<Self> {
        let plan = &coupled.plan;
        let gather = &plan.gathers[plan.instances[reader].gathers.clone()][threshold.input];
        let [term] = plan.terms[gather.terms.clone()] else { return None };
        let instance = plan.owner(term.signal).filter(|&index| index < plan.n_stepping)?;
        let instance_plan = &plan.instances[instance];
        let reference = instance_plan.output_references[term.signal - instance_plan.outputs.start];
        let level = (threshold.value - gather.offset) / term.factor;
        let level = plain::near(level, DIGITS * (level.abs().next_up() - level.abs()));
        let is_usable = level.is_finite() && instance != reader;
        is_usable.then_some(Self {
            source: (instance, reference),
            signal: term.signal,
            level,
            reader,
            threshold,
            range,
            h,
            is_fixed: false,
        })
    }
}

/// The place where an instance switches at an event.
pub(crate) enum Found {
    /// The level that was found first.
    There,
    /// Another level.
    Elsewhere(Threshold),
    /// No level, as with hysteresis on the way back.
    Nowhere,
}

/// Tries an instance in a step from now, with its input at the level or just past it.
fn look(coupled: &mut Coupled, switch: &Switch, (t, stop): (f64, f64)) -> CallResult<Found> {
    let step = (t, switch.h.min(stop - t));
    if step.1 <= 0.0 {
        return Ok(Found::Nowhere);
    }
    let now = coupled.inputs_of(switch.reader);
    let slot = save(coupled, switch.reader)?;
    let Threshold { input, value: level } = switch.threshold;
    let with = |value: f64| {
        let mut inputs = now.clone();
        inputs[input] = value;
        inputs
    };
    let near = SAME * switch.range.max(level.abs());
    let values = [-2.0, -1.0, 1.0, 2.0].map(|place| try_step(coupled, switch.reader, slot, &with(level + place * near), step));
    let is_there = match values {
        [Some(first), Some(below), Some(above), Some(last)] => (0..below.len()).any(|output| {
            let beside = (below[output] - first[output]).abs().max((last[output] - above[output]).abs());
            (above[output] - below[output]).abs() > JUMPS * beside + ROUNDING * above[output].abs()
        }),
        _ => false,
    };
    let found = if is_there {
        Found::There
    } else {
        let sides = [-1.0, 1.0].map(|side| (with(level + side * near), with(level + side * switch.range)));
        let mut elsewhere = sides.into_iter().filter_map(|(from, to)| {
            threshold::threshold(|inputs| try_step(coupled, switch.reader, slot, inputs, step), &from, &to)
        });
        elsewhere.next().map_or(Found::Nowhere, Found::Elsewhere)
    };
    coupled.instances[switch.reader].inner.free_slot(slot)?;
    Ok(found)
}
