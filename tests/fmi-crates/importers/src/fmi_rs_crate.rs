//! The crate `fmi-rs`, which reads FMI 2.0 and 3.0.

use std::fmt::Debug;
use std::sync::Arc;

use fmi_rs::fmi2::builder::FMU2Builder;
use fmi_rs::fmi2::types::{fmi2Status, fmi2True};
use fmi_rs::fmi2::{CS, FMU2};
use fmi_rs::fmi3::FMU3;
use fmi_rs::fmi3::builder::FMU3Builder;
use fmi_rs::fmi3::types::fmi3Status;

use crate::{Outcome, Population};

/// An instance of FMI 2.0 with the value references of its input and its output.
struct Instance2 {
    instance: Arc<FMU2<CS>>,
    /// The unpacked archive, which lives as long as the instance.
    _builder: FMU2Builder,
    input: u32,
    output: u32,
}

/// The same of FMI 3.0.
struct Instance3 {
    instance: Arc<FMU3>,
    _builder: FMU3Builder,
    input: u32,
    output: u32,
}

pub fn open_2(path: &str, name: &str, input: &str, output: &str) -> Outcome<Box<dyn Population>> {
    let builder = FMU2Builder::new(&path)?;
    let reference = |variable: &str| {
        let found = builder.model_description.modelVariables.iter().find(|v| v.name == variable);
        found.map(|v| v.valueReference).ok_or_else(|| format!("no variable `{variable}`"))
    };
    let (input, output) = (reference(input)?, reference(output)?);
    let instance = builder.instantiate_cs(name)?;
    is(instance.setupExperiment(None, 0.0, None), fmi2Status::Ok)?;
    is(instance.enterInitializationMode(), fmi2Status::Ok)?;
    Ok(Box::new(Instance2 { instance, _builder: builder, input, output }))
}

pub fn open_3(path: &str, name: &str, input: &str, output: &str) -> Outcome<Box<dyn Population>> {
    let mut builder = FMU3Builder::new(&path)?;
    builder.eventModeUsed = false;
    builder.earlyReturnAllowed = false;
    let reference = |variable: &str| builder.model_description.variable_by_name(variable).map(|v| v.valueReference);
    let (input, output) = (reference(input)?, reference(output)?);
    let instance = builder.instantiate_cs(name)?;
    is(instance.enterInitializationMode(None, 0.0, None), fmi3Status::Ok)?;
    Ok(Box::new(Instance3 { instance, _builder: builder, input, output }))
}

/// Anything but the status OK is an error.
fn is<S: PartialEq + Debug>(status: S, ok: S) -> Outcome<()> {
    if status == ok { Ok(()) } else { Err(format!("status {status:?}").into()) }
}

impl Population for Instance2 {
    fn get(&mut self) -> Outcome<f64> {
        let mut value = [0.0];
        is(self.instance.getReal(&[self.output], &mut value), fmi2Status::Ok)?;
        Ok(value[0])
    }

    fn set(&mut self, value: f64) -> Outcome<()> {
        is(self.instance.setReal(&[self.input], &[value]), fmi2Status::Ok)
    }

    fn exit_initialization_mode(&mut self) -> Outcome<()> {
        is(self.instance.exitInitializationMode(), fmi2Status::Ok)
    }

    fn step(&mut self, time: f64, step_size: f64) -> Outcome<()> {
        is(self.instance.doStep(time, step_size, fmi2True), fmi2Status::Ok)
    }

    fn terminate(&mut self) -> Outcome<()> {
        is(self.instance.terminate(), fmi2Status::Ok)
    }
}

impl Population for Instance3 {
    fn get(&mut self) -> Outcome<f64> {
        let mut value = [0.0];
        is(self.instance.getFloat64(&[self.output], &mut value), fmi3Status::Ok)?;
        Ok(value[0])
    }

    fn set(&mut self, value: f64) -> Outcome<()> {
        is(self.instance.setFloat64(&[self.input], &[value]), fmi3Status::Ok)
    }

    fn exit_initialization_mode(&mut self) -> Outcome<()> {
        is(self.instance.exitInitializationMode(), fmi3Status::Ok)
    }

    fn step(&mut self, time: f64, step_size: f64) -> Outcome<()> {
        let (mut event, mut ended, mut early, mut reached) = (false, false, false, 0.0);
        is(self.instance.doStep(time, step_size, true, &mut event, &mut ended, &mut early, &mut reached), fmi3Status::Ok)?;
        if event || ended || early {
            return Err(format!("the step from {time} ended at {reached}: event {event}, end {ended}, early {early}").into());
        }
        Ok(())
    }

    fn terminate(&mut self) -> Outcome<()> {
        is(self.instance.terminate(), fmi3Status::Ok)
    }
}
