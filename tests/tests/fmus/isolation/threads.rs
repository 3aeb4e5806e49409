//! Several runs of a `tolerance` at the same time: FMUs that are not known to be thread-safe are never used on two threads of a
//! process.

use lotka::{Memory, System};
use tests::hostile::Hostile;

use super::{Built, built};

/// How often a run is repeated in which two threads could meet.
const TIMES: usize = 20;

/// `a` and `b` feed each other; the tolerance takes many runs.
fn feedback(fmu: &Built) -> System {
    System::new()
        .instance("a", &fmu.path)
        .instance("b", &fmu.path)
        .connect("a.u", "b.y")
        .connect("b.u", "a.y")
        .start_value("a.x0", 3)
        .start_value("b.k", 4)
        .stop(2.0)
        .output_interval(0.1)
        .tolerance(1e-8)
        .host_program(tests::host_program())
}

/// All rows as bits, and how the runs were made.
fn run(system: &System) -> (Vec<u64>, String) {
    let mut results = Memory::new();
    let mut simulation = system.build().unwrap_or_else(|error| panic!("{error}"));
    let report = simulation.run(&mut [&mut results]).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(report.global_error.unwrap().reached);
    (tests::bits(&results), simulation.describe_runs().unwrap())
}

fn alone(fmu: &Built) -> Vec<u64> {
    let (rows, how) = run(&feedback(fmu).threads(1));
    assert_eq!(how, "Lotka makes one run after the other: as requested");
    rows
}

fn with_static_memory() -> Built {
    built(Hostile::new("single_threaded").define("STATIC_SCRATCH"))
}

#[test]
fn an_fmu_with_static_memory_has_the_same_rows_each_time() {
    let fmu = with_static_memory();
    let expected = alone(&fmu);
    for _ in 0..TIMES {
        assert!(run(&feedback(&fmu)).0 == expected);
    }
}

#[test]
fn a_second_run_has_processes_for_fmus_that_are_not_known_to_be_thread_safe() {
    let fmu = with_static_memory();
    let expected = alone(&fmu);
    for _ in 0..TIMES {
        let (rows, how) = run(&feedback(&fmu).threads(2));
        assert_eq!(
            how,
            "Lotka makes up to 2 runs in parallel, all but one with their FMUs in separate processes: the FMUs of `a`, `b` are not \
             known to be thread-safe"
        );
        assert!(rows == expected);
    }
}

#[test]
fn fmus_that_say_that_they_are_thread_safe_need_no_processes() {
    let fmu = built(Hostile::new("thread_safe").thread_safe());
    let expected = alone(&fmu);
    let (rows, how) = run(&feedback(&fmu).host_program("/nowhere/host").threads(3));
    assert_eq!(how, "Lotka makes up to 3 runs in parallel");
    assert!(rows == expected);
}

#[test]
fn what_the_user_says_of_threads_comes_first() {
    let unknown = built(Hostile::new("unknown"));
    let mut system = feedback(&unknown).host_program("/nowhere/host").threads(2);
    system.description_mut().isolation.thread_safe = Some(true.into());
    let (rows, how) = run(&system);
    assert_eq!(how, "Lotka makes up to 2 runs in parallel");
    assert!(rows == alone(&unknown));
    system.description_mut().instances[1].isolation.thread_safe = Some(false.into());
    assert!(run(&system).1.ends_with(
        "one run after the other: the FMU of `b` is not known to be thread-safe, and the program for separate processes is not \
         available"
    ));
    let known = built(Hostile::new("known").thread_safe());
    let mut system = feedback(&known).threads(2);
    system.description_mut().instances[0].isolation.thread_safe = Some(false.into());
    let (rows, how) = run(&system);
    assert!(how.ends_with("in separate processes: the FMU of `a` is not known to be thread-safe"), "{how}");
    assert!(rows == alone(&known));
}

#[test]
fn runs_follow_one_after_the_other_where_an_fmu_does_not_live_in_a_host() {
    let refuses = built(Hostile::new("refuses").define("STATIC_SCRATCH").define("NOT_IN_HOSTS"));
    let expected = alone(&refuses);
    assert!(run(&feedback(&refuses).threads(2)).0 == expected);
    assert!(run(&feedback(&refuses).threads(2).host_program("/bin/true")).0 == expected);
}

#[test]
fn models_of_the_kit_are_thread_safe_unless_they_say_otherwise() {
    let (rows, how) = run_linked(fmu_sdk::description::<models::Prey>());
    assert_eq!(how, "Lotka makes up to 2 runs in parallel");
    let mut unsure = fmu_sdk::description::<models::Prey>();
    unsure.vendor_annotations.clear();
    let (others, how) = run_linked(unsure);
    assert!(
        how.ends_with("the FMU of `prey` is not known to be thread-safe and has no file to load in a separate process"),
        "{how}"
    );
    assert!(rows == others);
}

fn run_linked(description: fmi2::ModelDescription) -> (Vec<u64>, String) {
    let prey = lotka::Fmu::from_functions(description, fmu_sdk::functions::<models::Prey>());
    let mut results = Memory::new();
    let system = System::new().instance_of("prey", &prey).start_value("prey.y", 1.0).stop(1.0).tolerance(1e-9).threads(2);
    let mut simulation = system.build().unwrap();
    simulation.run(&mut [&mut results]).unwrap();
    (results.real("prey.x").unwrap().iter().map(|value| value.to_bits()).collect(), simulation.describe_runs().unwrap())
}
