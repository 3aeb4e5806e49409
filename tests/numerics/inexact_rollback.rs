//! FMUs that do not return exactly to their saved states: what is refused, what is warned of, and where it does not matter.

use lotka::{Code, Direction, Memory, RunError, System};
use tests::{predator_prey, run, systems};

use super::local_error::{error_at_end, species};

/// The error that ends a run of predators and prey whose rollback is inexact.
fn noisy(system: System) -> Option<RunError> {
    system.build().unwrap().run(&mut []).err().map(|failure| failure.error)
}

#[test]
fn tolerances_below_the_noise_of_rollback_are_refused() {
    for estimator in ["step-doubling", "embedded"] {
        let system = || systems::noisy().input_degree(1).stop(20.0).estimator(estimator);
        let Some(error) = noisy(system().local_tolerance(1e-10)) else { panic!("{estimator}: accepted") };
        let text = error.to_string();
        for part in ["local-tolerance", "`prey`", "`prey.x`", "or more"] {
            assert!(text.contains(part), "{text}");
        }
        let RunError::BelowNoise { noise, smallest, .. } = error else { panic!("{text}") };
        assert!((2e-9..2e-8).contains(&noise) && (1e-8..2e-7).contains(&smallest), "{text}");
        for tolerance in [1e-5, smallest] {
            assert!(noisy(system().local_tolerance(tolerance)).is_none(), "{estimator}: {tolerance:e}");
        }
    }
}

/// The warnings about inexact rollback of a run until t = 20 s.
fn warnings_of_rollback(system: System) -> Vec<String> {
    let (report, _) = run(&system.stop(20.0));
    report.warnings.into_iter().filter(|warning| warning.code == Code::InexactRollback).map(|warning| warning.text).collect()
}

#[test]
fn a_run_that_rolls_back_warns_of_a_prey_that_does_not_return() {
    for estimator in ["step-doubling", "embedded"] {
        let system = systems::forgetful().stop(20.0).input_degree(1).estimator(estimator).local_tolerance(1e-3);
        let error = noisy(system).unwrap_or_else(|| panic!("{estimator}: accepted"));
        assert!(matches!(error, RunError::BelowNoise { .. }), "{error}");
    }
    let rolled_back = [
        systems::forgetful().estimator("predictor-corrector").local_tolerance(1e-3),
        systems::forgetful().step(0.5).event("prey.x", 12.0, Direction::Both),
        systems::forgetful().step(0.5).input_degree(3).event("predator.y", 12.0, Direction::Up),
    ];
    for system in rolled_back {
        let warnings = warnings_of_rollback(system);
        assert!(warnings.len() == 1 && warnings[0].contains("`prey`") && warnings[0].contains("`prey.x`"), "{warnings:?}");
    }
    for degree in 0..=3 {
        assert_eq!(warnings_of_rollback(systems::forgetful().step(0.5).input_degree(degree)), [""; 0]);
        assert_eq!(
            warnings_of_rollback(predator_prey().step(0.5).input_degree(degree).event("prey.x", 12.0, Direction::Both)),
            [""; 0]
        );
    }
}

/// The values of `prey.x` after a session has saved a point at t = 2 s and has returned to it from t = 5 s, and its warnings
/// about rollback.
fn of_session(system: System) -> (Vec<f64>, Vec<String>) {
    let mut rows = Memory::new();
    let mut session = system.stop(10.0).build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    assert!(session.advance_to(2.0));
    let mark = session.save().unwrap();
    assert!(session.advance_to(5.0));
    session.restore(&mark).unwrap();
    session.advance_to(10.0);
    let report = session.finish().1.unwrap();
    let warnings = report.warnings.into_iter().filter(|warning| warning.code == Code::InexactRollback);
    (rows.real("prey.x").unwrap().to_vec(), warnings.map(|warning| warning.text).collect())
}

#[test]
fn a_session_warns_when_its_first_point_is_saved() {
    let expected = run(&predator_prey().stop(10.0).step(0.5)).1;
    let (values, warnings) = of_session(predator_prey().step(0.5));
    assert_eq!((values.as_slice(), warnings.len()), (expected.real("prey.x").unwrap(), 0));
    let (values, warnings) = of_session(systems::forgetful().step(0.5));
    assert_ne!(values, expected.real("prey.x").unwrap());
    assert!(warnings.len() == 1 && warnings[0].contains("`prey`") && warnings[0].contains("t = 2 s"), "{warnings:?}");
    // Noise of 1e-8 is less than what solvers that begin anew have.
    assert_eq!(of_session(systems::noisy().step(0.5)).1, [""; 0]);
}

#[test]
fn without_a_way_back_the_first_steps_use_what_is_known() {
    let (_, known) = species();
    for sweep in ["jacobi", "gauss-seidel"] {
        for degree in [2, 3] {
            let system = |system: System| system.stop(20.0).step(0.02).sweep(sweep).input_degree(degree);
            let error = error_at_end(&run(&system(systems::forgetful())).1, &known);
            assert!(error < 1e-4, "{sweep}, degree {degree}: {error:e}");
        }
    }
}

#[test]
fn events_of_a_run_with_tolerance_need_states_that_are_at_least_as_exact() {
    let system = |system: System| system.stop(20.0).output_interval(1.0).event("prey.x", 12.0, Direction::Both);
    for (given, tolerance) in [(systems::forgetful(), 1e-3), (systems::noisy(), 1e-8)] {
        let error = noisy(system(given).tolerance(tolerance)).unwrap_or_else(|| panic!("{tolerance:e}: accepted"));
        let RunError::BelowNoise { setting, variable, .. } = &error else { panic!("{error}") };
        assert_eq!((*setting, variable.as_str()), ("tolerance", "prey.x"));
    }
    let (report, _) = run(&system(systems::noisy()).tolerance(1e-5));
    assert!(report.global_error.is_some_and(|error| error.reached), "noise of 1e-8 is far below the tolerance");
}

#[test]
fn without_rollback_its_noise_does_not_matter() {
    let system = systems::noisy().input_degree(1).stop(1.0);
    assert!(noisy(system.clone().estimator("predictor-corrector").local_tolerance(1e-9)).is_none());
    assert!(noisy(system.step(0.1)).is_none());
}

#[test]
fn iterations_below_the_noise_of_rollback_are_refused() {
    let system = || systems::noisy().stop(5.0).step(0.1);
    let error = noisy(system().iterations(50, Some(1e-10))).map(|error| error.to_string()).unwrap();
    assert!(error.contains("iteration-tolerance") && error.contains("`prey.x`"), "{error}");
    assert!(noisy(system().iterations(50, Some(1e-6))).is_none());
}

#[test]
fn verified_runs_know_the_noise_of_iterations() {
    let system = |tolerance| systems::noisy().stop(5.0).sweep("jacobi").tolerance(1e-4).iterations(50, Some(tolerance));
    let error = noisy(system(1e-10)).map(|error| error.to_string()).unwrap();
    assert!(error.contains("iteration-tolerance") && error.contains("`prey.x`"), "{error}");
    let (report, _) = run(&system(2e-7));
    assert!(report.global_error.unwrap().largest > 1e-8);
}

/// Measuring leaves no trace: the noise of the run is that of a run without it.
#[test]
fn exact_rollback_is_not_disturbed_by_measuring() {
    let trace = || run(&predator_prey().local_tolerance(1e-4).stop(10.0)).1;
    assert_eq!(trace().real("prey.x"), trace().real("prey.x"));
    let (report, _) = run(&predator_prey().local_tolerance(1e-4).stop(10.0));
    assert_eq!(report.counters.n_do_step_calls, 6 * report.counters.n_step_attempts);
}
