//! Ctrl-C.

use std::{thread, time::Duration};

use super::support::{Case, Running};
use tests::hostile::{HANG, Hostile};

#[test]
fn the_first_interrupt_ends_the_run_with_the_rows_so_far() {
    let case = Case::of(Hostile::new("a").define("LOG_EACH_STEP"));
    let mut running = Running::start(&case, &["--stop-time", "1e7", "--log-level", "debug"]);
    running.wait_for("step 20 at ");
    running.signal("INT");
    let (code, stdout) = running.end();
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json["end"].as_str()), (Some(130), Some("canceled")));
    let rows = case.rows();
    assert!(rows.len() > 20);
    let time = &rows.last().unwrap()[0];
    assert!(stdout.contains(&format!("\"time\": {time},")), "the last row is at {time}: {stdout}");
}

#[test]
fn an_interrupt_at_the_very_start_is_one_too() {
    for delay in 0..12 {
        let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
        let running = Running::start(&case, &["-v"]);
        running.wait_for_child();
        thread::sleep(Duration::from_micros(250 * delay));
        running.signal_all("INT");
        thread::sleep(Duration::from_millis(20));
        // Once the run listens, the first interrupt is a wish.
        running.signal_all("INT");
        assert_eq!(running.end().0, Some(130), "after {delay} times 0.25 ms");
    }
}

#[test]
fn the_second_interrupt_ends_the_process_in_the_middle_of_a_step() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("algorithm: ");
    running.signal("INT");
    running.wait_for("a second interrupt ends it at once");
    running.signal("INT");
    assert_eq!(running.end().0, Some(130));
}

#[test]
fn a_canceled_run_with_tolerance_keeps_its_best_result() {
    let case = Case::predator_prey("tolerance = 1e-9\noutput-interval = 1e-3");
    case.write("system.toml", &format!("{}[algorithm]\nsweep = 'jacobi'\ninput-degree = 0\n", case.read("system.toml")));
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("run with 2 steps per row: ");
    running.signal("INT");
    running.wait_for("canceled; the best result so far is kept");
    let (code, stdout) = running.end();
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json["end"].as_str(), json["reached"].as_bool()), (Some(130), Some("canceled"), Some(false)));
    assert!(json["reason"].as_str().unwrap().contains("canceled"), "{json}");
    assert_eq!(case.rows().len(), 100_001);
}
