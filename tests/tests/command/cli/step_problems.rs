//! Runs that fail on the way: the reason is told, the rows so far are kept.

use super::support::{Case, LOOP};
use tests::hostile::Hostile;

const DISCARD: i32 = 2;
const ERROR: i32 = 3;
const FATAL: i32 = 4;

/// `fmi2DoStep` of `a` answers this from t = 0.5 s on.
fn answers(status: i32) -> Hostile {
    Hostile::new("a").reply("fmi2DoStep", status).define("FAULT_AT=0.45")
}

#[test]
fn a_connected_nan_is_named_with_its_time() {
    let case = Case::of(Hostile::new("a").define("NAN_AT=0.45"));
    case.run(&[]).assert(13, &["the connected output `a.y`, found NaN at t = 0.5 s", "the rows so far are in out.csv"]);
    case.assert_rows_until(4);
}

#[test]
fn a_nan_at_the_start_belongs_to_the_initialization() {
    let case = Case::of(Hostile::new("a").define("NAN_AT=0"));
    case.run(&[]).assert(12, &["the connected output `a.y`, found NaN at t = 0 s"]);
}

#[test]
fn a_discarded_step_ends_a_run_that_cannot_roll_back() {
    let case = Case::of(answers(DISCARD));
    let ended = case.run(&["--json"]);
    ended.assert(
        13,
        &["instance `a` discarded the communication step at t = 0.5 s with h = 0.1", "is too large", "local-tolerance"],
    );
    let json = ended.json();
    assert_eq!((json["end"].as_str(), json["time"].as_f64()), (Some("failed"), Some(0.5)));
    assert_eq!(json["statistics"]["n_discards"], 1);
    assert!(json["error"].as_str().unwrap().contains("discarded"), "{json}");
    case.assert_rows_until(5);
}

#[test]
fn a_discarded_step_is_tried_smaller_where_rollback_is_possible() {
    let case = Case::controlled("first-step = 0.1", Hostile::new("a").reply("fmi2DoStep", DISCARD).define("FAULT_ABOVE=0.02"));
    let json = case.run(&["--json"]).assert(0, &["stop time 1 s reached"]).json();
    assert_eq!(json["end"], "stop-time");
    assert!(json["statistics"]["n_discards"].as_u64().unwrap() > 0, "{json}");
    assert_eq!(case.rows().last().unwrap()[0], "1.0");
}

#[test]
fn a_step_that_is_discarded_however_small_ends_the_run() {
    let case = Case::controlled("min-step = 1e-3", answers(DISCARD));
    case.run(&[]).assert(13, &["instance `a` discarded the communication step at t = 0.", "down to the minimum of 1e-3 s"]);
    assert!(case.rows().len() > 1);
}

#[test]
fn an_error_is_reported_with_function_status_time_and_log() {
    let case = Case::of(answers(ERROR));
    case.run(&[]).assert(13, &["instance `a`: fmi2DoStep at t = 0.5 s returned fmi2Error", "returns 3 in this test"]);
    case.assert_rows_until(5);
}

#[test]
fn a_fatal_error_ends_the_run_without_another_call() {
    let case = Case::of(answers(FATAL));
    case.run(&[]).assert(13, &["instance `a`: fmi2DoStep at t = 0.5 s returned fmi2Fatal", "returns 4 in this test"]);
    case.assert_rows_until(5);
}

#[test]
fn an_initialization_that_fails_has_its_own_code() {
    let case = Case::of(Hostile::new("a").reply("fmi2EnterInitializationMode", ERROR));
    case.run(&[]).assert(12, &["initialization: instance `a`: fmi2EnterInitializationMode", "fmi2Error"]);
    let gain = |name| Hostile::new(name).feedthrough(1.0);
    let case = Case::new(&format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}"), [gain("a"), gain("b")]);
    case.run(&[]).assert(12, &["initialization", "no solution found for the algebraic loop a -> b", "residual"]);
}

#[test]
fn steps_below_the_minimum_end_the_run() {
    let case = Case::predator_prey("local-tolerance = 1e-10\nmin-step = 0.01");
    case.run(&[]).assert(13, &["the step size fell below the minimum of 1e-2 s at t = ", "times the tolerance"]);
    assert!(!case.rows().is_empty());
}

#[test]
fn a_tolerance_below_the_noise_of_rollback_is_refused() {
    let noise = "`local-tolerance` = 1e-4 is too small for instance `a`: repeating a step after a rollback changes its output \
                 `a.y` by ";
    for (size, help) in [("1e-3", ["; use ", " or more"]), ("0.1", ["; use a fixed `step`", "`isolation = \"process\"`"])] {
        let case = Case::controlled("", Hostile::new("a").define(&format!("ROLLBACK_NOISE={size}")));
        let ended = case.run(&[]);
        ended.assert(10, &[noise, help[0], help[1]]);
        assert!(!ended.stderr.contains("rows so far"), "{}", ended.stderr);
    }
}

#[test]
fn an_iteration_that_does_not_converge_names_its_loop() {
    let system = "[experiment]\nstop = 1\nstep = 0.5\n\
        [instances]\na = { fmu = 'a.fmu', start = { k = 10 } }\nb = { fmu = 'b.fmu', start = { k = 10 } }\n\
        [connections]\n'b.u' = { from = 'a.y', factor = -2 }\n'a.u' = { from = 'b.y', factor = 2 }\n[algorithm]\niterations = 7\n";
    let case = Case::new(system, [Hostile::new("a"), Hostile::new("b")]);
    let place = "the loop a -> b did not converge within 7 iterations at t = 0 s with h = 0.5 s: `b.y` changes most";
    case.run(&[]).assert(13, &[place, "; set acceleration = \"anderson\" or \"newton\"; a smaller `step`"]);
    assert_eq!(case.rows().len(), 1);
    let rejected = "rejected: a loop did not converge: the last change is ";
    case.run(&["-vv"]).assert(13, &[rejected, " times the iteration tolerance (output `b.y`)"]);
}

#[test]
fn an_fmu_that_asks_for_the_end_gets_it() {
    let case = Case::of(answers(DISCARD).define("TERMINATED=fmi2True"));
    let json = case.run(&["--json"]).assert(0, &["instance `a` requested the end"]).json();
    assert_eq!(json["end"], "terminated-by-instance");
    let times: Vec<f64> = case.rows().iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(times, [0.0, 0.1, 0.2, 0.30000000000000004, 0.4, 0.5, 0.55]);
}

#[test]
fn events_that_pile_up_end_a_run_as_a_failed_step() {
    let text = format!(
        "[experiment]\nstop = 5\nstep = 0.1\n[instances]\nball = {{ fmu = '{}', start = {{ v_rest = 0.0 }} }}\n[events]\n'ball.h' = 'down'\n",
        tests::packed("bouncing_ball").display()
    );
    Case::new(&text, []).run(&[]).assert(13, &["the rows so far are in out.csv", "[event-chatter]"]);
}
