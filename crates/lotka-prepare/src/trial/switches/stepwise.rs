//! Outputs that are constant between jumps, whatever their variability is declared to be: relays, quantizers, tables of
//! constants.
//!
//! Such an output has no values between its constants, so a polynomial through its values at communication points is wrong by a
//! whole jump. Trials vary the inputs of an instance along the range that they had in a run, forward in time in very short steps.
//! An output is stepwise if it repeats to the last bit where an input changes a little, differs where it changes more, and has
//! the same values on the way back: one with hysteresis does not. If one input moves, all values at which it makes the outputs
//! jump follow.

use lotka_instance::{RealRef, StepOutcome};
use lotka_step::algorithm::Coupled;

use super::{FARTHER, Switch, Threshold};

/// Number of parts of the range of the inputs, and the change that counts as a little, as a share of that range. Multiples of the
/// golden ratio shift the points so that they match no repetition.
pub(super) const LOOKS: usize = 64;
const LITTLE: f64 = 1e-9;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Maximum number of jumps, and of trial steps.
const MOST: usize = 256;
const STEPS: u32 = 20_000;

/// Size of the steps, as a share of the step of a run.
pub const SHORT: f64 = 1e-6;

/// What is stepwise in an instance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stepwise {
    /// The outputs, by instance.
    pub outputs: Vec<(usize, RealRef)>,
    /// All levels at which they jump; empty if several inputs move.
    pub switches: Vec<Switch>,
}

/// Tries an instance at `t` \[s\] for runs with steps of size `h`, in which each Real signal had values `seen` from the least to
/// the largest. The instance must be initialized again afterwards. `None` if nothing is stepwise or a step is refused.
pub fn find(coupled: &mut Coupled, instance: usize, (t, h): (f64, f64), seen: &[(f64, f64)]) -> Option<Stepwise> {
    let ranges = ranges(coupled, instance, seen)?;
    let plan = &coupled.plan.instances[instance];
    let (signals, references) = (plan.outputs.clone(), plan.output_references.clone());
    let mut trial = Trial::new(coupled, instance, (t, h));
    let at = |share: f64| ranges.iter().map(|(low, high)| low + share * (high - low)).collect::<Vec<f64>>();
    let mut looks = Vec::with_capacity(LOOKS);
    let mut is_constant = vec![true; signals.len()];
    for look in 0..LOOKS {
        let share = (look as f64 + (GOLDEN * look as f64).fract()) / LOOKS as f64;
        let values = trial.outputs(&at(share))?;
        let beside = trial.outputs(&at(share + LITTLE))?;
        let are_equal = values.iter().zip(&beside).map(|(value, other)| value == other);
        is_constant.iter_mut().zip(are_equal).for_each(|(constant, equal)| *constant &= equal);
        looks.push((share, values));
    }
    let moves = |output: &usize| looks.iter().any(|(_, values)| values[*output] != looks[0].1[*output]);
    let stepwise: Vec<usize> = (0..signals.len()).filter(|output| is_constant[*output] && moves(output)).collect();
    if stepwise.is_empty() {
        return None;
    }
    let outputs = stepwise.iter().map(|&output| (instance, references[output])).collect();
    let own = |values: &[f64]| stepwise.iter().map(|&output| values[output]).collect::<Vec<f64>>();
    for (share, values) in looks.iter().rev() {
        if own(&trial.outputs(&at(*share))?) != own(values) {
            return None;
        }
    }
    let moving: Vec<usize> = (0..ranges.len()).filter(|&input| ranges[input].0 < ranges[input].1).collect();
    let [input] = moving.as_slice() else { return Some(Stepwise { outputs, switches: Vec::new() }) };
    let mut jumps = Vec::new();
    let mut value = |value: f64| {
        let mut inputs = at(0.0);
        inputs[*input] = value;
        trial.outputs(&inputs).map(|values| own(&values))
    };
    let of = |share: f64| at(share)[*input];
    let is_complete = looks.windows(2).all(|pair| {
        let (low, high) = ((of(pair[0].0), own(&pair[0].1)), (of(pair[1].0), own(&pair[1].1)));
        bisect(&mut value, low, high, &mut jumps).is_some()
    });
    let range = ranges[*input].1 - ranges[*input].0;
    let switch = |value: &f64| Switch::new(coupled, instance, Threshold { input: *input, value: *value }, (range, h));
    let switches: Option<Vec<Switch>> = jumps.iter().map(switch).collect();
    let switches = switches.filter(|_| is_complete).unwrap_or_default();
    Some(Stepwise { outputs, switches: switches.into_iter().map(|switch| Switch { is_fixed: true, ..switch }).collect() })
}

/// The least and the largest value of each input, and a little farther; `None` if one is unknown.
pub(super) fn ranges(coupled: &Coupled, instance: usize, seen: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    let plan = &coupled.plan;
    let range = |gather: &lotka_plan::graph::Gather| {
        let terms = &plan.terms[gather.terms.clone()];
        let ends = terms.iter().fold((gather.offset, gather.offset), |(low, high), term| {
            let (least, largest) = seen[term.signal];
            let (a, b) = (term.factor * least, term.factor * largest);
            (low + a.min(b), high + a.max(b))
        });
        let farther = FARTHER * (ends.1 - ends.0);
        farther.is_finite().then_some((ends.0 - farther, ends.1 + farther))
    };
    plan.gathers[plan.instances[instance].gathers.clone()].iter().map(range).collect()
}

/// Finds all jumps between two values of an input, each with its outputs: the values just before them. `None` if there are too
/// many.
fn bisect(
    outputs: &mut impl FnMut(f64) -> Option<Vec<f64>>,
    low: (f64, Vec<f64>),
    high: (f64, Vec<f64>),
    jumps: &mut Vec<f64>,
) -> Option<()> {
    if low.1 == high.1 {
        return Some(());
    }
    let middle = low.0 + 0.5 * (high.0 - low.0);
    if middle <= low.0 || middle >= high.0 {
        jumps.push(low.0);
        return (jumps.len() <= MOST).then_some(());
    }
    let between = (middle, outputs(middle)?);
    bisect(outputs, low, between.clone(), jumps)?;
    bisect(outputs, between, high, jumps)
}

/// An instance that steps alone.
pub(super) struct Trial<'a> {
    pub(super) coupled: &'a mut Coupled,
    pub(super) instance: usize,
    t: f64,
    /// Size of its steps \[s\].
    pub(super) h: f64,
    /// Number of steps still permitted.
    left: u32,
}

impl<'a> Trial<'a> {
    /// Begins at `t` \[s\], for runs with steps of size `h`.
    pub(super) fn new(coupled: &'a mut Coupled, instance: usize, (t, h): (f64, f64)) -> Self {
        Self { coupled, instance, t, h: SHORT * h, left: STEPS }
    }

    /// Outputs after another step.
    pub(super) fn outputs(&mut self, inputs: &[f64]) -> Option<Vec<f64>> {
        self.left = self.left.checked_sub(1)?;
        let mut outputs = vec![0.0; self.coupled.plan.instances[self.instance].outputs.len()];
        let instance = &mut self.coupled.instances[self.instance];
        instance.calls.steps += 1;
        let outcome = instance.inner.step(inputs, self.t, self.h, true, &mut outputs);
        self.t += self.h;
        matches!(outcome, Ok(StepOutcome::Complete)).then_some(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps(output: impl Fn(f64) -> f64, (low, high): (f64, f64)) -> Option<Vec<f64>> {
        let (mut found, mut outputs) = (Vec::new(), |u: f64| Some(vec![output(u)]));
        let ends = [low, high].map(|u| (u, vec![output(u)]));
        let [low, high] = ends;
        bisect(&mut outputs, low, high, &mut found)?;
        Some(found)
    }

    #[test]
    fn all_jumps_between_two_values_are_found() {
        assert_eq!(jumps(|u| f64::from(u8::from(u >= 0.35)), (-1.0, 1.0)), Some(vec![0.35_f64.next_down()]));
        let found = jumps(|u| (4.0 * u).floor(), (-0.9, 0.6)).unwrap();
        let levels = [-0.75, -0.5, -0.25, 0.0, 0.25, 0.5];
        assert_eq!(found.len(), levels.len());
        assert!(found.iter().zip(levels).all(|(found, level)| found.next_up() == level), "{found:?}");
    }

    #[test]
    fn a_smooth_output_has_too_many() {
        assert_eq!(jumps(f64::sin, (0.0, 1.0)), None);
    }
}
