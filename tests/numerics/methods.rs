//! Predator–prey with every method of the published comparison: error at known step sizes and calls, by named options.

use lotka::{InputDelivery, Memory, Report, System};
use models::Prey;
use tests::{joined, predator_prey, systems::Table};

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
        points: &[(0.5, 9.7e-3, 402), (0.1, 3.9e-4, 2002), (0.01, 4.0e-6, 20002)],
    },
    // The published calls, 1826, 6582 and 57706, are those of an iteration until the sum of both relative changes is small.
    Line {
        name: "Gauss-Seidel iterated to convergence, end value as input",
        method: |system| system.sweep("gauss-seidel").iterations(50, Some(1e-7)),
        points: &[(0.5, 4.0, 1790), (0.1, 8.8e-1, 6450), (0.01, 7.8e-2, 56_738)],
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
            let made = report.counters.n_do_step_calls;
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
    assert_eq!(report.counters.n_do_step_calls, 2100);
    assert!((error / 3.2e-4 - 1.0).abs() < 0.05, "{error:e}");
}

/// The known error, or less where rounding ends, with at most the known calls and a tenth more, when iterated to the tolerance.
struct Iterated {
    h: f64,
    tolerance: f64,
    error: f64,
    calls: u64,
}

fn check_iterated(name: &str, method: fn(System) -> System, points: &[Iterated]) {
    let mut failures = String::new();
    for &Iterated { h, tolerance, error, calls } in points {
        let system = method(predator_prey().sweep("gauss-seidel").input_degree(3)).iterations(50, Some(tolerance)).step(h);
        let (report, measured) = measure(&system);
        let made = report.counters.n_do_step_calls;
        let is_error = measured <= 1.06 * error && (measured >= 0.94 * error || measured < 4e-12);
        if !is_error || 10 * made > 11 * calls {
            failures += &format!("{name} h = {h}: {measured:.2e} ({made}), known {error:.2e} ({calls})\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn means_of_an_iterated_cubic_are_of_order_four() {
    let points = [
        Iterated { h: 0.5, tolerance: 1e-9, error: 1.2e-4, calls: 1640 },
        Iterated { h: 0.1, tolerance: 1e-9, error: 2.6e-7, calls: 5966 },
        Iterated { h: 0.01, tolerance: 1e-13, error: 2.8e-11, calls: 39_994 },
    ];
    check_iterated("mean", |system| system.output_derivatives(false).input_delivery(InputDelivery::Mean), &points);
}

#[test]
fn iterated_hermite_inputs_are_of_order_four() {
    let points = [
        Iterated { h: 0.5, tolerance: 1e-8, error: 9.1e-6, calls: 1200 },
        Iterated { h: 0.1, tolerance: 1e-9, error: 1.5e-8, calls: 6000 },
        Iterated { h: 0.01, tolerance: 1e-12, error: 4.5e-12, calls: 60_000 },
    ];
    check_iterated("Hermite", |system| system.input_delivery(InputDelivery::Derivatives), &points);
}

/// Four species, each hunted by the one before: what one does, the next one feels.
const FOUR: [&str; 4] = ["a", "b", "c", "d"];

fn ring() -> System {
    let fmu = joined::<Prey>();
    let system = FOUR.iter().fold(System::new(), |system, name| system.instance_of(name, &fmu));
    let pairs = FOUR.iter().zip(FOUR.iter().cycle().skip(3)).zip([10.0, 20.0, 5.0, 15.0]);
    pairs.fold(system, |system, ((name, hunter), start)| {
        system.connect(&format!("{name}.y"), &format!("{hunter}.x")).start_value(&format!("{name}.x"), start)
    })
}

/// The same by hand: each species is solved exactly for a constant number of hunters; `order` lists species and shares of the
/// step.
fn ring_by_hand(order: &[(usize, f64)], h: f64, steps: usize) -> [f64; 4] {
    let mut x = [10.0, 20.0, 5.0, 15.0];
    for _ in 0..steps {
        for &(species, share) in order {
            x[species] *= ((0.1 - 0.02 * x[(species + 3) % 4]) * share * h).exp();
        }
    }
    x
}

#[test]
fn the_symmetric_sweep_goes_back_the_way_that_it_came() {
    const SWEEP: [(usize, f64); 7] = [(0, 0.5), (1, 0.5), (2, 0.5), (3, 1.0), (2, 0.5), (1, 0.5), (0, 0.5)];
    let mut results = Memory::new();
    ring().sweep("symmetric").stop(10.0).step(0.5).build().unwrap().run(&mut [&mut results]).unwrap();
    let by_hand = ring_by_hand(&SWEEP, 0.5, 20);
    for (name, expected) in FOUR.iter().zip(by_hand) {
        let got = *results.real(&format!("{name}.x")).unwrap().last().unwrap();
        assert!((got / expected - 1.0).abs() < 1e-13, "{name}: {got} instead of {expected}");
    }
    // Another way back shows.
    let forth = [SWEEP[0], SWEEP[1], SWEEP[2], SWEEP[3], SWEEP[5], SWEEP[4], SWEEP[6]];
    let other = ring_by_hand(&forth, 0.5, 20);
    assert!(by_hand.iter().zip(other).any(|(a, b)| (a / b - 1.0).abs() > 1e-4), "{by_hand:?} {other:?}");
}
