//! FMUs that end the process that they run in: the command survives, tells what happened and keeps the rows.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use super::support::{Case, Ended, LOOP, Running, lotka};
use tests::hostile::{ABORT, CORRUPT, CRASH, EXIT, EXIT_FROM_THREAD, HANG, Hostile, STACK};

/// What is told of each way to end a process.
const WAYS: [(i32, &str); 3] = [
    (ABORT, "the FMU crashed its process: SIGABRT (abort)"),
    (CRASH, "the FMU crashed its process: SIGSEGV (invalid memory access)"),
    (EXIT, "the FMU ended its process with exit code 0"),
];

/// Runs `lotka run --json` and asserts exit code 17 and this sentence on stderr and in the JSON object.
fn assert_lost(case: &Case, sentence: &str) {
    let ended = case.run(&["--json"]);
    ended.assert(17, &[&format!("error: {sentence}")]);
    let json = ended.json();
    assert_eq!((json["end"].as_str(), json["error"].as_str()), (Some("failed"), Some(sentence)));
}

#[test]
fn every_way_to_end_the_process_in_a_step_is_reported_and_the_rows_are_kept() {
    for (reply, end) in WAYS {
        let case = Case::of(Hostile::new("a").reply("fmi2DoStep", reply).define("FAULT_AT=0.45"));
        assert_lost(&case, &format!("instance `a`: fmi2DoStep at t = 0.5 s did not return: {end}"));
        case.assert_rows_until(5);
        case.run(&[]).assert(17, &["the rows so far are in out.csv"]);
        let printed = case.lotka(&["run", "system.toml"]);
        assert_eq!((printed.code, printed.stdout), (17, case.read("out.csv")));
    }
}

#[test]
fn the_last_call_is_reported_whatever_it_is() {
    let calls = [
        ("fmi2Instantiate", "", None),
        ("fmi2SetupExperiment", "", None),
        ("fmi2EnterInitializationMode", " at t = 0 s", None),
        ("fmi2ExitInitializationMode", " at t = 0 s", None),
        ("fmi2SetReal", " at t = 0.5 s", Some(5)),
        ("fmi2GetReal", " at t = 0.5 s", Some(4)),
        ("fmi2Terminate", " at t = 1 s", Some(10)),
        ("fmi2FreeInstance", " at t = 1 s", Some(10)),
    ];
    for (index, (function, time, rows)) in calls.into_iter().enumerate() {
        let (reply, end) = WAYS[index % WAYS.len()];
        let fmu = Hostile::new("a").reply(function, reply);
        let case = Case::of(if rows.is_some() { fmu.define("FAULT_AT=0.45") } else { fmu });
        assert_lost(&case, &format!("instance `a`: {function}{time} did not return: {end}"));
        rows.into_iter().for_each(|rows| case.assert_rows_until(rows));
    }
}

#[test]
fn other_verbs_and_trials_are_survived_too() {
    let case = Case::of(Hostile::new("a").reply("fmi2Instantiate", CRASH));
    for arguments in
        [&["check", "system.toml"][..], &["inspect", "--coupling", "system.toml"], &["run", "system.toml", "--try", "jacobi"]]
    {
        let ended = case.lotka(arguments);
        ended.assert(17, &["error: instance `a`: fmi2Instantiate did not return: the FMU crashed its process: SIGSEGV"]);
        assert_eq!(ended.stdout, "");
    }
    case.lotka(&["check", "a.fmu"]).assert(17, &["error: instance `check`: fmi2Instantiate did not return: "]);
    case.lotka(&["inspect", "a.fmu"]).assert(0, &[]);
}

#[test]
fn a_check_blames_the_fmu_whose_call_left_the_damage() {
    let case = Case::of(Hostile::new("a").reply("fmi2Instantiate", CORRUPT));
    for file in ["system.toml", "a.fmu"] {
        let ended = case.lotka(&["check", file]);
        ended.assert(17, &["a.fmu: alone in a process, the FMU damages it", "SIGABRT (abort)"]);
        assert!(!ended.stderr.contains("b.fmu") && !ended.stderr.contains("a bug in Lotka"), "{}", ended.stderr);
    }
}

#[test]
fn a_crash_while_a_library_is_loaded_names_the_file() {
    let case = Case::of(Hostile::new("a").reply("constructor", ABORT));
    assert_lost(&case, "a.fmu: loading its library did not return: the FMU crashed its process: SIGABRT (abort)");
    assert!(!case.path("out.csv").exists());
}

#[test]
fn a_thread_that_exits_and_a_stack_that_overflows_end_a_step() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", EXIT_FROM_THREAD));
    assert_lost(&case, &format!("instance `a`: fmi2DoStep at t = 0 s did not return: {}", WAYS[2].1));
    case.assert_rows_until(0);
    // The signal is SIGABRT where the page that is hit is known as the guard of the stack, else SIGSEGV.
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", STACK));
    case.run(&[]).assert(17, &["error: instance `a`: fmi2DoStep at t = 0 s did not return: the FMU crashed its process: SIG"]);
    case.assert_rows_until(0);
}

#[test]
fn a_process_that_is_killed_from_outside_is_no_success() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG).define("FAULT_AT=0.45"));
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("algorithm: ");
    running.signal_child("KILL");
    assert_eq!(running.end().0, Some(17));
}

#[test]
fn a_crash_in_one_of_two_runs_at_the_same_time_names_instance_and_function() {
    let fmu = Hostile::new("a").reply("fmi2DoStep", ABORT).define("FAULT_BELOW=0.09");
    let case =
        Case::new(&format!("[experiment]\nstop = 1\ntolerance = 1e-9\noutput-interval = 0.1\n{LOOP}"), [fmu, Hostile::new("b")]);
    case.run(&[]).assert(17, &["instance `a`: fmi2DoStep at t = ", WAYS[0].1]);
    assert_eq!(case.read("out.csv").lines().count(), 1, "rows come at the end");
}

#[test]
fn a_crash_in_a_process_of_its_own_is_no_run_that_can_be_left_out() {
    let fmu = || Hostile::new("a").define("FAULT_BELOW=0.03");
    let experiment =
        "[experiment]\nstop = 1\ntolerance = 1e-12\noutput-interval = 0.1\nstep-timeout = 5.0\nisolation = 'process'";
    let hang = (HANG, "no answer within 5 s; the FMU's process was killed");
    for (reply, end) in WAYS.into_iter().chain([hang]) {
        let case = Case::new(&format!("{experiment}\n{LOOP}"), [fmu().reply("fmi2DoStep", reply), Hostile::new("b")]);
        let ended = case.run(&["--json"]);
        ended.assert(17, &["instance `a`: fmi2DoStep at t = ", end]);
        assert_eq!(ended.json()["end"], "failed");
        let reason = ended.json()["reason"].as_str().unwrap_or_default().to_owned();
        assert!(reason.starts_with("an FMU ended its process; "), "{reason}");
        case.assert_rows_until(10);
    }
}

#[test]
fn exit_handlers_that_crash_or_hang_leave_complete_results() {
    let ends =
        [(ABORT, "the FMU crashed its process: SIGABRT (abort)"), (HANG, "no answer within 5 s; the FMU's process was killed")];
    for (fault, end) in ends {
        let case = Case::of(Hostile::new("a").reply("destructor", fault));
        let ended = case.run(&["--json"]);
        ended.assert(17, &[&format!("the results are complete, but the FMU process failed at its end: {end}")]);
        assert_eq!(ended.json()["end"], "stop-time");
        case.assert_rows_until(10);
    }
}

#[test]
fn what_an_fmu_prints_or_closes_is_not_among_the_rows() {
    let expected = Case::of(Hostile::new("a")).lotka(&["run", "system.toml"]).stdout;
    let rude = Hostile::new("a").define("PRINT_LINES=1").define("CLOSE_STDOUT").define("MISBEHAVE_IN_STEP");
    let ended = Case::of(rude).lotka(&["run", "system.toml"]);
    ended.assert(0, &["printed by the FMU\n"]);
    assert_eq!(ended.stdout, expected);
}

#[test]
fn a_run_survives_closed_standard_streams() {
    let case = Case::of(Hostile::new("a"));
    let command = format!("exec '{}' run system.toml --output-file out.csv <&- >&- 2>&-", lotka().display());
    let status = Command::new("sh").arg("-c").arg(command).current_dir(case.dir()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    case.assert_rows_until(10);
}

#[test]
fn a_signal_to_all_processes_interrupts_once() {
    for signal in ["INT", "TERM", "HUP"] {
        let case = Case::of(Hostile::new("a").define("LOG_EACH_STEP"));
        let mut running = Running::start(&case, &["--stop-time", "1e7", "--log-level", "debug"]);
        running.wait_for("step 20 at ");
        running.signal_all(signal);
        let (code, stdout) = running.end();
        let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!((code, json["end"].as_str()), (Some(130), Some("canceled")), "{signal}");
        assert!(case.rows().len() > 20);
    }
}

#[test]
fn the_first_interrupt_ends_an_instantiation_that_hangs() {
    let system = format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}");
    let case = Case::new(&system, [Hostile::new("a").define("PRINT_LINES=1"), Hostile::new("b").reply("fmi2Instantiate", HANG)]);
    let mut running = Running::start(&case, &[]);
    running.wait_for("printed by the FMU");
    running.signal("INT");
    assert_eq!(running.end().0, Some(130));
}

#[test]
fn nothing_is_left_when_the_command_is_killed() {
    let case = Case::of(Hostile::new("a").reply("fmi2DoStep", HANG));
    let mut running = Running::start(&case, &["-v"]);
    running.wait_for("algorithm: ");
    running.signal("KILL");
    // The process of the FMUs has stderr, too: this ends when it is gone.
    assert_eq!(running.end().0, None);
}

/// Runs a loop for a very long time and never reads its rows. When the pipe is full, the command is in the middle of writing
/// rows: what it writes at a time is more than there is room for. Then the process of the FMUs gets this signal.
fn end_between_calls(signal: &str) -> (Option<i32>, String) {
    let case = Case::of(Hostile::new("a"));
    let (rows, to_rows) = std::io::pipe().unwrap();
    rustix::pipe::fcntl_setpipe_size(&rows, 4096).unwrap();
    let mut command = Command::new(lotka());
    command.current_dir(case.dir()).args(["run", "system.toml", "--stop-time", "1e6"]).stdout(to_rows).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    drop(command);
    while rustix::io::ioctl_fionread(&rows).unwrap() < 4096 {
        assert!(running.try_wait().unwrap().is_none(), "the run ended");
        std::thread::yield_now();
    }
    let id = running.id();
    let child = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    assert!(Command::new("kill").args([&format!("-{signal}"), child.trim()]).status().unwrap().success());
    drop(rows);
    let mut told = String::new();
    running.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (running.wait().unwrap().code(), told)
}

#[test]
fn what_happens_between_calls_is_not_blamed_on_an_fmu() {
    for signal in ["ABRT", "FPE"] {
        let (code, told) = end_between_calls(signal);
        let inside = format!("error: the process ended inside Lotka, outside FMU calls: SIG{signal}");
        assert!(code == Some(1) && told.contains(&inside), "{code:?}: {told}");
        assert!(told.contains("; the last call was fmi2") && told.contains("[internal-error]"), "{told}");
    }
    let (code, told) = end_between_calls("KILL");
    assert_eq!(code, Some(17), "{told}");
    assert!(told.contains("error: the process ended outside FMU calls: SIGKILL") && !told.contains("bug"), "{told}");
}

#[test]
fn a_file_that_may_not_grow_is_an_error_of_writing() {
    let limited = |case: &Case, command: &str| -> Ended {
        let script = format!("ulimit -f 8; exec '{}' {command}", lotka().display());
        Command::new("bash").arg("-c").arg(script).current_dir(case.dir()).output().unwrap().into()
    };
    let case = Case::of(Hostile::new("a"));
    // The library of an FMU has more than 8 KiB.
    let unpacked = limited(&case, "check system.toml");
    unpacked.assert(11, &["a.fmu: cannot unpack it to /", "File too large", "set TMPDIR", "[unwritable-file]"]);
    assert!(!unpacked.stderr.contains("damaged"), "{unpacked:?}");
    let ended = run_with_little_room(&case, "out.csv");
    ended.assert(16, &["cannot write", "out.csv", "File too large"]);
    assert!(case.read("out.csv").ends_with('\n'));
}

/// A run whose files may grow to what the library of the FMU needs and some 600 KiB more: all its rows need several times as
/// much.
fn run_with_little_room(case: &Case, file: &str) -> Ended {
    // The library is stored in it as it is.
    let kib = 600 + std::fs::metadata(case.path("a.fmu")).unwrap().len() / 1024;
    let n_steps = 1000 * kib;
    let command = format!("run system.toml --step-size {:e} --output-file {file}", 1.0 / n_steps as f64);
    let script = format!("ulimit -f {kib}; exec '{}' {command}", lotka().display());
    Command::new("bash").arg("-c").arg(script).current_dir(case.dir()).output().unwrap().into()
}

#[test]
fn a_parquet_file_that_may_not_grow_has_the_rows_for_which_there_was_room() {
    let case = Case::of(Hostile::new("a"));
    let ended = run_with_little_room(&case, "out.parquet");
    ended.assert(16, &["cannot write", "out.parquet", "File too large"]);
    let results = lotka::Results::open(case.path("out.parquet")).unwrap();
    let [first, step, .., last] = results.time() else { panic!("there are no rows") };
    assert!(results.time().len() > 5_000 && *last < 1.0, "{} rows", results.time().len());
    assert_eq!((*first, *last), (0.0, (results.time().len() - 1) as f64 * step));
}

#[test]
fn a_quiet_command_shows_nothing_that_fmus_print() {
    let rude = || Hostile::new("a").define("PRINT_LINES=1").define("MISBEHAVE_IN_STEP");
    for place in [&[][..], &["--isolate"]] {
        let ended = Case::of(rude()).run(&[place, &["-q"]].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{place:?}");
    }
    let failing = Case::of(rude().reply("fmi2DoStep", 3).define("FAULT_AT=0.45"));
    let ended = failing.run(&["-q"]);
    ended.assert(13, &["error: instance `a`: fmi2DoStep at t = 0.5 s"]);
    assert!(!ended.stderr.contains("printed"), "{ended:?}");
    let lost = Case::of(rude().reply("fmi2DoStep", CRASH)).run(&["-q"]);
    lost.assert(17, &["error: instance `a`: fmi2DoStep"]);
    assert!(!lost.stderr.contains("printed"), "{lost:?}");
}

#[test]
fn an_fmu_that_allows_one_instance_and_does_not_say_so_is_hinted_to_isolation() {
    let case = Case::new(
        "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\nb = 'a.fmu'\n",
        [Hostile::new("a").define("ONCE_PER_PROCESS")],
    );
    let hint = "help: this process has another instance of the FMU; if the FMU allows only one, set isolation = \"process\"";
    case.run(&[]).assert(11, &["instance `b`: fmi2Instantiate of a failed", "there is an instance already", hint]);
    case.run(&["--isolate"]).assert(0, &[]);
    let alone = Case::of(Hostile::new("a").define("INSTANTIATE_FAILS")).run(&[]);
    alone.assert(11, &["no license found"]);
    assert!(!alone.stderr.contains("help:"), "{alone:?}");
}
