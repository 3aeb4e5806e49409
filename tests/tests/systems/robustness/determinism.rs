//! The same run gives the same bits, whoever looks on.

use lotka::{Counters, Csv, GlobalError, Memory, StepSizes, System};
use tests::{
    bits, joined, predator_prey,
    systems::{switching, two_mass},
};

use super::{column, models::Assorted, run, run_with};

/// One system per kind of loop.
fn systems() -> [System; 4] {
    [
        predator_prey().step(0.1),
        predator_prey().step(0.1).sweep("jacobi"),
        predator_prey().step(0.5).iterations(50, None),
        predator_prey().local_tolerance(1e-5),
    ]
}

/// Ways to run a system that must not show in its results.
const WAYS: [Way; 5] = [
    ("again", |system| system),
    ("on one thread", |system| system.threads(1)),
    ("on three threads", |system| system.threads(3)),
    ("with stopwatches", |system| system.profile(true)),
    ("with logging", |system| system.debug_logging(true)),
];

/// The same for FMUs in files only.
const WAYS_OF_FILES: [Way; 1] =
    [("in processes of their own", |system| system.host_program(tests::host_program()).isolate(true))];

type Way = (&'static str, fn(System) -> System);

/// All that a run computes: the rows with their error bars as text, which reads back to the same bits, counters and estimates.
fn results(system: &System) -> (String, Counters, Option<f64>, Option<GlobalError>) {
    let mut text = Vec::new();
    let mut csv = Csv::with_error_bars(&mut text);
    let report = run_with(system, &mut [&mut csv]);
    csv.finish().unwrap();
    (String::from_utf8(text).unwrap(), report.counters, report.largest_error_estimate, report.global_error)
}

#[track_caller]
fn assert_same_in_all_ways(systems: &[System], ways: &[Way]) {
    for (n, system) in systems.iter().enumerate() {
        let expected = results(system);
        for (name, way) in ways {
            assert!(results(&way(system.clone())) == expected, "system {n}, {name}");
        }
    }
}

/// Runs of a series: some that are made two at a time, with events and without.
fn series(system: System) -> Vec<System> {
    vec![
        system.clone().tolerance(1e-6).output_interval(5.0),
        system.clone().sweep("jacobi").input_degree(0).tolerance(1e-8).output_interval(1.0),
        system.sweep("symmetric").tolerance(1e-9).output_interval(2.0),
    ]
}

#[test]
fn the_way_to_run_does_not_show_in_the_results() {
    assert_same_in_all_ways(&systems(), &WAYS);
    assert_same_in_all_ways(&series(predator_prey()), &WAYS);
    let others = [two_mass().tolerance(1e-6).output_interval(0.5), switching::tanks().tolerance(1e-6).output_interval(0.5)];
    assert_same_in_all_ways(&others, &WAYS);
}

#[test]
fn nor_does_where_the_fmus_are() {
    let [position, velocity] = ["van_der_pol_position", "van_der_pol_velocity"].map(tests::packed);
    let system = System::new().instance("position", position).instance("velocity", velocity).stop(20.0);
    let system = system.connect("position.v", "velocity.v").connect("velocity.x", "position.x");
    let ways = [WAYS.as_slice(), &WAYS_OF_FILES].concat();
    assert_same_in_all_ways(&[system.clone().step(0.1), system.clone().local_tolerance(1e-4)], &ways);
    assert_same_in_all_ways(&series(system), &ways);
}

#[test]
fn two_runs_give_the_same_bits() {
    for system in systems() {
        let ((one, first), (two, second)) = (run(&system), run(&system));
        assert_eq!((one.counters, one.largest_error_estimate), (two.counters, two.largest_error_estimate));
        assert!(bits(&first) == bits(&second), "{one:?}");
    }
}

#[test]
fn a_simulation_that_runs_again_starts_anew() {
    for system in systems() {
        let mut simulation = system.build().unwrap();
        let [mut first, mut second] = [Memory::new(), Memory::new()];
        let one = simulation.run(&mut [&mut first]).unwrap();
        let two = simulation.run(&mut [&mut second]).unwrap();
        assert_eq!(one, two);
        assert!(bits(&first) == bits(&second), "{one:?}");
    }
}

#[test]
fn a_second_run_forgets_integers_booleans_and_strings() {
    let fmu = joined::<Assorted>();
    let system =
        System::new().instance_of("a", &fmu).instance_of("b", &fmu).connect("b.label", "a.text").connect("b.n", "a.count");
    let mut simulation = system.sweep("jacobi").stop(3.0).step(1.0).build().unwrap();
    let texts = [(); 2].map(|()| {
        let mut results = Memory::new();
        simulation.run(&mut [&mut results]).unwrap();
        (results.text("b.text").unwrap().to_vec(), bits(&results))
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn observers_and_stopwatches_change_nothing() {
    for system in systems() {
        let (report, alone) = run(&system);
        let (mut watched, mut csv, mut sizes) = (Memory::new(), Csv::new(Vec::new()), StepSizes::new());
        let profiled = run_with(&system.clone().profile(true), &mut [&mut csv, &mut sizes, &mut watched]);
        assert_eq!(profiled.counters, report.counters);
        assert!(bits(&watched) == bits(&alone));
        assert_eq!(run_with(&system, &mut []).counters, report.counters);
    }
}

#[test]
fn populations_start_where_they_are_reported() {
    let (_, results) = run(&predator_prey().sweep("gauss-seidel").stop(1.0).step(0.1));
    assert_eq!([column(&results, "prey.x")[0], column(&results, "predator.y")[0]], [10.0, 10.0]);
    let system =
        predator_prey().sweep("gauss-seidel").stop(1.0).step(0.1).start_value("prey.x", 12).start_value("predator.y", 7.5);
    let (_, results) = run(&system);
    assert_eq!([column(&results, "prey.x")[0], column(&results, "predator.y")[0]], [12.0, 7.5]);
    let first = 12.0 * f64::exp((0.1 - 0.02 * 7.5) * 0.1);
    assert!((column(&results, "prey.x")[1] / first - 1.0).abs() < 1e-15, "the predators are known to the prey from the start");
}
