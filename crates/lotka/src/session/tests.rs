//! Runs in pieces have bitwise the same rows as runs at once, and changes those of a `[[scenario]]`.

use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use lotka_system::{Override, StartSetting};

use crate::{End, Error, Fmu, Memory, Notification, Observer, Report, RunError, SessionRefusal, StartValue, System, TypedValue};

fn predator_prey() -> System {
    let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
    let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
    system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(20.0)
}

/// With fixed and controlled steps, history of inputs, iteration, events and jumps.
fn systems() -> [System; 6] {
    let system = predator_prey();
    [
        system.clone().step(0.1).sweep("jacobi"),
        system.clone().step(0.1).input_degree(3).output_interval(0.5),
        system.clone().step(0.1).sweep("symmetric").output_interval(1.0),
        system.clone().local_tolerance(1e-5).iterations(20, None).acceleration("anderson"),
        system.clone().local_tolerance(1e-5).event("prey.x", 20.0, crate::Direction::Up),
        system.step(0.1).set_at(3.33, "prey.y", 5),
    ]
}

fn at_once(system: &System) -> (Report, Memory) {
    let mut rows = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
    (report, rows)
}

/// In pieces of this length \[s\].
fn in_pieces(system: &System, length: f64) -> (Report, Memory) {
    let mut rows = Memory::new();
    let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    let mut end = length;
    while session.advance_to(end) {
        assert!(session.time() >= end - 1e-9);
        end += length;
    }
    let (_, report) = session.finish();
    (report.unwrap(), rows)
}

fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    columns.flatten().chain(rows.time()).map(|value| value.to_bits()).collect()
}

fn assert_same(rows: &Memory, expected: &Memory, what: &str) {
    assert_eq!(rows.time(), expected.time(), "{what}");
    assert!(bits(rows) == bits(expected), "{what}");
}

#[test]
fn pieces_change_nothing() {
    for (number, system) in systems().iter().enumerate() {
        let (report, rows) = at_once(system);
        for length in [0.05, 1.0, 7.3, 100.0] {
            let (piecewise, pieces) = in_pieces(system, length);
            assert_eq!(piecewise, report, "system {number} in pieces of {length} s");
            assert_same(&pieces, &rows, &format!("system {number} in pieces of {length} s"));
        }
    }
}

#[test]
fn reading_changes_nothing_and_returns_the_values_of_rows() {
    for (number, system) in systems().iter().enumerate() {
        let (report, rows) = at_once(system);
        let mut read = Memory::new();
        let mut session = system.build().unwrap().start(vec![Box::new(&mut read)]).unwrap();
        let handle = session.variable("predator.y").unwrap();
        let mut seen = vec![(session.time(), session.real("prey.x").unwrap(), session.real(handle).unwrap())];
        while session.step() {
            session.real("prey.a").unwrap();
            assert!(session.real("prey.y").is_ok());
            seen.push((session.time(), session.real("prey.x").unwrap(), session.real(handle).unwrap()));
        }
        let (_, ended) = session.finish();
        assert_eq!(ended.unwrap(), report, "system {number}");
        assert_same(&read, &rows, &format!("system {number}"));
        let (x, y) = (rows.real("prey.x").unwrap(), rows.real("predator.y").unwrap());
        for (row, time) in rows.time().iter().enumerate().rev().skip(1) {
            let last = rows.time()[row + 1] != *time;
            if let Some((_, read_x, read_y)) = seen.iter().find(|(at, ..)| last && at == time) {
                assert_eq!((*read_x, *read_y), (x[row], y[row]), "system {number} at {time} s");
            }
        }
    }
}

fn changed(system: System, changes: &[(f64, &str, StartValue)]) -> System {
    changes.iter().fold(system, |system, (at, name, value)| {
        let set = vec![StartSetting::new((*name).to_owned(), value.clone())];
        system.scenario(Override { at: (*at).into(), until: None, set, add: Vec::new() })
    })
}

#[test]
fn changes_are_those_of_a_scenario() {
    let changes =
        [(2.0, "prey.y", StartValue::Real(3.0)), (5.0, "predator.x", StartValue::Integer(7)), (5.0, "prey.y", 1.5.into())];
    let fixed = predator_prey().step(0.1).input_degree(1).sweep("gauss-seidel");
    let controlled = predator_prey().local_tolerance(1e-5).input_degree(1).output_interval(1.0).sweep("gauss-seidel");
    let symmetric = predator_prey().step(0.1).sweep("symmetric").output_interval(1.0);
    let events = predator_prey().step(0.1).input_degree(1).sweep("gauss-seidel").event("prey.x", 20.0, crate::Direction::Up);
    for (number, system) in [fixed, controlled, symmetric, events].into_iter().enumerate() {
        let (expected, scenario) = at_once(&changed(system.clone(), &changes));
        for exactly in [false, true] {
            let mut rows = Memory::new();
            let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
            for (at, name, value) in &changes {
                let went = if exactly { session.advance_exactly_to(*at).unwrap() } else { session.advance_to(*at) };
                assert!(went);
                session.set(*name, value.clone()).unwrap();
            }
            session.advance_to(f64::INFINITY);
            let (_, report) = session.finish();
            assert_eq!(report.unwrap().counters, expected.counters, "system {number}");
            assert_same(&rows, &scenario, &format!("system {number}, exactly: {exactly}"));
        }
    }
}

/// Between communication points, a step ends there as for a scenario.
#[test]
fn a_step_ends_exactly_where_it_is_asked_to() {
    for system in [
        predator_prey().step(0.3).input_degree(1).sweep("gauss-seidel"),
        predator_prey().local_tolerance(1e-5).input_degree(2).sweep("jacobi"),
    ] {
        let (_, scenario) = at_once(&changed(system.clone(), &[(3.33, "prey.y", 3.0.into())]));
        let mut rows = Memory::new();
        let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
        assert!(session.advance_exactly_to(3.33).unwrap());
        assert_eq!(session.time(), 3.33);
        session.set("prey.y", 3.0).unwrap();
        assert!(!session.advance_to(20.0));
        assert_eq!(session.finish().1.unwrap().end, End::StopTime);
        assert_same(&rows, &scenario, "between communication points");
    }
}

#[test]
fn an_input_can_be_connected_again() {
    let system = predator_prey().step(0.1).input_degree(1).sweep("gauss-seidel");
    let set = vec![StartSetting::new("prey.y".to_owned(), StartValue::Real(3.0))];
    let limited = system.clone().scenario(Override { at: 2.0.into(), until: Some(4.0.into()), set, add: Vec::new() });
    let (_, scenario) = at_once(&limited);
    let mut rows = Memory::new();
    let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    session.advance_to(2.0);
    session.set("prey.y", 3.0).unwrap();
    session.advance_to(4.0);
    session.reconnect("prey.y").unwrap();
    session.advance_to(20.0);
    let refused = session.reconnect("prey.a").unwrap_err();
    assert!(refused.to_string().contains("`prey.a` cannot be changed during a run"), "{refused}");
    drop(session);
    assert_same(&rows, &scenario, "connected again");
}

/// A point is returned to from later points, and what follows is bitwise what followed without the detour.
#[test]
fn a_session_returns_to_saved_points() {
    for (number, system) in systems().iter().enumerate() {
        let (expected, at_once) = at_once(system);
        let mut rows = Memory::new();
        let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
        let first = session.save().unwrap();
        session.advance_to(3.0);
        let later = session.save().unwrap();
        let at = (session.time(), session.real("prey.x").unwrap());
        session.set("predator.x", 3.0).unwrap();
        session.advance_to(9.0);
        session.restore(&later).unwrap();
        assert_eq!((session.time(), session.real("prey.x").unwrap()), at);
        session.advance_to(f64::INFINITY);
        session.restore(&later).unwrap();
        session.advance_to(12.0);
        session.restore(&first).unwrap();
        assert_eq!(session.time(), 0.0);
        session.set("prey.y", 0.0).unwrap();
        session.advance_to(1.0);
        session.restore(&first).unwrap();
        drop((first, later));
        session.advance_to(f64::INFINITY);
        let (_, report) = session.finish();
        assert_eq!(report.unwrap(), expected, "system {number}");
        assert_same(&rows, &at_once, &format!("system {number}"));
        assert_eq!(rows.events(), at_once.events());
    }
}

#[test]
fn saved_points_hold_changes() {
    let system = predator_prey().step(0.1).input_degree(1).sweep("gauss-seidel");
    let (_, scenario) = at_once(&changed(system.clone(), &[(2.0, "prey.y", 3.0.into())]));
    let mut rows = Memory::new();
    let mut session = system.build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    session.advance_to(2.0);
    session.set("prey.y", 3.0).unwrap();
    let mark = session.save().unwrap();
    assert_eq!((mark.time(), session.real("prey.y").unwrap()), (2.0, 3.0));
    session.advance_to(6.0);
    session.set("predator.x", 3.0).unwrap();
    session.reconnect("prey.y").unwrap();
    session.advance_to(9.0);
    session.restore(&mark).unwrap();
    session.advance_to(20.0);
    // A later run does not have the changes of the session.
    let (mut simulation, _) = session.finish();
    assert_same(&rows, &scenario, "changes");
    let mut again = Memory::new();
    simulation.run(&mut [&mut again]).unwrap();
    assert_same(&again, &at_once(&system).1, "a run after the session");
}

#[test]
fn marks_of_other_sessions_are_refused_and_memory_is_used_again() {
    let system = predator_prey().step(0.1);
    let mut one = system.build().unwrap().start(Vec::new()).unwrap();
    let mut other = system.build().unwrap().start(Vec::new()).unwrap();
    let mark = one.save().unwrap();
    for _ in 0..1000 {
        drop(one.save().unwrap());
    }
    assert!(is(&other.restore(&mark).unwrap_err(), &SessionRefusal::OtherSession));
    let handle = one.variable("prey.x").unwrap();
    assert!(is(&other.get(handle).unwrap_err(), &SessionRefusal::OtherHandle));
    assert_eq!(one.get(handle).unwrap(), TypedValue::Real(10.0));
    drop(one);
    assert!(is(&other.restore(&mark).unwrap_err(), &SessionRefusal::OtherSession));
}

fn is(error: &Error, refusal: &SessionRefusal) -> bool {
    matches!(error, Error::Run(error) if matches!(&**error, RunError::Session(found) if found == refusal))
}

#[test]
fn a_run_that_is_finished_early_ends_where_it_is() {
    let mut rows = Memory::new();
    let mut session = predator_prey().step(0.1).build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    assert!(session.advance_to(2.0));
    let (mut simulation, report) = session.finish();
    let report = report.unwrap();
    assert_eq!((report.end, report.time, report.counters.n_steps), (End::Stopped, 2.0, 20));
    assert_eq!(rows.time().len(), 21);
    assert_eq!(simulation.run(&mut []).unwrap().end, End::StopTime);
}

#[test]
fn times_that_were_added_up_are_reached() {
    let mut session = predator_prey().step(0.1).build().unwrap().start(Vec::new()).unwrap();
    let mut time = 0.0;
    for step in 1..200 {
        time += 0.1;
        assert!(session.advance_to(time));
        assert_eq!(session.time(), f64::from(step) * 0.1);
    }
}

#[test]
fn what_a_session_refuses() {
    let refused = predator_prey().tolerance(1e-4).build().unwrap().start(Vec::new()).unwrap_err();
    assert!(is(&refused, &SessionRefusal::Tolerance));
    assert!(refused.to_string().ends_with("use `local-tolerance` or `step` for a session"), "{refused}");
    let mut keeping = predator_prey().step(0.1).build().unwrap();
    keeping.checkpoint_token().unwrap();
    assert!(is(&keeping.start(Vec::new()).unwrap_err(), &SessionRefusal::Checkpoints));
    let mut session = predator_prey().step(0.1).build().unwrap().start(Vec::new()).unwrap();
    for (result, text) in [
        (session.set("prey.q", 1.0), "instance `prey` has no variable `q`"),
        (session.set("prey.y", true), "the value of `prey.y` has the wrong type: expected Real, found true"),
        (session.set("prey.x", 1.0), "`prey.x` cannot be changed during a run: it is an output"),
    ] {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    assert!(!session.advance_to(20.0));
    assert!(is(&session.set("prey.y", 1.0).unwrap_err(), &SessionRefusal::Over));
    assert!(session.real("prey.x").is_ok());
}

/// Stops a run after some rows.
struct Limit(usize);

impl Observer for Limit {
    fn observe(&mut self, notification: &Notification<'_>) {
        if let Notification::Row(_) = notification {
            self.0 -= 1;
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn observers_stop_runs() {
    for (system, time) in [(predator_prey().step(0.5), 3.0), (predator_prey().tolerance(1e-4).output_interval(0.5), 3.0)] {
        let mut rows = Memory::new();
        let report = system.build().unwrap().run(&mut [&mut rows, &mut Limit(7)]).unwrap();
        assert_eq!((report.end, report.time, rows.time().len()), (End::Stopped, time, 7));
    }
}

/// Rows seen from another place while the session owns its observer.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Memory>>);

impl Observer for Shared {
    fn observe(&mut self, notification: &Notification<'_>) {
        self.0.lock().unwrap().observe(notification);
    }
}

#[test]
fn the_pace_follows_the_clock() {
    let shared = Shared::default();
    let system = predator_prey().step(0.1).stop(2.0);
    let mut session = system.build().unwrap().start(vec![Box::new(shared.clone())]).unwrap();
    session.pace(Some(40.0));
    let begin = Instant::now();
    assert!(session.advance_to(1.0));
    assert!(begin.elapsed() >= Duration::from_millis(25), "{:?}", begin.elapsed());
    assert!(session.advance_exactly_to(1.23).unwrap());
    assert!(begin.elapsed() >= Duration::from_micros(30_750));
    session.pace(Some(1e12));
    assert!(!session.advance_to(2.0));
    // No computer is as fast.
    assert!(session.overruns().count >= 7 && session.overruns().longest > Duration::ZERO, "{:?}", session.overruns());
    assert_eq!(shared.0.lock().unwrap().time().len(), 22);
}
