//! Every part of a method that remembers something.

use lotka::{
    Compatibility, Direction, FeedthroughOutputs, InputDelivery, Override, SourceSignal, StartSetting, StartValue, System,
};
use models::{BouncingBall, Expression, Prey, TwoStatePlant, TwoStateSwitch};
use tests::{
    joined, predator_prey,
    systems::{
        driven::{Panel, lag},
        power_bond, quarter_car_force, stiff_pair, switching, three_species_components, two_mass,
    },
};

use super::assert_goes_on;

const SWEEPS: [&str; 3] = ["gauss-seidel", "jacobi", "symmetric"];

/// Some seconds are enough to have a past.
fn short() -> System {
    predator_prey().stop(10.0)
}

#[test]
fn sweeps_with_fixed_steps() {
    for sweep in SWEEPS {
        assert_goes_on(sweep, &short().sweep(sweep).step(0.5));
        // With rows far apart the symmetric sweep leaves an instance behind.
        assert_goes_on(sweep, &short().sweep(sweep).step(0.25).output_interval(1.25));
        assert_goes_on(sweep, &two_mass().stop(5.0).sweep(sweep).step(0.1));
    }
}

#[test]
fn sources_that_jump_and_bend() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, "time,u\n0,1\n1.37,2\n3.3,0\n3.3,5\n10,1\n").unwrap();
    let system = lag().source_csv("table", &path).connect("lag.u", "table.u");
    for sweep in SWEEPS {
        assert_goes_on(sweep, &system.clone().sweep(sweep).step(0.5));
        assert_goes_on(sweep, &system.clone().sweep(sweep).local_tolerance(1e-4));
    }
    for degree in 1..=3 {
        assert_goes_on("degree", &system.clone().sweep("jacobi").input_degree(degree).step(0.5));
    }
}

#[test]
fn variables_that_are_set_at_known_times() {
    let until = |at: f64, until: f64, variable: &str, value: StartValue| Override {
        at: at.into(),
        until: Some(until.into()),
        set: vec![StartSetting::new(variable.to_owned(), value)],
        add: Vec::new(),
    };
    let constant = SourceSignal::Constant { value: StartValue::Integer(2) };
    let system =
        lag().source("c", constant).connect("lag.u", "c.y").instance_of("panel", &joined::<Panel>()).connect("panel.n", "c.y");
    let system = system
        .scenario(until(0.0, 4.4, "lag.u", StartValue::Real(5.0)))
        .scenario(until(1.3, 6.1, "panel.n", StartValue::Integer(7)))
        .scenario(until(2.3, 7.1, "panel.gain", StartValue::Real(3.0)))
        .set_at(0.7, "panel.on", true);
    for sweep in SWEEPS {
        assert_goes_on(sweep, &system.clone().sweep(sweep).step(0.5));
        assert_goes_on(sweep, &system.clone().sweep(sweep).local_tolerance(1e-4));
    }
}

#[test]
fn inputs_of_every_degree() {
    for degree in 0..=3 {
        for sweep in ["gauss-seidel", "jacobi"] {
            for delivery in [InputDelivery::Mean, InputDelivery::Derivatives] {
                let system = short().sweep(sweep).input_degree(degree).input_delivery(delivery);
                let name = format!("{sweep}, degree {degree}, {delivery:?}");
                assert_goes_on(&name, &system.clone().step(0.5));
                assert_goes_on(&name, &system.local_tolerance(1e-3));
            }
        }
    }
}

#[test]
fn inputs_without_output_derivatives_have_a_longer_past() {
    for degree in [2, 3] {
        let system = short().sweep("jacobi").input_degree(degree).output_derivatives(false);
        assert_goes_on("fixed", &system.clone().step(0.5));
        assert_goes_on("controlled", &system.local_tolerance(1e-3));
    }
}

#[test]
fn accelerations() {
    for acceleration in ["none", "relaxation", "aitken", "anderson", "newton"] {
        for sweep in ["gauss-seidel", "jacobi"] {
            let name = format!("{acceleration}, {sweep}");
            let system = short().sweep(sweep).iterations(100, Some(1e-8)).acceleration(acceleration).input_degree(1);
            assert_goes_on(&name, &system.clone().step(0.5));
            assert_goes_on(&name, &system.local_tolerance(1e-3));
            let masses = two_mass().sweep(sweep).iterations(100, Some(1e-7)).acceleration(acceleration).input_degree(1);
            assert_goes_on(&name, &masses.stop(2.0).step(0.05));
        }
    }
}

#[test]
fn factors_of_relaxation_that_were_learned() {
    // Stiff: the factors are far below the first one, with which a step begins that follows one that did not converge.
    for degree in [0, 1] {
        let system = stiff_pair().sweep("gauss-seidel").input_degree(degree).stop(1.0);
        let system = system.iterations(200, Some(1e-8)).acceleration("aitken");
        assert_goes_on(&format!("degree {degree}"), &system.step(0.05));
    }
}

#[test]
fn estimators_and_controllers() {
    for estimator in ["step-doubling", "predictor-corrector", "embedded", "parallel-embedded"] {
        for controller in ["pi", "i", "pid", "h211"] {
            let system = short().estimator(estimator).controller(controller).input_degree(1).local_tolerance(1e-3);
            assert_goes_on(&format!("{estimator}, {controller}"), &system);
            assert_goes_on(&format!("{estimator}, {controller}, rows"), &system.output_interval(1.0));
        }
    }
    assert_goes_on("mastersim", &short().local_tolerance(1e-4).compatibility(Compatibility::MasterSim));
}

#[test]
fn energy_over_power_bonds() {
    for degree in [0, 1, 2] {
        let system = power_bond().sweep("jacobi").input_degree(degree);
        assert_goes_on("fixed", &system.clone().step(0.02));
        assert_goes_on("controlled", &system.clone().estimator("energy").local_tolerance(1e-3));
        assert_goes_on("symmetric", &power_bond().sweep("symmetric").step(0.02).output_interval(0.5));
    }
}

#[test]
fn outputs_that_are_made_fresh() {
    for policy in [FeedthroughOutputs::ReRead, FeedthroughOutputs::Derivative, FeedthroughOutputs::Stale] {
        let system = quarter_car_force().sweep("jacobi").input_degree(1).feedthrough_outputs(policy);
        assert_goes_on(&format!("{policy:?}"), &system.step(0.01));
    }
    assert_goes_on("memoryless instances", &three_species_components().stop(40.0).step(1.0));
}

/// Prey that are watched, with events in the run.
fn watched() -> System {
    short().event("prey.x", 15.0, Direction::Both)
}

#[test]
fn events_by_indicators() {
    for system in [watched().step(0.5), watched().local_tolerance(1e-4), watched().local_tolerance(1e-4).output_interval(1.0)] {
        assert_goes_on("a level", &system);
    }
    for system in [switching::tanks().step(0.05), switching::tanks().local_tolerance(1e-5)] {
        assert_goes_on("a switch", &system);
    }
    let two_state = System::new()
        .instance_of("plant", &joined::<TwoStatePlant>())
        .instance_of("switch", &joined::<TwoStateSwitch>())
        .connect("plant.c2", "switch.c2")
        .connect("plant.c4", "switch.c4")
        .connect("switch.y1", "plant.y1")
        .event("plant.y1", "switch.limit", Direction::Both)
        .stop(5.0);
    assert_goes_on("a level that moves", &two_state.step(0.1));
}

#[test]
fn events_by_discarded_steps_and_on_a_level() {
    let ball = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1);
    let discarding = ball.clone().start_value("ball.impacts", "discard").event_by_discard("ball");
    assert_goes_on("fixed", &discarding.clone().step(0.1));
    assert_goes_on("controlled", &discarding.local_tolerance(1e-6).output_interval(0.05));
    let found = ball.start_value("ball.impacts", "step_end").event("ball.h", 0.0, Direction::Down);
    assert_goes_on("found", &found.step(0.1));
    // Exactly on the level at t = 0.5 s: the step after it passes the level.
    let ramp = System::new().instance_of("ramp", &joined::<Expression>()).start_value("ramp.formula", "t").stop(4.0);
    assert_goes_on("on a level", &ramp.event("ramp.y", 0.5, Direction::Up).step(0.25));
}

#[test]
fn start_values_that_were_solved_for_are_not_looked_for_again() {
    let solved = ["rabbits", "foxes", "wolves"].iter().zip([20.0, 2.0, 3.0]);
    let system = solved.fold(three_species_components(), |system, (name, guess)| {
        let population = format!("{name}.population");
        system.start_value(&population, guess).solve_start(&population, &format!("{name}.rate"))
    });
    assert_goes_on("a steady state", &system.step(2.0));
}

#[test]
fn algebraic_loops() {
    let x = joined::<Expression>();
    let system = System::new()
        .instance_of("x", &x)
        .instance_of("y", &x)
        .start_value("x.formula", "0.5*u1 + sin(t)")
        .start_value("y.formula", "-0.8*u1 + 1")
        .connect("x.u1", "y.y")
        .connect("y.u1", "x.y")
        .stop(2.0);
    assert_goes_on("fixed", &system.clone().step(0.1));
    assert_goes_on("controlled", &system.local_tolerance(1e-5).output_interval(0.1));
}

#[test]
fn instances_in_processes_of_their_own() {
    let [prey, predator] = ["prey", "predator"].map(tests::packed);
    let system = System::new().instance("prey", prey).instance("predator", predator).stop(10.0);
    let system = system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").input_degree(1);
    assert_goes_on("hosted", &system.host_program(tests::host_program()).isolate(true).local_tolerance(1e-2));
}

#[test]
fn an_instance_alone() {
    assert_goes_on("prey", &System::new().instance_of("prey", &joined::<Prey>()).stop(10.0).step(0.5));
}
