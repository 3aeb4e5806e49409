//! The first row: values follow each other in dependency order, loops of direct feedthrough settle or are named.

use fmu::Fmu;
use lotka::{LoopProblem, RunError, System};
use tests::joined;

use super::{
    column, failure, last,
    models::{Gain, Lag},
    run,
};

/// Gains that feed each other in a circle.
fn circle(k: f64) -> System {
    let fmu = joined::<Gain>();
    let system = System::new().instance_of("a", &fmu).instance_of("b", &fmu).connect("a.u", "b.y").connect("b.u", "a.y");
    let system = system.start_value("a.k", k).start_value("b.k", k).start_value("a.d", 1).start_value("b.d", 1);
    system.stop(1.0).step(0.5)
}

#[test]
fn a_chain_of_feedthrough_is_evaluated_from_its_source_whatever_the_order_of_the_file() {
    let fmu = joined::<Gain>();
    let names = ["e", "c", "a", "d", "b"];
    let system = names.iter().fold(System::new(), |system, name| system.instance_of(name, &fmu));
    let system = names
        .iter()
        .fold(system, |system, name| system.start_value(&format!("{name}.k"), 10).start_value(&format!("{name}.d"), 1));
    let links = [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")];
    let system = links.iter().fold(system, |system, (to, from)| system.connect(&format!("{to}.u"), &format!("{from}.y")));
    let system = system.stop(1.0).step(0.5);
    assert_eq!(system.build().unwrap().graph().order, [2, 4, 1, 3, 0]);
    let (_, results) = run(&system);
    for (name, expected) in [("a.y", 1.0), ("b.y", 11.0), ("c.y", 111.0), ("d.y", 1111.0), ("e.y", 11_111.0)] {
        assert_eq!(column(&results, name), [expected; 3], "{name}");
    }
}

#[test]
fn start_values_of_inputs_count_until_something_is_connected() {
    let fmu = joined::<Gain>();
    let system = System::new().instance_of("a", &fmu).instance_of("b", &fmu).start_value("a.u", 4).start_value("b.u", 7);
    let system = system.connect("b.u", "a.y").stop(1.0).step(0.5);
    assert_eq!(column(&run(&system).1, "b.y"), [4.0; 3]);
}

#[test]
fn what_only_the_start_depends_on_is_followed_at_the_start() {
    let mut description = fmu_sdk::description::<Lag>();
    let structure = &mut description.model_structure;
    assert_eq!(structure.initial_unknowns[0].dependencies, Some(vec![1]), "it starts from its input");
    structure.outputs[0].dependencies = Some(vec![]);
    let (lag, gain) = (Fmu::from_functions(description, fmu_sdk::functions::<Lag>()), joined::<Gain>());
    let system = System::new().instance_of("last", &lag).instance_of("middle", &lag).instance_of("first", &gain);
    let system = system.connect("last.u", "middle.x").connect("middle.u", "first.y").start_value("first.d", 5);
    let (_, results) = run(&system.stop(1.0).step(0.5));
    for name in ["first.y", "middle.x", "last.x"] {
        assert_eq!(column(&results, name), [5.0; 3], "{name} starts in equilibrium and stays there");
    }
}

#[test]
fn a_loop_of_feedthrough_settles_before_the_first_row() {
    let (_, results) = run(&circle(0.5));
    for name in ["a.y", "b.y"] {
        assert!((column(&results, name)[0] - 2.0).abs() < 1e-11, "{:?}", column(&results, name));
        assert!((last(&results, name) - 2.0).abs() < 1e-11);
    }
}

#[test]
fn loops_that_handing_values_on_would_never_settle_are_solved() {
    let swinging = circle(1.0).start_value("b.k", -1);
    for (system, expected) in [(circle(2.0), [-1.0, -1.0]), (swinging, [1.0, 0.0])] {
        let (_, results) = run(&system);
        for (name, expected) in ["a.y", "b.y"].iter().zip(expected) {
            assert!(
                column(&results, name).iter().all(|value| (value - expected).abs() < 1e-11),
                "{name} {:?}",
                column(&results, name)
            );
        }
    }
}

#[test]
fn a_loop_without_solution_is_named() {
    let (error, results) = failure(&circle(1.0));
    let RunError::InitializationLoop { instances, problem } = error else { panic!("{error}") };
    assert_eq!(instances, ["a", "b"]);
    let LoopProblem::Residual { variable, residual, .. } = problem else { panic!("{problem}") };
    assert!(["a.y", "b.y"].contains(&variable.as_str()) && residual.abs() > 0.1, "{variable} {residual}");
    assert!(results.time().is_empty());
}
