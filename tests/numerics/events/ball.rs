//! The bouncing ball: impacts that the master finds, and impacts that the FMU tells by discarding steps.

use lotka::{Direction, System};
use models::BouncingBall;
use tests::joined;

use super::{distance, failure, run, times};

/// Impacts from a height of 1 m with e = 0.7 and g = 9.81 m/s²: `t_1 = sqrt(2 / g)`, then `2 e^n sqrt(2 g) / g` each.
const IMPACTS: [f64; 5] = [0.4515236409857, 1.0836567383658, 1.5261499065318, 1.8358951242480, 2.0527167766493];

/// Until just after the fifth impact; `step_end` or `discard` says who finds the impacts.
fn ball(impacts: &str) -> System {
    let system = System::new().instance_of("ball", &joined::<BouncingBall>()).stop(2.1).start_value("ball.impacts", impacts);
    if impacts == "discard" { system.event_by_discard("ball") } else { system.event("ball.h", 0.0, Direction::Down) }
}

#[test]
fn the_master_finds_the_impacts_by_rollback_whatever_the_steps() {
    for system in [ball("step_end").step(0.1), ball("step_end").step(0.35), ball("step_end").local_tolerance(1e-6)] {
        let (report, rows) = run(&system);
        assert!(distance(&times(&rows), &IMPACTS) < 1e-11, "{:?}", times(&rows));
        assert_eq!((report.counters.n_events, rows.real("ball.n_impacts").unwrap().last()), (5, Some(&5.0)));
    }
}

#[test]
fn flights_shorter_than_a_step_are_seen_by_their_slopes() {
    let (_, rows) = run(&ball("step_end").step(0.7));
    assert!(distance(&times(&rows), &IMPACTS) < 1e-11, "{:?}", times(&rows));
}

#[test]
fn the_fmu_tells_its_impacts_by_discarding_steps() {
    for system in [ball("discard").step(0.1), ball("discard").step(0.7), ball("discard").local_tolerance(1e-6)] {
        let (report, rows) = run(&system);
        assert!(distance(&times(&rows), &IMPACTS) < 1e-12, "{:?}", times(&rows));
        assert_eq!((report.counters.n_events, report.counters.n_discards), (5, 5));
        assert_eq!(rows.events()[0].what, "`ball` discards a longer step");
    }
}

#[test]
fn under_error_control_a_discard_counts_without_being_announced() {
    let silent = System::new().instance_of("ball", &joined::<BouncingBall>()).start_value("ball.impacts", "discard");
    let (report, rows) = run(&silent.stop(2.1).local_tolerance(1e-6));
    assert_eq!(report.counters.n_events, 5);
    assert!(distance(&times(&rows), &IMPACTS) < 1e-12);
}

#[test]
fn an_event_has_two_rows_with_the_values_before_and_after_it() {
    for impacts in ["step_end", "discard"] {
        let (_, rows) = run(&ball(impacts).step(0.1));
        let v = rows.real("ball.v").unwrap();
        for (number, event) in rows.events().iter().enumerate() {
            let (before, after) = (event.row, event.row + 1);
            assert_eq!([rows.time()[before], rows.time()[after]], [event.time; 2]);
            assert!((v[after] / v[before] + 0.7).abs() < 1e-11, "{impacts}: {} {}", v[before], v[after]);
            let n_impacts = rows.real("ball.n_impacts").unwrap();
            assert_eq!((n_impacts[before], n_impacts[after]), (number as f64, number as f64 + 1.0));
        }
        assert_eq!(rows.time().len(), 22 + 2 * 5, "a row per step, and two per event");
        assert!(rows.time().is_sorted());
    }
}

#[test]
fn an_event_at_the_end_of_a_step_has_two_rows_only() {
    // With g = 2 m/s² the ball reaches the floor after 1 s exactly.
    let (report, rows) = run(&ball("step_end").start_value("ball.g", 2.0).step(0.25).stop(1.5));
    assert_eq!(rows.time(), [0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.25, 1.5]);
    assert_eq!(report.counters.n_events, 1);
    assert!(rows.real("ball.v").unwrap()[4] < -1.99 && rows.real("ball.v").unwrap()[5] > 1.39);
}

#[test]
fn with_a_tolerance_impacts_and_rows_are_known_to_be_right() {
    for impacts in ["step_end", "discard"] {
        let (report, rows) = run(&ball(impacts).tolerance(1e-6));
        let global = report.global_error.unwrap();
        assert!(global.reached, "{global:?}");
        assert!(distance(&times(&rows), &IMPACTS) < 1e-10, "{:?}", times(&rows));
        assert_eq!(global.outputs.last().unwrap().name, "time of events");
    }
}

#[test]
fn impacts_without_end_are_reported_and_the_rows_up_to_there_are_kept() {
    // They pile up at t_1 (1 + e) / (1 - e); with a ball that never rests steps would become shorter and shorter.
    let (error, report, rows) = failure(&ball("step_end").start_value("ball.v_rest", 0.0).stop(5.0).step(0.1));
    let end = IMPACTS[0] * 1.7 / 0.3;
    assert!(
        error.to_string().starts_with("`ball.h` falls through 0, 10 times in immediate succession at t = 2.55863"),
        "{error}"
    );
    assert!((report.time - end).abs() < 1e-6 && rows.time().len() > 80, "{}", report.time);
    let (report, _) = run(&ball("step_end").stop(5.0).step(0.1));
    assert!((20..30).contains(&report.counters.n_events), "a ball that comes to rest has few: {}", report.counters.n_events);
}
