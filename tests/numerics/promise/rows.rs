//! Rows: beside events, many of them, and values that are small beside others.

use lotka::System;
use tests::{campaign::judge, joined, verified::Verified};

use super::{SEED, case, n_rows};

/// Rows are in the order of time, also where an event comes near one.
#[test]
fn rows_about_events_are_in_order() {
    for (seed, tolerance) in [(31057, 1e-3), (31098, 1e-3)] {
        let Verified { rows, .. } = Verified::run(&case("relay-loop-event", seed).system.tolerance(tolerance));
        assert!(rows.time().windows(2).all(|pair| pair[0] <= pair[1]), "{seed}");
    }
}

/// A hidden switch makes all of many rows points of the meshes. Whenever the calls are used up, there is a result with all rows.
#[test]
fn a_search_that_is_given_up_has_all_rows() {
    let mut given_up = 0;
    for calls in [300, 1_000, 3_000, 10_000, 30_000, 100_000] {
        let case = case("relay-open-dense", SEED);
        let rows_asked_for = n_rows(&case);
        let Verified { global: error, rows, .. } = Verified::run(&case.system.tolerance(1e-9).max_calls(calls));
        assert!(error.reached || !error.reason.is_empty(), "{error:?}");
        assert_eq!(rows.time().len(), rows_asked_for, "{calls}");
        given_up += u32::from(!error.reached);
    }
    assert!(given_up >= 5, "{given_up}");
}

/// Twenty times as many rows as there are without `output-interval` cost at most twice the calls where FMUs without inputs jump
/// or bend.
#[test]
fn many_rows_cost_little_where_jumps_and_kinks_are_located() {
    let families = ["jump", "kink"].into_iter();
    for (family, seed) in families.flat_map(|family| (SEED..SEED + 3).map(move |seed| (family, seed))) {
        let [few, many] = [100.0, 2000.0].map(|rows| {
            let mut case = case(family, seed);
            let stop = case.system.description().experiment.stop.as_ref().unwrap().value;
            case.system = case.system.output_interval(stop / rows);
            judge(seed, &case, 1e-6)
        });
        let text = format!("{family} {seed}: {few:?} {many:?}");
        assert!(few.kept && few.error <= 1.0 && many.kept && many.error <= 1.0 && many.calls <= 2 * few.calls, "{text}");
    }
}

/// In all runs an event comes just before a row, in truth just after it: the row has values of the other side.
#[test]
fn rows_beside_an_event_are_of_the_side_that_they_lie_on() {
    let outcome = judge(0, &case("relay-pair", 700_396), 1e-3);
    assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
}

/// In a chain of masses of which the first one moves, the far ones move by less than 1e-100 m: they are judged by the first one,
/// not by themselves.
#[test]
fn far_ends_of_a_chain_are_judged_by_its_largest_signal() {
    const MASSES: usize = 200;
    let mass = joined::<models::Mass>();
    let name = |number: usize| format!("m{number}");
    let mut system =
        (0..MASSES).fold(System::new(), |system, number| system.instance_of(&name(number), &mass)).start_value("m0.x", 1.0);
    for number in 0..MASSES {
        let beside = [number.checked_sub(1), Some(number + 1).filter(|next| *next < MASSES)];
        let outputs: Vec<_> = beside.into_iter().flatten().map(|other| format!("{}.x", name(other))).collect();
        let terms: Vec<_> = outputs.iter().map(|output| (output.as_str(), 5.0)).collect();
        system = system.connect_sum(&format!("{}.f", name(number)), &terms);
    }
    for connection in &mut system.description_mut().connections {
        connection.sources.iter_mut().for_each(|source| source.convert_units = false);
    }
    let report = system.stop(2.0).output_interval(0.1).tolerance(1e-6).build().unwrap().run(&mut []).unwrap();
    let error = report.global_error.unwrap();
    let calls = report.counters.n_do_step_calls as usize;
    assert!(error.reached && calls <= 1500 * MASSES, "{calls} calls, {}", error.reason);
    let scale = |name: &str| error.outputs.iter().find(|output| output.name == name).unwrap().scale;
    assert!(scale("m0.x") > 5e-4 && (scale("m199.x") / 1e-9 - 1.0).abs() < 0.2, "{:e}", scale("m199.x"));
}
