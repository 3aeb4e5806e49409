//! Couples prey and predator through an importer from the registry: Jacobi, fixed step.
//!
//! Usage: `importers fmi2|fmi3|fmi-rs2|fmi-rs3 PREY.fmu PREDATOR.fmu STEP_SIZE STEPS`. The first argument names the crate and the
//! version of FMI. Prints CSV with all digits, a row for the start and one after each step.
#![forbid(unsafe_code)]

mod fmi_crate;
mod fmi_rs_crate;

use std::error::Error;

/// What an importer reports.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// An instance with one input and one output, in Initialization Mode.
pub trait Population {
    fn get(&mut self) -> Outcome<f64>;
    fn set(&mut self, value: f64) -> Outcome<()>;
    fn exit_initialization_mode(&mut self) -> Outcome<()>;
    fn step(&mut self, time: f64, step_size: f64) -> Outcome<()>;
    fn terminate(&mut self) -> Outcome<()>;
}

/// Opens an FMU, given its path and the names of instance, input and output.
type Open = fn(&str, &str, &str, &str) -> Outcome<Box<dyn Population>>;

const IMPORTERS: [(&str, Open); 4] = [
    ("fmi2", fmi_crate::open_2),
    ("fmi3", fmi_crate::open_3),
    ("fmi-rs2", fmi_rs_crate::open_2),
    ("fmi-rs3", fmi_rs_crate::open_3),
];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [importer, prey, predator, step_size, steps] = arguments.as_slice() else {
        return Err("usage: importers fmi2|fmi3|fmi-rs2|fmi-rs3 PREY.fmu PREDATOR.fmu STEP_SIZE STEPS".into());
    };
    let (_, open) = IMPORTERS.iter().find(|(name, _)| name == importer).ok_or_else(|| format!("no importer `{importer}`"))?;
    let prey = open(prey, "prey", "y", "x")?;
    let predator = open(predator, "predator", "x", "y")?;
    couple(prey, predator, step_size.parse()?, steps.parse()?)
}

/// Steps both with what the other one was at the start of the step. Communication points are multiples of the step size, and each
/// step ends at one.
fn couple(mut prey: Box<dyn Population>, mut predator: Box<dyn Population>, step_size: f64, steps: u32) -> Outcome<()> {
    let (mut time, mut x, mut y) = (0.0, prey.get()?, predator.get()?);
    prey.set(y)?;
    predator.set(x)?;
    prey.exit_initialization_mode()?;
    predator.exit_initialization_mode()?;

    println!("time,prey.x,predator.y\n{time:?},{x:?},{y:?}");
    for n in 1..=steps {
        prey.set(y)?;
        predator.set(x)?;
        let h = f64::from(n) * step_size - time;
        prey.step(time, h)?;
        predator.step(time, h)?;
        time += h;
        (x, y) = (prey.get()?, predator.get()?);
        println!("{time:?},{x:?},{y:?}");
    }
    prey.terminate()?;
    predator.terminate()
}
