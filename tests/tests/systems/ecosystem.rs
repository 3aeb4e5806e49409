//! Populations start where they are told, and say what is wrong when they cannot.

use lotka::{Memory, RunError, System};
use models::{Population, Starvation};
use tests::joined;

/// Starving foxes, 40 of them unless `init` is free.
fn starving(init: &str) -> System {
    System::new()
        .instance_of("foxes", &joined::<Population>())
        .instance_of("starvation", &joined::<Starvation>())
        .connect("starvation.population", "foxes.population")
        .connect("foxes.rate", "starvation.rate")
        .start_value("foxes.init", init)
        .start_value("foxes.initial_population", 40.0)
        .stop(1.0)
        .step(0.1)
}

/// The rows of the foxes.
fn foxes(system: &System) -> Vec<f64> {
    let mut results = Memory::new();
    system.build().unwrap().run(&mut [&mut results]).unwrap();
    results.real("foxes.population").unwrap().to_vec()
}

#[test]
fn a_population_starts_where_the_named_or_numbered_item_says() {
    for (init, start) in [("free", 10.0), ("1", 10.0), ("fixed_population", 40.0), ("2", 40.0)] {
        assert_eq!(foxes(&starving(init))[0], start, "{init}");
    }
    assert_eq!(foxes(&starving("free").start_value("foxes.population", 7.0))[0], 7.0);
}

#[test]
fn the_nearest_item_of_an_enumeration_is_offered() {
    let refused = |init: &str| starving(init).build().err().unwrap().to_string();
    let message = "the start value of `foxes.init` has the wrong type: expected Enumeration";
    assert_eq!(refused("stedy_state"), format!("{message}, found `stedy_state`; did you mean `steady_state`?"));
    for wrong in ["4", "0", "everywhere"] {
        assert_eq!(refused(wrong), format!("{message}, found `{wrong}`; available: `free`, `fixed_population`, `steady_state`"));
    }
}

#[test]
fn a_start_that_nobody_made_steady_is_refused_by_the_first_step() {
    let mut simulation = starving("steady_state").build().unwrap();
    let failure = simulation.run(&mut []).unwrap_err();
    assert!(matches!(failure.error, RunError::Call(_)), "{failure}");
    let message = "init is steady_state, but a population of 40 grows by -16 1/s at the start";
    assert!(failure.to_string().contains(message), "{failure}");
}

#[test]
fn nobody_left_is_steady() {
    let system = starving("steady_state").start_value("foxes.initial_population", 0.0);
    assert!(foxes(&system).iter().all(|foxes| *foxes == 0.0));
}

#[test]
fn less_than_nobody_ends_the_run_with_the_assertion() {
    let mut simulation = starving("free").start_value("starvation.gamma", 4.0).sweep("jacobi").step(0.5).build().unwrap();
    let failure = simulation.run(&mut []).unwrap_err();
    assert!(failure.to_string().contains("Population must be greater than zero"), "{failure}");
}
