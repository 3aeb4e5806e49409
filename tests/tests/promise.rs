//! The promise of a tolerance, on families of random systems with known solutions; `cargo xtask study promise` runs more of them.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use campaign_models::{Plant, Relay};
use lotka::{Direction, End, FoundSwitch, GlobalError, Memory, SourceSignal, StartValue, System};
use tests::{
    bits,
    campaign::{Case, FAMILIES, Score, Through, judge, measure, table},
    host_program, joined, packed_for_tests,
    verified::Verified,
};

/// Systems of each family.
const SYSTEMS: u64 = 6;

/// Families whose systems take many calls, as a rule in vain: one of each, at the larger tolerance.
const HEAVY: [&str; 7] = ["square", "state-switch", "state-switch-exact", "fires", "fires-exact", "limits", "converter"];

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
        .flat_map(|family| {
            let is_heavy = HEAVY.contains(&family.name);
            let (tolerances, systems) = if is_heavy { (&[1e-3][..], 1) } else { (&[1e-3, 1e-6][..], SYSTEMS) };
            tolerances.iter().map(move |tolerance| measure(family, *tolerance, SEED..SEED + systems, &Through::Joined))
        })
        .collect();
    let printed = table(&scores);
    println!("{printed}");
    assert!(scores.iter().all(|score| score.false_beyond(1.0) == 0), "{printed}");
    assert!(scores.iter().flat_map(|score| &score.outcomes).all(|outcome| !outcome.failed), "{printed}");
    // A refusal is no success.
    let smooth = ["linear", "stale", "noise", "offset", "scales", "sine", "late", "ripple", "chirp", "species", "van-der-pol"];
    let others = [
        "jump",
        "kink",
        "pulse",
        "relay-open",
        "relay-pair",
        "relay-loop",
        "relay-open-event",
        "relay-pair-event",
        "relay-loop-event",
        "hysteresis",
        "sampled",
        "sampled-hidden",
        "triangle",
        "clock",
        "clock-exact",
    ];
    for family in smooth.into_iter().chain(others) {
        let of_family = scores.iter().filter(|score| score.family == family);
        assert!(of_family.map(|score| score.kept() as u64).all(|kept| kept + 1 >= SYSTEMS), "{family}\n{printed}");
    }
}

/// Real FMUs, and processes of their own, change nothing: rows, estimates, calls, and what is found by trials.
#[test]
fn models_joined_fmus_and_processes_have_the_same_results() {
    let families = [
        "linear",
        "stale",
        "euler",
        "relay-loop",
        "thermostat",
        "hysteresis",
        "sampled-hidden",
        "jump",
        "sine",
        "lorenz",
        "species",
        "van-der-pol",
        "clock-exact",
    ];
    let folder = packed_for_tests();
    let ways = [Through::Fmus(folder.clone()), Through::Processes(folder, Some(host_program()))];
    for (family, tolerance) in families.into_iter().flat_map(|family| [(family, 1e-3), (family, 1e-6)]) {
        let run = |way: &Through| Verified::run(&case(family, SEED).through(way).system.tolerance(tolerance));
        let joined = run(&Through::Joined);
        for way in &ways {
            let other = run(way);
            let calls = |run: &Verified| run.report.statistics.n_do_step_calls;
            assert_eq!(calls(&joined), calls(&other), "{family} {tolerance:e} {way:?}");
            assert_eq!(joined.global, other.global, "{family} {tolerance:e} {way:?}");
            assert_eq!(bits(&joined.rows), bits(&other.rows), "{family} {tolerance:e} {way:?}");
        }
    }
}

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

/// Where an event is declared at a level that is off a little, all runs would switch late by as much, and agree: the true level is found beside it.
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

/// The same where the FMUs declare feedthrough that trials do not find: runs that rely on the trials find the level, and are no results.
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
        let mut rows = Memory::new();
        let report = case.system.clone().tolerance(1e-6).build().unwrap().run(&mut [&mut rows]).unwrap();
        let error = report.global_error.unwrap();
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
        let mut rows = Memory::new();
        let system = case("thermostat", SEED).system.tolerance(1e-6).threads(threads);
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        (report.global_error.unwrap().switches, report.statistics.n_do_step_calls, bits(&rows))
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
        let mut rows = Memory::new();
        let report = case.system.clone().tolerance(1e-4).build().unwrap().run(&mut [&mut rows]).unwrap();
        let switches = report.global_error.unwrap().switches;
        assert!(switches.iter().all(|switch| (switch.level - level + band).abs() <= 1e-15), "{seed}: {switches:?}");
        if switches.len() == 1 {
            assert!(rows.time().len() > n_rows(&case), "{seed}");
            found += 1;
        }
    }
    assert!(found >= 3, "{found}");
}

/// A declared level that moves does not stay where it is said to be: other ones that show there are dropped in the end, and the search comes to one.
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

/// A level that moves is not taken for one that stays: where it was measured it is exact, elsewhere all runs would switch late, and agree.
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

/// A signal that passes a level for less than a step, or by less than the error of the first runs, is seen by its course, although the FMU gives no
/// slopes.
#[test]
fn a_signal_that_just_passes_a_level_is_seen() {
    for (seed, tolerance) in [(54_081, 1e-3), (58_008, 1e-3), (58_008, 1e-6)] {
        let outcome = judge(seed, &case("thermostat", seed), tolerance);
        assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
    }
}

/// Rows are in the order of time, also where an event comes near one.
#[test]
fn rows_about_events_are_in_order() {
    for (seed, tolerance) in [(31057, 1e-3), (31098, 1e-3)] {
        let mut rows = Memory::new();
        case("relay-loop-event", seed).system.tolerance(tolerance).build().unwrap().run(&mut [&mut rows]).unwrap();
        assert!(rows.time().windows(2).all(|pair| pair[0] <= pair[1]), "{seed}");
    }
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

/// A hidden switch makes all of many rows points of the meshes. Whenever the calls are used up, there is a result with all rows.
#[test]
fn a_search_that_is_given_up_has_all_rows() {
    let mut given_up = 0;
    for calls in [300.0, 1e3, 3e3, 1e4, 3e4, 1e5] {
        let case = case("relay-open-dense", SEED);
        let rows_asked_for = n_rows(&case);
        let mut rows = Memory::new();
        let system = case.system.tolerance(1e-9).max_calls(calls);
        let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
        let error = report.global_error.unwrap_or_else(|| panic!("{calls}: no result"));
        assert!(error.reached || !error.reason.is_empty(), "{error:?}");
        assert_eq!(rows.time().len(), rows_asked_for, "{calls}");
        given_up += u32::from(!error.reached);
    }
    assert!(given_up >= 5, "{given_up}");
}

/// Jumps and kinks of an FMU without inputs are located before the first run: steps end there, and the result costs about what it does where the time is
/// declared.
#[test]
fn jumps_and_kinks_of_fmus_without_inputs_are_located() {
    for (family, seed) in ["jump", "kink"].into_iter().flat_map(|family| (SEED..SEED + 3).map(move |seed| (family, seed))) {
        for tolerance in [1e-3, 1e-6, 1e-9] {
            let mut case = case(family, seed);
            let located = judge(seed, &case, tolerance);
            assert!(located.kept && located.error <= 0.5, "{family} {seed}: {located:?}");
            if tolerance < 1e-7 {
                // Declared times are not exact enough for that.
                assert!(located.calls < 10_000, "{family} {seed}: {located:?}");
                continue;
            }
            case.system = case.system.event_at("signal", [case.equations.knots[0]]);
            let declared = judge(seed, &case, tolerance);
            assert!(declared.kept && declared.error <= 0.1, "{family} {seed}: {declared:?}");
            assert!(2 * located.calls < 3 * declared.calls, "{family} {seed}: {declared:?} {located:?}");
        }
    }
}

/// A simulation that found corners looks for them anew in each run, with the same results.
#[test]
fn runs_with_located_corners_can_be_repeated() {
    for family in ["jump", "kink", "thermostat"] {
        let mut simulation = case(family, SEED).system.tolerance(1e-6).build().unwrap();
        let [first, second] = [(); 2].map(|()| {
            let mut rows = Memory::new();
            let report = simulation.run(&mut [&mut rows]).unwrap();
            (bits(&rows), report.statistics, report.global_error)
        });
        assert_eq!(first, second, "{family}");
    }
}

/// Twenty times as many rows as there are without `output-interval` cost at most twice the calls where FMUs without inputs jump or bend.
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

/// A controller that samples at times between all rows suits no mesh: trials find its times, steps end there, and the result is that of the one that
/// declares them.
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

/// In all runs an event comes just before a row, in truth just after it: the row has values of the other side.
#[test]
fn rows_beside_an_event_are_of_the_side_that_they_lie_on() {
    let outcome = judge(0, &case("relay-pair", 700_396), 1e-3);
    assert!(outcome.kept && outcome.error <= 1.0, "{outcome:?}");
}

/// A kink just behind a point at which the signal is looked at seems to be before it, too.
#[test]
fn a_kink_beside_a_point_of_the_scan_is_located() {
    let outcome = judge(0, &case("triangle", 800_017), 1e-6);
    assert!(outcome.kept && outcome.error <= 0.1, "{outcome:?}");
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
        let (error, _) = error_of(&Case { system: case(family, seed).system.max_calls(20_000.0), ..case(family, seed) }, 1e-3);
        assert!(error.inside.is_empty(), "{family} {seed}: {error:?}");
    }
}

/// An FMU that switches within steps, whenever it is true, is not late by a step: a mesh that is fine enough for its kinks is enough.
#[test]
fn switches_within_steps_are_not_late() {
    for (family, calls) in [("friction", 100_000), ("state-switch-exact", 100_000), ("clock-exact", 20_000)] {
        let outcomes: Vec<_> = (SEED..SEED + 5).map(|seed| judge(seed, &case(family, seed), 1e-3)).collect();
        assert!(outcomes.iter().all(|outcome| !outcome.kept || outcome.error <= 1.0), "{outcomes:?}");
        let few = outcomes.iter().filter(|outcome| outcome.kept && outcome.calls <= calls).count();
        assert!(few >= 4, "{family}: {outcomes:?}");
    }
}

/// Waves are resolved by equal steps, so that errors have an order at once, and however many there are between two rows.
#[test]
fn waves_are_resolved_before_the_first_run() {
    for seed in SEED..SEED + 4 {
        for tolerance in [1e-3, 1e-6] {
            let sine = judge(seed, &case("sine", seed), tolerance);
            assert!(sine.kept && sine.error <= 1.0 && sine.calls <= 20_000, "{sine:?}");
            let ripple = judge(seed, &case("ripple", seed), tolerance);
            assert!(ripple.kept && ripple.error <= 1.0, "{ripple:?}");
        }
    }
}

/// A sine of 42 Hz from `[sources]` moves a free mass, with the rows that there are by default: one each second, where the sine is the same each time.
#[test]
fn a_fast_sine_of_a_source_is_known_and_need_not_be_seen() {
    let (frequency, phase) = (42.0, 0.4);
    let w = std::f64::consts::TAU * frequency;
    let sine = SourceSignal::Sine { amplitude: 1.0, frequency, phase, offset: 0.0, time: None };
    let system = System::new().instance_of("mass", &joined::<models::Mass>()).source("sine", sine).connect("mass.f", "sine.y");
    let system = ["k", "d", "x"].into_iter().fold(system, |system, name| system.start_value(&format!("mass.{name}"), 0.0));
    let mut rows = Memory::new();
    let report = system.stop(100.0).tolerance(1e-6).build().unwrap().run(&mut [&mut rows]).unwrap();
    let error = report.global_error.unwrap();
    let exact = |t: f64| f64::cos(phase) * t / w - ((w * t + phase).sin() - f64::sin(phase)) / (w * w);
    let last = rows.time().len() - 1;
    assert_eq!((rows.time()[last], rows.time().len()), (100.0, 101));
    for (t, x) in rows.time().iter().zip(rows.real("mass.x").unwrap()) {
        assert!(
            error.reached && (x - exact(*t)).abs() <= 1e-6 * exact(*t).max(1e-3 * exact(100.0)),
            "{t}: {x} {} {error:?}",
            exact(*t)
        );
    }
}
