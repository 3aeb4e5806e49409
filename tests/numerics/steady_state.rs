//! Start values for which rates vanish.

use lotka::{Memory, Notification, Observer, Report, RunError, RunFailure, System};
use models::{Expression, Population};
use tests::{joined, systems};

/// The steady state of the three species.
const QUIESCENT: [(&str, f64); 3] =
    [("rabbits.population", 80.0 / 3.0), ("foxes.population", 5.0 / 3.0), ("wolves.population", 10.0 / 3.0)];

/// Three species of components, with populations that are guesses.
fn quiescent(guesses: [f64; 3]) -> System {
    ["rabbits", "foxes", "wolves"].iter().zip(guesses).fold(systems::three_species_components(), |system, (name, guess)| {
        let population = format!("{name}.population");
        system.start_value(&population, guess).solve_start(&population, &format!("{name}.rate"))
    })
}

/// Keeps what was found.
#[derive(Default)]
struct Found(Vec<(String, f64)>);

impl Observer for Found {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::StartFound { values, iterations } = notification {
            assert!(*iterations > 0 && self.0.is_empty(), "told once");
            self.0 = values.iter().map(|found| (found.variable.clone(), found.value)).collect();
        }
    }
}

fn run(system: &System) -> Result<(Report, Memory, Found), Box<RunFailure>> {
    let (mut results, mut found) = (Memory::new(), Found::default());
    let report = system.build().unwrap().run(&mut [&mut results, &mut found])?;
    Ok((report, results, found))
}

#[test]
fn three_species_are_found_and_stay_quiescent() {
    let system = quiescent([30.0, 2.0, 4.0]).output_interval(1.0);
    for system in [system.clone().step(0.1), system.clone().local_tolerance(1e-6), system.clone().tolerance(1e-6)] {
        let (report, results, found) = run(&system).unwrap();
        assert_eq!(results.time().len(), 101);
        for (position, (variable, exact)) in QUIESCENT.into_iter().enumerate() {
            for population in results.real(variable).unwrap() {
                assert!((population - exact).abs() < 1e-9, "{variable} = {population}, not {exact}");
            }
            assert_eq!(found.0[position].0, variable);
            assert!((found.0[position].1 - exact).abs() < 1e-11, "{:?}", found.0);
            assert_eq!(
                (report.found_start[position].variable.as_str(), report.found_start[position].value),
                (variable, found.0[position].1)
            );
        }
    }
}

#[test]
fn a_simulation_that_runs_again_begins_with_the_same_values() {
    let mut simulation = quiescent([30.0, 2.0, 4.0]).step(1.0).build().unwrap();
    let [mut first, mut second] = [Memory::new(), Memory::new()];
    let report = simulation.run(&mut [&mut first]).unwrap();
    assert_eq!(simulation.run(&mut [&mut second]).unwrap().found_start, report.found_start);
    assert_eq!(first.real("foxes.population"), second.real("foxes.population"));
}

#[test]
fn residuals_may_be_outputs_of_loops_and_have_targets() {
    let fmu = joined::<Expression>();
    let system = System::new()
        .instance_of("a", &fmu)
        .instance_of("b", &fmu)
        .start_value("a.formula", "u1^3 + u2")
        .start_value("b.formula", "u1/2");
    let mut system = system.connect("b.u1", "a.y").connect("a.u2", "b.y").start_value("a.u1", 1.0).solve_start("a.u1", "b.y");
    system.description_mut().initialization[0].target = 8.0;
    let (_, results, found) = run(&system.stop(1.0).step(0.5)).unwrap();
    assert!((found.0[0].1 - 2.0).abs() < 1e-11, "{:?}", found.0);
    for (name, exact) in [("a.y", 16.0), ("b.y", 8.0)] {
        assert!(results.real(name).unwrap().iter().all(|got| (got - exact).abs() < 1e-10), "{name} {:?}", results.real(name));
    }
}

#[test]
fn a_steady_state_that_does_not_exist_is_reported_with_what_came_closest() {
    let fmu = joined::<Expression>();
    let system = System::new().instance_of("a", &fmu).start_value("a.formula", "u1^2 - u1 + 1").start_value("a.u1", 3.0);
    let failure = run(&system.solve_start("a.u1", "a.y").stop(1.0).step(0.5)).map(|_| ()).unwrap_err();
    let RunError::SteadyState { unknowns, residual, value, target, iterations, refusal } = &failure.error else {
        panic!("{failure}")
    };
    assert_eq!(
        (unknowns[0].0.as_str(), residual.as_str(), *target, *iterations > 0, refusal.is_none()),
        ("a.u1", "a.y", 0.0, true, true)
    );
    assert!((value - 0.75).abs() < 0.1 && (unknowns[0].1 - 0.5).abs() < 0.3, "{failure}");
    assert!(failure.to_string().contains("a.u1 = ") && failure.to_string().contains("`a.y` = "), "{failure}");
}

#[test]
fn guesses_that_cannot_be_initialized_end_with_that_reason() {
    let fmu = joined::<Expression>();
    let system = System::new().instance_of("a", &fmu).start_value("a.formula", "u1 +").solve_start("a.u1", "a.y");
    let failure = run(&system.stop(1.0).step(0.5)).map(|_| ()).unwrap_err();
    assert!(matches!(failure.error, RunError::Initialization(_)) && failure.to_string().contains("position 5"), "{failure}");
}

#[test]
fn values_that_an_fmu_refuses_are_not_tried_again_but_avoided() {
    // The first full correction of Newton's method leads below zero, where the population refuses to be set.
    let population = joined::<Population>();
    let system = System::new().instance_of("p", &population).instance_of("a", &joined::<Expression>());
    let system = system.start_value("a.formula", "ln(u1)").connect("a.u1", "p.population").connect("p.rate", "a.y");
    let (_, results, found) =
        run(&system.start_value("p.population", 20.0).solve_start("p.population", "p.rate").stop(1.0).step(0.5)).unwrap();
    assert!((found.0[0].1 - 1.0).abs() < 1e-11, "{:?}", found.0);
    assert_eq!(results.time().len(), 3);
}
