//! One FMU on its own, as a system.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use lotka_instance::description::DefaultExperiment;

use super::System;
use crate::FmuInfo;
use lotka_results::{ResultColumn, Results, ResultsError};
use lotka_system::{FIXED_STEPS, InternalGrid, instance_name, whole_steps};

/// Name of the source that feeds the inputs, unless the instance has this name.
const SOURCE: &str = "input";

/// A single FMU that runs alone, over its default experiment.
#[derive(Debug, Clone)]
pub struct SingleFmu {
    fmu: FmuInfo,
    name: String,
}

impl SingleFmu {
    /// Wraps an FMU. Its instance has the name of the file.
    #[must_use]
    pub fn new(fmu: FmuInfo) -> Self {
        let name = instance_name(&fmu.path, &HashSet::new());
        Self { fmu, name }
    }

    /// Returns a system of one instance, with the start time, stop time and step size of the default experiment, as far as the
    /// FMU has them.
    ///
    /// Without a step size there are 1000 steps. An FMU that cannot vary its steps stops after a whole number of them. If the FMU
    /// declares the size of internal steps, stop time and step size are multiples of it. Values that the default experiment lacks
    /// are missing in the system, too: see [`SingleFmu::complete`].
    #[must_use]
    pub fn system(&self) -> System {
        let declared = self.fmu.interface.default_experiment.unwrap_or_default();
        let DefaultExperiment { start_time, stop_time, step_size, .. } = declared;
        let mut system = System::new().instance(&self.name, PathBuf::from(&self.fmu.path));
        let start = start_time.unwrap_or(0.0);
        let stop = stop_time.filter(|stop| *stop > start);
        let grid = self.grid();
        let stop = stop.map(|stop| grid.map_or(stop, |grid| grid.stop(start, stop)));
        let step = step_size.filter(|step| *step > 0.0).map(|step| grid.map_or(step, |grid| grid.step(step)));
        let experiment = &mut system.description_mut().experiment;
        experiment.start = start_time.map(Into::into);
        experiment.step = step.map(Into::into);
        experiment.stop = match (stop, step) {
            (Some(stop), Some(step)) if !self.fmu.interface.capabilities.variable_step => {
                Some(whole_steps(start, stop, step).into())
            }
            (stop, _) => stop.map(Into::into),
        };
        system
    }

    /// The internal steps that the FMU declares.
    fn grid(&self) -> Option<InternalGrid> {
        InternalGrid::of(std::iter::once(&self.fmu.interface))
    }

    /// Returns the system with 1000 fixed steps, unless it has a setting of its steps.
    #[must_use]
    pub fn complete(&self, system: System) -> System {
        let experiment = &system.description().experiment;
        let is_given = [&experiment.step, &experiment.tolerance, &experiment.local_tolerance].iter().any(|given| given.is_some());
        match &experiment.stop {
            Some(stop) if !is_given => {
                let duration = stop.value - experiment.start.as_ref().map_or(0.0, |start| start.value);
                // Invalid durations are refused together with the times.
                let step = if duration > 0.0 { duration / FIXED_STEPS } else { 1.0 };
                system.step(self.grid().map_or(step, |grid| grid.step(step)))
            }
            _ => system,
        }
    }

    /// Returns the full name, `instance.variable`, of a variable; the instance can be left out.
    #[must_use]
    pub fn full_name(&self, name: &str) -> String {
        let variable = name.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('.'));
        let is_full = variable.is_some_and(|variable| self.has(variable) || !self.has(name));
        if is_full { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    /// Returns a pattern for [`System::record`]; the name of a variable can leave out its instance.
    #[must_use]
    pub fn full_pattern(&self, pattern: &str) -> String {
        let (mark, name) = pattern.strip_prefix('!').map_or(("", pattern), |name| ("!", name));
        if self.has(name) { format!("{mark}{}", self.full_name(name)) } else { pattern.to_owned() }
    }

    fn has(&self, variable: &str) -> bool {
        self.fmu.interface.variables.iter().any(|known| known.name == variable)
    }

    /// Feeds inputs from the columns of a table with their names, `u` or `instance.u`; the first column is the time.
    ///
    /// Real values follow straight lines between rows. A column that is not an input is a problem of [`System::build`].
    ///
    /// # Errors
    /// The names of the columns cannot be read.
    pub fn feed(&self, system: System, table: &Path) -> Result<System, ResultsError> {
        let taken = HashSet::from([self.name.clone()]);
        let source = instance_name(Path::new(SOURCE), &taken);
        let mut system = system.source_csv(&source, table);
        for ResultColumn { name, .. } in Results::open_head(table, true)?.columns() {
            system = system.connect(&self.full_name(name), &format!("{source}.{name}"));
        }
        Ok(system)
    }
}
