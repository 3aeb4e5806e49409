//! The promise of a tolerance, on families of random systems with known solutions; `cargo xtask study promise` runs more of them.

mod chaos;
mod families;
mod fast;
mod inside;
mod kinks;
mod rows;
mod signals;
mod stepwise;
mod switches;

use lotka::{GlobalError, StartValue};
use tests::{
    campaign::{Case, FAMILIES},
    verified::Verified,
};

/// The first seed: those before were used while thresholds were chosen.
const SEED: u64 = 10_000;

fn case(family: &str, seed: u64) -> Case {
    (FAMILIES.iter().find(|known| known.name == family).unwrap().case)(seed)
}

fn error_of(case: &Case, tolerance: f64) -> (GlobalError, u64) {
    let Verified { report, global, .. } = Verified::run(&case.system.clone().tolerance(tolerance));
    (global, report.counters.n_do_step_calls)
}

fn start_value(case: &Case, name: &str) -> f64 {
    let starts = &case.system.description().start_values;
    match &starts.iter().find(|start| start.variable.value == name).unwrap().value.value {
        StartValue::Unparsed(value) => value.parse().unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Rows at the distance that was asked for.
fn n_rows(case: &Case) -> usize {
    let experiment = &case.system.description().experiment;
    let (stop, interval) = (experiment.stop.as_ref().unwrap().value, experiment.output_interval.as_ref().unwrap().value);
    (stop / interval * (1.0 - 1e-9)).ceil() as usize + 1
}
