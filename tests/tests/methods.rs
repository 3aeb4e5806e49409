//! Predator–prey with every method of the published comparison: error at known step sizes and calls, by named options.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use lotka::{Memory, Report, System};
use tests::{predator_prey, systems::Table};

/// Runs a system; its report and the largest relative error of both species over all rows that are in the reference.
fn measure(system: &System) -> (Report, f64) {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
    (report, largest_error(&results))
}

fn largest_error(results: &Memory) -> f64 {
    let reference = Table::predator_prey();
    let columns = ["prey.x", "predator.y"].map(|name| results.real(name).unwrap());
    let mut largest = 0.0_f64;
    for (row, time) in results.time().iter().enumerate() {
        let exact = reference.at(*time);
        if (time * 10.0 - (time * 10.0).round()).abs() < 1e-9 {
            for (column, exact) in columns.iter().zip(exact) {
                largest = largest.max((column[row] / exact - 1.0).abs());
            }
        }
    }
    largest
}

/// A method, and per step size its largest error and its calls.
struct Line {
    name: &'static str,
    method: fn(System) -> System,
    points: &'static [(f64, f64, u64)],
}

const LINES: &[Line] = &[
    Line {
        name: "Jacobi, constant inputs",
        method: |system| system.sweep("jacobi"),
        points: &[(0.5, 3.8, 400), (0.1, 6.0e-1, 2000), (0.01, 7.5e-2, 20000)],
    },
    Line {
        name: "Gauss-Seidel, constant inputs",
        method: |system| system.sweep("gauss-seidel"),
        points: &[(0.5, 1.7e-1, 400), (0.1, 3.7e-2, 2000), (0.01, 3.8e-3, 20000)],
    },
    Line {
        name: "Jacobi, mean of the linear extrapolation",
        method: |system| system.sweep("jacobi").input_degree(1).output_derivatives(false),
        points: &[(0.5, 9.8e-2, 400), (0.1, 4.5e-3, 2000), (0.01, 4.7e-5, 20000)],
    },
    Line {
        name: "Gauss-Seidel, linear inputs from history",
        method: |system| system.sweep("gauss-seidel").input_degree(1).output_derivatives(false),
        points: &[(0.5, 3.1e-2, 400), (0.1, 1.1e-3, 2000), (0.01, 1.1e-5, 20000)],
    },
    Line {
        name: "Gauss-Seidel, linear inputs from output derivatives",
        method: |system| system.sweep("gauss-seidel").input_degree(1),
        points: &[(0.5, 9.7e-3, 400), (0.1, 3.9e-4, 2000), (0.01, 4.0e-6, 20000)],
    },
    Line {
        name: "symmetric",
        method: |system| system.sweep("symmetric"),
        points: &[(0.5, 8.1e-3, 600), (0.1, 3.2e-4, 3000), (0.01, 3.2e-6, 30000)],
    },
];

#[test]
fn every_method_has_its_known_errors_and_calls() {
    let mut failures = String::new();
    for line in LINES {
        for &(h, error, calls) in line.points {
            let (report, measured) = measure(&(line.method)(predator_prey()).step(h));
            let made = report.statistics.n_do_step_calls;
            eprintln!("{} h = {h}: {measured:.2e} ({made}), known {error:.2e} ({calls})", line.name);
            if (measured / error - 1.0).abs() > 0.06 || made != calls {
                failures += &format!("{} h = {h}: {measured:.2e} ({made}), known {error:.2e} ({calls})\n", line.name);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn half_steps_of_neighbors_merge_where_no_row_is_due() {
    let (report, error) = measure(&predator_prey().sweep("symmetric").step(0.1).output_interval(1.0));
    assert_eq!(report.statistics.n_do_step_calls, 2100);
    assert!((error / 3.2e-4 - 1.0).abs() < 0.05, "{error:e}");
}

#[test]
fn iterated_inputs_of_degree_three() {
    for (h, calls) in [(0.5, 1640), (0.1, 5966), (0.01, 39994)] {
        for derivatives in [false, true] {
            let system = predator_prey()
                .sweep("gauss-seidel")
                .input_degree(3)
                .output_derivatives(derivatives)
                .iterations(50, Some(1e-10))
                .step(h);
            let system = if derivatives { system } else { system.input_delivery(lotka::InputDelivery::Mean) };
            let (report, error) = measure(&system);
            eprintln!(
                "cubic, derivatives {derivatives}, h = {h}: {error:.2e} ({}) known calls {calls}",
                report.statistics.n_do_step_calls
            );
        }
    }
}

#[test]
fn tolerances_are_kept() {
    for exponent in 3..=10 {
        let tolerance = 10_f64.powi(-exponent);
        let system = predator_prey().output_interval(1.0).tolerance(tolerance);
        let (report, error) = measure(&system);
        let global = report.global_error.unwrap();
        eprintln!(
            "{tolerance:e}: {error:.2e}, estimate {:.2e}, {} calls {:?}",
            global.largest, report.statistics.n_do_step_calls, global
        );
        assert!(error <= tolerance && global.reached);
    }
}
