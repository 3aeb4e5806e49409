//! `lotka run --checkpoint-every` and `lotka resume`: killed at any time, a run goes on to the same bytes.

use std::{
    fs,
    process::{Command, Stdio},
};

use super::support::{Case, Ended, Running, lotka};
use tests::{
    campaign::Random,
    hostile::{Gate, Hostile},
    patience::wait_until,
};

/// Stop time \[s\].
const STOP: &str = "12";

/// Prey and predators for so long; `settings` go to `[experiment]`, `algorithm` to `[algorithm]`.
fn case(settings: &str, algorithm: &str) -> Case {
    let case = Case::predator_prey(settings);
    let text = case.read("system.toml").replace("stop = 100", &format!("stop = {STOP}"));
    case.write("system.toml", &format!("{text}[algorithm]\n{algorithm}\n"));
    case
}

/// As [`case`], with an instance that no run gets past 8 s with before the gate is open.
fn held(settings: &str, algorithm: &str) -> (Case, Gate) {
    let (case, gate) = (case(settings, algorithm), Gate::new());
    Hostile::new("held").gated("fmi2DoStep", &gate).define("FAULT_AT=8.0").build(case.dir());
    case.write("system.toml", &case.read("system.toml").replace("[connections]", "held = 'held.fmu'\n[connections]"));
    (case, gate)
}

/// The rows of a run that nothing interrupts.
fn whole(case: &Case) -> Vec<u8> {
    case.lotka(&["run", "system.toml", "--output-file", "whole.csv", "-q"]).assert(0, &[]);
    fs::read(case.path("whole.csv")).unwrap()
}

/// Kills a run in the middle of what it does, once it has written so many rows and a checkpoint.
fn kill_after(case: &Case, rows: usize, running: Running) {
    let lines = || fs::read(case.path("out.csv")).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count());
    wait_until("there are rows and a checkpoint", || lines() > rows && case.path("out.csv.checkpoint").exists());
    running.signal("KILL");
    assert_eq!(running.end().0, None, "it was held and could not end");
}

/// The rows that a killed run left, without one that may be cut and has no line end.
fn readable(case: &Case) -> Vec<u8> {
    let rows = fs::read(case.path("out.csv")).unwrap();
    let complete = rows.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    rows[..complete].to_vec()
}

/// Kills a run again and again and goes on each time.
fn assert_survives((case, gate): (Case, Gate)) {
    let mut running = Running::start(&case, &["--checkpoint-every", "0", "-q"]);
    let resume = || Running::lotka(&case, &["resume", "out.csv.checkpoint", "-q"]);
    let mut left = Vec::new();
    for rows in [0, 1, 5, 6, 13] {
        kill_after(&case, rows, running);
        left.push(readable(&case));
        running = resume();
    }
    let held = running.arrival(&gate);
    running.signal("KILL");
    assert_eq!(running.end().0, None);
    left.push(readable(&case));
    running = resume();
    drop((held, running.arrival(&gate), gate));
    assert_eq!(running.end().0, Some(0));
    let whole = whole(&case);
    assert!(fs::read(case.path("out.csv")).unwrap() == whole);
    assert!(left.iter().all(|left| whole.starts_with(left)), "the rows of a killed run are the first ones of the whole run");
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    assert_survives(held("local-tolerance = 1e-5", "sweep = 'gauss-seidel'"));
    assert_survives(held("step = 0.05\noutput-interval = 0.25", "sweep = 'symmetric'"));
    assert_survives(held("step = 0.1", "sweep = 'jacobi'\ninput-degree = 2\niterations = 50\nacceleration = 'anderson'"));
    assert_survives(held("local-tolerance = 1e-5", "sweep = 'jacobi'\ninput-degree = 1\nestimator = 'predictor-corrector'"));
}

/// Kills the command, the process of its FMUs, or a host, twenty times at random moments, and goes on each time.
fn assert_survives_random_kills(flags: &[&str], seed: u64) {
    const KILLS: usize = 20;
    let case = case("step = 0.01\noutput-interval = 0.05", "sweep = 'gauss-seidel'");
    let mut random = Random::new(seed);
    let begin = || Running::start(&case, &[&["--checkpoint-every", "0", "-q"], flags].concat());
    let mut running = begin();
    let lines = || fs::read(case.path("out.csv")).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count());
    let mut kills = 0;
    while kills < KILLS {
        let rows = lines() + random.below(10);
        let is_there = || lines() > rows && case.path("out.csv.checkpoint").exists();
        wait_until("there are rows and a checkpoint", || is_there() || running.is_over());
        (0..random.below(1000)).for_each(|_| std::thread::yield_now());
        let processes = running.processes();
        let victim = random.below(processes.len() as u64);
        // It may be over by now, and gone.
        let _ = Command::new("kill").args(["-KILL", &processes[victim]]).stderr(Stdio::null()).status();
        let code = running.end().0;
        // The run was faster than this test.
        if code == Some(0) {
            for name in ["out.csv", "out.csv.checkpoint"] {
                fs::remove_file(case.path(name)).unwrap();
            }
            running = begin();
            continue;
        }
        assert_eq!(code, if victim == 0 { None } else { Some(17) }, "{flags:?}, seed {seed}, kill {kills} of process {victim}");
        running = Running::lotka(&case, &["resume", "out.csv.checkpoint", "-q"]);
        kills += 1;
    }
    assert_eq!(running.end().0, Some(0));
    assert!(fs::read(case.path("out.csv")).unwrap() == whole(&case), "{flags:?}, seed {seed}");
}

#[test]
fn random_kills_of_the_command_and_of_hosts_change_no_byte() {
    let seed = std::env::var("LOTKA_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()));
    println!("LOTKA_SEED={seed}");
    for flags in [&[][..], &["--isolate"], &["--sandbox"]] {
        assert_survives_random_kills(flags, seed);
    }
}

/// A run that ended long ago, with a checkpoint somewhere in its middle.
fn interrupted(flags: &[&str]) -> Case {
    let (case, _gate) = held("local-tolerance = 1e-4", "");
    let running = Running::start(&case, &[&["--checkpoint-every", "0"], flags].concat());
    kill_after(&case, 10, running);
    case
}

#[test]
fn flags_of_the_run_hold_for_the_rest_of_it_and_its_report_is_that_of_the_whole() {
    let flags = ["--start-value", "prey.x=12", "--output-interval", "0.5", "--stop-time", "11"];
    let case = interrupted(&flags);
    let whole = case.lotka(&[&["run", "system.toml", "--output-file", "whole.csv", "--json"], flags.as_slice()].concat());
    // From another folder, to which the paths of the run mean nothing.
    let other = tempfile::TempDir::new().unwrap();
    let output = Command::new(lotka())
        .current_dir(other.path())
        .arg("resume")
        .arg(case.path("out.csv.checkpoint"))
        .arg("--json")
        .output()
        .unwrap();
    let rest = Ended::from(output);
    assert_eq!(rest.assert(0, &[]).json(), whole.assert(0, &[]).json());
    assert_eq!(case.read("out.csv"), case.read("whole.csv"));
}

#[test]
fn a_file_of_its_own_holds_the_checkpoint_and_a_finished_run_can_be_repeated_from_there() {
    let case = case("step = 0.5", "");
    let flags = ["--checkpoint-every", "3600", "--checkpoint", "state.bin"];
    case.lotka(&[&["run", "system.toml", "--output-file", "out.csv"], flags.as_slice()].concat()).assert(0, &[]);
    let (rows, names) = (case.read("out.csv"), fs::read_dir(case.dir()).unwrap().count());
    assert_eq!(names, 3, "the system, the rows and the checkpoint, nothing else");
    case.write("out.csv", &format!("{rows}1e9,left,over\n"));
    case.lotka(&["resume", "state.bin"]).assert(0, &["stop time"]);
    assert!(case.read("out.csv") == rows);
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_repeats_nothing() {
    let (case, gate) = held("local-tolerance = 1e-5\noutput-interval = 0.01", "");
    let mut running = Running::start(&case, &["--checkpoint-every", "3600"]);
    let held = running.arrival(&gate);
    running.signal("INT");
    running.wait_for("the run ends at the next communication point");
    drop((held, gate));
    let ended = running.ended();
    let json = ended.assert(130, &["`lotka resume out.csv.checkpoint` continues from the last checkpoint"]).json();
    let until = case.read("out.csv");
    let rest = case.lotka(&["resume", "out.csv.checkpoint", "--json"]).assert(0, &[]).json();
    assert!(rest["statistics"]["n_steps"].as_u64() > json["statistics"]["n_steps"].as_u64());
    assert!(fs::read(case.path("out.csv")).unwrap() == whole(&case) && case.read("out.csv").starts_with(&until));
}

#[test]
fn a_full_disk_ends_a_run_with_checkpoints() {
    let case = case("step = 0.5", "");
    let flags = ["--output-file", "/dev/full", "--checkpoint-every", "3600", "--checkpoint", "c"];
    case.lotka(&[&["run", "system.toml"], flags.as_slice()].concat()).assert(16, &["No space left"]);
}

#[test]
fn fmus_that_do_not_serialize_are_named_before_anything_is_written() {
    let case = Case::of(Hostile::new("a").capability("canSerializeFMUstate", false));
    let ended = case.run(&["--checkpoint-every", "1"]);
    ended.assert(18, &["the FMU of instance `a` does not serialize its state (missing: canSerializeFMUstate)"]);
    assert!(!case.path("out.csv").exists());
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let case = case("step = 0.5", "");
    let refused = |flags: &[&str], code, texts: &[&str]| {
        let ended = case.lotka(&[&["run", "system.toml"], flags].concat());
        ended.assert(code, texts);
    };
    refused(&["--checkpoint-every", "1"], 2, &["--output-file"]);
    refused(&["--output-file", "out.csv", "--checkpoint", "c"], 2, &["--checkpoint-every"]);
    refused(&["--output-file", "out.csv", "--checkpoint-every=-1"], 2, &["expected a number, 0 or greater"]);
    refused(
        &["--output-file", "out.csv", "--checkpoint-every", "1", "--checkpoint", "system.toml"],
        2,
        &["it is the system file"],
    );
    refused(&["--output-file", "out.csv", "--checkpoint-every", "1", "--checkpoint", "./out.csv"], 2, &["the rows go there"]);
    refused(
        &["--output-file", "out.csv", "--checkpoint-every", "1", "--tolerance", "1e-6"],
        18,
        &["`tolerance`", "repeats the whole simulation"],
    );
}

#[test]
fn a_run_without_room_for_checkpoints_goes_on() {
    let case = case("step = 0.5", "");
    case.run(&["--checkpoint-every", "0", "--checkpoint", "nowhere/c"])
        .assert(0, &["warning: cannot write the checkpoint nowhere/c", "the run continues", "stop time"]);
    case.lotka(&["resume", "nowhere/c"]).assert(18, &["cannot read the checkpoint nowhere/c", "No such file"]);
}

#[test]
fn what_has_changed_or_is_cut_is_named_and_rows_are_left_alone() {
    let case = interrupted(&[]);
    let (rows, checkpoint) = (case.read("out.csv"), fs::read(case.path("out.csv.checkpoint")).unwrap());
    let resume = || case.lotka(&["resume", "out.csv.checkpoint"]);

    let system = case.read("system.toml");
    case.write("system.toml", &system.replace("1e-4", "1e-5"));
    resume().assert(18, &["system.toml has changed", "start a new run"]);
    assert!(case.read("out.csv") == rows);
    case.write("system.toml", &system);

    fs::write(case.path("out.csv.checkpoint"), &checkpoint[..checkpoint.len() / 2]).unwrap();
    let json = case.lotka(&["resume", "out.csv.checkpoint", "--json"]).assert(18, &["it is truncated"]).json();
    assert_eq!((json["end"].as_str(), json["time"].as_f64()), (Some("failed"), None));
    fs::write(case.path("out.csv.checkpoint"), &checkpoint).unwrap();

    case.write("out.csv", "time,prey.x\n");
    resume().assert(18, &["cannot resume the run in", "fewer rows than before the checkpoint"]);
    case.write("out.csv", &"x".repeat(rows.len() + 10));
    resume().assert(18, &["no end of a row"]);
    fs::remove_file(case.path("out.csv")).unwrap();
    resume().assert(16, &["out.csv", "No such file"]);

    case.write("out.csv", &rows);
    resume().assert(0, &["stop time"]);
    assert!(fs::read(case.path("out.csv")).unwrap() == whole(&case));
}
