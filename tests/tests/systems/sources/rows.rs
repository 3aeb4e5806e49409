//! What rows show of sources, and what is counted.

use lotka::Direction;

use super::*;

#[test]
fn a_jump_has_two_rows_and_a_kink_has_none() {
    let folder = Folder::new();
    let path = folder.table(&POINTS);
    let (report, rows) = run(&driven(&path).step(0.5).output_interval(2.0));
    assert_eq!(rows.time(), [0.0, 2.0, 3.37, 3.37, 4.0, 6.0, 8.0, 10.0]);
    let u = rows.real("table.u").unwrap();
    for (found, expected) in u.iter().zip([0.5, 2.63, 4.0, -1.0, -1.0]) {
        assert!((found - expected).abs() < 1e-12, "{u:?}");
    }
    // What follows the source at once is read again where the FMU recomputes.
    let (x, z) = (rows.real("lag.x").unwrap(), rows.real("lag.z").unwrap());
    assert_eq!(x[2], x[3]);
    for row in [2, 3] {
        assert!((z[row] - x[row] - 2.0 * u[row]).abs() < 1e-12, "row {row}: {} {} {}", x[row], u[row], z[row]);
    }
    assert_eq!(report.instances.len(), 1, "a source is no instance");
    let trials = 4;
    assert_eq!(report.counters.n_do_step_calls, report.counters.n_steps + trials);
}

/// Rows of a run with `tolerance` are those of other runs.
#[test]
fn a_jump_has_two_rows_with_a_tolerance_too() {
    let system = lag().source("jump", jump()).connect("lag.u", "jump.y").output_interval(5.0).tolerance(1e-6);
    let (_, rows) = run(&system);
    assert_eq!(rows.time(), [0.0, 10.0 / 3.0, 10.0 / 3.0, 5.0, 10.0]);
    assert_eq!(rows.real("jump.y").unwrap(), [1.0, 1.0, 4.0, 4.0, 4.0]);
}

#[test]
fn a_jump_on_the_grid_changes_no_step() {
    let step = SourceSignal::Step { time: 0.3, from: StartValue::Integer(0), to: StartValue::Integer(1) };
    let (report, rows) = run(&lag().source("step", step).connect("lag.u", "step.y").step(0.1));
    assert_eq!((report.counters.n_steps, rows.time().len()), (100, 102));
}

#[test]
fn jumps_at_start_and_stop_are_no_events() {
    for time in [0.0, 10.0, -1.0, 11.0] {
        let step = SourceSignal::Step { time, from: StartValue::Integer(0), to: StartValue::Integer(1) };
        let (_, rows) = run(&lag().source("step", step).connect("lag.u", "step.y").step(1.0));
        let expected = if time <= 0.0 { 1.0 } else { 0.0 };
        assert_eq!((rows.time().len(), rows.real("step.y").unwrap()[0]), (11, expected), "{time}");
    }
}

#[test]
fn only_columns_that_somebody_reads_are_recorded_and_looked_at() {
    let folder = Folder::new();
    let path = folder.write("wide.csv", "time,a,u,b\n0,x,1,\n20,y,1,\n");
    let (_, rows) = run(&driven(&path).step(1.0));
    let names: Vec<_> = rows.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["lag.x", "lag.z", "table.u"]);
}

/// z = x + 2 u jumps with u, past the level of an event.
#[test]
fn an_indicator_that_jumps_with_a_source_is_an_event_right_there() {
    let system = lag().source("jump", jump()).connect("lag.u", "jump.y").event("lag.z", 5.0, Direction::Up);
    for system in [system.clone().step(0.3), system.local_tolerance(1e-6)] {
        let (report, rows) = run(&system);
        let times: Vec<_> = rows.events().iter().map(|event| event.time).collect();
        assert_eq!((times.len(), report.counters.n_events), (1, 1), "{times:?}");
        assert!((times[0] - 10.0 / 3.0).abs() < 1e-9, "{times:?}");
    }
}

/// x' = 1 - x meets the line from 2 s to 6 s, from 1 down to 0, at 1 - exp(-t) = 1 - (t - 2) / 4.
#[test]
fn a_source_can_be_the_level_of_an_event() {
    let ramp = SourceSignal::Ramp { time: 2.0, duration: 4.0, from: 1.0, to: 0.0 };
    let constant = SourceSignal::Constant { value: StartValue::Integer(1) };
    let system = lag().source("one", constant).source("ramp", ramp).connect("lag.u", "one.y");
    let (_, rows) = run(&system.event("lag.x", "ramp.y", Direction::Both).step(0.5));
    let time = rows.events()[0].time;
    assert_eq!(rows.events().len(), 1);
    assert!(((-time).exp() - (time - 2.0) / 4.0).abs() < 1e-9, "{time}");
    let refused = lag().source("jump", jump()).connect("lag.u", "jump.y").event("jump.y", 2.0, Direction::Up).step(1.0);
    let told = refused.build().map(|_| ()).unwrap_err().to_string();
    assert!(told.contains("`jump.y` cannot be an event indicator: it is a source, and steps already end at its jumps"), "{told}");
}
