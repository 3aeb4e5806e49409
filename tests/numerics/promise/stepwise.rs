//! Outputs that are constant between jumps, whatever their variability is declared to be.

use campaign_models::Plant;
use fmu_sdk::{Declaration, Model, Refusal, Step};
use lotka::{Direction, GlobalError, System};
use serde::{Deserialize, Serialize};
use tests::{
    campaign::{FAMILIES, Through, measure, table},
    joined,
    verified::Verified,
};

/// The sine touches no level.
const SIZE: f64 = 0.97;

/// A table of constants without memory: the largest multiple of a quantum below the input, or one of two values.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
struct Table<const DISCRETE: bool> {
    u: f64,
    quantum: f64,
    level: f64,
}

impl<const DISCRETE: bool> Model for Table<DISCRETE> {
    const NAME: &'static str = if DISCRETE { "table" } else { "continuous_table" };
    const DESCRIPTION: &'static str = "Constants";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("quantum", |m| &mut m.quantum).description("size of the steps");
        v.parameter("level", |m| &mut m.level).description("between two values, if there is no quantum");
        v.input("u", |m| &mut m.u).description("where to look");
        let y = v.computed_output("y", Self::y).depends_on(["u"]).description("a constant");
        if DISCRETE {
            y.discrete();
        }
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<const DISCRETE: bool> Table<DISCRETE> {
    fn y(&self) -> f64 {
        match self.quantum {
            0.0 if self.u >= self.level => 2.0,
            0.0 => -1.0,
            quantum => quantum * (self.u / quantum).floor(),
        }
    }
}

/// `u = SIZE sin t` at a table, whose output an integrator adds up.
fn system<const DISCRETE: bool>(quantum: f64, level: f64) -> System {
    let plant = joined::<Plant<false>>();
    System::new()
        .instance_of("table", &joined::<Table<DISCRETE>>())
        .instance_of("sine", &plant)
        .instance_of("sum", &plant)
        .start_value("table.quantum", quantum)
        .start_value("table.level", level)
        .start_value("sine.a1", 1.0)
        .start_value("sine.a2", -1.0)
        .start_value("sine.x1", SIZE)
        .start_value("sum.b0", 1.0)
        .connect("table.u", "sine.y")
        .connect("sum.u", "table.y")
        .stop(12.0)
        .output_interval(0.4)
}

/// The integral of the table over `sin t`, by the times at which the sine passes the levels.
fn integral(quantum: f64, level: f64, t: f64) -> f64 {
    let table = |u: f64| Table::<false> { u, quantum, level }.y();
    let levels: Vec<f64> = if quantum > 0.0 {
        (0..).map(|n| quantum * f64::from(n)).take_while(|level| *level < SIZE).collect()
    } else {
        vec![level]
    };
    let levels = levels.iter().flat_map(|level| [*level, -level]);
    let crossings = levels.flat_map(|level: f64| {
        (-1..3).flat_map(move |turn| {
            let begin = std::f64::consts::TAU * f64::from(turn);
            [begin + (level / SIZE).asin(), begin + std::f64::consts::PI - (level / SIZE).asin()]
        })
    });
    let mut times: Vec<f64> = crossings.filter(|time| *time > 0.0 && *time < t).chain([0.0, t]).collect();
    times.sort_by(f64::total_cmp);
    times.windows(2).map(|pair| (pair[1] - pair[0]) * table(SIZE * (0.5 * (pair[0] + pair[1])).sin())).sum()
}

fn check(system: &System, (quantum, level): (f64, f64), tolerance: f64) -> (u64, GlobalError) {
    let Verified { global, rows, report, .. } = Verified::run(&system.clone().tolerance(tolerance));
    assert!(global.reached, "{global:?}");
    let sum = rows.real("sum.y").unwrap();
    let largest = sum.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for (t, value) in rows.time().iter().zip(sum) {
        let exact = integral(quantum, level, *t);
        let error = (value - exact).abs() / exact.abs().max(1e-3 * largest);
        assert!(error <= tolerance, "{quantum} {level} at t = {t}: {value}, exact {exact}, {global:?}");
    }
    (report.counters.n_do_step_calls, global)
}

/// A relay takes as few calls if its output is declared continuous as if it is declared discrete, with the event declared or not.
#[test]
fn a_relay_is_a_relay_whatever_it_declares() {
    for level in [0.35, -0.6] {
        for tolerance in [1e-3, 1e-6] {
            let (discrete, _) = check(&system::<true>(0.0, level), (0.0, level), tolerance);
            let (continuous, found) = check(&system::<false>(0.0, level), (0.0, level), tolerance);
            assert_eq!(continuous, discrete);
            assert!(found.switches.iter().any(|switch| switch.level == level), "{found:?}");
            let declared = system::<false>(0.0, level).event("sine.y", level, Direction::Both);
            let (calls, _) = check(&declared, (0.0, level), tolerance);
            assert!(calls < 12_000 && continuous < 12_000, "{calls} {continuous}");
        }
    }
}

/// All levels of a quantizer are found before the next run.
#[test]
fn a_quantizer_has_many_levels() {
    for quantum in [0.25, 0.19] {
        let (continuous, found) = check(&system::<false>(quantum, 0.0), (quantum, 0.0), 1e-6);
        let (discrete, _) = check(&system::<true>(quantum, 0.0), (quantum, 0.0), 1e-6);
        assert!(continuous < 30_000 && discrete < 30_000, "{continuous} {discrete}");
        assert!(found.switches.len() >= (1.8 / quantum) as usize, "{found:?}");
    }
}

/// In a loop. Where levels are off by rounding, an FMU reacts a step late, and 3 and 2 of these are kept.
#[test]
fn quantizers_in_loops_are_kept_or_refused() {
    let family = FAMILIES.iter().find(|known| known.name == "converter").unwrap();
    for (tolerance, least) in [(1e-3, 11), (1e-6, 5)] {
        let score = measure(family, tolerance, 31_000..31_012, &Through::Joined);
        assert!(score.false_beyond(1.0) == 0 && score.kept() >= least, "{}", table(&[score]));
    }
}
