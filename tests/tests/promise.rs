//! The promise of a tolerance, on families of random systems with known solutions; `cargo xtask study promise` runs more of them.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use lotka::{Direction, GlobalError, Memory, StartValue, System};
use tests::{
    campaign::{Case, FAMILIES, Score, judge, measure, table},
    joined,
};

/// Systems of each family.
const SYSTEMS: u64 = 6;

/// The first seed: those before were used while thresholds were chosen.
const SEED: u64 = 10_000;

fn case(family: &str, seed: u64) -> Case {
    (FAMILIES.iter().find(|known| known.name == family).unwrap().case)(seed)
}

fn error_of(case: &Case, tolerance: f64) -> (GlobalError, u64) {
    let report = case.system.clone().tolerance(tolerance).build().unwrap().run(&mut []).unwrap();
    (report.global_error.unwrap(), report.statistics.n_do_step_calls)
}

#[test]
fn what_is_called_kept_is_kept() {
    let scores: Vec<Score> = FAMILIES
        .iter()
        .flat_map(|family| [1e-3, 1e-6].map(|tolerance| measure(family, tolerance, SEED..SEED + SYSTEMS)))
        .collect();
    let printed = table(&scores);
    println!("{printed}");
    assert!(scores.iter().all(|score| score.false_beyond(1.0) == 0), "{printed}");
    assert!(scores.iter().flat_map(|score| &score.outcomes).all(|outcome| !outcome.failed), "{printed}");
    // A refusal is no success.
    for family in ["linear", "stale", "noise", "offset", "scales", "jump", "kink", "sine", "pulse", "late"] {
        let of_family = scores.iter().filter(|score| score.family == family);
        assert!(of_family.map(|score| score.kept() as u64).all(|kept| kept + 1 >= SYSTEMS), "{family}\n{printed}");
    }
}

/// A relay that nobody declared: about its level follows from where it switches; with the exact one, it is an event, which costs little.
#[test]
fn a_hidden_switch_is_suggested_as_an_event() {
    let mut named = 0;
    for (family, seed) in [("relay-open", SEED), ("relay-open", SEED + 1), ("relay-pair", SEED), ("relay-pair", SEED + 2)] {
        let mut case = case(family, seed);
        let starts = &case.system.description().start_values;
        let level = &starts.iter().find(|start| start.variable.value == "relay.level").unwrap().value.value;
        let StartValue::Unparsed(level) = level else { panic!("{level:?}") };
        let level: f64 = level.parse().unwrap();
        let (error, calls) = error_of(&case, 1e-3);
        let text = format!("{family} {seed}, {level}: {:?} {:?}", error.suggested_events, error.bends);
        let [line] = &error.suggested_events[..] else { continue };
        let about = line.strip_prefix("\"a.y\" = { level = … }  # about ").unwrap_or_else(|| panic!("{text}"));
        assert!((about.parse::<f64>().unwrap() - level).abs() < 0.01, "{text}");
        named += 1;
        case.system = case.system.event("a.y", level, Direction::Both);
        let [loose, tight] = [1e-3, 1e-6].map(|tolerance| judge(seed, &case, tolerance));
        assert!(tight.kept && tight.error <= 1.0, "{text}\n{tight:?}");
        assert!(family != "relay-open" || 4 * loose.calls < calls, "{text}: {} instead of {calls} calls", loose.calls);
    }
    assert!(named >= 3, "{named}");
}

/// A hidden switch makes all of many rows points of the meshes. Whenever the calls are used up, there is a result with all rows.
#[test]
fn a_search_that_is_given_up_has_all_rows() {
    let mut given_up = 0;
    for calls in [300.0, 1e3, 3e3, 1e4, 3e4, 1e5] {
        let case = case("relay-open-dense", SEED);
        let mut rows = Memory::new();
        let system = case.system.tolerance(1e-9).max_calls(calls);
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        let error = report.global_error.unwrap_or_else(|| panic!("{calls}: no result"));
        assert!(error.reached || !error.reason.is_empty(), "{error:?}");
        let experiment = &system.description().experiment;
        let (stop, interval) = (experiment.stop.as_ref().unwrap().value, experiment.output_interval.as_ref().unwrap().value);
        assert_eq!(rows.time().len(), (stop / interval * (1.0 - 1e-9)).ceil() as usize + 1, "{calls}");
        given_up += u32::from(!error.reached);
    }
    assert!(given_up >= 5, "{given_up}");
}

/// A jump of an FMU without inputs whose time is declared costs less than one that is looked for, and is exact.
#[test]
fn a_declared_time_costs_less_than_one_that_is_looked_for() {
    for seed in SEED..SEED + 3 {
        let mut case = case("jump", seed);
        let looked_for = judge(seed, &case, 1e-6);
        case.system = case.system.event_at("signal", [case.equations.knots[0]]);
        let declared = judge(seed, &case, 1e-6);
        assert!(declared.kept && declared.error <= 0.1, "{declared:?}");
        assert!(2 * declared.calls < looked_for.calls, "{declared:?} {looked_for:?}");
    }
}

/// A controller that samples at times between all rows suits no mesh: Lotka says what to declare.
#[test]
fn a_sampled_controller_is_suggested_as_an_event() {
    let mut suggested = 0;
    for seed in SEED..SEED + 6 {
        let (error, _) = error_of(&case("sampled-hidden", seed), 1e-3);
        let lines = &error.suggested_events;
        assert!(
            error.reached || lines.iter().all(|line| line.starts_with("control = { every = …, offset = … }  # about ")),
            "{lines:?}"
        );
        suggested += usize::from(!lines.is_empty());
    }
    assert!(suggested >= 3, "{suggested}");
}

/// In a chain of masses of which the first one moves, the far ones move by less than 1e-100 m: they are judged by the first one, not by themselves.
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
    let calls = report.statistics.n_do_step_calls as usize;
    assert!(error.reached && calls <= 1500 * MASSES, "{calls} calls, {}", error.reason);
    let scale = |name: &str| error.outputs.iter().find(|output| output.name == name).unwrap().scale;
    assert!(scale("m0.x") > 5e-4 && (scale("m199.x") / 1e-9 - 1.0).abs() < 0.2, "{:e}", scale("m199.x"));
}
