//! The notions of co-simulation, each with a test that shows it; `docs/orchestration.md` maps them to options.

mod energy;
mod notions;
mod page;
mod parallel_embedded;

use lotka::{Memory, Report, System};

fn run(system: &System) -> (Report, Memory) {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results]).unwrap();
    (report, results)
}
