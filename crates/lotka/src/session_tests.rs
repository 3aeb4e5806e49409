//! Runs in pieces have bitwise the same rows as runs at once.

use crate::{End, Fmu, Memory, Report, RunError, System};

fn predator_prey() -> System {
    let prey = Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
    let predator = Fmu::from_functions(fmu_sdk::description::<models::Predator>(), fmu_sdk::functions::<models::Predator>());
    let system = System::new().instance_of("prey", &prey).instance_of("predator", &predator);
    system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(20.0)
}

/// With fixed and controlled steps, history of inputs, iteration, events and jumps.
fn systems() -> [System; 6] {
    let system = predator_prey();
    [
        system.clone().step(0.1).sweep("jacobi"),
        system.clone().step(0.1).input_degree(3).output_interval(0.5),
        system.clone().step(0.1).sweep("symmetric").output_interval(1.0),
        system.clone().local_tolerance(1e-5).iterations(20, None).acceleration("anderson"),
        system.clone().local_tolerance(1e-5).event("prey.x", 20.0, crate::Direction::Up),
        system.step(0.1).set_at(3.33, "prey.y", 5),
    ]
}

fn at_once(system: &System) -> (Report, Memory) {
    let mut rows = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut rows]).unwrap();
    (report, rows)
}

/// In pieces of this length \[s\].
fn in_pieces(system: &System, length: f64) -> (Report, Memory) {
    let mut rows = Memory::new();
    let mut session = system.build().unwrap().engine.start(&mut [&mut rows]);
    let mut end = length;
    while session.advance_to(end, &mut [&mut rows]) {
        assert!(session.time() >= end);
        end += length;
    }
    let (_, report) = session.finish(&mut [&mut rows]);
    (report.unwrap(), rows)
}

fn bits(rows: &Memory) -> Vec<u64> {
    let columns = rows.columns().iter().filter_map(|column| rows.real(&column.name));
    columns.flatten().chain(rows.time()).map(|value| value.to_bits()).collect()
}

#[test]
fn pieces_change_nothing() {
    for (number, system) in systems().iter().enumerate() {
        let (report, rows) = at_once(system);
        for length in [0.05, 1.0, 7.3, 100.0] {
            let (piecewise, pieces) = in_pieces(system, length);
            assert_eq!(piecewise, report, "system {number} in pieces of {length} s");
            assert!(bits(&pieces) == bits(&rows), "system {number} in pieces of {length} s");
        }
    }
}

#[test]
fn a_run_that_is_finished_early_ends_where_it_is() {
    let mut rows = Memory::new();
    let mut session = predator_prey().step(0.1).build().unwrap().engine.start(&mut [&mut rows]);
    assert!(session.advance_to(2.0, &mut [&mut rows]));
    let (mut simulation, report) = session.finish(&mut [&mut rows]);
    let report = report.unwrap();
    assert_eq!((report.end, report.time, report.counters.n_steps), (End::Canceled, 2.0, 20));
    assert_eq!(rows.time().len(), 21);
    assert_eq!(simulation.run(&mut []).unwrap().end, End::StopTime);
}

#[test]
fn a_tolerance_cannot_be_kept_in_pieces() {
    let session = predator_prey().tolerance(1e-4).build().unwrap().engine.start(&mut []);
    let (_, result) = session.finish(&mut []);
    assert!(matches!(result.unwrap_err().error, RunError::NoSession));
}
