//! Recorded values that are NaN or infinite.

use super::support::Case;
use tests::hostile::Hostile;

/// `a` alone, with an output that is NaN from 0.5 s on.
fn case(settings: &str) -> Case {
    let text = format!("[experiment]\nstop = 1\n{settings}\n[instances]\na = 'a.fmu'\n");
    Case::new(&text, [Hostile::new("a").define("NAN_AT=0.45")])
}

#[test]
fn a_recorded_value_that_is_not_finite_is_warned_of_once() {
    for settings in ["step = 0.1", "local-tolerance = 1e-3"] {
        let ended = case(settings).run(&["--json"]);
        ended.assert(0, &["warning: `a.y` is NaN at t = ", "[not-finite-recorded]"]);
        assert_eq!(ended.stderr.matches("is NaN").count(), 1, "{settings}: {ended:?}");
        let codes = &ended.json()["warning_codes"];
        assert_eq!(codes.as_array().unwrap().iter().filter(|code| *code == "not-finite-recorded").count(), 1, "{codes}");
    }
    case("step = 0.1").run(&[]).assert(0, &["`a.y` is NaN at t = 0.5 s"]);
    let infinite = Case::new(
        "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n",
        [Hostile::new("a").define("NAN_AT=0.45").define("BAD_OUTPUT=INFINITY")],
    );
    infinite.run(&[]).assert(0, &["`a.y` is inf at t = 0.5 s"]);
}

#[test]
fn with_a_tolerance_it_is_warned_of_too() {
    let ended = case("tolerance = 1e-3\noutput-interval = 0.1").run(&[]);
    assert_eq!(ended.stderr.matches("`a.y` is NaN at t = 0.5 s").count(), 1, "{ended:?}");
}

#[test]
fn a_resumed_run_does_not_warn_again() {
    let case = case("step = 0.1");
    case.run(&["--checkpoint-every", "0"]).assert(0, &["is NaN"]);
    let ended = case.lotka(&["resume", "out.csv.checkpoint", "--json"]);
    assert_eq!(ended.stderr.matches("is NaN").count(), 0, "{ended:?}");
    let codes = &ended.json()["warning_codes"];
    assert_eq!(codes.as_array().unwrap().iter().filter(|code| *code == "not-finite-recorded").count(), 1, "{codes}");
}

#[test]
fn a_fatal_error_ends_a_run_with_a_tolerance_at_once() {
    let text = "[experiment]\nstop = 1\ntolerance = 1e-6\n[instances]\na = 'a.fmu'\n";
    for at in ["0.45", "0.955"] {
        let fatal = Hostile::new("a").reply("fmi2DoStep", 4).define(&format!("FAULT_AT={at}"));
        let ended = Case::new(text, [fatal]).run(&[]);
        ended.assert(13, &["instance `a`: fmi2DoStep", "fmi2Fatal"]);
        assert!(!ended.stderr.contains("drops the run"), "{ended:?}");
        assert_eq!(ended.stderr.matches("error:").count(), 1, "{ended:?}");
    }
}
