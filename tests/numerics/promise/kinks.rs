//! Kinks of outputs that follow inputs at once: their places may depend on several inputs and on states.

use campaign_models::{Plant, Regulator};
use fmu_sdk::{Declaration, Model, Refusal, Step};
use lotka::{Memory, System};
use serde::{Deserialize, Serialize};
use tests::{
    campaign::{Case, Equations, FAMILIES, Through, judge, measure, table},
    joined,
    verified::Verified,
};

use super::case;

/// A spring with a gap, a controller with anti-windup, a table that is linear between its points. Steps that do not end at the
/// kinks keep less than half of them at 1e-6, with ten times as many calls.
#[test]
fn kinks_between_signals_and_in_states_are_located() {
    for name in ["backlash", "windup", "chart"] {
        let family = FAMILIES.iter().find(|known| known.name == name).unwrap();
        for (tolerance, most) in [(1e-3, 60_000), (1e-6, 120_000)] {
            let score = measure(family, tolerance, 41_000..41_012, &Through::Joined);
            let mut calls: Vec<u64> = score.outcomes.iter().map(|outcome| outcome.calls).collect();
            calls.sort_unstable();
            assert!(score.false_beyond(1.0) == 0 && score.kept() >= 11 && calls[6] < most, "{calls:?}\n{}", table(&[score]));
        }
    }
}

/// A table has kinks at fixed levels, which are found before the next run.
#[test]
fn kinks_of_a_table_are_levels() {
    let Case { system, .. } = case("chart", 41_000);
    let global = Verified::run(&system.tolerance(1e-6)).global;
    assert!(global.reached && !global.switches.is_empty(), "{global:?}");
    let spacing = super::start_value(&case("chart", 41_000), "chart.spacing");
    for switch in &global.switches {
        let number = switch.level / spacing;
        assert!((number - number.round()).abs() < 1e-9 && switch.variable == "a.y" && switch.instance == "chart", "{switch:?}");
    }
}

/// A full-wave rectifier: the current through a bridge of diodes from two potentials to a capacitor.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
struct Bridge {
    u: f64,
    v: f64,
    w: f64,
    drop: f64,
}

impl Bridge {
    fn current(difference: f64, w: f64, drop: f64) -> f64 {
        (difference.abs() - w - drop).max(0.0)
    }
}

impl Model for Bridge {
    const NAME: &'static str = "bridge";
    const DESCRIPTION: &'static str = "A bridge of diodes";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("drop", |m| &mut m.drop).description("voltage of two diodes");
        v.input("u", |m| &mut m.u).description("one potential");
        v.input("v", |m| &mut m.v).description("the other potential");
        v.input("w", |m| &mut m.w).description("voltage of the capacitor");
        v.computed_output("i", |m| Self::current(m.u - m.v, m.w, m.drop)).depends_on(["u", "v", "w"]).description("current");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Two oscillators of other frequencies, a capacitor that leaks, and a bridge whose current damps the first oscillator.
fn rectifier(drop: f64, leak: f64) -> Case {
    let plant = joined::<Plant<false>>();
    let system = System::new().instance_of("a", &plant).instance_of("b", &plant).instance_of("c", &plant);
    let system = system.instance_of("bridge", &joined::<Bridge>()).start_value("bridge.drop", drop);
    let starts = [
        ("a.a1", 1.3),
        ("a.a2", -1.3),
        ("a.x1", 1.0),
        ("a.b1", 0.1),
        ("b.a1", 0.7),
        ("b.a2", -0.7),
        ("b.x0", 0.8),
        ("c.a0", -leak),
        ("c.a3", -1.0),
        ("c.b0", 1.0),
    ];
    let system = starts.into_iter().fold(system, |system, (name, value)| system.start_value(name, value));
    let system = system.connect("bridge.u", "a.y").connect("bridge.v", "b.y").connect("bridge.w", "c.y");
    let system = system.connect("c.u", "bridge.i").connect("a.u", "bridge.i").stop(14.0).output_interval(0.35);
    let beyond = move |x: &[f64]| (x[0] - x[2]).abs() - x[4] - drop;
    let equations = Equations {
        derivative: Box::new(move |_, x, mode| {
            let i = match mode {
                2 => x[0] - x[2] - x[4] - drop,
                3 => x[2] - x[0] - x[4] - drop,
                _ => 0.0,
            };
            vec![1.3 * x[1], -1.3 * x[0] + 0.1 * i, 0.7 * x[3], -0.7 * x[2], i - leak * x[4]]
        }),
        mode: Some(Box::new(move |_, x, _| match beyond(x) > 0.0 {
            true if x[0] > x[2] => 2,
            true => 3,
            false => 1,
        })),
        ..Equations::smooth(vec![0.0, 1.0, 0.8, 0.0, 0.0], |_, _| Vec::new())
    };
    let names = [("a.y", 0), ("a.v", 1), ("b.y", 2), ("c.y", 4)];
    let outputs =
        names.map(|(name, index)| -> (String, tests::campaign::Value) { (name.to_owned(), Box::new(move |_, x| x[index])) });
    Case { system, equations, outputs: outputs.into() }
}

/// Kinks that depend on three inputs.
#[test]
fn diodes_of_a_rectifier_are_located() {
    for (drop, leak) in [(0.1, 0.3), (0.25, 0.15)] {
        for tolerance in [1e-3, 1e-6] {
            let outcome = judge(0, &rectifier(drop, leak), tolerance);
            assert!(outcome.kept && outcome.error <= 1.0 && outcome.calls < 250_000, "{drop} {leak} {tolerance}: {outcome:?}");
        }
    }
}

/// A controller that begins at its limit shows neither that it has a state nor that its output follows its input. Both are needed
/// for order 2.
#[test]
fn a_limit_at_the_start_hides_nothing() {
    let system = System::new().instance_of("a", &joined::<Plant<false>>()).instance_of("control", &joined::<Regulator>());
    let starts = [
        ("a.a1", 1.0),
        ("a.a2", -1.0),
        ("a.a3", -0.2),
        ("a.b1", 1.0),
        ("a.x0", 2.0),
        ("control.gain", 1.0),
        ("control.rate", 0.3),
        ("control.unwind", 2.0),
        ("control.limit", 0.5),
    ];
    let system = starts.into_iter().fold(system, |system, (name, value)| system.start_value(name, value));
    let system = system.connect_sum("control.e", &[("a.y", -1.0)]).connect("a.u", "control.y").stop(4.0);
    let end = |steps: u32| {
        let mut rows = Memory::new();
        system.clone().step(4.0 / f64::from(steps)).build().unwrap().run(&mut [&mut rows]).unwrap();
        *rows.real("a.y").unwrap().last().unwrap()
    };
    let [coarse, middle, fine] = [200, 400, 800].map(end);
    let ratio = (coarse - middle) / (middle - fine);
    assert!((3.0..6.0).contains(&ratio), "{ratio}");
}
