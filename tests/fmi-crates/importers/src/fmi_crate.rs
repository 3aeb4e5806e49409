//! The crate `fmi`, which reads FMI 2.0 and 3.0.

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{self as fmi2, CoSimulation as _, Common as _};
use fmi::fmi3::import::Fmi3Import;
use fmi::fmi3::{CoSimulation as _, Common as _, Fmi3Model as _, GetSet as _, instance as fmi3};
use fmi::traits::FmiImport;

use crate::{Outcome, Population};

/// An instance of FMI 2.0 with the value references of its input and its output.
struct Instance2 {
    instance: fmi2::InstanceCS,
    input: u32,
    output: u32,
}

/// The same of FMI 3.0.
struct Instance3 {
    instance: fmi3::InstanceCS,
    input: u32,
    output: u32,
}

pub fn open_2(path: &str, name: &str, input: &str, output: &str) -> Outcome<Box<dyn Population>> {
    let import: Fmi2Import = fmi::import::from_path(path)?;
    let reference = |variable: &str| import.model_description().model_variable_by_name(variable).map(|v| v.value_reference);
    let (input, output) = (reference(input)?, reference(output)?);
    let mut instance = import.instantiate_cs(name, false, false)?;
    instance.setup_experiment(None, 0.0, None)?;
    instance.enter_initialization_mode()?;
    Ok(Box::new(Instance2 { instance, input, output }))
}

pub fn open_3(path: &str, name: &str, input: &str, output: &str) -> Outcome<Box<dyn Population>> {
    let import: Fmi3Import = fmi::import::from_path(path)?;
    let variables = &import.model_description().model_variables;
    let reference = |variable: &str| {
        let found = variables.iter_abstract().find(|v| v.name() == variable);
        found.map(|v| v.value_reference()).ok_or_else(|| format!("no variable `{variable}`"))
    };
    let (input, output) = (reference(input)?, reference(output)?);
    let mut instance = import.instantiate_cs(name, false, false, false, false, &[])?;
    instance.enter_initialization_mode(None, 0.0, None)?;
    Ok(Box::new(Instance3 { instance, input, output }))
}

impl Population for Instance2 {
    fn get(&mut self) -> Outcome<f64> {
        let mut value = [0.0];
        self.instance.get_real(&[self.output], &mut value)?;
        Ok(value[0])
    }

    fn set(&mut self, value: f64) -> Outcome<()> {
        self.instance.set_real(&[self.input], &[value])?;
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> Outcome<()> {
        self.instance.exit_initialization_mode()?;
        Ok(())
    }

    fn step(&mut self, time: f64, step_size: f64) -> Outcome<()> {
        self.instance.do_step(time, step_size, true)?;
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        self.instance.terminate()?;
        Ok(())
    }
}

impl Population for Instance3 {
    fn get(&mut self) -> Outcome<f64> {
        let mut value = [0.0];
        self.instance.get_float64(&[self.output], &mut value)?;
        Ok(value[0])
    }

    fn set(&mut self, value: f64) -> Outcome<()> {
        self.instance.set_float64(&[self.input], &[value])?;
        Ok(())
    }

    fn exit_initialization_mode(&mut self) -> Outcome<()> {
        self.instance.exit_initialization_mode()?;
        Ok(())
    }

    fn step(&mut self, time: f64, step_size: f64) -> Outcome<()> {
        let (mut event, mut ended, mut early, mut reached) = (false, false, false, 0.0);
        self.instance.do_step(time, step_size, true, &mut event, &mut ended, &mut early, &mut reached)?;
        if event || ended || early {
            return Err(format!("the step from {time} ended at {reached}: event {event}, end {ended}, early {early}").into());
        }
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        self.instance.terminate()?;
        Ok(())
    }
}
