//! Ctrl-C.

use std::{thread, time::Instant};

use super::support::{Case, LOOP, Running};
use tests::{
    hostile::{Gate, HANG, Hostile},
    patience::wait_until,
};

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
    for moment in 0..12 {
        let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
        let mut running = Running::start(&case, &["-v"]);
        running.wait_for_child();
        (0..10 * moment).for_each(|_| thread::yield_now());
        running.signal_all("INT");
        // Once the run listens, the first interrupt is a wish.
        if running.says("a second interrupt ends it immediately") {
            running.signal_all("INT");
        }
        assert_eq!(running.end().0, Some(130), "moment {moment}");
    }
}

#[test]
fn the_second_interrupt_ends_the_process_in_the_middle_of_a_step() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("algorithm: ");
    running.signal("INT");
    running.wait_for("a second interrupt ends it immediately");
    running.signal("INT");
    assert_eq!(running.end().0, Some(130));
}

/// Building a system can take long before any FMU runs: with arrays of a million elements, for example.
#[test]
fn a_signal_ends_the_command_while_a_system_is_built() {
    const SYSTEM: &str = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n";
    const MATRIX: &str = "<Dimension valueReference=\"20\"/><Dimension start=\"2\"/>";
    let large = Hostile::family("a", "").edit_xml(|xml| *xml = xml.replace(MATRIX, "<Dimension start=\"1000000\"/>"));
    let case = Case::new(SYSTEM, [large]);
    let since = Instant::now();
    assert_eq!(Running::start(&case, &[]).end().0, Some(12), "the library knows another matrix");
    let whole = since.elapsed();
    for megabytes in [50, 100, 200] {
        let running = Running::start(&case, &[]);
        running.wait_for_child();
        wait_until("the system grows", || running.state("VmRSS") > 1000 * megabytes);
        let since = Instant::now();
        running.signal("TERM");
        assert_eq!(running.end().0, Some(130), "at {megabytes} MB");
        assert!(since.elapsed() < whole / 4, "at {megabytes} MB: {:?} of {whole:?}", since.elapsed());
    }
}

/// As under `nohup`, and with `&` in a script.
#[test]
fn interrupts_that_are_ignored_at_the_start_stay_ignored() {
    for (ignored, heard) in [("HUP", "INT"), ("INT", "TERM"), ("INT,HUP", "TERM"), ("INT,TERM", "HUP")] {
        let case = Case::of(Hostile::new("a").define("LOG_EACH_STEP"));
        let arguments = ["run", "system.toml", "--output-file", "out.csv", "--stop-time", "1e7", "--log-level", "debug"];
        let mut running = Running::ignoring(&case, ignored, &arguments);
        running.wait_for("step 20 at ");
        ignored.split(',').for_each(|signal| running.signal_all(signal));
        running.wait_for("step 30 at ");
        assert!(!running.said().contains("interrupted"), "{ignored}: {}", running.said());
        running.signal_all(heard);
        running.wait_for("a second interrupt ends it immediately");
        assert_eq!(running.end().0, Some(130), "{ignored}");
    }
}

#[test]
fn a_canceled_run_with_tolerance_keeps_its_best_result() {
    let gate = Gate::new();
    // Held in the middle of the first run with more than 30 steps; the second and the third may be made at the same time.
    let fmu = Hostile::new("a").gated("fmi2DoStep", &gate).define("FAULT_AT=0.45").define("FAULT_BELOW=0.03");
    let system =
        format!("[experiment]\nstop = 1\ntolerance = 1e-12\noutput-interval = 0.1\n{LOOP}[algorithm]\nsweep = 'jacobi'\n");
    let case = Case::new(&system, [fmu, Hostile::new("b")]);
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("run with 20 steps: ");
    let held = running.arrival(&gate);
    running.signal("INT");
    running.wait_for("a second interrupt ends it immediately");
    drop((held, gate));
    running.wait_for("canceled; the best result so far is kept");
    let (code, stdout) = running.end();
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, json["end"].as_str(), json["reached"].as_bool()), (Some(130), Some("canceled"), Some(false)));
    assert!(json["reason"].as_str().unwrap().contains("canceled"), "{json}");
    case.assert_rows_until(10);
}
