//! Kinks of outputs: an instance responds to small changes of its inputs in one way on one side of a kink, and in another way
//! beyond it.
//!
//! Where the kink is may depend on several inputs and on states, so that no level of one signal marks it: a gap between two
//! positions, a limit of a controller with an integrator. The response itself does: two very short steps from one state, one of
//! them with slightly different inputs, measure it. It is usable if it is the same at nearby inputs, as where outputs are linear
//! between kinks. Steps then end where it changes.

use lotka_instance::{CallResult, Slot};
use lotka_step::algorithm::Coupled;

use super::{
    Switch, Threshold, Tried,
    kinks::kinks,
    stepwise::{LOOKS, Trial, ranges},
    try_step::try_step,
};
use crate::trial::saved::save;

/// The change of an input, and the distance at which the response is compared, as shares of the range of the input.
const LITTLE: f64 = 1e-8;
const NEARBY: f64 = 1e-3;

/// Nearby responses are equal within the first share of the largest response; other ones differ by more than the second.
const SAME: f64 = 1e-4;
const OTHER: f64 = 1e-2;

/// Minimum share of the places at which nearby responses are equal: there may be kinks between the others.
const MOST: f64 = 0.75;

/// Number of places at which another response is sought if all are equal.
const MORE: usize = 512;

/// Share of the time that steps of a trial must be long, so that rounding does not hide them.
const RESOLVED: f64 = 64.0 * f64::EPSILON;

/// A response that marks kinks.
#[derive(Debug, Clone, PartialEq)]
pub struct Bend {
    /// The instance.
    pub instance: usize,
    /// Changes of the inputs that cause the response, which is measured in steps of size `h` \[s\].
    changes: Vec<f64>,
    h: f64,
    /// Changes of the response above which it is another one.
    pub least: Vec<f64>,
}

/// Tries an instance at `t` \[s\] for runs with steps of size `h`, in which each Real signal had values `seen` from the least to
/// the largest. The instance must be initialized again afterwards. `None` if its response marks no kinks, or a step is refused.
pub fn find(coupled: &mut Coupled, instance: usize, (t, h): (f64, f64), seen: &[(f64, f64)]) -> Option<Tried> {
    let plan = &coupled.plan.instances[instance];
    if !plan.has_feedthrough || !coupled.instances[instance].inner.capabilities().save_state {
        return None;
    }
    let ranges = ranges(coupled, instance, seen)?;
    let places = InputPoints::new(&ranges);
    let mut trial = Trial::new(coupled, instance, (t, h));
    let size = trial.h;
    let looks: Vec<Look> = (0..LOOKS).map(|number| places.look(&mut trial, number)).collect::<Option<_>>()?;
    let mut largest = Largest(Vec::new());
    looks.iter().for_each(|look| largest.add(&look.here));
    let same = looks.iter().filter(|look| largest.are_within(&look.here, &look.nearby, SAME)).count();
    if (same as f64) < MOST * LOOKS as f64 {
        return None;
    }
    let first = &looks[0].here;
    let mut differs = looks.iter().any(|look| !largest.are_within(&look.here, first, OTHER));
    let mut others = LOOKS..MORE;
    while !differs && let Some(number) = others.next() {
        let response = places.response(&mut trial, number, 0.0)?;
        largest.add(&response);
        differs = !largest.are_within(&response, first, OTHER);
    }
    if !differs {
        return None;
    }
    if let Some(levels) = levels(&mut trial, &ranges, &looks) {
        return Some(Tried { switches: levels, ..Tried::default() });
    }
    let least = largest.0.iter().map(|largest| OTHER * largest).collect();
    let bend = Bend { instance, changes: places.changes, h: size, least };
    Some(Tried { bends: vec![bend], ..Tried::default() })
}

/// Tries an instance in its saved state: kinks may depend on states that are other ones at the start.
pub(super) fn find_here(coupled: &mut Coupled, (instance, slot): (usize, Slot), step: (f64, f64), seen: &[(f64, f64)]) -> Tried {
    let is_there = coupled.instances[instance].inner.restore(slot).is_ok();
    is_there.then(|| find(coupled, instance, step, seen)).flatten().unwrap_or_default()
}

/// All levels of the only input that moves at which an instance without memory has kinks; `None` if there are several inputs, or
/// a memory.
fn levels(trial: &mut Trial<'_>, ranges: &[(f64, f64)], looks: &[Look]) -> Option<Vec<Switch>> {
    let moving: Vec<usize> = (0..ranges.len()).filter(|&input| ranges[input].0 < ranges[input].1).collect();
    let [input] = moving[..] else { return None };
    let is_memoryless = looks.iter().all(|look| trial.outputs(&look.inputs).is_some_and(|outputs| outputs == look.outputs));
    if !is_memoryless {
        return None;
    }
    let (low, high) = ranges[input];
    let mut found = Vec::new();
    for output in 0..looks[0].outputs.len() {
        let value = |value: f64| {
            let mut inputs: Vec<f64> = ranges.iter().map(|(low, _)| *low).collect();
            inputs[input] = value;
            trial.outputs(&inputs).map(|outputs| outputs[output])
        };
        found.extend(kinks(value, (low, high))?);
    }
    found.sort_by(f64::total_cmp);
    found.dedup_by(|next, last| *next - *last <= SAME * LITTLE * (high - low));
    let (coupled, instance) = (&*trial.coupled, trial.instance);
    let switch = |value: &f64| Switch::new(coupled, instance, Threshold { input, value: *value }, (high - low, trial.h));
    let switches: Vec<Switch> = found.iter().map(switch).collect::<Option<_>>()?;
    let switches: Vec<Switch> = switches.into_iter().map(|switch| Switch { is_fixed: true, ..switch }).collect();
    (!switches.is_empty()).then_some(switches)
}

impl Bend {
    /// The response at `t` \[s\] from the present state and inputs, which was `before`. `None` right at a kink, or if it cannot
    /// be measured before `stop`.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub fn response(&self, coupled: &mut Coupled, (t, stop): (f64, f64), before: Option<&[f64]>) -> CallResult<Option<Vec<f64>>> {
        let step = (t, self.h.max(RESOLVED * t.abs()));
        if t + step.1 > stop {
            return Ok(None);
        }
        let slot = save(coupled, self.instance)?;
        let response = self.from(coupled, slot, step, before);
        coupled.instances[self.instance].inner.free_slot(slot)?;
        Ok(response)
    }

    fn from(&self, coupled: &mut Coupled, slot: Slot, step: (f64, f64), before: Option<&[f64]>) -> Option<Vec<f64>> {
        let inputs = coupled.inputs_of(self.instance);
        let mut at = |sign: f64| {
            let changed: Vec<f64> = inputs.iter().zip(&self.changes).map(|(input, change)| input + sign * change).collect();
            try_step(coupled, self.instance, slot, &changed, step)
        };
        let is_same = |a: &[f64], b: &[f64]| a.iter().zip(b).zip(&self.least).all(|((a, b), least)| (a - b).abs() <= *least);
        let values = at(0.0)?;
        let response = difference(&at(1.0)?, &values);
        if before.is_some_and(|before| is_same(before, &response)) {
            return Some(response);
        }
        // Right at the kink, the two sides differ.
        let other = difference(&values, &at(-1.0)?);
        is_same(&response, &other).then_some(response)
    }
}

/// InputPoints in the ranges of all inputs, which they fill evenly.
struct InputPoints<'a> {
    ranges: &'a [(f64, f64)],
    shares: Vec<f64>,
    /// Small changes of the inputs, by different shares, so that they do not cancel.
    changes: Vec<f64>,
}

/// The response at a place and nearby.
struct Look {
    inputs: Vec<f64>,
    outputs: Vec<f64>,
    here: Vec<f64>,
    nearby: Vec<f64>,
}

impl<'a> InputPoints<'a> {
    /// Multiples of the powers of `1 / g`, where `g^(d + 1) = g + 1` for `d` inputs: the golden ratio if there is one (M. Roberts
    /// 2018).
    fn new(ranges: &'a [(f64, f64)]) -> Self {
        let mut g = 1.5_f64;
        for _ in 0..64 {
            g = (1.0 + g).powf(1.0 / (ranges.len() + 1) as f64);
        }
        let shares: Vec<f64> = (1..=ranges.len() as i32).map(|power| g.powi(-power)).collect();
        let changes = shares.iter().zip(ranges).map(|(share, (low, high))| LITTLE * share * (high - low)).collect();
        Self { ranges, shares, changes }
    }

    /// The inputs at a distance from a place, as a share of the ranges.
    fn at(&self, number: usize, distance: f64) -> Vec<f64> {
        let place =
            |(share, (low, high)): (&f64, &(f64, f64))| low + (((number as f64 + 0.5) * share).fract() + distance) * (high - low);
        self.shares.iter().zip(self.ranges).map(place).collect()
    }

    fn response(&self, trial: &mut Trial<'_>, number: usize, distance: f64) -> Option<Vec<f64>> {
        let inputs = self.at(number, distance);
        let outputs = trial.outputs(&inputs)?;
        let changed: Vec<f64> = inputs.iter().zip(&self.changes).map(|(input, change)| input + change).collect();
        Some(difference(&trial.outputs(&changed)?, &outputs))
    }

    fn look(&self, trial: &mut Trial<'_>, number: usize) -> Option<Look> {
        let inputs = self.at(number, 0.0);
        let outputs = trial.outputs(&inputs)?;
        let [here, nearby] = [self.response(trial, number, 0.0)?, self.response(trial, number, NEARBY)?];
        Some(Look { inputs, outputs, here, nearby })
    }
}

/// The largest response of each output.
struct Largest(Vec<f64>);

impl Largest {
    fn add(&mut self, response: &[f64]) {
        self.0.resize(response.len(), 0.0);
        self.0.iter_mut().zip(response).for_each(|(largest, response)| *largest = largest.max(response.abs()));
    }

    /// Whether two responses differ by no more than a share of it.
    fn are_within(&self, a: &[f64], b: &[f64], share: f64) -> bool {
        a.iter().zip(b).zip(&self.0).all(|((a, b), largest)| (a - b).abs() <= share * largest)
    }
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
