//! Processes that come to an end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use fmi2::Function;
use fmu::InstantiateOptions;
use lotka::{End, Memory, RunError, System};
use lotka_host::{Error as HostError, HostOptions, HostedFmu};
use lotka_instance::{Cause, Instance, InstanceFactory, LogMessage, LogSink, Phase, ProcessEnd, RealRef, Status, StepOutcome};
use tests::hostile::{ABORT, CRASH, CROWD, EXIT, Gate, HANG, Hostile};
use tests::patience::wait_until;

use super::{built, end_of, options, started};

const SIGABRT: i32 = 6;
const SIGSEGV: i32 = 11;
const SIGKILL: i32 = 9;

#[test]
fn a_crash_an_abort_and_an_exit_in_a_step_are_errors_of_the_call() {
    for (reply, expected) in
        [(CRASH, ProcessEnd::Signal(SIGSEGV)), (ABORT, ProcessEnd::Signal(SIGABRT)), (EXIT, ProcessEnd::Exit(0))]
    {
        let fmu = built(Hostile::new("ending").reply("fmi2DoStep", reply).define("FAULT_AT=1.4").define("LOG_EACH_STEP"));
        let mut instance = started(&fmu.path, None);
        instance.set_debug_logging(true, &[]).unwrap();
        instance.do_step(1.0, 0.5, false).unwrap();
        let error = instance.do_step(1.5, 0.5, false).unwrap_err();
        assert_eq!(*end_of(&error), expected);
        assert_eq!((error.function.clone(), error.time, error.instance.as_str()), (Function::DoStep.into(), Some(1.5), "it"));
        assert_eq!(error.log.last().unwrap(), "step 1 at 1.5", "what it logged last");
        assert_eq!(instance.phase(), Phase::Fatal);
        assert_eq!(instance.get_real(&[RealRef(1)], &mut [0.0]).unwrap_err(), error, "later calls fail like that one");
    }
}

#[test]
fn a_call_that_does_not_return_ends_at_its_time_limit() {
    let fmu = built(Hostile::new("hanging").reply("fmi2DoStep", HANG));
    let mut instance = started(&fmu.path, Some(0.2));
    assert_eq!(*end_of(&instance.do_step(1.0, 0.5, false).unwrap_err()), ProcessEnd::TimeLimit(0.2));
    let fmu = built(Hostile::new("hanging_get").reply("fmi2GetReal", HANG));
    let error = started(&fmu.path, Some(0.2)).get_real(&[RealRef(1)], &mut [0.0]).unwrap_err();
    assert_eq!((error.function.clone(), end_of(&error)), (Function::GetReal.into(), &ProcessEnd::TimeLimit(0.2)));
}

#[test]
fn threads_of_an_fmu_do_not_stretch_its_time_limit() {
    let fmu = built(Hostile::new("crowded").reply("fmi2DoStep", CROWD));
    let mut instance = started(&fmu.path, Some(0.5));
    let begin = std::time::Instant::now();
    assert_eq!(*end_of(&instance.do_step(1.0, 0.5, false).unwrap_err()), ProcessEnd::TimeLimit(0.5));
    // Without the others the thread would have run for a 75th of the time on two cores.
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn a_host_outlives_the_thread_that_asked_for_it() {
    let fmu = built(Hostile::new("lasting"));
    let path = fmu.path.clone();
    let mut instance = thread::spawn(move || started(&path, None)).join().unwrap();
    for step in 0..10 {
        assert_eq!(instance.do_step(1.0 + 0.5 * f64::from(step), 0.5, false), Ok(StepOutcome::Complete));
    }
}

#[test]
fn instantiation_can_fail_crash_and_hang() {
    let instantiate = |fmu: Hostile, limit: Option<f64>| {
        let fmu = built(fmu);
        let options = HostOptions { init_timeout: limit.map(Duration::from_secs_f64), ..options(None) };
        HostedFmu::open(&fmu.path, options).unwrap().instantiate("it", &Default::default()).unwrap_err()
    };
    let refused = instantiate(Hostile::new("refusing").define("INSTANTIATE_FAILS"), None);
    assert!(refused.to_string().contains("no license found"), "{refused}");
    for (reply, limit, expected) in [
        (CRASH, None, ProcessEnd::Signal(SIGSEGV)),
        (EXIT, None, ProcessEnd::Exit(0)),
        // Starting the host counts, too.
        (HANG, Some(5.0), ProcessEnd::TimeLimit(5.0)),
    ] {
        let error = instantiate(Hostile::new("ending").reply("fmi2Instantiate", reply), limit);
        assert!(
            matches!(&error, HostError::Ended { doing, end, .. } if doing == "fmi2Instantiate" && *end == expected),
            "{error}"
        );
    }
}

#[test]
fn a_crash_in_a_constructor_of_the_library_is_reported() {
    let fmu = built(Hostile::new("early").reply("constructor", CRASH));
    let error = HostedFmu::open(&fmu.path, options(None)).unwrap_err();
    assert!(error.to_string().contains("loading the library did not return: the FMU crashed its process: SIG"), "{error}");
}

#[test]
fn what_goes_wrong_when_an_instance_is_freed_is_reported() {
    for (fmu, limit, expected) in [
        (Hostile::new("clinging").reply("fmi2FreeInstance", HANG), Some(0.5), ProcessEnd::TimeLimit(0.5)),
        (Hostile::new("brittle").reply("fmi2FreeInstance", CRASH), None, ProcessEnd::Signal(SIGSEGV)),
        (Hostile::new("leaving").reply("fmi2FreeInstance", EXIT), None, ProcessEnd::Exit(0)),
    ] {
        let fmu = built(fmu);
        let error = Box::new(started(&fmu.path, limit)).free().unwrap_err();
        assert_eq!((error.function.clone(), end_of(&error)), (Function::FreeInstance.into(), &expected));
    }
    let sound = built(Hostile::new("sound"));
    Box::new(started(&sound.path, None)).free().unwrap();
}

/// The processes that have loaded the library of this name.
fn hosts_of(library: &str) -> Vec<u32> {
    processes(|process| fs::read_to_string(process.join("maps")).is_ok_and(|maps| maps.contains(&format!("/{library}.so"))))
}

#[test]
fn hosts_that_are_started_ahead_of_time_serve_the_next_instances_and_end_with_the_fmu() {
    let name = format!("ahead_{}", std::process::id());
    let fmu = built(Hostile::new(&name));
    let hosted = HostedFmu::open(&fmu.path, options(None)).unwrap();
    assert_eq!(hosts_of(&name).len(), 1);
    thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(|| InstanceFactory::prepare(&hosted)))));
    assert_eq!(hosts_of(&name).len(), 4);
    let instances: Vec<_> = (0..3).map(|n| hosted.instantiate(&format!("i{n}"), &Default::default()).unwrap()).collect();
    assert_eq!(hosts_of(&name).len(), 4);
    drop((instances, hosted));
    assert_eq!(hosts_of(&name).len(), 0);
}

#[test]
fn a_host_that_is_killed_from_outside_is_noticed() {
    let gate = Gate::new();
    // Other runs of this test may go on on the same machine.
    let name = format!("victim_{}", std::process::id());
    let fmu = built(Hostile::new(&name).gated("fmi2DoStep", &gate));
    let mut instance = started(&fmu.path, None);
    let killer = thread::spawn(move || {
        let _held = gate.arrival(|| false);
        // Hosts of other tests go on.
        let hosts = hosts_of(&name);
        let [host] = hosts[..] else { panic!("{hosts:?}") };
        assert!(Command::new("kill").args(["-KILL", &host.to_string()]).status().unwrap().success());
    });
    let error = instance.do_step(1.0, 0.5, false).unwrap_err();
    killer.join().unwrap();
    assert_eq!(*end_of(&error), ProcessEnd::Signal(SIGKILL));
}

#[test]
fn a_fatal_status_costs_one_instance_and_not_the_others() {
    let fmu = built(Hostile::new("doomed").reply("fmi2DoStep", 4).define("FAULT_AT=1.4"));
    let (mut one, mut two) = (started(&fmu.path, None), started(&fmu.path, None));
    one.do_step(1.0, 0.5, false).unwrap();
    assert_eq!(one.do_step(1.5, 0.5, false).unwrap_err().cause, Cause::Status(Status::Fatal));
    assert_eq!(one.phase(), Phase::Fatal);
    assert_eq!(two.do_step(1.0, 0.5, false).unwrap(), StepOutcome::Complete);
}

#[test]
fn what_the_fmu_prints_and_logs_arrives() {
    let fmu = built(
        Hostile::new("talker").define("PRINT_LINES=1").define("BAD_LOG").define("LOG_FROM_THREAD").define("LOG_AFTER_FREE"),
    );
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&lines);
    let log: LogSink = Arc::new(move |line: LogMessage| sink.lock().unwrap().push(line));
    let here = {
        let mut instance = HostedFmu::open(&fmu.path, options(None))
            .unwrap()
            .instantiate("it", &InstantiateOptions { log: Some(log), ..Default::default() })
            .unwrap();
        instance.setup_experiment(&lotka_instance::Experiment { start: 1.0, stop: None, tolerance: None }).unwrap();
        instance.enter_initialization_mode().unwrap();
        instance.exit_initialization_mode().unwrap();
        instance.do_step(1.0, 0.5, false).unwrap();
        // A line that was logged in the call is there when it returns.
        let lines = lines.lock().unwrap();
        lines.iter().filter(|line| line.message.starts_with("from a thread")).count()
    };
    let lines = lines.lock().unwrap();
    assert!(here == 100 && lines.iter().all(|line| line.instance == "it"), "{here}");
    assert!(lines.iter().any(|line| line.category == "output"), "{lines:?}");
}

/// However late the thread that reads the pipe wakes up.
#[test]
fn what_the_fmu_prints_is_there_when_its_instance_is_freed() {
    let fmu = built(Hostile::new("talker").define("PRINT_LINES=1"));
    let lines = Arc::new(Mutex::new(Vec::new()));
    let hosted = HostedFmu::open(&fmu.path, options(None)).unwrap();
    for number in 1..=20 {
        let sink = Arc::clone(&lines);
        let log: LogSink = Arc::new(move |line: LogMessage| sink.lock().unwrap().push(line));
        let mut instance = hosted.instantiate("it", &InstantiateOptions { log: Some(log), ..Default::default() }).unwrap();
        instance.free().unwrap();
        assert_eq!(lines.lock().unwrap().iter().filter(|line| line.category == "output").count(), number);
    }
}

#[test]
fn the_other_instances_end_well_and_the_rows_so_far_are_there() {
    let dir = tempfile::tempdir().unwrap();
    let a = Hostile::new("a").reply("fmi2DoStep", CRASH).define("FAULT_AT=0.45").build(dir.path());
    let b = Hostile::new("b").build(dir.path());
    let system = System::new()
        .instance("a", a)
        .instance("b", b)
        .connect("b.u", "a.y")
        .connect("a.u", "b.y")
        .stop(1.0)
        .step(0.1)
        .sweep("jacobi")
        .host_program(tests::host_program())
        .isolate(true);
    let mut results = Memory::new();
    let failure = system.build().unwrap().run(&mut [&mut results]).unwrap_err();
    assert!(failure.error.ended_process(), "{failure}");
    assert!(matches!(&failure.error, RunError::Call(error) if error.instance == "a" && error.function == Function::DoStep));
    assert_eq!((failure.report.end, results.time().len()), (End::Failed, 6));
}

#[test]
fn a_crash_in_terminate_is_a_failure_with_all_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = Hostile::new("a").reply("fmi2Terminate", CRASH).build(dir.path());
    let system = System::new().instance("a", path).stop(1.0).step(0.1).host_program(tests::host_program()).isolate(true);
    let mut results = Memory::new();
    let failure = system.build().unwrap().run(&mut [&mut results]).unwrap_err();
    assert!(failure.error.ended_process() && failure.error.to_string().contains("fmi2Terminate"), "{failure}");
    assert_eq!(results.time().len(), 11);
}

#[test]
fn hosts_do_not_outlive_their_master() {
    assert_ends_with_master(Hostile::new("hanging"));
}

#[test]
fn hosts_whose_fmu_has_taken_their_files_do_not_outlive_their_master_either() {
    for fault in ["CLOSE_FILES", "REPLACE_FILES"] {
        assert_ends_with_master(Hostile::new("hanging").define(fault).define("WAKE_THREADS"));
    }
}

/// Kills the master of an FMU that does not return from its step.
fn assert_ends_with_master(fmu: Hostile) {
    let gate = Gate::new();
    let fmu = built(fmu.gated("fmi2DoStep", &gate));
    let system = fmu.path.with_file_name("system.toml");
    fs::write(&system, "[experiment]\nstop = 1\nstep = 0.1\nisolation = 'process'\n[instances]\na = 'hanging.fmu'\n").unwrap();
    let lotka = tests::host_program().with_file_name("lotka");
    let mut master = Command::new(lotka).arg("run").arg(&system).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let _held = gate.arrival(|| master.try_wait().unwrap().is_some());
    let children = |parent: u32| {
        let output = Command::new("pgrep").args(["-P", &parent.to_string()]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    let all = || children(master.id()).iter().flat_map(|&child| [vec![child], children(child)].concat()).collect::<Vec<_>>();
    let is_host =
        |process: &u32| fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|name| name.starts_with("lotka-fmu"));
    let hosts = all();
    assert!(hosts.iter().any(is_host), "{hosts:?}");
    master.kill().unwrap();
    master.wait().unwrap();
    wait_until("no process outlives its master", || hosts.iter().all(is_gone));
}

#[test]
fn hosts_that_just_start_do_not_outlive_their_master_either() {
    let fmu = built(Hostile::new("a"));
    let system = fmu.path.with_file_name("system.toml");
    let instances: String = (0..8).map(|n| format!("a{n} = 'a.fmu'\n")).collect();
    fs::write(&system, format!("[experiment]\nstop = 1\nstep = 0.1\nisolation = 'process'\n[instances]\n{instances}")).unwrap();
    let lotka = tests::host_program().with_file_name("lotka");
    // What the processes have in common, orphans too.
    let mark = format!("LOTKA_TEST_MARK={}", fmu.path.display());
    for moment in 0..20 {
        let mut master = Command::new(&lotka);
        let (name, value) = mark.split_once('=').unwrap();
        master.arg("run").arg(&system).env(name, value).stdout(Stdio::null()).stderr(Stdio::null());
        let mut master = master.spawn().unwrap();
        // Killed wherever it is by now.
        (0..10 * moment).for_each(|_| thread::yield_now());
        master.kill().unwrap();
        master.wait().unwrap();
    }
    wait_until("no process outlives its master", || processes_with(&mark).iter().all(is_gone));
}

fn is_gone(process: &u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.is_empty() || status.contains(") Z ")
}

/// The processes that have this in their environment.
fn processes_with(variable: &str) -> Vec<u32> {
    processes(|process| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes())
    })
}

/// The processes whose folder in `/proc` is like this.
fn processes(is_one: impl Fn(&Path) -> bool) -> Vec<u32> {
    let folders = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|folder| is_one(folder)).filter_map(|folder| folder.file_name()?.to_str()?.parse().ok()).collect()
}
