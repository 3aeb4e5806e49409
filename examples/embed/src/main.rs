//! A program that embeds the master: simulates predator and prey until t = 100 s.
//!
//! ```text
//! cargo xtask package-fmus
//! cargo run --release -p embed -- target/fmus/prey.fmu target/fmus/predator.fmu
//! ```
#![forbid(unsafe_code)]

use std::{error::Error, process::ExitCode};

use lotka::{Memory, System};

fn run(prey: &str, predator: &str) -> Result<(), Box<dyn Error>> {
    let mut simulation = System::new()
        .instance("prey", prey)
        .instance("predator", predator)
        .connect("prey.y", "predator.y")
        .connect("predator.x", "prey.x")
        .stop(100.0)
        .local_tolerance(1e-6)
        .build()?;
    let mut results = Memory::new();
    let report = simulation.run(&mut [&mut results])?;
    let last = |name| results.real(name).and_then(<[f64]>::last).copied().unwrap_or(f64::NAN);
    println!(
        "t = {} s after {} steps: {} prey, {} predators",
        report.time,
        report.counters.n_steps,
        last("prey.x"),
        last("predator.y")
    );
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [prey, predator] = arguments.as_slice() else {
        eprintln!("usage: embed PREY.fmu PREDATOR.fmu");
        return ExitCode::from(2);
    };
    match run(prey, predator) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
