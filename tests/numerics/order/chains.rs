//! Where no instances form a loop, each steps after its sources, with inputs on the line between known values: a step then is the
//! same forwards and backwards in time, so that errors have even powers of the step size. Where slopes of outputs are read, they
//! do not.

use campaign_models::{Ramped, Shape, Signal};
use lotka::{Memory, System};
use tests::joined;

/// A sine, prey that it feeds on, and predators that feed on these.
fn chain() -> System {
    let sine = [("p0", 1.0), ("p1", 0.5), ("p2", 0.3), ("p3", 0.4), ("shape", Shape::Sine.number())];
    let system = System::new().instance_of("signal", &joined::<Signal>());
    let system = system.instance_of("prey", &joined::<models::Prey>()).instance_of("predator", &joined::<models::Predator>());
    let system = sine.into_iter().fold(system, |system, (name, value)| system.start_value(&format!("signal.{name}"), value));
    system.connect("prey.y", "signal.y").connect("predator.x", "prey.x").output_derivatives(false).stop(8.0)
}

fn at_the_end(system: &System, variable: &str) -> f64 {
    let mut rows = Memory::new();
    system.build().unwrap().run(&mut [&mut rows]).unwrap();
    *rows.real(variable).unwrap().last().unwrap()
}

#[test]
fn errors_of_chains_have_even_powers() {
    for variable in ["prey.x", "predator.y"] {
        let values = [0.2, 0.1, 0.05, 0.025].map(|h| at_the_end(&chain().step(h), variable));
        let first = [0, 1].map(|place| (values[place] - values[place + 1]) / (values[place + 1] - values[place + 2]));
        assert!(first.iter().all(|ratio| (ratio - 4.0).abs() < 0.2), "order 2: {first:?}");
        // Without the power 2 the next one is 4, not 3.
        let better = [0, 1, 2].map(|place| (4.0 * values[place + 1] - values[place]) / 3.0);
        let ratio = (better[0] - better[1]) / (better[1] - better[2]);
        assert!((ratio - 16.0).abs() < 2.0, "{variable}: {ratio}");
    }
}

/// Instances of a loop that solve for their values at the end of each step know the ends of their inputs, too: the same holds for
/// them.
#[test]
fn errors_of_loops_that_are_solved_have_even_powers() {
    let model = joined::<Ramped>();
    let of = |system: System, name: &str, values: &[(&str, f64)]| {
        values.iter().fold(system, |system, (variable, value)| system.start_value(&format!("{name}.{variable}"), *value))
    };
    let system = System::new().instance_of("left", &model).instance_of("right", &model);
    let system = of(system, "left", &[("a0", -0.3), ("a1", 1.0), ("a2", -2.0), ("a3", -0.1), ("b1", 1.5), ("x0", 1.0)]);
    let system = of(system, "right", &[("a0", -1.0), ("b0", 0.8), ("x0", -0.5)]);
    let system = system.connect("left.u", "right.y").connect("right.u", "left.y").stop(4.0);
    let system = system.sweep("jacobi").input_degree(1).iterations(20, Some(1e-14)).acceleration("newton");
    for variable in ["left.y", "left.v", "right.y"] {
        let values = [0.2, 0.1, 0.05, 0.025].map(|h| at_the_end(&system.clone().step(h), variable));
        let order = ((values[1] - values[2]) / (values[2] - values[3])).log2();
        assert!((order - 2.0).abs() < 0.1, "{variable}: {order}");
        let better = [0, 1, 2].map(|place| (4.0 * values[place + 1] - values[place]) / 3.0);
        let order = ((better[0] - better[1]) / (better[1] - better[2])).log2();
        assert!((order - 4.0).abs() < 0.2, "{variable}: {order}");
    }
}

/// So four runs are enough for a small tolerance, and rows between the points of meshes cost nothing.
#[test]
fn chains_with_many_rows_cost_as_little_as_with_few() {
    let calls = |interval: f64| {
        let mut rows = Memory::new();
        let system = chain().tolerance(1e-8).output_interval(interval);
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        assert!(report.global_error.unwrap().reached);
        let exact = at_the_end(&chain().step(1e-4), "predator.y");
        assert!((rows.real("predator.y").unwrap().last().unwrap() / exact - 1.0).abs() < 2e-8);
        report.counters.n_do_step_calls
    };
    let (few, many) = (calls(0.1), calls(0.002));
    assert!(many <= 2 * few && few < 12_000, "{few} {many}");
}
