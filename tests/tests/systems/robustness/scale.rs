//! Many instances.

use lotka::{Memory, System};
use tests::{hostile::Hostile, joined};

use super::{column, models::Gain, run};

/// `count` instances in a ring, each fed by the one before.
fn ring(count: usize, add: impl Fn(System, &str) -> System, (input, output): (&str, &str)) -> System {
    let system = (0..count).fold(System::new(), |system, n| add(system, &format!("i{n}")));
    (0..count)
        .fold(system, |system, n| system.connect(&format!("i{n}.{input}"), &format!("i{}.{output}", (n + count - 1) % count)))
}

/// Paths of mapped libraries of this name.
fn mapped(name: &str) -> Vec<String> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut paths: Vec<_> =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).filter(|path| path.ends_with(name)).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_thousand_instances_share_one_unpacked_fmu() {
    let folder = tempfile::tempdir().unwrap();
    // No other test of this process loads a library of this name.
    let fmu = Hostile::new("shared_by_many").build(folder.path());
    let system = |count| ring(count, |system, name| system.instance(name, &fmu), ("u", "y")).sweep("jacobi").stop(10.0).step(0.1);
    let mut simulation = system(1000).build().unwrap();
    assert_eq!(mapped("shared_by_many.so").len(), 1, "{:?}", mapped("shared_by_many.so"));
    let mut results = Memory::new();
    let report = simulation.run(&mut [&mut results]).unwrap();
    assert_eq!((report.counters.n_steps, report.counters.n_do_step_calls), (100, 100_000));
    drop(simulation);
    let (_, two) = run(&system(2));
    for n in [0, 1, 499, 999] {
        assert_eq!(column(&results, &format!("i{n}.y")), column(&two, "i0.y"), "all are alike");
    }
}

#[test]
fn a_long_chain_against_the_order_of_the_file_is_sorted_and_settles() {
    const COUNT: usize = 4000;
    let fmu = joined::<Gain>();
    let system = (0..COUNT).fold(System::new(), |system, n| system.instance_of(&format!("i{n}"), &fmu));
    let system = (1..COUNT).fold(system, |system, n| system.connect(&format!("i{}.u", n - 1), &format!("i{n}.y")));
    let (_, results) = run(&system.start_value(&format!("i{}.d", COUNT - 1), 3).stop(1.0).step(1.0));
    assert_eq!(column(&results, "i0.y"), [3.0, 3.0]);
}

#[test]
fn a_ring_of_thousands_iterates_as_one_loop() {
    let fmu = joined::<models::Prey>();
    let system = ring(2000, |system, name| system.instance_of(name, &fmu), ("y", "x")).stop(0.2).step(0.1);
    let simulation = system.build().unwrap();
    let graph = simulation.graph();
    assert_eq!((graph.components.len(), graph.components[0].is_loop, graph.components[0].members.len()), (1, true, 2000));
    let (report, _) = run(&system.sweep("jacobi").iterations(50, None));
    assert_eq!(report.counters.n_do_step_calls, 2000 * report.counters.n_iterations);
}
