//! Couples prey and predator through the registry's `fmi` crate: Jacobi, fixed step.
//!
//! Usage: `fmi-crate PREY.fmu PREDATOR.fmu STEP_SIZE STEPS`. Prints CSV with all digits, a row for the start and one after each step.
#![forbid(unsafe_code)]

use std::error::Error;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, InstanceCS};
use fmi::traits::FmiImport;

/// An instance with the value references of its input and its output.
struct Population {
    instance: InstanceCS,
    input: u32,
    output: u32,
}

impl Population {
    fn open(path: &str, name: &str, input: &str, output: &str) -> Result<Self, Box<dyn Error>> {
        let import: Fmi2Import = fmi::import::from_path(path)?;
        let reference = |variable: &str| import.model_description().model_variable_by_name(variable).map(|v| v.value_reference);
        let (input, output) = (reference(input)?, reference(output)?);
        let mut instance = import.instantiate_cs(name, false, false)?;
        instance.setup_experiment(None, 0.0, None)?;
        instance.enter_initialization_mode()?;
        Ok(Self { instance, input, output })
    }

    fn get(&mut self) -> Result<f64, Box<dyn Error>> {
        let mut value = [0.0];
        self.instance.get_real(&[self.output], &mut value)?;
        Ok(value[0])
    }

    fn set(&mut self, value: f64) -> Result<(), Box<dyn Error>> {
        self.instance.set_real(&[self.input], &[value])?;
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [prey, predator, step_size, steps] = arguments.as_slice() else {
        return Err("usage: fmi-crate PREY.fmu PREDATOR.fmu STEP_SIZE STEPS".into());
    };
    let (step_size, steps): (f64, u32) = (step_size.parse()?, steps.parse()?);
    let mut prey = Population::open(prey, "prey", "y", "x")?;
    let mut predator = Population::open(predator, "predator", "x", "y")?;
    let (mut time, mut x, mut y) = (0.0, prey.get()?, predator.get()?);
    prey.set(y)?;
    predator.set(x)?;
    prey.instance.exit_initialization_mode()?;
    predator.instance.exit_initialization_mode()?;

    println!("time,prey.x,predator.y\n{time:?},{x:?},{y:?}");
    for _ in 0..steps {
        prey.set(y)?;
        predator.set(x)?;
        prey.instance.do_step(time, step_size, true)?;
        predator.instance.do_step(time, step_size, true)?;
        time += step_size;
        (x, y) = (prey.get()?, predator.get()?);
        println!("{time:?},{x:?},{y:?}");
    }
    prey.instance.terminate()?;
    predator.instance.terminate()?;
    Ok(())
}
