//! What an FMU changes of the process is put back. The working directory belongs to the whole process, in which no other test
//! runs meanwhile.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use fmu::{Fmu, InstantiateOptions};
use lotka::{LogMessage, Memory, System};
use tests::{hostile::Hostile, quirks::Quirk};

use super::alone;

#[test]
fn floating_point_control_and_working_directory_are_put_back_with_a_warning() {
    let _alone = alone();
    let before = (std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0));
    let dir = tempfile::tempdir().unwrap();
    let rude = Hostile::new("rude").define("CHANGE_DIRECTORY").define("FLUSH_TO_ZERO").define("CHANGE_ROUNDING");
    let fmu = Fmu::open(rude.build(dir.path())).unwrap();
    let lines = Arc::new(Mutex::new(Vec::<LogMessage>::new()));
    let sink = Arc::clone(&lines);
    let log: lotka::instance::LogSink = Arc::new(move |line| sink.lock().unwrap().push(line));
    let options = InstantiateOptions { log: Some(log), ..InstantiateOptions::default() };
    let _instance = fmu.instantiate("it", &options).unwrap();
    assert_eq!((std::env::current_dir().unwrap(), f64::MIN_POSITIVE / std::hint::black_box(4.0)), before);
    assert_eq!(1.0 + std::hint::black_box(1e-30), 1.0, "rounding is to nearest");
    let lines = lines.lock().unwrap();
    for part in ["working directory", "floating-point"] {
        assert!(lines.iter().any(|line| line.message.contains(part)), "{lines:?}");
    }
}

/// The bits of `y` of each instance: FMUs of `process.c` by these macros, in this order.
fn seen(dir: &std::path::Path, fmus: &[&[&str]], is_isolated: bool) -> (Vec<Vec<u64>>, String) {
    let mut system = System::new().stop(1.0).step(0.25).isolate(is_isolated).host_program(tests::host_program());
    let names: Vec<_> = (0..fmus.len()).map(|index| format!("fmu{index}")).collect();
    for (name, defines) in names.iter().zip(fmus) {
        let quirk = Quirk::new("process").described_by("lag").named(name);
        system = system.instance(name, defines.iter().fold(quirk, |quirk, define| quirk.define(define)).build(dir));
    }
    let (mut results, lines) = (Memory::new(), Arc::new(Mutex::new(String::new())));
    let mut simulation = system.build().unwrap();
    let mut log = Lines(lines.clone());
    simulation.run(&mut [&mut results, &mut log]).unwrap();
    simulation.close().unwrap();
    let bits = |name: &String| results.real(&format!("{name}.y")).unwrap().iter().map(|y| y.to_bits()).collect();
    let lines = lines.lock().unwrap().clone();
    (names.iter().map(bits).collect(), lines)
}

/// Keeps what FMUs log.
struct Lines(Arc<Mutex<String>>);

impl lotka::Observer for Lines {
    fn observe(&mut self, notification: &lotka::Notification<'_>) {
        if let lotka::Notification::Log(line) = notification {
            *self.0.lock().unwrap() += &format!("{}\n", line.message);
        }
    }
}

const CHANGERS: [&[&str]; 4] = [&["CHANGES"], &["CHANGES", "IN_STEP"], &["ROUNDS_UP"], &["ROUNDS_UP", "IN_STEP"]];

#[test]
fn what_one_fmu_changes_of_the_process_no_other_one_sees() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let observer: &[&str] = &["SEES_PROCESS"];
    let here = (std::env::current_dir().unwrap(), std::env::var_os("LOTKA_QUIRK"));
    let (expected, nothing) = seen(dir.path(), &[observer], false);
    assert!(!nothing.contains("changed"), "{nothing}");
    for changer in CHANGERS {
        let (bits, log) = seen(dir.path(), &[observer, changer, observer], false);
        assert!(bits[0] == expected[0] && bits[2] == expected[0], "{changer:?}: {bits:x?} {expected:x?}");
        assert!(log.contains("the FMU changed ") && log.contains("the floating-point control"), "{changer:?}: {log}");
        assert_eq!(log.contains("the locale and environment variables"), changer[0] == "CHANGES", "{log}");
        assert_eq!((std::env::current_dir().unwrap(), std::env::var_os("LOTKA_QUIRK")), here);
    }
}

#[test]
fn an_fmu_keeps_its_own_locale_and_variables_as_in_a_process_of_its_own() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let alone: Vec<_> = CHANGERS.iter().map(|changer| seen(dir.path(), &[changer], true).0.remove(0)).collect();
    assert_eq!(seen(dir.path(), &CHANGERS, false).0, alone);
    let y = f64::from_bits(*alone[0].last().unwrap());
    assert!((y - (6.0 + 50.0 + 1.0 / 3.0)).abs() < 1e-9, "UTF-8 has up to 6 bytes a character, the variable is 5: {y}");
}

#[test]
fn a_process_that_is_started_meanwhile_inherits_nothing_of_an_fmu() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let system = |name: &str, defines: &[&str]| {
        let quirk = Quirk::new("process").described_by("lag").named(name);
        System::new()
            .step(0.25)
            .instance(name, defines.iter().fold(quirk, |quirk, define| quirk.define(define)).build(dir.path()))
    };
    let changer = system("changer", CHANGERS[0]).stop(100.0);
    let observer = system("observer", &["SEES_PROCESS"]).stop(1.0).isolate(true).host_program(tests::host_program());
    let is_over = AtomicBool::new(false);
    let first = || {
        let mut results = Memory::new();
        observer.build().unwrap().run(&mut [&mut results]).unwrap();
        results.real("observer.y").unwrap()[0].to_bits()
    };
    let expected = first();
    let others: Vec<_> = thread::scope(|scope| {
        scope.spawn(|| {
            let mut simulation = changer.build().unwrap();
            while !is_over.load(Ordering::Relaxed) {
                simulation.run(&mut []).unwrap();
            }
        });
        let others = (0..20).map(|_| first()).collect();
        is_over.store(true, Ordering::Relaxed);
        others
    });
    assert_eq!(others, [expected; 20]);
}
