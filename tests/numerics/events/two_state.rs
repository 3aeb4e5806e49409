//! ARGESIM C5: a stiff plant and a switch. The reference is the closed form of the linear pieces in 40-digit arithmetic
//! (`tests/reference`).

use std::io::Cursor;

use lotka::{Memory, Results, System};
use models::{TwoStatePlant, TwoStateSwitch};
use tests::joined;

use super::{distance, run, times};

/// Rows of a reference: time, y1, y2; all but the last are switches.
fn reference(task: &str) -> Vec<[f64; 3]> {
    let text = match task {
        "a" => include_str!("../../reference/argesim_c5_task_a.csv"),
        _ => include_str!("../../reference/argesim_c5_task_c.csv"),
    };
    let results = Results::read(Cursor::new(text)).unwrap();
    let [y1, y2] = ["y1", "y2"].map(|name| results.values(name).unwrap());
    let rows = results.time().iter().enumerate();
    rows.map(|(row, time)| [*time, y1.number(row).unwrap(), y2.number(row).unwrap()]).collect()
}

fn two_state(task: &str) -> System {
    let system = System::new()
        .instance_of("plant", &joined::<TwoStatePlant>())
        .instance_of("switch", &joined::<TwoStateSwitch>())
        .connect("plant.c2", "switch.c2")
        .connect("plant.c4", "switch.c4")
        .connect("switch.y1", "plant.y1")
        .event("plant.y1", "switch.limit", lotka::Direction::Both)
        .stop(5.0);
    let changes = [("c2_2", -1.25), ("c4_2", 4.33), ("lower", 4.1)];
    let changes = changes.iter().filter(|_| task == "c");
    changes.fold(system, |system, (variable, value)| system.start_value(&format!("switch.{variable}"), value))
}

/// Switching times within 1e-9 s, and y2 with them: y1(5) is no measure, as the fifth switch of task a is a microsecond before.
#[track_caller]
fn accept(task: &str, rows: &Memory) {
    let reference = reference(task);
    let (end, switches) = reference.split_last().unwrap();
    let exact: Vec<_> = switches.iter().map(|switch| switch[0]).collect();
    let worst = distance(&times(rows), &exact);
    assert!(worst < 1e-9, "{worst:e}");
    let y2 = rows.real("plant.y2").unwrap();
    for (event, switch) in rows.events().iter().zip(switches) {
        assert!((y2[event.row] - switch[2]).abs() < 1e-9 && (y2[event.row + 1] - switch[2]).abs() < 1e-9);
    }
    assert!((y2.last().unwrap() - end[2]).abs() < 1e-9);
}

#[test]
fn all_switching_times_are_exact_with_few_calls() {
    for (task, count, calls) in [("a", 5, 88), ("c", 62, 556)] {
        let (report, rows) = run(&two_state(task).step(0.1));
        accept(task, &rows);
        assert_eq!(report.counters.n_events, count);
        let plant = report.instances[0].calls.iter().find(|(name, _)| *name == "do_step").unwrap().1;
        assert_eq!(plant, calls, "calls of the plant, task {task}");
    }
}

#[test]
fn the_step_does_not_matter() {
    for step in [0.5, 0.037, 0.01] {
        accept("a", &run(&two_state("a").step(step)).1);
        accept("c", &run(&two_state("c").step(step)).1);
    }
}

/// Nobody declares when the switch acts: trials find both levels. Its fifth switch is a microsecond before the stop.
#[test]
fn a_tolerance_finds_the_levels_by_itself() {
    for tolerance in [1e-4, 1e-6] {
        let mut system = two_state("a").tolerance(tolerance).output_interval(0.1);
        system.description_mut().events.indicators.clear();
        let (report, rows) = run(&system);
        let global = report.global_error.unwrap();
        let mut levels: Vec<f64> = global.switches.iter().map(|switch| switch.level).collect();
        levels.sort_by(f64::total_cmp);
        assert_eq!(levels, [2.5, 5.8], "{global:?}");
        let [_, y1, y2] = *reference("a").last().unwrap();
        let [error1, error2] = [("plant.y1", y1), ("plant.y2", y2)]
            .map(|(name, exact)| (rows.real(name).unwrap().last().unwrap() / exact - 1.0).abs());
        assert!(global.reached && error1.max(error2) <= tolerance, "{error1:.1e} {error2:.1e} {global:?}");
    }
}

#[test]
fn error_control_and_tolerance_find_the_same() {
    for task in ["a", "c"] {
        accept(task, &run(&two_state(task).local_tolerance(1e-6)).1);
        let (report, rows) = run(&two_state(task).tolerance(1e-6));
        accept(task, &rows);
        let global = report.global_error.unwrap();
        assert!(global.reached && global.outputs.last().unwrap().absolute < 1e-8, "{global:?}");
    }
}

#[test]
fn a_coarse_event_tolerance_gives_late_events() {
    let late = |tolerance: f64| {
        let (_, rows) = run(&two_state("c").step(0.1).event_tolerance(tolerance));
        let exact: Vec<_> = reference("c").iter().map(|row| row[0]).collect();
        distance(&times(&rows), &exact[..62])
    };
    assert!(late(1e-4) > 1e-5 && late(1e-9) < 1e-7 && late(1e-12) < 1e-9, "{:e} {:e} {:e}", late(1e-4), late(1e-9), late(1e-12));
}

#[test]
fn without_events_switches_come_up_to_a_step_late() {
    let mut system = two_state("a").step(0.1);
    system.description_mut().events.indicators.clear();
    let (report, rows) = run(&system);
    assert_eq!((report.counters.n_events, rows.events().len()), (0, 0));
    let state = rows.real("switch.state").unwrap();
    let first = state.iter().position(|state| *state == 2.0).unwrap();
    assert!((rows.time()[first] - 1.2).abs() < 1e-12);
}
