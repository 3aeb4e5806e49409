//! Detection of outputs that move by themselves faster than meshes resolve.
//!
//! An instance may add a ripple to its outputs, such as the torque of a motor with teeth. If its frequency is a multiple of those
//! of all meshes, they agree that the output is smooth. While inputs are held, values at uneven distances show that it is not:
//! they are compared with the cubic polynomial through their neighbors. Where it is smooth, the deviations at half the distance
//! are much smaller. Where it is not, shorter distances are tried until they are; then the signs of the deviations show the
//! period. Jumps and noise are smooth at no distance, and what is over soon after the start, such as a fast mode, deviates in a
//! few points only: neither is a ripple.

use super::detect::Walk;

/// Number of points of the first attempt over a base step, and of each of the others, whose distances are smaller by this factor.
const POINTS: (usize, usize) = (16, 64);
const CLOSER: f64 = 8.0;
const ATTEMPTS: i32 = 4;

/// Points are off by up to half this share of their mean distance, in an order that repeats with no wave: multiples of the golden
/// ratio.
const UNEVEN: f64 = 0.5;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Deviations count above this share of the tolerance and of the largest value, and above rounding: small values have a tolerance
/// of their own.
const SIGNIFICANT: f64 = 0.0025;
const ROUNDING: f64 = 1e-12;

/// Maximum ratio of the fourth divided differences of smooth values to those at twice the distance: in the first attempt, and
/// later, where a wave has at least five points. It is 1 for the smoothest values, and 16 if deviations are as large at half the
/// distance.
const GROWS: [f64; 2] = [1.3, 3.0];

/// The shares of the values that deviate less than the values that are compared.
const SHARES: [f64; 2] = [0.5, 0.8];

/// The deviations of a wave in the last third are at least this share of those in the first third.
const LASTS: f64 = 0.25;

/// Minimum number of times that the deviations of a wave change their sign.
const TURNS: usize = 3;

/// Minimum number of periods in a base step: the numbers of steps into which meshes divide it have no smaller common multiple.
const PERIODS: f64 = 5.0;

/// What an output does by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wave {
    /// Its index among the outputs of the walk.
    pub(super) output: usize,
    /// The period \[s\].
    pub(super) period: f64,
    /// The deviations from smooth values, relative to the largest value.
    pub(super) size: f64,
}

/// What the values of an output show at the distances of an attempt.
enum Seen {
    /// Nothing that meshes miss.
    Smooth,
    Wave(Wave),
    /// Its motion is faster.
    Unresolved,
}

/// The fastest wave in the outputs, if one is too fast for base steps of this size \[s\].
pub(super) fn fastest(walk: &mut impl Walk, step: f64, tolerance: f64) -> Option<Wave> {
    let mut open: Vec<usize> = (0..walk.values().len()).collect();
    let mut fastest: Option<Wave> = None;
    for attempt in 0..ATTEMPTS {
        let distance = step / POINTS.0 as f64 / CLOSER.powi(attempt);
        let (times, columns) = sample(walk, distance, if attempt == 0 { POINTS.0 } else { POINTS.1 })?;
        open.retain(|&output| match seen((output, attempt), &times, &columns[output], tolerance) {
            Seen::Smooth => false,
            Seen::Wave(wave) => {
                if PERIODS * wave.period < step && fastest.is_none_or(|known| wave.period < known.period) {
                    fastest = Some(wave);
                }
                false
            }
            Seen::Unresolved => true,
        });
        if open.is_empty() {
            break;
        }
    }
    fastest
}

/// The values of all outputs at uneven distances; `None` if a step cannot be made.
fn sample(walk: &mut impl Walk, distance: f64, count: usize) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let begin = walk.now();
    let mut times = vec![begin];
    let mut columns: Vec<Vec<f64>> = walk.values().into_iter().map(|value| vec![value]).collect();
    for point in 1..=count {
        let off = UNEVEN * ((GOLDEN * point as f64).fract() - 0.5);
        walk.step(begin + distance * (point as f64 + off) - walk.now())?;
        times.push(walk.now());
        columns.iter_mut().zip(walk.values()).for_each(|(column, value)| column.push(value));
    }
    Some((times, columns))
}

fn seen((output, attempt): (usize, i32), times: &[f64], values: &[f64], tolerance: f64) -> Seen {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let (fine, coarse) = (Differences::new(times, values, 1), Differences::new(times, values, 2));
    let grows = |share: f64| quantile(&fine.divided, share) > GROWS[usize::from(attempt > 0)] * quantile(&coarse.divided, share);
    let is_smooth = !SHARES.into_iter().any(grows);
    let deviation = quantile(&fine.deviations, SHARES[0]);
    if !is_smooth && deviation > (SIGNIFICANT * tolerance).max(ROUNDING) * largest {
        return Seen::Unresolved;
    }
    // Where most points do not deviate at all, values are constant between jumps. What decays is a fast mode.
    let third = fine.deviations.len() / 3;
    let [first, last] = [&fine.deviations[..third], &fine.deviations[2 * third..]].map(|part| quantile(part, SHARES[0]));
    let is_wave = attempt > 0 && is_smooth && deviation > 0.0 && last > LASTS * first;
    let turns = fine.deviations.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
    if !is_wave || turns < TURNS {
        return Seen::Smooth;
    }
    let span = times[times.len() - 1] - times[0];
    Seen::Wave(Wave { output, period: 2.0 * span / turns as f64, size: range(values) / largest })
}

/// How much values deviate from the cubic polynomials through their four neighbors, and the fourth divided differences.
#[derive(Default)]
struct Differences {
    deviations: Vec<f64>,
    divided: Vec<f64>,
}

impl Differences {
    /// Those of every `stride` of the values.
    fn new(times: &[f64], values: &[f64], stride: usize) -> Self {
        let points: Vec<(f64, f64)> = times.iter().copied().zip(values.iter().copied()).step_by(stride).collect();
        let mut differences = Self::default();
        for around in points.windows(5) {
            let (time, value) = around[2];
            let others = [around[0], around[1], around[3], around[4]];
            let weight = |of: usize| -> f64 {
                let beside = others.iter().enumerate().filter(|(place, _)| *place != of);
                beside.map(|(_, (other, _))| (time - other) / (others[of].0 - other)).product()
            };
            let deviation = value - (0..others.len()).map(|of| weight(of) * others[of].1).sum::<f64>();
            differences.deviations.push(deviation);
            differences.divided.push(deviation / others.iter().map(|(other, _)| time - other).product::<f64>());
        }
        differences
    }
}

/// The size that this share of the values does not exceed.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get((share * sizes.len() as f64) as usize).copied().unwrap_or(0.0)
}

fn range(values: &[f64]) -> f64 {
    let bounds = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
    bounds.1 - bounds.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_step::algorithm::Change;

    /// An instance with one output that is a function of time.
    struct Fake<F> {
        value: F,
        t: f64,
        calls: u32,
    }

    impl<F: Fn(f64) -> f64> Walk for Fake<F> {
        fn now(&self) -> f64 {
            self.t
        }
        fn stop(&self) -> f64 {
            f64::INFINITY
        }
        fn step(&mut self, h: f64) -> Option<Change> {
            (self.t, self.calls) = (self.t + h, self.calls + 1);
            Some(Change::Clear)
        }
        fn stir(&mut self) {}
        fn values(&self) -> Vec<f64> {
            vec![(self.value)(self.t)]
        }
    }

    fn found(value: impl Fn(f64) -> f64) -> (Option<f64>, u32) {
        let mut fake = Fake { value, t: 0.3, calls: 0 };
        (fastest(&mut fake, 1.0, 1e-6).map(|wave| wave.period), fake.calls)
    }

    #[test]
    fn waves_are_found_whatever_their_frequency_and_size() {
        for frequency in [7.0, 12.0, 48.0, 61.3, 180.0, 720.0, 1200.0] {
            for size in [1e-5, 1e-3, 1.0, 100.0] {
                let wave = |t: f64| 1.0 + 0.2 * t.sin() + size * (std::f64::consts::TAU * frequency * t).cos();
                let (period, calls) = found(wave);
                let period = period.unwrap_or_else(|| panic!("{frequency} {size}"));
                assert!((0.6..1.5).contains(&(period * frequency)), "{frequency} {size}: {period}");
                assert!(calls <= 16 + 3 * 64);
            }
        }
    }

    #[test]
    fn what_is_smooth_takes_few_calls() {
        for rate in [0.01, 1.0, 6.0] {
            assert_eq!(found(|t| (rate * t).sin()), (None, 16), "{rate}");
            assert_eq!(found(|t| 3.0 + (-rate * t).exp()), (None, 16), "{rate}");
        }
        assert_eq!(found(|_| 2.0), (None, 16));
        assert_eq!(found(|t| 1.0 + 1e-10 * (300.0 * t).sin()), (None, 16), "below the tolerance");
    }

    /// Fast modes that are over soon, jumps, stairs and noise.
    #[test]
    fn what_no_points_resolve_is_no_wave() {
        assert_eq!(found(|t| 1.0 + (-1e3 * (t - 0.3)).exp()).0, None);
        assert_eq!(found(|t| 1.0 + (-50.0 * (t - 0.3)).exp()).0, None);
        assert_eq!(found(|t| (40.0 * t).floor()).0, None);
        assert_eq!(found(|t| f64::from(u8::from((t * 33.0).fract() < 0.4))).0, None);
        let noise = |t: f64| (t.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / 2.0_f64.powi(24);
        assert_eq!(found(|t| 1.0 + 1e-3 * noise(t)).0, None);
        for rate in [20.0, 200.0, 2000.0, 2e4] {
            let mode = |t: f64| (-rate * (t - 0.3)).exp() * (2.0 * rate * (t - 0.3)).cos();
            assert_eq!(found(mode).0, None, "{rate}");
        }
        assert_eq!(found(|t| 1.0 + (-20.0 * (t - 0.3)).exp() + 1e-8 * noise(t)).0, None);
    }

    #[test]
    fn waves_that_meshes_resolve_are_left_to_them() {
        assert_eq!(found(|t| (std::f64::consts::TAU * 3.0 * t).sin()).0, None);
    }
}
