//! Accuracy of rollback, measured before the first step by repeating steps.
//!
//! The saved states of some FMUs are incomplete. If a method rolls back, such noise looks like a step error that no step size
//! reduces, so that a tolerance below it can never be reached.

use lotka_instance::{CallResult, Slot, StepOutcome};
use lotka_step::{
    Error,
    algorithm::Coupled,
    error::OutputNoise,
    error_control::{POINTS, SPACINGS, Tolerances, output_noise},
};

/// Number of repetitions of each step.
const REPEATS: usize = 4;

/// Minimum ratio of tolerance to noise, which is only one part of the error.
const MARGIN: f64 = 5.0;

/// Spread between the largest and the smallest of a few random values, in units of their standard deviation.
const NOISE_SPREAD: f64 = 3.0;

/// Smallest share of the largest output of an instance by which values are judged.
const NEGLIGIBLE: f64 = 1e-3;

/// Smallest relative noise that is worth a warning: solvers inside FMUs that begin anew after a rollback have less at their usual
/// tolerances.
const VISIBLE: f64 = 1e-6;

/// The noise of one output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// The instance.
    pub instance: usize,
    pub(crate) signal: usize,
    /// Difference between the largest and the smallest value after the same step.
    pub(crate) spread: f64,
    /// Largest absolute value among them.
    pub(crate) scale: f64,
}

impl Noise {
    /// The spread relative to the size of the output.
    #[must_use]
    pub fn relative(self) -> f64 {
        self.spread / self.scale
    }

    /// What was seen.
    #[must_use]
    pub fn what(self, coupled: &Coupled) -> String {
        format!("a step that is repeated changes `{}` by {:.1e}, relative", coupled.signal_name(self.signal), self.relative())
    }

    /// The spread in units of the tolerances, times the margin; at most 1 is acceptable.
    pub(crate) fn excess(self, tolerances: Tolerances) -> f64 {
        MARGIN * self.spread * tolerances.weight(self.scale)
    }

    /// The smallest acceptable relative tolerance, in two digits, if these are too small.
    fn smallest(self, tolerances: Tolerances) -> f64 {
        rounded_up(tolerances.relative * self.excess(tolerances))
    }
}

/// Repeats a step of `h` from `t` with each instance that `includes` selects and that has outputs. Returns the spread of the
/// results; empty if rollback is exact. The steps are not counted as steps of the run. If there is noise, the instances are no
/// longer in their original state and must be initialized again.
///
/// # Errors
/// A call fails. A discarded step yields no result.
pub fn noise(coupled: &mut Coupled, includes: impl Fn(usize) -> bool, t: f64, h: f64) -> Result<Vec<Noise>, Box<Error>> {
    let can = |index: &usize| {
        let can = coupled.instances[*index].inner.capabilities().save_state;
        can && !coupled.plan.instances[*index].outputs.is_empty()
    };
    let measured: Vec<usize> = (0..coupled.instances.len()).filter(|&index| includes(index)).filter(can).collect();
    noise_of(coupled, &measured, t, h).map_err(|error| Box::new(Error::Call(error)))
}

/// Measures how the outputs of each instance that `includes` selects scatter about smooth functions of its Real inputs, in steps
/// of `h` from `t`; empty if the scatter is rounding. As with [`noise`], steps are not counted, and the instances keep their
/// state only if rollback is exact.
///
/// # Errors
/// A call fails. A discarded step yields no result.
pub fn of_outputs(coupled: &mut Coupled, includes: impl Fn(usize) -> bool, t: f64, h: f64) -> Result<Vec<Noise>, Box<Error>> {
    let mut found = Vec::new();
    for index in (0..coupled.instances.len()).filter(|&index| includes(index)) {
        let can = coupled.instances[index].inner.capabilities().save_state;
        let instance_plan = &coupled.plan.instances[index];
        if can && !instance_plan.outputs.is_empty() && !instance_plan.input_references.is_empty() {
            found.extend(noise_of_instance(coupled, index, t, h).map_err(|error| Box::new(Error::Call(error)))?);
        }
    }
    Ok(found)
}

fn noise_of_instance(coupled: &mut Coupled, index: usize, t: f64, h: f64) -> CallResult<Vec<Noise>> {
    let inputs = coupled.inputs_of(index);
    coupled.set_discrete_inputs(index, false)?;
    let slot = coupled.instances[index].inner.new_slot()?;
    let mut found = noise_at(coupled, index, (slot, SPACINGS[0]), &inputs, (t, h));
    // The second distance is tried only if the first one reveals scatter.
    if let Ok(noise) = &mut found
        && !noise.is_empty()
    {
        found = noise_at(coupled, index, (slot, SPACINGS[1]), &inputs, (t, h)).map(|closer| smaller(noise, &closer));
    }
    let freed = coupled.instances[index].inner.free_slot(slot);
    found.and_then(|found| freed.map(|()| found))
}

/// The outputs that scatter with both distances, with the smaller scatter.
fn smaller(noise: &[Noise], closer: &[Noise]) -> Vec<Noise> {
    let other = |one: &Noise| closer.iter().find(|other| other.signal == one.signal).map(|other| other.spread);
    noise.iter().filter_map(|one| Some(Noise { spread: one.spread.min(other(one)?), ..*one })).collect()
}

/// The outputs of one instance that scatter, for inputs at points of this distance.
fn noise_at(
    coupled: &mut Coupled,
    index: usize,
    (slot, spacing): (Slot, f64),
    inputs: &[f64],
    (t, h): (f64, f64),
) -> CallResult<Vec<Noise>> {
    let signals = coupled.plan.instances[index].outputs.clone();
    let instance = &mut coupled.instances[index].inner;
    let (mut outputs, mut values) = (vec![0.0; signals.len()], vec![[0.0; POINTS]; signals.len()]);
    let mean = inputs.iter().map(|input| input.abs()).sum::<f64>() / inputs.len() as f64;
    let size = |input: f64| {
        if input != 0.0 {
            input.abs()
        } else if mean > 0.0 {
            mean
        } else {
            1.0
        }
    };
    instance.save(slot)?;
    for point in 0..POINTS {
        let place = |(at, input): (usize, &f64)| input + spacing * size(*input) * output_noise::place(point, at);
        let moved: Vec<f64> = inputs.iter().enumerate().map(place).collect();
        let outcome = instance.step(&moved, t, h, true, &mut outputs)?;
        instance.restore(slot)?;
        if outcome != StepOutcome::Complete {
            return Ok(Vec::new());
        }
        values.iter_mut().zip(&outputs).for_each(|(values, output)| values[point] = *output);
    }
    let largest = outputs.iter().fold(0.0_f64, |largest, output| largest.max(output.abs()));
    let noise = signals.zip(values).map(|(signal, values)| {
        let scale = values[0].abs().max(NEGLIGIBLE * largest);
        Noise { instance: index, signal, spread: NOISE_SPREAD * output_noise::deviation(&values), scale }
    });
    Ok(noise.filter(|noise| output_noise::relative(noise.spread, noise.scale) > 0.0).collect())
}

fn noise_of(coupled: &mut Coupled, instances: &[usize], t: f64, h: f64) -> CallResult<Vec<Noise>> {
    let new_slot = |&index: &usize| Ok((index, coupled.instances[index].inner.new_slot()?));
    let slots: Vec<_> = instances.iter().map(new_slot).collect::<CallResult<_>>()?;
    let found = noise_with(coupled, &slots, t, h);
    // An instance that failed cannot free its states either: the first error is reported.
    let freed = slots.iter().try_for_each(|&(index, slot)| coupled.instances[index].inner.free_slot(slot));
    found.and_then(|found| freed.map(|()| found))
}

/// All states are saved before the first one is restored, as in a run: instances of one library may replace the states of each
/// other.
fn noise_with(coupled: &mut Coupled, slots: &[(usize, Slot)], t: f64, h: f64) -> CallResult<Vec<Noise>> {
    for &(index, slot) in slots {
        coupled.set_discrete_inputs(index, false)?;
        coupled.instances[index].inner.save(slot)?;
    }
    let mut found = Vec::new();
    for &(index, slot) in slots {
        let extremes = extremes(coupled, index, slot, (t, h))?.unwrap_or_default();
        let signals = coupled.plan.instances[index].outputs.clone();
        let noise = signals.zip(extremes).map(|(signal, (smallest, largest))| Noise {
            instance: index,
            signal,
            spread: largest - smallest,
            scale: largest.abs().max(smallest.abs()),
        });
        found.extend(noise.filter(|noise| noise.spread > 0.0));
    }
    Ok(found)
}

/// Smallest and largest value of each output after the same step from a saved state; `None` if a step is discarded.
fn extremes(coupled: &mut Coupled, index: usize, slot: Slot, (t, h): (f64, f64)) -> CallResult<Option<Vec<(f64, f64)>>> {
    let inputs = coupled.inputs_of(index);
    let instance = &mut coupled.instances[index].inner;
    let mut outputs = vec![0.0; coupled.plan.instances[index].outputs.len()];
    let mut extremes = vec![(f64::INFINITY, f64::NEG_INFINITY); outputs.len()];
    for _ in 0..=REPEATS {
        let outcome = instance.step(&inputs, t, h, true, &mut outputs)?;
        instance.restore(slot)?;
        if outcome != StepOutcome::Complete {
            return Ok(None);
        }
        for ((smallest, largest), value) in extremes.iter_mut().zip(&outputs) {
            (*smallest, *largest) = (smallest.min(*value), largest.max(*value));
        }
    }
    Ok(Some(extremes))
}

/// Judges small values by the largest output of their instance, as far as their own size says nothing.
pub fn judge(coupled: &Coupled, found: &mut [Noise]) {
    for noise in found {
        let outputs = &coupled.newest.reals[coupled.plan.instances[noise.instance].outputs.clone()];
        let largest = outputs.iter().fold(0.0_f64, |largest, output| largest.max(output.abs()));
        noise.scale = noise.scale.max(NEGLIGIBLE * largest);
    }
}

/// The worst noise that is worth a warning where there is no tolerance to compare it with.
#[must_use]
pub fn visible(found: &[Noise]) -> Option<Noise> {
    let seen = found.iter().filter(|noise| noise.relative() > VISIBLE);
    seen.max_by(|a, b| a.relative().total_cmp(&b.relative())).copied()
}

/// Factor by which tolerances must grow to exceed the noise, which may be twice as large next time.
pub fn widening(found: &[Noise], tolerances: Tolerances) -> f64 {
    let largest = found.iter().map(|noise| noise.excess(tolerances)).fold(0.0, f64::max);
    if largest > 1.0 { 2.0 * largest } else { 1.0 }
}

/// Refuses tolerances that are too small for the noise; `setting` is their name in a system file.
///
/// # Errors
/// [`Error::BelowNoise`] with the output that needs the largest tolerance.
pub fn check(coupled: &Coupled, found: &[Noise], setting: &'static str, tolerances: Tolerances) -> Result<(), Box<Error>> {
    match excessive(found, tolerances) {
        None => Ok(()),
        Some(worst) => Err(Box::new(Error::BelowNoise {
            setting,
            tolerance: tolerances.relative,
            instance: coupled.name(worst.instance).to_owned(),
            variable: coupled.signal_name(worst.signal).to_owned(),
            noise: worst.relative(),
            smallest: worst.smallest(tolerances),
        })),
    }
}

/// Refuses tolerances of local errors that are too small for outputs in single precision: where their rounding hides the errors,
/// steps would be as small as they can be, and the results no better. An output that is 0 now is expected to be as large as its
/// nominal value.
///
/// # Errors
/// [`Error::BelowSinglePrecision`] with the output that needs the largest tolerance.
pub fn check_rounding(coupled: &Coupled, tolerances: Tolerances) -> Result<(), Box<Error>> {
    let plan = &coupled.plan;
    let rounding = |&signal: &usize| {
        let instance = plan.instances.iter().position(|instance_plan| instance_plan.outputs.contains(&signal))?;
        let value = coupled.newest.reals[signal].abs();
        let scale = if value > 0.0 { value } else { plan.nominals[signal].unwrap_or(1.0).abs() };
        Some(Noise { instance, signal, spread: f64::from(f32::EPSILON) * scale, scale })
    };
    let found: Vec<_> = plan.singles.iter().filter_map(rounding).collect();
    match excessive(&found, tolerances) {
        None => Ok(()),
        Some(worst) => Err(Box::new(Error::BelowSinglePrecision {
            tolerance: tolerances.relative,
            variable: coupled.signal_name(worst.signal).to_owned(),
            smallest: worst.smallest(tolerances),
        })),
    }
}

/// The noise that needs the largest tolerance, if these are too small for it.
fn excessive(found: &[Noise], tolerances: Tolerances) -> Option<&Noise> {
    let worst = found.iter().max_by(|a, b| a.excess(tolerances).total_cmp(&b.excess(tolerances)))?;
    (worst.excess(tolerances) > 1.0).then_some(worst)
}

/// The output that needs the largest tolerance, and that tolerance, if noise explains why an iteration did not converge.
#[must_use]
pub fn reason(coupled: &Coupled, found: &[Noise], tolerances: Tolerances) -> Option<Box<OutputNoise>> {
    excessive(found, tolerances).map(|worst| {
        let variable = coupled.signal_name(worst.signal).to_owned();
        Box::new(OutputNoise::new(variable, worst.relative(), worst.smallest(tolerances)))
    })
}

/// The next larger number with two digits.
fn rounded_up(value: f64) -> f64 {
    let unit = 10.0_f64.powf(value.log10().floor() - 1.0);
    (value / unit).ceil() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_tolerance_has_two_digits() {
        for (value, rounded) in [(1.234e-7, "1.3e-7"), (9.99e-6, "1e-5"), (4.0e-3, "4e-3")] {
            assert_eq!(format!("{:e}", rounded_up(value) as f32), rounded);
        }
    }

    #[test]
    fn what_is_allowed_has_a_margin() {
        let noise = Noise { instance: 0, signal: 0, spread: 1e-8, scale: 10.0 };
        assert_eq!(noise.relative(), 1e-9);
        let excess = |tolerance| noise.excess(Tolerances { relative: tolerance, absolute: tolerance });
        assert!(excess(1e-9) > 1.0 && excess(1e-8) < 1.0);
        assert!((excess(1e-9) / excess(1e-8) - 10.0).abs() < 1e-12);
        let tolerances = Tolerances { relative: 1e-9, absolute: 1e-9 };
        let smallest = noise.smallest(tolerances);
        assert!(noise.excess(Tolerances { relative: smallest, absolute: smallest }) <= 1.0, "{smallest:e} is fine");
        assert!(excess(0.9 * smallest) > 1.0, "{smallest:e} is the smallest");
        let smaller = Noise { spread: 1e-9, ..noise };
        assert_eq!(widening(&[smaller, noise], tolerances), 2.0 * noise.excess(tolerances));
        assert_eq!(widening(&[smaller, noise], Tolerances { relative: 1e-6, absolute: 1e-6 }), 1.0);
    }
}
