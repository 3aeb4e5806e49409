//! Outputs that follow a jump at once, whatever is set: inputs with and without a source, parameters, values of every type.

use lotka::{Override, StartSetting};
use tests::{
    joined,
    systems::driven::{Follower, Integrals},
};

use super::*;

/// Followers in a row, whose last one is integrated until t = 1 s, with rows every 0.25 s.
fn followed(followers: &[&str]) -> System {
    let mut system = System::new().instance_of("integrals", &joined::<Integrals>()).stop(1.0);
    for pair in followers.windows(2) {
        system = system.connect(&format!("{}.u", pair[1]), &format!("{}.y", pair[0]));
    }
    let follower = joined::<Follower>();
    let system = followers.iter().rev().fold(system, |system, name| system.instance_of(name, &follower));
    system.connect("integrals.u", &format!("{}.y", followers[followers.len() - 1]))
}

fn set(at: f64, name: &str, value: f64) -> Override {
    Override {
        at: at.into(),
        until: None,
        set: vec![StartSetting::new(name.to_owned(), StartValue::Real(value))],
        add: Vec::new(),
    }
}

/// The integral is right in every way to run, and two rows have the values of `output` before and after the jump at t = 0.5 s.
fn assert_followed(system: &System, output: &str, values: [f64; 2], integral: f64) {
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let system = system.clone().sweep(sweep);
        let ways = [
            system.clone().step(0.25),
            system.clone().step(0.125),
            system.clone().local_tolerance(1e-6).output_interval(0.25),
            system.output_interval(0.25).tolerance(1e-6),
        ];
        for (way, system) in ways.into_iter().enumerate() {
            let (report, rows) = run(&system);
            let jump = rows.time().iter().position(|time| *time == 0.5).unwrap();
            assert_eq!(rows.real(output).unwrap()[jump..jump + 2], values, "{sweep}, way {way}");
            let x = *rows.real("integrals.x").unwrap().last().unwrap();
            assert!((x - integral).abs() < 1e-9, "{sweep}, way {way}: {x} instead of {integral}");
            assert!(report.global_error.is_none_or(|error| error.reached), "{sweep}");
            assert!(report.warnings.is_empty(), "{sweep}, way {way}: {:?}", report.warnings);
        }
    }
}

#[test]
fn an_input_without_a_source_is_followed_at_once() {
    assert_followed(&followed(&["follower"]).scenario(set(0.5, "follower.u", 7.0)), "follower.y", [1.0, 7.0], 4.0);
}

#[test]
fn a_tunable_parameter_is_followed_at_once() {
    let system = followed(&["follower"]).start_value("follower.u", 2.0).scenario(set(0.5, "follower.k", -3.0));
    assert_followed(&system, "follower.y", [2.0, -6.0], -2.0);
}

/// Also where neither of them has connected inputs that jump, and the plan has them in another order.
#[test]
fn a_jump_passes_several_instances_at_once() {
    let system = followed(&["first", "second", "third"]).start_value("second.k", 2.0);
    assert_followed(&system.clone().scenario(set(0.5, "first.u", 5.0)), "third.y", [2.0, 10.0], 6.0);
    assert_followed(&system.scenario(set(0.5, "second.k", 4.0)), "third.y", [2.0, 4.0], 3.0);
}

#[test]
fn values_of_every_type_are_followed_at_once() {
    let folder = Folder::new();
    let path = folder.write("t.csv", "time,n,on,label\n0,1,false,a\n0.5,4,true,b\n9,4,true,b\n");
    let system = followed(&["follower"]).source("t", csv(&path, Interpolation::Linear));
    let system = ["n", "on", "label"]
        .iter()
        .fold(system, |system, name| system.connect(&format!("follower.{name}"), &format!("t.{name}")));
    // An Integer that a Real input reads, and one that only rows show.
    for system in [system.clone(), system.connect("integrals.v", "follower.twice")] {
        for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
            let (_, rows) = run(&system.clone().sweep(sweep).step(0.25));
            assert_eq!(rows.time(), [0.0, 0.25, 0.5, 0.5, 0.75, 1.0]);
            assert_eq!(rows.real("follower.twice").unwrap(), [2.0, 2.0, 2.0, 8.0, 8.0, 8.0], "{sweep}");
            assert_eq!(rows.real("follower.off").unwrap(), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], "{sweep}");
            assert_eq!(rows.text("follower.shown").unwrap(), ["a", "a", "a", "b", "b", "b"], "{sweep}");
            let y = *rows.real("integrals.y").unwrap().last().unwrap();
            assert!(y == 0.0 || (y - 5.0).abs() < 1e-12, "{sweep}: {y}");
        }
    }
}

#[test]
fn a_change_in_a_session_is_followed_at_once() {
    for (name, value) in [("follower.u", 7.0), ("follower.k", 7.0)] {
        for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
            let system = followed(&["follower"]).sweep(sweep).step(0.25);
            let mut rows = Memory::new();
            let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
            assert!(session.advance_to(0.5));
            session.set(name, value).unwrap();
            assert_eq!(session.real("follower.y").unwrap(), 7.0, "{name}, {sweep}");
            assert!(!session.advance_to(1.0));
            session.finish().1.unwrap();
            assert_eq!(rows.real("follower.y").unwrap(), [1.0, 1.0, 1.0, 7.0, 7.0, 7.0], "{name}, {sweep}");
            assert_eq!(*rows.real("integrals.x").unwrap().last().unwrap(), 4.0, "{name}, {sweep}");
        }
    }
}
