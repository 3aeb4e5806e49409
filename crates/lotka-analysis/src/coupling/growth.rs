//! Growth per step of a linear iteration, identified from its responses.

use std::fmt;

use super::{
    response::{FIRST_STEPS, Response, Signal},
    spectral::spectral_radius,
};

/// Rollback noise relative to the response above which growth is not determined.
const LARGEST_NOISE: f64 = 1e-10;

/// Growth of perturbations per communication step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Growth {
    /// Found.
    Determined {
        /// Spectral radius of the step as far as inputs excite and outputs show it; infinite if the response overflows within the
        /// first steps.
        rho: f64,
        /// Modes that stand out of the noise.
        modes: usize,
        /// Noise of the records relative to the response.
        noise: f64,
    },
    /// Not found.
    NotDetermined(Undetermined),
}

/// Why growth could not be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Undetermined {
    /// Rollback is not exact enough.
    Noise {
        /// Relative to the response.
        noise: f64,
    },
    /// The records end too soon.
    TooShort {
        /// What was recorded.
        steps: usize,
    },
    /// Singular values or eigenvalues did not converge.
    Decomposition,
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Noise { noise } => {
                write!(f, "restored states have a relative error of {noise:.1e}, expected less than {LARGEST_NOISE:e}")
            }
            Self::TooShort { steps } => write!(f, "{steps} steps were recorded, expected at least {FIRST_STEPS}"),
            Self::Decomposition => f.write_str("the eigenvalues of the recorded response did not converge"),
        }
    }
}

/// Growth per step from recorded responses: each experiment perturbs one input in the first step and records, after every step,
/// the difference of every signal to the unperturbed run, row by row (steps × signals). Experiments may differ in length; the
/// shortest counts. `variation` is how much responses to a later perturbation differ, relative to them.
///
/// Signals and experiments are scaled to 1, `Y_k` (signals × experiments) being the differences after step k. The Hankel matrix
/// `H_0 = [Y_(i+j)]` is truncated at the noise, `H_0 = U S V'`; the realization `A = S^-1/2 U' H_1 V S^-1/2` with `H_1 =
/// [Y_(i+j+1)]` has the eigenvalues of the coupled step. Responses are used up to the step before one passes its limit (the first
/// four steps always) or overflows; only their dominating modes count then, and what is not linear in them adds to rho. Where
/// responses vary with time, modes below the variation do not count. What inputs do not excite or outputs do not show is not
/// seen.
///
/// Juang, Pappa: An eigensystem realization algorithm for modal parameter identification and model reduction, 1985,
/// doi:10.2514/3.20031.
pub(super) fn growth(signals: &[Signal], experiments: &[Vec<f64>], variation: f64) -> Growth {
    let response = Response::new(signals, experiments);
    if response.is_empty() || response.overflows() {
        let rho = if response.is_empty() { 0.0 } else { f64::INFINITY };
        return Growth::Determined { rho, modes: 0, noise: 0.0 };
    }
    if response.recorded() < FIRST_STEPS {
        return Growth::NotDetermined(Undetermined::TooShort { steps: response.recorded() });
    }
    let noise = response.noise();
    if noise.is_nan() || noise > LARGEST_NOISE {
        return Growth::NotDetermined(Undetermined::Noise { noise });
    }
    let Some(matrix) = response.realization(LARGEST_NOISE, variation) else {
        return Growth::NotDetermined(Undetermined::Decomposition);
    };
    match spectral_radius(&matrix) {
        Some(rho) => Growth::Determined { rho, modes: matrix.nrows(), noise },
        None => Growth::NotDetermined(Undetermined::Decomposition),
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::super::coupled_pair::{EXCHANGES, pairs};
    use super::*;

    const STEPS: usize = 60;

    #[track_caller]
    fn assert_growth(found: Growth, expected: f64, tolerance: f64) -> usize {
        let Growth::Determined { rho, modes, .. } = found else { panic!("{found:?} instead of {expected}") };
        assert!((rho - expected).abs() <= tolerance * expected, "{rho} instead of {expected}, {modes} modes");
        modes
    }

    fn signal(noise: f64) -> Signal {
        Signal { perturbation: 0.01, noise, limit: f64::INFINITY }
    }

    /// One experiment with one signal whose differences follow `step` from 0.01 on, linear up to `limit`.
    fn scalar(limit: f64, step: impl Fn(f64) -> f64) -> Growth {
        let record = std::iter::successors(Some(0.01), |x| Some(step(*x))).take(STEPS).collect();
        growth(&[Signal { limit, ..signal(0.0) }], &[record], 0.0)
    }

    #[test]
    fn records_of_coupled_pairs_show_the_spectral_radius_of_their_step() {
        let [two_mass, quarter_car, stiff] = pairs();
        // With small steps, the output of the second side of the stiff pair hides its slowest mode.
        for (pair, steps) in [(two_mass, [0.005, 0.04, 0.3]), (quarter_car, [0.005, 0.04, 0.3]), (stiff, [1.5, 2.0, 2.5])] {
            for (exchange, h) in EXCHANGES.into_iter().flat_map(|exchange| steps.map(|h| (exchange, h))) {
                let coupled = pair.coupled(exchange, h);
                let exact = spectral_radius(&coupled.step_matrix()).unwrap();
                let (signals, records) = coupled.noisy_records(STEPS, 0.0);
                let modes = assert_growth(growth(&signals, &records, 0.0), exact, 1e-8);
                assert!((1..=5).contains(&modes), "{modes}");
            }
        }
    }

    #[test]
    fn noise_of_the_twelfth_digit_does_not_hide_growth() {
        for pair in &pairs()[..2] {
            for exchange in EXCHANGES {
                let coupled = pair.coupled(exchange, 0.04);
                let exact = spectral_radius(&coupled.step_matrix()).unwrap();
                let (signals, records) = coupled.noisy_records(STEPS, 1e-12);
                assert_growth(growth(&signals, &records, 0.0), exact, 1e-6);
            }
        }
    }

    #[test]
    fn noise_of_the_sixth_digit_does() {
        let (signals, records) = pairs()[0].coupled(EXCHANGES[0], 0.04).noisy_records(STEPS, 1e-6);
        let found = growth(&signals, &records, 0.0);
        let Growth::NotDetermined(reason @ Undetermined::Noise { noise }) = found else { panic!("{found:?}") };
        assert!(noise > 1e-7 && noise < 1.1e-6, "{noise}");
        assert!(
            reason.to_string().contains("e-7, expected less than") || reason.to_string().contains("e-6, expected less than"),
            "{reason}"
        );
    }

    #[test]
    fn a_signal_of_nothing_but_noise_is_left_alone() {
        let noise = |step: i32| 1e-14 * f64::from(step * 7919 % 17 - 8) / 8.0;
        let record = (0..STEPS as i32).flat_map(|step| [0.01 * 0.9_f64.powi(step), noise(step)]).collect();
        assert_eq!(assert_growth(growth(&[signal(0.0), signal(1e-14)], &[record], 0.0), 0.9, 1e-9), 1);
    }

    #[test]
    fn growth_beyond_the_linear_range_counts_up_to_there() {
        assert_growth(scalar(0.1, |x| 1.3 * x - x.powi(3)), 1.3, 0.02);
        assert_growth(scalar(0.1, |x| 1.5 * x / (1.0 + x * x)), 1.5, 0.02);
        assert_growth(scalar(0.1, |x| 0.95 * x + x * x), 0.95, 0.01);
        let unlimited = scalar(f64::INFINITY, |x| 1.5 * x / (1.0 + x * x));
        assert!(matches!(unlimited, Growth::Determined { rho, .. } if rho < 1.1), "{unlimited:?}");
    }

    #[test]
    fn what_varies_with_time_does_not_count() {
        let record: Vec<f64> = (0..STEPS as i32).map(|step| 0.9_f64.powi(step) + 1e-5 * 1.1_f64.powi(step)).collect();
        let found = |variation| growth(&[signal(0.0)], std::slice::from_ref(&record), variation);
        assert_growth(found(0.0), 1.1, 1e-6);
        assert_growth(found(0.01), 0.9, 1e-3);
    }

    #[test]
    fn overflow_is_growth() {
        assert_growth(scalar(f64::INFINITY, |x| x * 1e70), 1e70, 1e-9);
        for factor in [1e200, f64::NAN] {
            let found = scalar(f64::INFINITY, |x| x * factor);
            assert_eq!(found, Growth::Determined { rho: f64::INFINITY, modes: 0, noise: 0.0 });
        }
    }

    #[test]
    fn what_is_gone_after_one_step_does_not_grow() {
        assert_eq!(assert_growth(scalar(0.1, |_| 0.0), 0.0, 0.0), 1);
        let silent = growth(&[signal(0.0)], &[vec![0.0; STEPS]], 0.0);
        let none = Growth::Determined { rho: 0.0, modes: 0, noise: 0.0 };
        assert_eq!([silent, growth(&[signal(0.0)], &[], 0.0), growth(&[], &[vec![]], 0.0)], [none; 3]);
    }

    #[test]
    fn three_steps_are_too_few() {
        let found = growth(&[signal(0.0)], &[vec![0.01; 3]], 0.0);
        assert_eq!(found, Growth::NotDetermined(Undetermined::TooShort { steps: 3 }));
    }

    #[test]
    fn many_signals_take_fewer_delays() {
        let n = 40;
        let ring = DMatrix::from_fn(n, n, |row, column| match (row + n - column) % n {
            0 => 0.6 + 0.001 * row as f64,
            1 => 0.41,
            _ => 0.0,
        });
        let experiment = |input| {
            let mut state = DMatrix::from_fn(n, 1, |row, _| if row == input { 1.0 } else { 0.0 });
            let mut record = Vec::new();
            for _ in 0..STEPS {
                state = &ring * state;
                record.extend_from_slice(state.as_slice());
            }
            record
        };
        let records: Vec<_> = (0..n).map(experiment).collect();
        let exact = spectral_radius(&ring).unwrap();
        assert!(exact > 1.02, "{exact}");
        assert_growth(growth(&vec![signal(0.0); n], &records, 0.0), exact, 1e-6);
    }
}
