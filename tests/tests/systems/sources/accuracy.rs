//! A known signal is told exactly: no method makes an error with straight lines, and a tolerance is kept with jumps and kinks.

use lotka::{InputDelivery, Interpolation, SourceSignal};
use tests::{
    joined,
    systems::driven::{Lag, lag},
};

use super::*;

/// The lag is exact for lines: what remains is rounding.
const ROUNDING: f64 = 1e-13;

#[test]
fn straight_lines_and_jumps_are_reported_exactly_with_fixed_steps() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    for sweep in ["gauss-seidel", "jacobi"] {
        for degree in 1..=3 {
            let system = driven(&path).sweep(sweep).input_degree(degree).step(0.3).input_delivery(InputDelivery::Derivatives);
            let (_, rows) = run(&system);
            assert!(error(&rows, &POINTS) < ROUNDING, "{sweep}, degree {degree}: {:e}", error(&rows, &POINTS));
        }
    }
    let (_, rows) = run(&lag().source("jump", jump()).connect("lag.u", "jump.y").step(0.3));
    assert!(error(&rows, &JUMP) < ROUNDING, "{:e}", error(&rows, &JUMP));
}

#[test]
fn error_control_makes_few_steps_about_jumps_and_kinks() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    for estimator in ["step-doubling", "embedded"] {
        let (report, rows) = run(&driven(&path).local_tolerance(1e-6).estimator(estimator));
        let statistics = report.counters;
        // What is bounded is the error of each step, not that of the result.
        assert!(error(&rows, &POINTS) < 1e-4, "{estimator}: {:e}", error(&rows, &POINTS));
        assert!(statistics.n_step_attempts < 6000 && statistics.n_error_test_failures < 10, "{estimator}: {statistics:?}");
        assert!(report.warnings.is_empty(), "{estimator}: {:?}", report.warnings);
    }
}

#[test]
fn an_estimator_that_sees_nothing_of_sources_says_so() {
    let system = lag().source("jump", jump()).connect("lag.u", "jump.y").local_tolerance(1e-6).estimator("predictor-corrector");
    let (report, _) = run(&system);
    let told = "the estimator `predictor-corrector` does not detect errors of `lag` that come from signals of sources";
    assert!(report.warnings.iter().any(|warning| warning.text.contains(told)), "{:?}", report.warnings);
}

/// FMUs that hold their inputs get the exact mean, which leaves an error of order 2: jumps and kinks must not spoil it.
#[test]
fn order_2_is_kept_with_means_across_kinks_and_jumps() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let errors: Vec<_> = (3..8)
            .map(|k| {
                let h = 0.5_f64.powi(k);
                let system = driven(&path).sweep(sweep).step(h).input_delivery(InputDelivery::Mean);
                let system = if sweep == "symmetric" { system } else { system.input_degree(1) };
                let (_, rows) = run(&system);
                (h, error(&rows, &POINTS))
            })
            .collect();
        let slope = slope(&errors);
        assert!((slope - 2.0).abs() < 0.2, "{sweep}: order {slope} of {errors:?}");
    }
}

/// Slope of the logarithms by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(h, error)| (h.ln(), error.ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = logs.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x / n, sy + y / n));
    let (xy, xx) = logs.iter().fold((0.0, 0.0), |(xy, xx), (x, y)| (xy + (x - mx) * (y - my), xx + (x - mx) * (x - mx)));
    xy / xx
}

#[test]
fn a_tolerance_is_kept_with_jumps_and_kinks_and_the_estimate_is_honest() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    let systems = [(driven(&path), &POINTS[..]), (lag().source("jump", jump()).connect("lag.u", "jump.y"), &JUMP[..])];
    for (system, points) in systems {
        for delivery in [InputDelivery::Mean, InputDelivery::Derivatives] {
            for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
                let system = system.clone().sweep(sweep).input_delivery(delivery).output_interval(1.0);
                let (report, rows) = run(&system.tolerance(1e-6));
                let global = report.global_error.unwrap();
                assert!(global.reached, "{sweep}, {delivery:?}: {global:?}");
                let error = error(&rows, points);
                assert!(error <= 1e-6, "{sweep}, {delivery:?}: {error:e}");
                let estimate = global.outputs.iter().filter(|output| output.name == "lag.x").map(|output| output.relative);
                let estimate = estimate.fold(0.0, f64::max);
                assert!(error <= estimate.max(1e-12), "{sweep}, {delivery:?}: {error:e}, estimated {estimate:e}");
            }
        }
    }
}

/// Rows between mesh points are interpolated between jumps and kinks, never across one.
#[test]
fn dense_rows_show_jumps_and_kinks() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    let systems = [(driven(&path), &POINTS[..]), (lag().source("jump", jump()).connect("lag.u", "jump.y"), &JUMP[..])];
    for (system, points) in systems {
        let (report, rows) = run(&system.sweep("symmetric").output_interval(0.01).tolerance(1e-6));
        let (global, error) = (report.global_error.unwrap(), error(&rows, points));
        assert!(global.reached && error <= 1e-6, "{error:e}, {global:?}");
        let jumps = rows.time().windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert_eq!(jumps, 1, "{:?}", rows.time());
    }
}

/// x' = u - x with u = 1 + 2 sin(w t + p).
#[test]
fn a_sine_is_reported_with_its_exact_mean() {
    let (amplitude, frequency, phase, offset) = (2.0, 0.4, 0.5, 1.0);
    let w = std::f64::consts::TAU * frequency;
    let particular = |t: f64| offset + amplitude * ((w * t + phase).sin() - w * (w * t + phase).cos()) / (1.0 + w * w);
    let exact = |t: f64| particular(t) - particular(0.0) * (-t).exp();
    let sine = SourceSignal::Sine { amplitude, frequency, phase, offset, time: None };
    let system = lag().source("sine", sine).connect("lag.u", "sine.y");
    let worst = |rows: &Memory| {
        rows.time().iter().zip(rows.real("lag.x").unwrap()).map(|(t, x)| (x - exact(*t)).abs()).fold(0.0, f64::max)
    };
    let (_, rows) = run(&system.clone().output_interval(0.5).tolerance(1e-6));
    assert!(worst(&rows) < 1e-6, "{:e}", worst(&rows));
    let (_, rows) = run(&system.step(0.05).input_delivery(InputDelivery::Mean));
    assert!(worst(&rows) < 2e-3, "{:e}", worst(&rows));
}

/// Where points lie much closer than steps, these go across them with exact means and keep their order and number.
#[test]
fn ten_thousand_points_cost_no_steps_and_no_accuracy() {
    let folder = Folder::new();
    let points: Vec<_> = (0..=10_000).map(|n| f64::from(n) * 1e-3).map(|t| (t, (0.7 * t).sin())).collect();
    let path = folder.table(&points);
    for delivery in [InputDelivery::Mean, InputDelivery::Derivatives] {
        let errors: Vec<_> = [0.2, 0.1, 0.05]
            .map(|h| {
                let (report, rows) = run(&driven(&path).step(h).input_delivery(delivery));
                assert_eq!(report.counters.n_steps, (10.0 / h) as u64);
                (h, error(&rows, &points))
            })
            .to_vec();
        assert!(slope(&errors) > 1.8, "{delivery:?}: {errors:?}");
    }
    let (report, rows) = run(&driven(&path).local_tolerance(1e-6));
    assert!(report.counters.n_step_attempts < 1500, "{:?}", report.counters);
    assert!(error(&rows, &points) < 1e-4, "{:e}", error(&rows, &points));
    let (report, rows) = run(&driven(&path).output_interval(1.0).tolerance(1e-6));
    assert!(report.global_error.unwrap().reached && error(&rows, &points) < 1e-6);
}

/// Two lags in a loop, one of which is driven: the jump makes histories begin anew, and the order stays.
#[test]
fn order_2_is_kept_in_a_loop_that_a_source_drives() {
    let system = || {
        let lags = lag().instance_of("other", &joined::<Lag>()).stop(8.0);
        let system = lags.source("jump", jump()).connect_sum("lag.u", &[("jump.y", 1.0), ("other.x", -2.0)]);
        system.connect("other.u", "lag.x")
    };
    let (_, exact) = run(&system().output_interval(1.0).tolerance(1e-10));
    let reference = *exact.real("lag.x").unwrap().last().unwrap();
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let errors: Vec<_> = (4..9)
            .map(|k| {
                let system = system().sweep(sweep).step(0.5_f64.powi(k));
                let system = if sweep == "symmetric" { system } else { system.input_degree(1) };
                let (_, rows) = run(&system);
                (0.5_f64.powi(k), (rows.real("lag.x").unwrap().last().unwrap() - reference).abs())
            })
            .collect();
        assert!((slope(&errors) - 2.0).abs() < 0.2, "{sweep}: order {} of {errors:?}", slope(&errors));
    }
}

#[test]
fn held_columns_are_reported_exactly() {
    let folder = Folder::new();
    let path = folder.table(&[(0.0, 1.0), (1.0 / 3.0, 2.0), (4.1, -3.0), (4.2, 0.5), (12.0, 0.0)]);
    let held = [(0.0, 1.0), (1.0 / 3.0, 1.0), (1.0 / 3.0, 2.0), (4.1, 2.0), (4.1, -3.0), (4.2, -3.0), (4.2, 0.5)];
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let system = lag().source("table", csv(&path, Interpolation::Previous)).connect("lag.u", "table.u");
        let (_, rows) = run(&system.sweep(sweep).step(0.25));
        assert!(error(&rows, &held) < ROUNDING, "{sweep}: {:e}", error(&rows, &held));
    }
}
