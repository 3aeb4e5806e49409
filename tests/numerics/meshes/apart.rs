//! Rows that are no points of meshes cost little, and keep the tolerance like all others.

use tests::{campaign::Equations, predator_prey, verified::Verified};

const OUTPUTS: [&str; 2] = ["prey.x", "predator.y"];

fn equations() -> Equations {
    Equations::smooth(vec![10.0, 10.0], |_, x| vec![x[0] * (0.1 - 0.02 * x[1]), x[1] * (0.02 * x[0] - 0.4)])
}

/// The largest error of all rows, relative to the values, none of which comes near 0; against another integrator.
fn error(verified: &Verified) -> f64 {
    let states = equations().solve(verified.rows.time());
    let of = |output: usize| {
        let found = verified.rows.real(OUTPUTS[output]).unwrap();
        found.iter().zip(&states).map(|(found, exact)| (found / exact[output] - 1.0).abs()).fold(0.0, f64::max)
    };
    of(0).max(of(1))
}

#[test]
fn the_distance_of_rows_hardly_matters() {
    for tolerance in [1e-3, 1e-6, 1e-8, 1e-10] {
        let mut calls = Vec::new();
        for interval in [1.0, 2.0, 0.1, 0.01] {
            let verified = Verified::run(&predator_prey().output_interval(interval).tolerance(tolerance));
            let (error, estimate) = (error(&verified), verified.global.largest);
            let text = format!("{tolerance:e}, rows every {interval} s: error {error:e}, {:?}", verified.global);
            assert!(
                verified.global.reached && error <= (2.0 * estimate).min(tolerance) + 1e-12 && estimate <= tolerance,
                "{text}"
            );
            let times: Vec<f64> = (0..=(100.0 / interval).round() as u32).map(|row| f64::from(row) * interval).collect();
            assert_eq!(verified.rows.time(), times, "rows are at multiples of the interval, to the last bit");
            calls.push(verified.report.counters.n_do_step_calls);
        }
        let (least, most) = (calls.iter().min().unwrap(), calls.iter().max().unwrap());
        assert!(*most <= 2 * least, "{tolerance:e}: {calls:?}");
    }
}

/// Every value has an estimate that its error is within, where it is not far below the tolerance: between base points high powers
/// of the step size may have larger factors than at them.
#[test]
fn each_row_has_its_own_estimate() {
    let verified = Verified::run(&predator_prey().output_interval(0.3).tolerance(1e-6));
    let states = equations().solve(verified.rows.time());
    for (output, name) in OUTPUTS.into_iter().enumerate() {
        let (values, estimates) = (verified.rows.real(name).unwrap(), verified.rows.error_estimates(name).unwrap());
        assert_eq!(values.len(), estimates.len());
        for ((found, estimate), (time, exact)) in values.iter().zip(estimates).zip(verified.rows.time().iter().zip(&states)) {
            let error = (found - exact[output]).abs();
            assert!(
                error <= (2.0 * estimate).max(0.1 * 1e-6 * exact[output]),
                "{name} at {time}: error {error:e}, estimate {estimate:e}"
            );
        }
    }
}
