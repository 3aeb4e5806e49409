//! Events that are handled in event mode: time events, state events, jumps that are announced, and values that follow each other
//! at one time.

use lotka::{Code, End, Fmu, Memory, Report, RunError, RunFailure, SourceSignal, StartValue, System};
use tests::{host_program, joined, joined_fmi3, packed};

use super::{
    event_models::{Charger, Lag, Repeater, StrictBall, StrictCharger, StrictTank, Ticker},
    run,
};
use crate::checkpoints::assert_goes_on;

#[track_caller]
fn failure(system: &System) -> (RunError, Report) {
    let RunFailure { error, report, .. } = *system.build().unwrap().run(&mut []).unwrap_err();
    (error, report)
}

fn ticker() -> System {
    System::new().instance_of("ticker", &joined_fmi3::<Ticker>()).event_mode("ticker").stop(1.0)
}

/// A charger that a ticker switches off and on.
fn switched() -> System {
    ticker()
        .instance_of("charger", &joined_fmi3::<Charger>())
        .event_mode("charger")
        .connect("charger.gate", "ticker.on")
        .step(0.2)
}

/// The values before and after the events at this time.
#[track_caller]
fn around(rows: &Memory, name: &str, time: f64) -> [f64; 2] {
    let at: Vec<usize> = (0..rows.time().len()).filter(|row| (rows.time()[*row] - time).abs() < 1e-9).collect();
    assert_eq!(at.len(), 2, "{:?}", rows.time());
    [0, 1].map(|number| rows.real(name).unwrap()[at[number]])
}

#[test]
fn steps_end_at_announced_times() {
    let (report, rows) = run(&ticker().step(0.2));
    for time in [0.3, 0.6, 0.9] {
        let [before, after] = around(&rows, "ticker.y", time);
        assert!((before - 0.3).abs() < 1e-12 && after == 0.0, "{before} {after}");
    }
    assert_eq!(rows.integer("ticker.n").unwrap().last(), Some(&3));
    // The events are known before the steps: 0.2, 0.3, 0.4, 0.6, 0.8, 0.9, 1.0.
    let counters = report.counters;
    assert_eq!((counters.n_events, counters.n_steps, counters.n_step_attempts), (3, 7, 7));
    assert_eq!(rows.events().iter().map(|event| event.what.as_str()).collect::<Vec<_>>(), ["event of `ticker`"; 3]);
}

#[test]
fn values_reach_other_instances_at_the_time_of_an_event() {
    let (report, rows) = run(&switched());
    assert_eq!(report.counters.n_events, 3);
    assert_eq!(rows.real("charger.open"), rows.real("ticker.on"));
    assert_eq!(around(&rows, "charger.open", 0.3), [1.0, 0.0]);
    // On from 0 to 0.3 and from 0.6 to 0.9.
    let x = *rows.real("charger.x").unwrap().last().unwrap();
    assert!((x - 0.6).abs() < 1e-12, "{x}");
    // At the start, and at each of the events.
    assert_eq!(rows.integer("charger.updates").unwrap().last(), Some(&4));
}

#[test]
fn a_jump_of_an_input_is_announced() {
    let jump = SourceSignal::Step { time: 0.5, from: StartValue::Real(1.0), to: StartValue::Real(3.0) };
    let charger = System::new().instance_of("charger", &joined_fmi3::<Charger>()).event_mode("charger").stop(0.8).step(0.2);
    let system = charger.source("source", jump).connect("charger.u", "source.y");
    let (_, rows) = run(&system);
    assert_eq!(around(&rows, "charger.twice", 0.5), [2.0, 6.0]);
    // x = 0.5 at 0.5 s; it reaches 1 at 2 / 3 s, and 3 (0.8 - 2 / 3) = 0.4 at the end.
    let [before, after] = around(&rows, "charger.x", 2.0 / 3.0);
    assert!((before - 1.0).abs() < 1e-12 && after == 0.0, "{before} {after}");
    assert!((rows.real("charger.x").unwrap().last().unwrap() - 0.4).abs() < 1e-12);

    // A value that is set at a known time, of a variable without a connection.
    let charger = System::new().instance_of("charger", &joined_fmi3::<Charger>()).event_mode("charger").stop(0.8).step(0.2);
    let (_, rows) = run(&charger.set_at(0.5, "charger.u", 3.0).set_at(0.7, "charger.gate", false));
    assert_eq!(around(&rows, "charger.twice", 0.5), [2.0, 6.0]);
    assert_eq!(rows.real("charger.open").unwrap().last(), Some(&0.0));
    assert!((rows.real("charger.x").unwrap().last().unwrap() - 0.1).abs() < 1e-12);
    // At the start, at the changes and at the reset.
    assert_eq!(rows.integer("charger.updates").unwrap().last(), Some(&4));
}

#[test]
fn without_being_asked_an_fmu_handles_its_events_itself() {
    let system = System::new().instance_of("ticker", &joined_fmi3::<Ticker>()).stop(1.0).step(0.2);
    let (report, rows) = run(&system);
    assert_eq!((report.counters.n_events, rows.time().len()), (0, 6));
    assert_eq!(rows.integer("ticker.n").unwrap().last(), Some(&3));
}

#[test]
fn an_instance_ends_the_simulation_at_an_event() {
    let (report, rows) = run(&ticker().start_value("ticker.last", 2).step(0.25));
    assert!(matches!(&report.end, End::TerminatedByInstance { instance, .. } if instance == "ticker"), "{:?}", report.end);
    assert!((rows.time().last().unwrap() - 0.6).abs() < 1e-12);
    assert_eq!(rows.integer("ticker.n").unwrap().last(), Some(&2));
}

#[test]
fn events_without_end_are_errors_that_name_them() {
    let repeater = || joined_fmi3::<Repeater>();
    let alone = System::new().instance_of("a", &repeater()).event_mode("a").start_value("a.again", true).step(0.1).stop(1.0);
    let (error, _) = failure(&alone);
    let text = error.to_string();
    for part in ["instance `a`", "fmi3UpdateDiscreteStates", "t = 0 s", "after 100 updates at the same time", "never end (Zeno)"]
    {
        assert!(text.contains(part), "{text}");
    }
    // Each inverts what the other one repeats.
    let ring = System::new().instance_of("a", &repeater()).instance_of("b", &repeater()).start_value("a.inverts", true);
    let ring = ring.connect("a.u", "b.y").connect("b.u", "a.y").event_mode("a").event_mode("b").iterations(1, None);
    let (error, _) = failure(&ring.step(0.1).stop(1.0));
    assert!(matches!(&error, RunError::Chatter { what, time: 0.0, .. } if what.contains("`a`, `b`")), "{error}");
}

#[test]
fn what_cannot_be_handled_in_event_mode_is_refused() {
    let system =
        System::new().instance_of("prey", &joined::<models::Prey>()).event_mode("prey").event_mode("ghost").step(0.1).stop(1.0);
    let text = system.build().unwrap_err().to_string();
    assert!(text.contains("the events of `prey` cannot be handled in event mode: its FMU has none"), "{text}");
    assert!(text.contains("unknown instance `ghost`"), "{text}");
}

/// `x' = 1.5 - y`, which returns from 1 to 0, and `y' = x - y`: times of the returns and the last values of a Runge-Kutta method
/// of order 4 with steps of 1e-5 s that end at each return.
fn reference(stop: f64) -> (Vec<f64>, [f64; 2]) {
    let slope = |[x, y]: [f64; 2]| [1.5 - y, x - y];
    let add = |state: [f64; 2], slope: [f64; 2], h: f64| [state[0] + h * slope[0], state[1] + h * slope[1]];
    let step = |state: [f64; 2], h: f64| {
        let k1 = slope(state);
        let k2 = slope(add(state, k1, 0.5 * h));
        let k3 = slope(add(state, k2, 0.5 * h));
        let k4 = slope(add(state, k3, h));
        [0, 1].map(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    };
    let (mut state, mut t, mut times) = ([0.0, 0.0], 0.0, Vec::new());
    while t < stop {
        let h = f64::min(1e-5, stop - t);
        let next = step(state, h);
        if next[0] < 1.0 {
            (state, t) = (next, if h < 1e-5 { stop } else { t + h });
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if step(state, middle)[0] < 1.0 { low = middle } else { high = middle }
        }
        state = step(state, high);
        (state[0], t) = (0.0, t + high);
        times.push(t);
    }
    (times, state)
}

#[test]
fn a_tolerance_holds_across_events_of_an_instance() {
    let (times, [x, y]) = reference(4.0);
    assert!(times.len() > 3, "{times:?}");
    let system = || {
        let system = System::new().instance_of("charger", &joined_fmi3::<Charger>()).instance_of("lag", &joined::<Lag>());
        let offset = SourceSignal::Constant { value: StartValue::Real(1.5) };
        system
            .source("c", offset)
            .connect_sum("charger.u", &[("c.y", 1.0), ("lag.y", -1.0)])
            .connect("lag.x", "charger.x")
            .stop(4.0)
    };
    for tolerance in [1e-4, 1e-6] {
        // Nobody has to ask for it.
        let (report, rows) = run(&system().tolerance(tolerance).absolute_tolerance(tolerance));
        assert_eq!(report.end, End::StopTime, "{report:?}");
        let last = |name: &str| *rows.real(name).unwrap().last().unwrap();
        let error = (last("charger.x") - x).abs().max((last("lag.y") - y).abs());
        assert!(error <= tolerance, "{error} with {tolerance}");
        assert_eq!(rows.integer("charger.resets").unwrap().last(), Some(&i128::try_from(times.len()).unwrap()));
        // The rows are those of a run without events.
        assert!(rows.time().windows(2).all(|pair| pair[0] < pair[1]), "{:?}", rows.time());

        let (_, rows) = run(&system().event_mode("charger").tolerance(tolerance).absolute_tolerance(tolerance));
        let found: Vec<f64> = rows.events().iter().map(|event| event.time).collect();
        assert_eq!(found.len(), times.len(), "{found:?} {times:?}");
        for (found, time) in found.iter().zip(&times) {
            assert!((found - time).abs() <= tolerance, "{found} for {time} with {tolerance}");
        }
    }
    let (report, rows) = run(&system().local_tolerance(1e-6));
    assert_eq!(report.counters.n_events, times.len() as u64);
    assert!((rows.real("charger.x").unwrap().last().unwrap() - x).abs() < 1e-4);
}

#[test]
fn a_ball_in_a_process_of_its_own_bounces_alike() {
    let ball = || System::new().instance("ball", packed("fmi3/bouncing_ball")).event_mode("ball").stop(2.1);
    for system in [ball().step(0.02), ball().local_tolerance(1e-6), ball().tolerance(1e-6)] {
        let (report, rows) = run(&system);
        let (other_report, others) = run(&system.clone().host_program(host_program()).isolate(true));
        assert_eq!(rows.time(), others.time());
        assert_eq!(rows.real("ball.v"), others.real("ball.v"));
        assert_eq!(report.counters, other_report.counters);
        let impacts = rows.events();
        assert_eq!(impacts.len(), 5);
        // sqrt(2 h0 / g).
        assert!((impacts[0].time - (2.0f64 / 9.81).sqrt()).abs() < 1e-9, "{}", impacts[0].time);
    }
}

#[test]
fn runs_continue_from_checkpoints_and_begin_again() {
    let ball = System::new().instance_of("ball", &joined_fmi3::<models::BouncingBall>()).event_mode("ball").stop(2.1);
    let systems = [
        ("announced", switched().step(0.05)),
        ("fixed", ball.clone().step(0.1)),
        ("controlled", ball.local_tolerance(1e-6).output_interval(0.05)),
    ];
    for (name, system) in systems {
        assert_goes_on(name, &system);
        let mut simulation = system.build().unwrap();
        let mut rows = [Memory::new(), Memory::new()];
        for rows in &mut rows {
            simulation.run(&mut [rows]).unwrap();
        }
        let values =
            |rows: &Memory| rows.columns().iter().map(|column| rows.real(&column.name).unwrap().to_vec()).collect::<Vec<_>>();
        assert_eq!(rows[0].time(), rows[1].time(), "{name}");
        assert_eq!(values(&rows[0]), values(&rows[1]), "{name}");
    }
}

/// Every way to choose steps. The step that ends at an event after a rollback has another size than the one in which the FMU
/// found it.
#[track_caller]
fn assert_events_at(system: &System, count: &str, expected: &[f64]) {
    let ways = [
        ("fixed", system.clone().step(0.07)),
        ("longer", system.clone().step(0.31)),
        ("local", system.clone().local_tolerance(1e-6)),
        ("tolerance", system.clone().tolerance(1e-4)),
        ("stricter", system.clone().tolerance(1e-6)),
    ];
    for (name, system) in ways {
        let (report, rows) = run(&system);
        assert_eq!(report.end, End::StopTime, "{name}");
        assert_eq!(rows.integer(count).unwrap().last(), Some(&i128::try_from(expected.len()).unwrap()), "{name}");
        let found: Vec<f64> = rows.events().iter().map(|event| event.time).collect();
        assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{name}: {found} for {expected}");
        }
    }
}

#[test]
fn a_ball_that_looks_strictly_inside_a_step_keeps_its_bounces() {
    let ball = System::new().instance_of("ball", &joined_fmi3::<StrictBall>()).event_mode("ball").stop(3.0);
    let (mut time, mut speed, mut impacts) = ((2.0 / StrictBall::G).sqrt(), (2.0 * StrictBall::G).sqrt(), Vec::new());
    while time < 3.0 {
        impacts.push(time);
        speed *= StrictBall::E;
        time += 2.0 * speed / StrictBall::G;
    }
    assert!(impacts.len() > 5, "{impacts:?}");
    assert_events_at(&ball, "ball.impacts", &impacts);
}

#[test]
fn a_tank_that_spills_strictly_inside_a_step_keeps_its_overflows() {
    let tank = System::new().instance_of("tank", &joined_fmi3::<StrictTank>()).event_mode("tank").stop(5.0);
    let overflows: Vec<f64> = (1..=6).map(|n| f64::from(n) * StrictTank::period()).collect();
    assert_events_at(&tank, "tank.overflows", &overflows);
}

fn strict_charger(fmu: &Fmu) -> System {
    System::new().instance_of("charger", fmu).event_mode("charger").stop(4.0)
}

#[test]
fn an_instance_with_internal_steps_keeps_its_events() {
    let mut description = fmu_sdk::fmi3::description::<StrictCharger>();
    description.co_simulation.as_mut().unwrap().fixed_internal_step_size = Some(0.25);
    let fmu = Fmu::from_fmi3_functions(description, fmu_sdk::fmi3::functions::<StrictCharger>());
    for system in [strict_charger(&fmu).step(0.5), strict_charger(&fmu).step(1.0), strict_charger(&fmu).local_tolerance(1e-4)] {
        let (report, rows) = run(&system);
        assert_eq!((report.end, report.counters.n_events), (End::StopTime, 3), "{:?}", rows.events());
        assert_eq!(rows.integer("charger.resets").unwrap().last(), Some(&3));
    }
}

/// An event that an instance announces and does not report is said, whatever the steps.
#[track_caller]
fn assert_lost(system: &System, instance: &str, time: &str) {
    let announced = format!("instance `{instance}` announced an event at t = ");
    let expected = format!("{announced}{time}");
    for system in [system.clone().step(0.31), system.clone().step(0.07), system.clone().local_tolerance(1e-6)] {
        let (report, _) = run(&system);
        let lost: Vec<_> = report.warnings.iter().filter(|warning| warning.code == Code::LostEvent).collect();
        assert_eq!(lost.len(), 1, "{:?}", report.warnings);
        assert!(lost[0].text.starts_with(&expected) && lost[0].text.contains("results miss it"), "{}", lost[0]);
    }
    // A run that loses the event is of no use, and what the others have estimated is not confirmed.
    for tolerance in [1e-3, 1e-6] {
        let (error, _) = failure(&system.clone().tolerance(tolerance));
        let text = error.to_string();
        assert!(text.contains(&announced) && !text.contains("is estimated"), "{text}");
    }
}

#[test]
fn an_event_that_an_instance_announces_and_does_not_report_is_lost_with_a_word() {
    let tank = System::new().instance_of("tank", &joined_fmi3::<StrictTank>()).event_mode("tank").stop(5.0);
    assert_lost(&tank.start_value("tank.slack", 1e-6), "tank", "0.81093");
    let charger = strict_charger(&joined_fmi3::<StrictCharger>()).start_value("charger.slack", 1e-6);
    assert_lost(&charger, "charger", "1.25");
}
