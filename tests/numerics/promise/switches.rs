//! FMUs that switch, whether they say so or not.

use std::{fmt::Write as _, fs};

use campaign_models::{Plant, Relay};
use lotka::{Direction, End, FoundSwitch, GlobalError, Memory, System};
use tempfile::tempdir;
use tests::{
    bits,
    campaign::{Case, judge},
    joined,
    verified::Verified,
};

use super::{SEED, case, error_of, n_rows, start_value};

/// A relay that nobody declared: trials find its level to the last bit, and steps end there; declared, it costs less.
#[test]
fn a_hidden_switch_becomes_an_event() {
    for (family, seed) in [("relay-open", SEED), ("relay-pair", SEED), ("relay-pair", SEED + 2), ("relay-loop", SEED)] {
        let mut case = case(family, seed);
        let level = start_value(&case, "relay.level");
        let (error, calls) = error_of(&case, 1e-6);
        let text = format!("{family} {seed}, {level}: {:?} {:?}", error.switches, error.reason);
        let [found] = &error.switches[..] else { panic!("{text}") };
        assert_eq!((found.instance.as_str(), found.variable.as_str()), ("relay", "a.y"), "{text}");
        assert!((found.level - level).abs() <= 1e-15, "{text}");
        let [hidden, rows] = [judge(seed, &case, 1e-6), judge(seed, &case, 1e-3)];
        assert!(hidden.kept && hidden.error <= 1.0 && rows.kept && rows.error <= 1.0, "{text}\n{hidden:?}\n{rows:?}");
        case.system = case.system.event("a.y", level, Direction::Both);
        let declared = judge(seed, &case, 1e-6);
        assert!(declared.kept && declared.error <= 1.0 && declared.calls < calls, "{text}\n{declared:?}");
    }
}

/// Lines that a refusal suggests can be pasted into a file all at once, with levels filled in. In rings, where no order of steps
/// suits all of them, it suggests fewer.
#[test]
fn suggested_events_can_be_pasted() {
    let (mut pasted, folder) = (0, tempdir().unwrap());
    for (family, most) in
        [("fast-pulse", 15_000), ("ramped-pulse", 15_000), ("transient", 3_000), ("sampled-hidden", 15_000), ("stiff", 15_000)]
    {
        for seed in 1..=3 {
            let mut system = case(family, seed).system.tolerance(1e-3).max_calls(most);
            let mut text = "[instances]\na = 'a.fmu'\n[events]\n".to_owned();
            for line in &Verified::run(&system).global.suggested_events {
                let (entry, level) = line.split_once("  # about ").unwrap();
                writeln!(text, "{}", entry.replace('…', level)).unwrap();
                pasted += 1;
            }
            let file = folder.path().join("system.toml");
            fs::write(&file, &text).unwrap();
            system.description_mut().events = System::from_file(&file).unwrap().description().events.clone();
            assert!(system.build().is_ok(), "{family} {seed}: {text}{:?}", system.build().err());
        }
    }
    assert!(pasted >= 6, "{pasted}");
}

/// Where an event is declared at a level that is off a little, all runs would switch late by as much, and agree: the true level
/// is found beside it.
#[test]
fn a_declared_level_that_is_off_is_noticed() {
    for (family, seed) in [("relay-open", SEED), ("relay-loop", SEED), ("relay-loop", SEED + 1)] {
        for off in [1e-2, 1e-3, -1e-3, 1e-5, -1e-5, 1e-8] {
            let mut case = case(family, seed);
            let level = start_value(&case, "relay.level");
            case.system = case.system.event("a.y", level + off, Direction::Both);
            let outcome = judge(seed, &case, 1e-6);
            let (error, _) = error_of(&case, 1e-6);
            let text = format!("{family} {seed}, {level}, off by {off:e}: {:?} {outcome:?}", error.switches);
            assert!(outcome.kept && outcome.error <= 1.0, "{text}");
            let [found] = &error.switches[..] else { panic!("{text}") };
            assert!((found.level - level).abs() <= 1e-15, "{text}");
        }
    }
}

/// The same where the FMUs declare feedthrough that trials do not find: runs that rely on the trials find the level, and are no
/// results.
#[test]
fn a_declared_level_that_is_off_is_noticed_without_declared_dependencies() {
    let (plant, relay) = (joined::<Plant<true>>(), joined::<Relay<false>>());
    let mut system = System::new().instance_of("a", &plant).instance_of("b", &plant).instance_of("relay", &relay);
    let pair = [("a0", -0.05), ("a1", 1.2), ("a2", -1.2), ("a3", -0.05), ("b0", 0.0), ("b1", 0.3), ("x0", 0.8), ("x1", 0.1)];
    for (name, value) in pair {
        system = system.start_value(&format!("a.{name}"), value).start_value(&format!("b.{name}"), 0.7 * value);
    }
    for (name, value) in [("level", 0.25), ("rate", 1.0), ("force", 0.5), ("x0", 0.5), ("y0", 0.5)] {
        system = system.start_value(&format!("relay.{name}"), value);
    }
    let system = system.connect("relay.u", "a.y").connect_sum("a.u", &[("b.y", 0.3)]);
    let system = system.connect_sum("b.u", &[("a.y", 0.5), ("relay.x", 0.4)]).stop(10.0).output_interval(0.25);
    let run = |level: f64| {
        let mut rows = Memory::new();
        let system = system.clone().event("a.y", level, Direction::Both).tolerance(1e-6);
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        let row = rows.time().len() - 1;
        (report.end, report.global_error.unwrap(), rows.real("b.y").unwrap()[row])
    };
    let ((end, error, off), (_, _, exact)) = (run(0.2501), run(0.25));
    assert_eq!(end, End::StopTime, "{}", error.reason);
    assert_eq!(error.switches.iter().map(|switch| switch.level).collect::<Vec<_>>(), [0.25]);
    assert!(error.reached && (off - exact).abs() <= 2e-6 * exact.abs().max(1e-3), "{off} {exact}");
}

/// Both levels of a thermostat in a loop are found; rows are those that were asked for.
#[test]
fn both_levels_of_a_thermostat_are_found() {
    let mut found = 0;
    for seed in SEED..SEED + 4 {
        let case = case("thermostat", seed);
        let (level, band) = (start_value(&case, "relay.level"), start_value(&case, "relay.band"));
        let outcome = judge(seed, &case, 1e-6);
        assert!(!outcome.kept || outcome.error <= 1.0, "{outcome:?}");
        let Verified { global: error, rows, .. } = Verified::run(&case.system.clone().tolerance(1e-6));
        let is_known =
            |switch: &FoundSwitch| [level - band, level + band].iter().any(|known| (switch.level - known).abs() <= 1e-15);
        assert!(error.switches.iter().all(is_known), "{seed}: {:?}, {level} +- {band}", error.switches);
        assert_eq!(rows.time().len(), n_rows(&case), "{seed}");
        found += usize::from(outcome.kept && error.switches.len() == 2);
    }
    assert!(found >= 3, "{found}");
}

/// Two runs at a time find the same levels in the same calls, and make the same rows, bit for bit, as one after the other.
#[test]
fn levels_are_the_same_for_any_number_of_threads() {
    let made = |threads: usize| {
        let system = case("thermostat", SEED).system.tolerance(1e-6).threads(threads);
        let Verified { report, global, rows } = Verified::run(&system);
        (global.switches, report.counters.n_do_step_calls, bits(&rows))
    };
    let (one, two) = (made(1), made(2));
    assert!(!one.0.is_empty());
    assert_eq!(one, two);
}

/// Of two levels one is declared: the other one is found, and the rows of events are those of both.
#[test]
fn declared_events_keep_their_rows_where_another_one_is_found() {
    let mut found = 0;
    for seed in SEED..SEED + 4 {
        let mut case = case("hysteresis", seed);
        let (level, band) = (start_value(&case, "relay.level"), start_value(&case, "relay.band"));
        case.system = case.system.event("a.y", level + band, Direction::Up);
        let outcome = judge(seed, &case, 1e-4);
        assert!(!outcome.kept || outcome.error <= 1.0, "{outcome:?}");
        let Verified { global: GlobalError { switches, .. }, rows, .. } = Verified::run(&case.system.clone().tolerance(1e-4));
        assert!(switches.iter().all(|switch| (switch.level - level + band).abs() <= 1e-15), "{seed}: {switches:?}");
        if switches.len() == 1 {
            assert!(rows.time().len() > n_rows(&case), "{seed}");
            found += 1;
        }
    }
    assert!(found >= 3, "{found}");
}

/// A declared level that moves does not stay where it is said to be: other ones that show there are dropped in the end, and the
/// search comes to one.
#[test]
fn a_declared_level_that_moves_comes_to_an_end() {
    for seed in [54_063, 65_008, SEED] {
        let mut case = case("drift", seed);
        let level = start_value(&case, "relay.level");
        case.system = case.system.event("a.y", level, Direction::Both);
        let outcome = judge(seed, &case, 1e-3);
        assert!(!outcome.failed && (!outcome.kept || outcome.error <= 1.0), "{outcome:?}");
    }
}

/// A level that moves is not taken for one that stays: where it was measured it is exact, elsewhere all runs would switch late,
/// and agree.
#[test]
fn a_level_that_moves_is_no_event() {
    // The first two levels move by less than a base step of the signal until it passes them.
    for seed in [54_063, 54_089].into_iter().chain(SEED..SEED + 4) {
        let outcome = judge(seed, &case("drift", seed), 1e-3);
        assert!(!outcome.kept || outcome.error <= 1.0, "{outcome:?}");
        let (error, _) = error_of(&case("drift", seed), 1e-3);
        assert!(error.switches.is_empty(), "{:?}", error.switches);
    }
}

/// A signal that passes a level for less than a step, or by less than the error of the first runs, is seen by its course,
/// although the FMU gives no slopes.
#[test]
fn a_signal_that_just_passes_a_level_is_seen() {
    for (seed, tolerance) in [(54_081, 1e-3), (58_008, 1e-3), (58_008, 1e-6)] {
        let outcome = judge(seed, &case("thermostat", seed), tolerance);
        assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
    }
}

/// A signal turns about just beyond a level, between two communication points of all runs: none of them shows the switch there.
#[test]
fn a_level_at_the_top_of_an_input_is_found() {
    for tolerance in [1e-2, 1e-3, 1e-6, 1e-8] {
        let case = case("relay-open", 700_061);
        let outcome = judge(0, &case, tolerance);
        assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
        let (error, _) = error_of(&case, tolerance);
        assert!(
            matches!(&error.switches[..], [found] if (found.level - start_value(&case, "relay.level")).abs() <= 1e-15),
            "{error:?}"
        );
    }
}

/// A controller that samples at times between all rows suits no mesh: trials find its times, steps end there, and the result is
/// that of the one that declares them.
#[test]
fn a_sampled_controller_is_found() {
    for seed in SEED..SEED + 6 {
        let hidden = case("sampled-hidden", seed);
        let (error, _) = error_of(&hidden, 1e-6);
        let [found] = &error.times[..] else { panic!("{seed}: {} {:?}", error.reason, error.times) };
        let [every, offset] = ["period", "offset"].map(|name| start_value(&hidden, &format!("control.{name}")));
        let periods = (found.offset - offset) / every;
        assert_eq!(found.instance, "control");
        assert!((found.every / every - 1.0).abs() < 1e-10 && (periods - periods.round()).abs() < 3e-9, "{seed}: {found:?}");
        let outcome = judge(seed, &hidden, 1e-6);
        assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
    }
}

/// An FMU that switches within steps, whenever it is true, is not late by a step: a mesh that is fine enough for its kinks is
/// enough.
#[test]
fn switches_within_steps_are_not_late() {
    for (family, calls) in [("friction", 100_000), ("state-switch-exact", 100_000), ("clock-exact", 20_000)] {
        let outcomes: Vec<_> = (SEED..SEED + 5).map(|seed| judge(seed, &case(family, seed), 1e-3)).collect();
        assert!(outcomes.iter().all(|outcome| !outcome.kept || outcome.error <= 1.0), "{outcomes:?}");
        let few = outcomes.iter().filter(|outcome| outcome.kept && outcome.calls <= calls).count();
        assert!(few >= 4, "{family}: {outcomes:?}");
    }
}

/// All runs switch at the same base point, as steps begin there, and agree: late by a little, which is much beside values near 0.
#[test]
fn a_switch_at_a_base_point_is_not_late() {
    let outcome = judge(0, &case("clock", 96_017), 1e-3);
    assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
}

/// A converter between two of its values, and a mass that sticks, do nothing in many steps, and have no steps of their own.
#[test]
fn what_stays_where_it_is_has_no_steps_of_its_own() {
    for (family, seed) in
        [("converter", 800_000), ("converter", 800_002), ("converter", 800_003), ("friction", 800_001), ("friction", 800_005)]
    {
        let (error, _) = error_of(&Case { system: case(family, seed).system.max_calls(20_000), ..case(family, seed) }, 1e-3);
        assert!(error.internal_steps.is_empty(), "{family} {seed}: {error:?}");
    }
}

/// All runs switch in their first step, late by that: with errors of order 1 their results fit together, as if it had switched at
/// the start.
#[test]
fn a_switch_in_the_first_step_is_not_late() {
    for (seed, tolerance) in [(910_098, 1e-3), (2_100_003, 1e-3), (2_100_003, 1e-6)] {
        let outcome = judge(seed, &case("state-switch", seed), tolerance);
        assert!(!outcome.kept || outcome.error <= 1.0, "{outcome:?}");
    }
}

/// All runs pass a corner in their last step: there is no point behind it that would show it.
#[test]
fn a_corner_in_the_last_step_is_not_overlooked() {
    assert_are_kept("limits", &[(910_032, 1e-4), (910_038, 1e-6), (910_130, 1e-6)]);
}

/// All runs pass a corner in their first step, before the input is read for the first time after the start: what follows is as
/// smooth as without it.
#[test]
fn a_corner_in_the_first_step_is_not_overlooked() {
    assert_are_kept("limits", &[(3_100_056, 1e-6), (3_100_062, 1e-3)]);
}

/// Beside a refined place steps of a coarse run are longer than their number tells, so that differences of kinks fall as far as
/// those of smooth signals seem to.
#[test]
fn a_corner_between_steps_of_many_lengths_is_not_overlooked() {
    assert_are_kept("limits", &[(3_200_027, 1e-6)]);
    assert_are_kept("friction", &[(3_200_007, 1e-6)]);
}

fn assert_are_kept(family: &str, cases: &[(u64, f64)]) {
    for &(seed, tolerance) in cases {
        let outcome = judge(seed, &case(family, seed), tolerance);
        assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
    }
}
