//! Results of the predator–prey system against known numbers.

use lotka::{Compatibility, Memory, Report, System};
use tests::predator_prey;

fn run(system: System) -> (Report, Memory) {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
    (report, results)
}

fn last(results: &Memory) -> [f64; 2] {
    ["prey.x", "predator.y"].map(|name| *results.real(name).unwrap().last().unwrap())
}

fn assert_near(got: [f64; 2], expected: [f64; 2], relative: f64) {
    for (got, expected) in got.iter().zip(expected) {
        assert!((got / expected - 1.0).abs() <= relative, "{got} is not {expected}");
    }
}

#[test]
fn gauss_seidel_at_a_tenth_of_a_second() {
    let (report, results) = run(predator_prey().sweep("gauss-seidel").step(0.1));
    assert_near(last(&results), [26.4756972290, 15.2091084847], 1e-11);
    assert_eq!(report.counters.n_do_step_calls, 2000);
    assert_eq!(results.time().len(), 1001);
}

#[test]
fn gauss_seidel_iterated_at_half_a_second() {
    let (_, results) = run(predator_prey().step(0.5).iterations(50, Some(1e-7)));
    assert_near(last(&results), [16.424496, 7.512233], 5e-8);
}

#[test]
fn master_sim_without_iteration() {
    let (report, _) = run(predator_prey().local_tolerance(1e-6).compatibility(Compatibility::MasterSim));
    assert_eq!(report.counters.n_steps, 8642);
    assert_eq!(report.counters.n_do_step_calls, 51864);
}

#[test]
fn master_sim_with_iteration() {
    let (report, _) = run(predator_prey().local_tolerance(1e-6).compatibility(Compatibility::MasterSim).iterations(5, None));
    assert_eq!(report.counters.n_steps, 8872);
    assert_eq!(report.counters.n_do_step_calls, 115550);
}
