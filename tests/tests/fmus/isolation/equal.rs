//! The same numbers, bit by bit, wherever an FMU runs.

use lotka::{Direction, Memory, System};
use tests::hostile::{Gate, Hostile};
use tests::lean::Lean;
use tests::packed;

use super::built;

fn pair() -> System {
    System::new()
        .instance("prey", packed("prey"))
        .instance("predator", packed("predator"))
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .stop(20.0)
}

/// One system per kind of run.
fn systems() -> Vec<System> {
    let ball = System::new().instance("ball", packed("bouncing_ball")).stop(3.0);
    vec![
        pair().step(0.1).sweep("jacobi"),
        pair().step(0.1).sweep("gauss-seidel").profile(true),
        pair().step(0.5).sweep("symmetric"),
        pair().step(0.5).sweep("gauss-seidel").input_degree(2),
        pair().step(0.5).iterations(50, None).acceleration("anderson"),
        pair().local_tolerance(1e-5),
        pair().step(0.1).event("prey.x", 8.0, Direction::Both),
        pair().tolerance(1e-6).output_interval(1.0),
        ball.local_tolerance(1e-6),
    ]
}

fn run(system: &System) -> (Vec<u64>, lotka::Counters) {
    let mut results = Memory::new();
    let mut simulation = system.build().unwrap_or_else(|error| panic!("{error}"));
    let report = simulation.run(&mut [&mut results]).unwrap_or_else(|failure| panic!("{failure}"));
    simulation.close().unwrap_or_else(|error| panic!("{error}"));
    (tests::bits(&results), report.counters)
}

#[test]
fn isolated_runs_equal_those_in_one_process() {
    for (index, system) in systems().into_iter().enumerate() {
        let (here, hosted) = (run(&system), run(&system.host_program(tests::host_program()).isolate(true)));
        assert!(here.0.len() > 10 && here == hosted, "system {index}: {:?} {:?}", here.1, hosted.1);
    }
}

#[test]
fn some_instances_can_be_isolated_and_others_not() {
    let alone = run(&pair().step(0.1));
    let mut system = pair().step(0.1).host_program(tests::host_program());
    system.description_mut().instances[1].isolation.isolation = Some(lotka::Isolation::Process.into());
    assert!(run(&system) == alone);
}

#[test]
fn fmus_that_allow_one_instance_per_process_get_processes_by_themselves() {
    let fmu = built(Hostile::new("single").define("ONCE_PER_PROCESS").capability("canBeInstantiatedOnlyOncePerProcess", true));
    let system = System::new()
        .instance("a", &fmu.path)
        .instance("b", &fmu.path)
        .connect("a.u", "b.y")
        .connect("b.u", "a.y")
        .start_value("a.x0", 3)
        .stop(1.0)
        .step(0.1);
    let sound = built(Hostile::new("sound"));
    let both = System::new()
        .instance("a", &sound.path)
        .instance("b", &sound.path)
        .connect("a.u", "b.y")
        .connect("b.u", "a.y")
        .start_value("a.x0", 3)
        .stop(1.0)
        .step(0.1);
    assert!(run(&system.host_program(tests::host_program())) == run(&both));
}

/// Each of two instances waits in its step until the other one is in its step, too.
#[test]
fn hosts_step_at_the_same_time() {
    for (sweep, connections) in [("jacobi", vec![("a.u", "b.y"), ("b.u", "a.y")]), ("gauss-seidel", vec![])] {
        let gate = Gate::new();
        let fmu = built(Hostile::new("gated").gated("fmi2DoStep", &gate));
        let system = System::new().instance("a", &fmu.path).instance("b", &fmu.path).stop(0.3).step(0.1).sweep(sweep);
        let system = connections.iter().fold(system, |system, (input, output)| system.connect(input, output));
        let system = system.input_degree(0).host_program(tests::host_program()).isolate(true);
        let run = std::thread::spawn(move || run(&system));
        for step in 0..3 {
            let waiting = [gate.arrival(|| run.is_finished()), gate.arrival(|| run.is_finished())];
            let times = waiting.map(|waiting| waiting.time);
            assert!(times.iter().all(|time| (time - 0.1 * f64::from(step)).abs() < 1e-9), "{sweep}: {times:?}");
        }
        run.join().unwrap();
    }
}

/// An instance that cannot be reset is made anew for the second run, after the one before it had moved to a thread.
#[test]
fn instances_made_anew_step_as_well_as_those_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let path = Lean::new("stubborn").define("WORK=20000").define("REFUSES_RESET").build(dir.path());
    let pair = System::new().instance("a", &path).instance("b", &path).connect("a.u1", "b.y1").connect("b.u1", "a.y1");
    let system = pair.start_value("a.u1", 3).stop(0.4).step(0.01).sweep("jacobi");
    let mut simulation = system.clone().threads(2).build().unwrap();
    let mut again = || {
        let mut rows = Memory::new();
        simulation.run(&mut [&mut rows]).unwrap();
        tests::bits(&rows)
    };
    let alone = run(&system.threads(1)).0;
    assert!(again() == alone, "the first run");
    assert!(again() == alone, "the second run");
}
