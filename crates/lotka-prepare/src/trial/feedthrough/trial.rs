//! Two steps from one state with different inputs: do outputs differ at once?

use lotka_instance::{CallResult, Slot, StepOutcome};
use lotka_step::algorithm::Coupled;

/// Relative changes of inputs: both signs, two sizes. The domain of an input may end at its value, so the instance need
/// not accept all changes.
const SHARES: [f64; 4] = [0.25, -0.25, 0.03125, -0.03125];

/// Minimum number of changes that the instance must accept.
const FEWEST: usize = 2;

/// Ratio of the long to the short step.
const SHORTER: f64 = 8.0;

/// Without feedthrough, the difference of outputs after the short step is at most about `1 / SHORTER` of that after the long one.
const LARGEST_SHARE: f64 = 0.25;

/// Differences below this many units of rounding are ignored.
const ROUNDINGS: f64 = 64.0;

/// The fractional part of the golden ratio: no two inputs are changed by the same share, so that changes do not cancel.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A trial of one instance, which supports rollback.
pub(super) struct FeedthroughTrial<'a> {
    coupled: &'a mut Coupled,
    index: usize,
    slot: Slot,
    t: f64,
    h: f64,
}

impl<'a> FeedthroughTrial<'a> {
    /// Begins at `t` with steps of `h` and shorter ones. Must be ended with [`FeedthroughTrial::end`].
    pub(super) fn begin(coupled: &'a mut Coupled, index: usize, (t, h): (f64, f64)) -> CallResult<Self> {
        let instance = &mut coupled.instances[index].inner;
        let slot = instance.new_slot()?;
        instance.save(slot)?;
        Ok(Self { coupled, index, slot, t, h })
    }

    /// Changes some inputs, indexed like those of the plan, together. Returns the outputs that follow at once. Returns `None` if
    /// the instance refuses too many changes, or if repeated steps do not end at the same values. Afterwards the instance is in
    /// its original state.
    pub fn follows(&mut self, changed: &[usize]) -> CallResult<Option<Vec<bool>>> {
        let inputs = self.coupled.inputs_of(self.index);
        let steps = [self.h, self.h / SHORTER];
        let Some(before) = self.ends(&inputs, steps)? else { return Ok(None) };
        let mut follows = vec![false; before[0].len()];
        let mut endured = 0;
        for share in SHARES {
            let Some(after) = self.ends(&with_changes(&inputs, changed, share), steps)? else { continue };
            endured += 1;
            for (output, follows) in follows.iter_mut().enumerate() {
                let [long, short] = [0, 1].map(|size| (before[size][output], after[size][output]));
                *follows |= is_immediate(long, short);
            }
        }
        let again = self.ends(&inputs, steps)?;
        let is_exact = again.is_some_and(|again| bits(&again).eq(bits(&before)));
        Ok((is_exact && endured >= FEWEST).then_some(follows))
    }

    /// Frees the saved state.
    pub(super) fn end(self) -> CallResult<()> {
        self.coupled.instances[self.index].inner.free_slot(self.slot)
    }

    /// Outputs after a step of each size; `None` if one is refused.
    fn ends(&mut self, inputs: &[f64], steps: [f64; 2]) -> CallResult<Option<[Vec<f64>; 2]>> {
        let mut ends = [const { Vec::new() }; 2];
        for (h, end) in steps.into_iter().zip(&mut ends) {
            end.resize(self.coupled.plan.instances[self.index].outputs.len(), 0.0);
            let instance = &mut self.coupled.instances[self.index];
            instance.calls.steps += 1;
            let outcome = instance.inner.step(inputs, self.t, h, true, end);
            instance.inner.restore(self.slot)?;
            let is_usable = matches!(outcome, Ok(StepOutcome::Complete)) && end.iter().all(|value| value.is_finite());
            if !is_usable {
                return Ok(None);
            }
        }
        Ok(Some(ends))
    }
}

/// Whether an output differs after the short step by more than a delayed reaction explains; each pair holds the value without and
/// with changed inputs.
fn is_immediate(long: (f64, f64), short: (f64, f64)) -> bool {
    let difference = |(before, after): (f64, f64)| (after - before).abs();
    let rounding =
        ROUNDINGS * f64::EPSILON * [long.0, long.1, short.0, short.1].iter().fold(0.0, |most, value| value.abs().max(most));
    difference(short) > LARGEST_SHARE * difference(long) + rounding
}

fn bits(ends: &[Vec<f64>; 2]) -> impl Iterator<Item = u64> {
    ends.iter().flatten().map(|value| value.to_bits())
}

/// Returns other inputs of about the same size; zeros are replaced by a share of 1.
fn with_changes(inputs: &[f64], changed: &[usize], share: f64) -> Vec<f64> {
    let mut inputs = inputs.to_vec();
    for &position in changed {
        let size = if inputs[position] == 0.0 { 1.0 } else { inputs[position] };
        inputs[position] += share * size * (1.0 + 0.25 * (GOLDEN * position as f64).fract());
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The difference after a step of `h` for a lag with time constant 1 and some feedthrough.
    fn lag(feedthrough: f64, h: f64) -> (f64, f64) {
        (3.0, 3.0 + 0.1 * (feedthrough + 1.0 - (-h).exp()))
    }

    #[test]
    fn feedthrough_is_distinguished_from_a_quick_reaction() {
        for h in [1e-3, 0.1, 1.0] {
            assert!(!is_immediate(lag(0.0, h), lag(0.0, h / SHORTER)), "{h}");
            assert!(is_immediate(lag(h, h), lag(h, h / SHORTER)), "{h}");
            assert!(is_immediate(lag(-2.0 * h, h), lag(-2.0 * h, h / SHORTER)), "{h}");
        }
    }

    #[test]
    fn rounding_is_no_reaction() {
        assert!(!is_immediate((1.0, 1.0), (1.0, 1.0 + 2.0 * f64::EPSILON)));
        assert!(is_immediate((1.0, 1.0), (1.0, 1.0 + 1e-9)));
    }

    #[test]
    fn no_two_inputs_are_changed_alike() {
        let changed = with_changes(&[1.0, 1.0, 0.0, 5.0], &[0, 1, 2], 0.25);
        assert_eq!((changed[0], changed[3]), (1.25, 5.0));
        assert!(changed[1] > changed[0] && changed[2] > 0.25 && changed[2] < 0.32);
    }
}
