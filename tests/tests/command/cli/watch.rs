//! `lotka run --watch`.

use std::fs;

use super::support::{Case, Running};
use tests::hostile::{HANG, Hostile};

const WATCHING: &str = "watching ";

/// Replaces the file at once: half of it would be another change.
fn replace(case: &Case, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(case.path("other"), bytes).unwrap();
    fs::rename(case.path("other"), case.path(name)).unwrap();
}

#[test]
fn a_change_of_a_file_runs_the_system_again_whatever_came_of_the_last_run() {
    let case = Case::of(Hostile::new("a"));
    let system = case.read("system.toml");
    let mut running = Running::start(&case, &["--watch", "--manifest", "run.json"]);
    running.wait_for("stop time 1 s reached");
    running.wait_for("watching 3 files and repeating the run on changes; press Ctrl-C to stop");
    let rows = case.read("out.csv");
    assert!(!case.read("run.json").contains("--watch"), "each run is one of its own");

    replace(&case, "system.toml", system.replace("stop = 1", "stop = 2"));
    running.wait_for("system.toml changed");
    running.wait_for("stop time 2 s reached");
    running.wait_for(WATCHING);
    assert!(case.read("out.csv").len() > rows.len());

    replace(&case, "system.toml", system.replace("stop", "stopp"));
    running.wait_for("unknown key `stopp`");
    running.wait_for(WATCHING);
    replace(&case, "system.toml", "[");
    running.wait_for("system.toml:1:");
    running.wait_for(WATCHING);
    replace(&case, "system.toml", &system);
    running.wait_for("stop time 1 s reached");
    running.wait_for(WATCHING);
    assert_eq!(case.read("out.csv"), rows);

    replace(&case, "a.fmu", Hostile::new("a").define("LOG_EACH_STEP").bytes());
    running.wait_for("a.fmu changed");
    running.wait_for("stop time 1 s reached");
    running.wait_for(WATCHING);
    running.signal_all("INT");
    assert_eq!(running.end().0, Some(130));
}

#[test]
fn an_interrupt_during_a_run_ends_the_run_and_the_watch() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
    let mut running = Running::start(&case, &["--watch", "-v"]);
    running.wait_for("algorithm: ");
    running.signal_all("INT");
    running.wait_for("a second interrupt ends it immediately");
    running.signal("INT");
    assert_eq!(running.end().0, Some(130));

    let case = Case::of(Hostile::new("a").define("LOG_EACH_STEP"));
    let mut running = Running::start(&case, &["--watch", "--stop-time", "1e7", "--log-level", "debug"]);
    running.wait_for("step 20 at ");
    running.signal_all("INT");
    running.wait_for("canceled at t = ");
    assert_eq!(running.end().0, Some(130));
    assert!(case.rows().len() > 20);
}

#[test]
fn a_package_is_one_file_to_be_watched() {
    let case = Case::of(Hostile::new("a"));
    case.lotka(&["convert", "system.toml", "packed.ssp"]).assert(0, &[]);
    let files = |name: &str| lotka::System::from_file(case.path(name)).unwrap().files();
    assert_eq!(files("packed.ssp"), [case.path("packed.ssp")]);
    assert_eq!(files("system.toml"), ["system.toml", "a.fmu", "b.fmu"].map(|name| case.path(name)));
}
