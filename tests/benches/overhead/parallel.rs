//! What a second thread gains, for FMUs whose steps take some 50 microseconds.

use std::{path::Path, time::Instant};

use fmu::Fmu;
use lotka::System;
use tests::lean::Lean;

use crate::table::Line;

/// Number of exponentials of a step.
const WORK: u32 = 10_000;
const ROUNDS: usize = 5;
const STEPS: f64 = 500.0;

pub const NAMES: [&str; 3] = ["2 threads, Jacobi", "2 threads, levels of Gauss-Seidel", "2 threads, runs of a tolerance"];

/// Compares one and two threads, by the clock: the threads work at the same time.
pub fn measure(name: &str, folder: &Path) -> Line {
    let path = Lean::new("heavy").define(&format!("WORK={WORK}")).build(folder);
    let fmu = Fmu::open(path).expect("our FMUs load");
    let best = |threads: usize| {
        let mut simulation = system(name, &fmu).threads(threads).build().expect("the system fits");
        let times = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            simulation.run(&mut []).expect("the run ends well");
            start.elapsed().as_secs_f64() * 1e3
        });
        times.fold(f64::INFINITY, f64::min)
    };
    // The runs of a tolerance differ in length.
    let gain = if name == NAMES[2] { 1.8 } else { 1.9 };
    Line { name: name.to_owned(), limit: best(1) / 2.0, ours: best(2), unit: "ms", aim: 2.0 / gain, instructions: None }
}

fn system(name: &str, fmu: &Fmu) -> System {
    let step = 1e-3;
    let pair = System::new().instance_of("a", fmu).instance_of("b", fmu).stop(STEPS * step);
    if name == NAMES[0] {
        return pair.connect("a.u1", "b.y1").connect("b.u1", "a.y1").step(step).sweep("jacobi");
    }
    if name == NAMES[1] {
        // Two pairs: the first members step at the same time, then the second ones.
        let four = pair.instance_of("c", fmu).instance_of("d", fmu).connect("b.u1", "a.y1").connect("d.u1", "c.y1");
        return four
            .connect("a.u1", "b.y1")
            .connect("c.u1", "d.y1")
            .order(&["a", "b", "c", "d"])
            .step(step)
            .sweep("gauss-seidel");
    }
    pair.connect("a.u1", "b.y1").connect("b.u1", "a.y1").tolerance(1e-6)
}
