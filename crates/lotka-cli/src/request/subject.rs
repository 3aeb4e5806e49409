//! The subject of a run: a system file or a single FMU, with the changes by flags.

use lotka::{Code, SingleFmu, System, inspect_fmu};

use super::{Arguments, flags::Flags};
use crate::{failure::Failure, kind::Kind, log::Level};

/// Sets a number of the system.
type Set = fn(System, f64) -> System;

/// A system as read from its file.
struct Subject {
    system: System,
    /// The FMU, if the system was made from a single one.
    alone: Option<SingleFmu>,
}

impl Subject {
    fn read(arguments: &Arguments) -> Result<Self, Failure> {
        let path = &arguments.system;
        match (Kind::of(path), &arguments.input_file) {
            (Kind::System, None) => Ok(Self { system: System::from_file(path)?, alone: None }),
            (Kind::System, Some(table)) => {
                let reason = format!(
                    "--input-file is for an FMU that runs alone; in the system {}, add {} to [sources] and connect its columns",
                    path.display(),
                    table.display()
                );
                Err(Failure::Usage { code: Code::WrongKindOfFile, reason })
            }
            (Kind::Fmu, table) => {
                let fmu = SingleFmu::new(inspect_fmu(path)?);
                let system = match table {
                    Some(table) => fmu.feed(fmu.system(), table)?,
                    None => fmu.system(),
                };
                Ok(Self { system, alone: Some(fmu) })
            }
        }
    }
}

impl Arguments {
    /// Returns the system before flags change it; only the inputs of a single FMU are included.
    pub(crate) fn system_of_file(&self) -> Result<System, Failure> {
        Subject::read(self).map(|subject| subject.system)
    }

    /// Returns the system with the changes by flags.
    pub(crate) fn system(&self) -> Result<System, Failure> {
        let subject = Subject::read(self)?;
        let mut system = self.with_numbers(subject.system.clone());
        if let Some(fmu) = &subject.alone {
            if system.description().experiment.stop.is_none() {
                let reason = format!("{} has no stop time in its default experiment; pass --stop-time", self.system.display());
                return Err(Failure::Usage { code: Code::NoStopTime, reason });
            }
            system = fmu.complete(system);
        }
        let alone = subject.alone.as_ref();
        let pattern = |text: &String| alone.map_or_else(|| text.clone(), |fmu| fmu.full_pattern(text));
        let patterns: Vec<_> = self.record.iter().map(pattern).collect();
        if !patterns.is_empty() {
            system = system.record(&patterns.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let name = |name: &String| alone.map_or_else(|| name.clone(), |fmu| fmu.full_name(name));
        let set = |system: System, (variable, value): &(String, String)| system.start_value(&name(variable), value);
        let mut system = self.start_value.iter().fold(system, set);
        Flags::of(self).mark(&mut system);
        Ok(system)
    }

    fn with_numbers(&self, system: System) -> System {
        let settings: [(Option<f64>, Set); 6] = [
            (self.start_time, System::start),
            (self.stop_time, System::stop),
            (self.step_size, System::step),
            (self.local_tolerance, System::local_tolerance),
            (self.output_interval, System::output_interval),
            (self.tolerance, System::tolerance),
        ];
        let system = settings.into_iter().fold(system, |system, (value, set)| match value {
            Some(value) => set(system, value),
            None => system,
        });
        let system = system.profile(self.profile || self.report.is_some()).debug_logging(self.log_level == Level::Debug);
        let system = if let Some(threads) = self.threads { system.threads(threads as usize) } else { system };
        self.isolation.apply(system)
    }
}
