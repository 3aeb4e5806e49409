//! The step from which coupling adds growth.

use std::fmt;

use super::{
    growth::{Growth, Undetermined},
    short::Short,
};

/// Growth per step above 1 that counts, unless noise requires more.
const THRESHOLD: f64 = 1e-6;
/// Growth over a step in this number of parts counts as that of the coupled system itself ...
const REFINEMENT: usize = 8;
/// ... and the coupling causes what exceeds it by this factor.
const MARGIN: f64 = 1.1;
/// The downward search ends after this number of successive stable steps, each half as large as the previous one.
const STABLE_IN_A_ROW: u32 = 3;
/// Ratio of the bracket at which bisection ends.
const RESOLUTION: f64 = 1.01;

/// Where to look, in seconds; all positive and finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StepRange {
    /// Smallest step of interest.
    pub(super) min: f64,
    /// Where to start: the step in use.
    pub(super) start: f64,
    /// Largest step of interest.
    pub(super) max: f64,
}

/// From which step on the coupling is unstable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CriticalStep {
    /// Stable up to `h` \[s\], unstable from at most 1 % above.
    Critical {
        /// The largest step found stable below the first unstable one.
        h: f64,
    },
    /// Every step tried was stable.
    StableUpTo {
        /// The largest \[s\].
        h: f64,
    },
    /// Every step tried was unstable.
    UnstableDownTo {
        /// The smallest \[s\].
        h: f64,
    },
    /// Growth at one of the steps could not be found.
    NotDetermined {
        /// Why.
        reason: Undetermined,
    },
}

impl fmt::Display for CriticalStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Critical { h } => write!(f, "{} s", Short(*h)),
            Self::StableUpTo { h } => write!(f, "none up to {} s", Short(*h)),
            Self::UnstableDownTo { h } => write!(f, "below {} s, the smallest step tried", Short(*h)),
            Self::NotDetermined { reason } => write!(f, "not determined: {reason}"),
        }
    }
}

/// The largest step at which the coupling adds no growth, given the growth of perturbations over a time h that is made in a
/// number of equal steps.
///
/// A step h is unstable if `rho(h) > 1 + max(1e-6, noise)` and growth per second `ln(rho(h)) / h` exceeds that of eight steps of
/// h/8 by a tenth (what grows at both is no fault of the coupling), or if h/8 is unstable in this sense while h grows. Infinite
/// growth is unstable. Steps `start · 2^j` are tried downward until three in a row are stable, then upward to the first unstable
/// one; bisection narrows the bracket to 1 %. Unstable windows narrower than a factor of 2 can be missed.
///
/// # Errors
/// The first error of `growth`.
pub(super) fn critical_step<E>(range: StepRange, growth: impl FnMut(f64, usize) -> Result<Growth, E>) -> Result<CriticalStep, E> {
    match (Search { range, growth }).run() {
        Ok(found) => Ok(found),
        Err(Stop::NotDetermined(reason)) => Ok(CriticalStep::NotDetermined { reason }),
        Err(Stop::Failed(error)) => Err(error),
    }
}

enum Stop<E> {
    NotDetermined(Undetermined),
    Failed(E),
}

struct Search<G> {
    range: StepRange,
    growth: G,
}

impl<E, G: FnMut(f64, usize) -> Result<Growth, E>> Search<G> {
    fn run(&mut self) -> Result<CriticalStep, Stop<E>> {
        let StepRange { min, max, .. } = self.range;
        match self.downward()? {
            (Some(stable), Some(unstable)) => self.bisect(stable, unstable),
            (None, _) => Ok(CriticalStep::UnstableDownTo { h: min }),
            (Some(stable), None) => match self.upward(stable)? {
                (stable, Some(unstable)) => self.bisect(stable, unstable),
                (_, None) => Ok(CriticalStep::StableUpTo { h: max }),
            },
        }
    }

    /// The smallest unstable step from the start down and the stable one below it.
    fn downward(&mut self) -> Result<(Option<f64>, Option<f64>), Stop<E>> {
        let StepRange { min, start, max } = self.range;
        let (mut stable, mut unstable, mut in_a_row) = (None, None, 0);
        let mut h = start.max(min).min(max);
        loop {
            if self.is_unstable(h)? {
                (stable, unstable, in_a_row) = (None, Some(h), 0);
            } else {
                stable.get_or_insert(h);
                in_a_row += 1;
            }
            if h <= min || in_a_row == STABLE_IN_A_ROW {
                return Ok((stable, unstable));
            }
            h = (0.5 * h).max(min);
        }
    }

    /// The first unstable step from a stable one up and the stable one below it.
    fn upward(&mut self, mut stable: f64) -> Result<(f64, Option<f64>), Stop<E>> {
        while stable < self.range.max {
            let h = (2.0 * stable).min(self.range.max);
            if self.is_unstable(h)? {
                return Ok((stable, Some(h)));
            }
            stable = h;
        }
        Ok((stable, None))
    }

    fn bisect(&mut self, mut stable: f64, mut unstable: f64) -> Result<CriticalStep, Stop<E>> {
        while unstable > RESOLUTION * stable {
            let h = (stable * unstable).sqrt();
            if self.is_unstable(h)? {
                unstable = h;
            } else {
                stable = h;
            }
        }
        Ok(CriticalStep::Critical { h: stable })
    }

    /// If the step of an eighth grows as fast, that step itself may be unstable, and so on.
    fn is_unstable(&mut self, mut h: f64) -> Result<bool, Stop<E>> {
        while h >= self.range.min {
            let (rho, noise) = self.growth(h, 1)?;
            if rho <= 1.0 + noise.max(THRESHOLD) {
                return Ok(false);
            }
            if rho.is_infinite() || rho.ln() > MARGIN * self.growth(h, REFINEMENT)?.0.ln().max(0.0) {
                return Ok(true);
            }
            h /= REFINEMENT as f64;
        }
        Ok(false)
    }

    fn growth(&mut self, h: f64, parts: usize) -> Result<(f64, f64), Stop<E>> {
        match (self.growth)(h, parts).map_err(Stop::Failed)? {
            Growth::Determined { rho, noise, .. } => Ok((rho, noise)),
            Growth::NotDetermined(reason) => Err(Stop::NotDetermined(reason)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::{
        coupled_pair::{EXCHANGES, Exchange, Pair, pairs},
        growth::growth,
    };
    use super::*;

    const RANGE: StepRange = StepRange { min: 1e-3, start: 0.1, max: 10.0 };

    fn search(range: StepRange, rho: impl Fn(f64) -> f64) -> CriticalStep {
        let rho = |h, parts| rho(h / parts as f64).powi(parts as i32);
        let growth = |h, parts| Ok::<_, Infallible>(Growth::Determined { rho: rho(h, parts), modes: 1, noise: 0.0 });
        critical_step(range, growth).unwrap()
    }

    #[track_caller]
    fn assert_critical(found: CriticalStep, expected: f64, tolerance: f64) {
        let CriticalStep::Critical { h } = found else { panic!("{found:?} instead of {expected}") };
        assert!((h / expected - 1.0).abs() <= tolerance, "{h} instead of {expected}");
    }

    fn from_records(pair: &Pair, exchange: Exchange, start: f64, noise: f64) -> CriticalStep {
        let growth = |h, parts| {
            let (signals, mut records) = pair.coupled(exchange, h / parts as f64).noisy_records(60 * parts, noise);
            let rows = |record: &Vec<f64>| -> Vec<f64> {
                record.chunks_exact(signals.len()).skip(parts - 1).step_by(parts).flatten().copied().collect()
            };
            records = records.iter().map(rows).collect();
            Ok::<_, Infallible>(growth(&signals, &records, 0.0))
        };
        critical_step(StepRange { start, ..RANGE }, growth).unwrap()
    }

    fn assert_known_pairs(start: f64, noise: f64) {
        for pair in &pairs() {
            for (exchange, expected) in EXCHANGES.into_iter().zip(pair.critical) {
                assert_critical(from_records(pair, exchange, start * expected, noise), expected, 0.012);
            }
        }
    }

    #[test]
    fn known_critical_steps_are_found_from_below() {
        assert_known_pairs(0.3, 0.0);
    }

    #[test]
    fn known_critical_steps_are_found_from_above_and_through_noise() {
        assert_known_pairs(3.0, 1e-12);
    }

    #[test]
    fn too_much_noise_is_said() {
        let found = from_records(&pairs()[0], Exchange::GaussSeidel, 0.1, 1e-6);
        assert!(matches!(found, CriticalStep::NotDetermined { reason: Undetermined::Noise { .. } }), "{found:?}");
    }

    #[test]
    fn physical_growth_is_not_blamed_on_the_coupling() {
        assert_eq!(search(RANGE, |h| (0.1 * h).exp()), CriticalStep::StableUpTo { h: 10.0 });
        // With a growth of 0.1 + h per second, it is a tenth above that at h/8 if 0.8625 h = 0.01.
        assert_critical(search(RANGE, |h| (0.1 * h + h * h).exp()), 0.01 / 0.8625, 0.011);
    }

    #[test]
    fn found_or_not_in_words() {
        let found = [
            CriticalStep::Critical { h: 0.043_527 },
            CriticalStep::StableUpTo { h: 10.0 },
            CriticalStep::UnstableDownTo { h: 1e-5 },
            CriticalStep::NotDetermined { reason: Undetermined::TooShort { steps: 3 } },
        ];
        let expected = [
            "0.04353 s",
            "none up to 10 s",
            "below 1e-5 s, the smallest step tried",
            "not determined: 3 steps were recorded, expected at least 4",
        ];
        assert_eq!(found.map(|found| found.to_string()), expected);
    }

    #[test]
    fn all_or_nothing() {
        assert_eq!(search(RANGE, |_| 0.0), CriticalStep::StableUpTo { h: 10.0 });
        assert_eq!(search(RANGE, |_| 1.0), CriticalStep::StableUpTo { h: 10.0 });
        assert_eq!(search(StepRange { min: 0.01, ..RANGE }, |h| (h * h).exp()), CriticalStep::UnstableDownTo { h: 0.01 });
        assert_eq!(search(RANGE, |h| if h < 5e-4 { 0.5 } else { f64::INFINITY }), CriticalStep::UnstableDownTo { h: 1e-3 });
    }

    #[test]
    fn the_first_limit_counts_wherever_the_search_starts() {
        let window = |h: f64| if (0.02..0.05).contains(&h) || h > 0.5 { 1.1 } else { 0.9 };
        for start in [0.0, 0.015, 0.03, 0.1] {
            assert_critical(search(StepRange { start, ..RANGE }, window), 0.02, 0.011);
        }
        assert_critical(search(StepRange { start: 100.0, ..RANGE }, |h| h / 7.0), 7.0, 0.011);
    }

    #[test]
    fn what_stops_the_measurement_stops_the_search() {
        let broken = |h: f64, _| {
            if h < 0.05 { Err("no smaller steps") } else { Ok(Growth::Determined { rho: 2.0, modes: 1, noise: 0.0 }) }
        };
        assert_eq!(critical_step(RANGE, broken), Err("no smaller steps"));
        let reason = Undetermined::Decomposition;
        let found = critical_step(RANGE, |_, _| Ok::<_, Infallible>(Growth::NotDetermined(reason)));
        assert_eq!(found, Ok(CriticalStep::NotDetermined { reason }));
    }
}
