//! Results that cannot be written, and results that are written in time.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Stdio},
};

use super::support::{Case, Running, lotka};
use tests::{
    hostile::{Gate, HANG, Hostile},
    patience::wait_until,
};

#[test]
fn a_file_that_cannot_be_created_is_named() {
    let case = Case::of(Hostile::new("a"));
    let ended = case.lotka(&["run", "system.toml", "--output-file", "nowhere/out.csv", "--json"]);
    ended.assert(16, &["cannot write the results to nowhere/out.csv", "No such file"]);
    assert!(ended.json()["error"].as_str().unwrap().contains("nowhere/out.csv"));
}

#[test]
fn the_system_file_is_not_overwritten() {
    let case = Case::of(Hostile::new("a"));
    let before = case.read("system.toml");
    case.lotka(&["run", "system.toml", "--output-file", "./system.toml"]).assert(2, &["./system.toml", "it is the system file"]);
    case.lotka(&["run", "system.toml", "--output-file", "./a.fmu"]).assert(2, &["./a.fmu", "it is an FMU"]);
    assert_eq!(case.read("system.toml"), before);
}

#[test]
fn a_full_disk_is_noticed() {
    let case = Case::of(Hostile::new("a"));
    case.lotka(&["run", "system.toml", "--output-file", "/dev/full"]).assert(16, &["cannot write the results to /dev/full"]);
}

#[test]
fn a_full_disk_ends_a_long_run_early() {
    let case = Case::of(Hostile::new("a"));
    let ended = case.lotka(&["run", "system.toml", "--output-file", "/dev/full", "--stop-time", "1e7", "--json"]);
    let json = ended.assert(16, &["No space left"]).json();
    assert!(json["statistics"]["n_steps"].as_u64().unwrap() < 100_000, "{json}");
}

#[test]
fn rows_that_are_no_longer_at_their_place_are_an_error() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 3] = [
        ("deleted or replaced", |path| fs::remove_file(path).unwrap()),
        ("moved", |path| {
            fs::rename(path, path.with_file_name(format!("moved.{}", path.extension().unwrap().display()))).unwrap()
        }),
        ("deleted or replaced", |path| {
            fs::write(path.with_extension("new"), "time\n").unwrap();
            fs::rename(path.with_extension("new"), path).unwrap();
        }),
    ];
    for format in ["csv", "mat", "parquet"] {
        for (name, change) in changes {
            let gate = Gate::new();
            let case = Case::of(Hostile::new("a").gated("fmi2DoStep", &gate));
            let output = case.path(&format!("out.{format}"));
            let mut running = Running::lotka(&case, &["run", "system.toml", "--output-file", output.to_str().unwrap()]);
            let waiting = running.arrival(&gate);
            change(&output);
            drop((waiting, gate));
            let text = format!("out.{format}: the file was {name} during the run");
            running.ended().assert(16, &[text.as_str()]);
            if name == "moved" {
                // All rows are in the file, which is complete.
                let all = format!("all.{format}");
                case.lotka(&["run", "system.toml", "--output-file", &all]).assert(0, &[]);
                case.lotka(&["compare", &format!("moved.{format}"), &all]).assert(0, &[]);
            }
        }
    }
}

#[test]
fn a_long_run_ends_soon_after_its_file_was_deleted() {
    let case = Case::of(Hostile::new("a"));
    let running = Running::start(&case, &["--stop-time", "1e9"]);
    wait_until("there are rows", || fs::metadata(case.path("out.csv")).is_ok_and(|file| file.len() > 0));
    fs::remove_file(case.path("out.csv")).unwrap();
    running.ended().assert(16, &["was deleted or replaced during the run, and its rows are lost"]);
}

#[test]
fn a_reader_that_had_enough_ends_the_run_quietly() {
    let case = Case::of(Hostile::new("a"));
    let mut child = Command::new(lotka())
        .current_dir(case.dir())
        .args(["run", "system.toml", "--stop-time", "1e7"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("time,a.y"), "{line}");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn rows_are_on_disk_although_the_next_step_takes_for_ever() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG).define("FAULT_AT=0.45"));
    let running = Running::start(&case, &[]);
    let lines = || fs::read_to_string(case.path("out.csv")).map_or(0, |text| text.lines().count());
    wait_until("the rows before the step are on disk", || lines() == 7);
    running.signal("KILL");
    assert_eq!(running.end().0, None);
    case.assert_rows_until(5);
}
