//! How fast instances in loops follow each other, measured by trial steps.
//!
//! An output that follows an input within a fraction of a step has forgotten, at the end of the step, what the input was at its
//! beginning. Trials change one input over a whole step, and over its first half only: if the second change has no effect,
//! compared with the first, the output is fast.
//!
//! With the derivatives `M` of fast outputs with respect to each other, the values at the end of a step solve `(I - M) y = r`.
//! Where an eigenvalue of `M` is close to 1, as with two bodies that exchange their motion through a stiff damper, the solution
//! is far from what the instances compute by themselves: only steps that resolve the fast mode are of use.

use std::collections::BTreeSet;

use lotka_instance::{CallResult, Slot, StepOutcome};
use lotka_plan::graph::Plan;
use lotka_step::algorithm::Coupled;
use nalgebra::DMatrix;

use super::saved::save;

/// Relative change of an input, and the change of one that is 0.
const CHANGE: f64 = 1e-4;

/// Share of the effect of the whole step that a change in its first half has at most on a fast output. That of a lag is `1 / (1 +
/// exp(h / (2 tau)))`: it is reached at a step of [`TIME_CONSTANTS`].
const FORGOTTEN: f64 = 0.1;
const TIME_CONSTANTS: f64 = 4.4;

/// Effects below this share of a value are rounding.
const ROUNDING: f64 = 1e-12;

/// Largest spectral radius of `(I - M)^-1` for which instances do not just follow each other.
const AMPLIFIES: f64 = 100.0;

/// Number of squarings of a matrix that show its spectral radius, and of halvings of a step.
const SQUARINGS: i32 = 16;
const HALVINGS: usize = 40;

/// Number of sizes of steps that are tried, and the ratio of each to the one before: effects of other states may hide a fast one
/// in long steps.
const LEVELS: i32 = 5;
const SHORTER: f64 = 0.25;

/// Maximum number of exchanged values of a loop.
const MOST: usize = 200;

/// Steps per time constant, summed over the runs of a result, that resolve a fast mode.
const STEPS: f64 = 20.0;

/// Two outputs, as signals, that follow each other within a time \[s\], and the number of calls of runs that resolve that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Locked {
    /// The outputs.
    pub signals: [usize; 2],
    /// The time in which they follow each other \[s\].
    pub within: f64,
    /// Number of calls of runs that resolve it.
    pub calls: f64,
}

/// Loops with fast outputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Stiffness {
    /// Instances with fast outputs.
    pub fast: BTreeSet<usize>,
    /// Two outputs that follow each other too closely for steps that do not resolve it.
    pub locked: Option<Locked>,
}

/// Tries the instances of loops in steps of `h` from `t` \[s\], and in shorter ones, for runs over `span` \[s\]; all of them must
/// be able to save their states. They must be initialized again afterwards. `None` if nothing is fast, or a step is refused.
pub fn measure(coupled: &mut Coupled, (t, h): (f64, f64), span: f64) -> Option<Stiffness> {
    let loops: Vec<Vec<usize>> =
        coupled.plan.components.iter().filter(|component| component.is_loop).map(|component| component.members.clone()).collect();
    let mut found = Stiffness { fast: BTreeSet::new(), locked: None };
    for members in loops {
        let signals: Vec<usize> = members.iter().flat_map(|&member| coupled.plan.instances[member].connected()).collect();
        for level in (0..LEVELS).take_while(|_| signals.len() <= MOST) {
            let step = (t, h * SHORTER.powi(level));
            let derivative = derivative(coupled, &members, &signals, step, &mut found.fast)?;
            if amplification(&derivative) > AMPLIFIES {
                found.locked = found.locked.or(locked(coupled, &signals, &derivative, step, span));
                break;
            }
        }
    }
    (!found.fast.is_empty()).then_some(found)
}

/// The derivatives of fast outputs of some instances with respect to each other. Adds the instances that have such outputs.
fn derivative(
    coupled: &mut Coupled,
    members: &[usize],
    signals: &[usize],
    step: (f64, f64),
    fast: &mut BTreeSet<usize>,
) -> Option<DMatrix<f64>> {
    let place = |signal: usize| signals.iter().position(|other| *other == signal);
    let mut derivative = DMatrix::zeros(signals.len(), signals.len());
    for &member in members {
        for effect in effects(coupled, member, step)?.into_iter().filter(Effect::is_fast) {
            fast.insert(member);
            for term in &coupled.plan.terms[coupled.plan.gathers[effect.input].terms.clone()] {
                if let (Some(row), Some(column)) = (place(effect.output), place(term.signal)) {
                    derivative[(row, column)] += term.factor * effect.derivative;
                }
            }
        }
    }
    Some(derivative)
}

/// The two outputs that follow each other most, and how fast the first one does.
fn locked(coupled: &mut Coupled, signals: &[usize], derivative: &DMatrix<f64>, (t, h): (f64, f64), span: f64) -> Option<Locked> {
    let n = signals.len();
    let both = |&(a, b): &(usize, usize)| (derivative[(a, b)] * derivative[(b, a)]).abs();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let (a, b) = pairs.max_by(|one, other| both(one).total_cmp(&both(other)))?;
    let (instance, mut h) = (coupled.plan.owner(signals[a])?, h);
    for _ in 0..HALVINGS {
        let is_fast = effects(coupled, instance, (t, 0.5 * h))?
            .iter()
            .any(|effect| effect.output == signals[a] && effect.is_fast() && reads(&coupled.plan, effect.input, signals[b]));
        if !is_fast {
            break;
        }
        h *= 0.5;
    }
    let within = h / TIME_CONSTANTS;
    let calls = STEPS * coupled.plan.n_stepping as f64 * span / within;
    Some(Locked { signals: [signals[a], signals[b]], within, calls })
}

/// Whether an input follows a signal.
fn reads(plan: &Plan, input: usize, signal: usize) -> bool {
    plan.terms[plan.gathers[input].terms.clone()].iter().any(|term| term.signal == signal)
}

/// The effect of an input of an instance on one of its outputs.
struct Effect {
    /// An index of the gathers of the plan, and a signal.
    input: usize,
    output: usize,
    /// Of the value at the end of the step by the held input.
    derivative: f64,
    /// What is left of a change in the first half, relative to that of the whole step.
    left: f64,
}

impl Effect {
    fn is_fast(&self) -> bool {
        self.left < FORGOTTEN
    }
}

/// All effects beyond rounding in an instance; `None` if it refuses a step.
fn effects(coupled: &mut Coupled, index: usize, (t, h): (f64, f64)) -> Option<Vec<Effect>> {
    let slot = save(coupled, index).ok()?;
    let found = effects_from(coupled, index, slot, (t, h));
    coupled.instances[index].inner.free_slot(slot).ok()?;
    found.ok().flatten()
}

fn effects_from(coupled: &mut Coupled, index: usize, slot: Slot, (t, h): (f64, f64)) -> CallResult<Option<Vec<Effect>>> {
    let inputs = coupled.inputs_of(index);
    let plan = &coupled.plan.instances[index];
    let (first_input, connected) = (plan.gathers.start, plan.connected());
    let mut ends = |parts: &[(&[f64], f64)]| -> CallResult<Option<Vec<f64>>> {
        let mut outputs = vec![0.0; coupled.plan.instances[index].outputs.len()];
        let (instance, mut at) = (&mut coupled.instances[index], t);
        instance.inner.restore(slot)?;
        for (inputs, h) in parts {
            instance.calls.steps += 1;
            if instance.inner.step(inputs, at, *h, false, &mut outputs)? != StepOutcome::Complete {
                return Ok(None);
            }
            at += h;
        }
        Ok(outputs.iter().all(|value| value.is_finite()).then_some(outputs))
    };
    let half = 0.5 * h;
    let (Some(whole), Some(halves)) = (ends(&[(&inputs, h)])?, ends(&[(&inputs, half), (&inputs, half)])?) else {
        return Ok(None);
    };
    let mut effects = Vec::new();
    for input in 0..inputs.len() {
        let mut changed = inputs.clone();
        changed[input] += if changed[input] == 0.0 { CHANGE } else { CHANGE * changed[input].abs() };
        let change = changed[input] - inputs[input];
        let after = (ends(&[(&changed, h)])?, ends(&[(&changed, half), (&inputs, half)])?);
        let (Some(after), Some(forgotten)) = after else { return Ok(None) };
        for (place, output) in connected.clone().enumerate() {
            let (effect, left) = (after[place] - whole[place], (forgotten[place] - halves[place]).abs());
            if effect.abs() > ROUNDING * whole[place].abs() {
                let left = left / effect.abs();
                effects.push(Effect { input: first_input + input, output, derivative: effect / change, left });
            }
        }
    }
    coupled.instances[index].inner.restore(slot)?;
    Ok(Some(effects))
}

/// The spectral radius of `(I - M)^-1`; infinite if `I - M` is singular.
fn amplification(derivative: &DMatrix<f64>) -> f64 {
    let n = derivative.nrows();
    let Some(mut power) = (DMatrix::identity(n, n) - derivative).try_inverse() else { return f64::INFINITY };
    let mut logarithm = 0.0;
    for squaring in 0..SQUARINGS {
        let size = power.norm();
        if !(size > 0.0 && size.is_finite()) {
            return if size > 0.0 { f64::INFINITY } else { 0.0 };
        }
        logarithm += size.ln() * 0.5_f64.powi(squaring);
        power /= size;
        power = &power * &power;
    }
    logarithm.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the units of the values.
    #[test]
    fn values_that_follow_each_other_amplify_all_others() {
        for (one, other, expected) in
            [(0.5, 0.5, 2.0), (1.0, 0.998_001, 1e3), (-1.0, 0.99, 0.71), (0.9, 0.9, 10.0), (0.0, 1e9, 1.0)]
        {
            for unit in [1.0, 1e-6, 1e4] {
                let found = amplification(&DMatrix::from_row_slice(2, 2, &[0.0, one * unit, other / unit, 0.0]));
                assert!((found / expected - 1.0).abs() < 0.02, "{one} {other} {unit}: {found}");
            }
        }
        assert_eq!(amplification(&DMatrix::from_row_slice(2, 2, &[0.0, 2.0, 0.5, 0.0])), f64::INFINITY);
    }
}
