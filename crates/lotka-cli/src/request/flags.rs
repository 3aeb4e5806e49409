//! Maps settings to flags, so that problems name the flag instead of a line of the system file.

use lotka::{Error, Located, Problem, Problems, SourceFile, System, Warning, command::PLACES_OUTSIDE};

use super::Arguments;

/// The flags that change the system, and the places of their settings, which replace those in the file.
pub(super) struct Flags<'a> {
    arguments: &'a Arguments,
}

impl<'a> Flags<'a> {
    pub(super) fn of(arguments: &'a Arguments) -> Self {
        Self { arguments }
    }

    /// Returns all flags as given; the index of each is its place.
    fn texts(&self) -> Vec<String> {
        let Arguments { input_file, record, start_value, .. } = self.arguments;
        let number = |(flag, value): (&str, Option<f64>)| format!("{flag} {}", value.unwrap_or_default());
        let mut texts: Vec<_> = self.numbers().map(number).to_vec();
        texts.push(format!("--input-file {}", input_file.as_deref().unwrap_or("".as_ref()).display()));
        texts.extend(record.iter().map(|pattern| format!("--record {pattern}")));
        texts.extend(start_value.iter().map(|(name, value)| format!("--start-value {name}={value}")));
        texts
    }

    fn numbers(&self) -> [(&'static str, Option<f64>); 6] {
        let Arguments { start_time, stop_time, step_size, local_tolerance, output_interval, tolerance, .. } = self.arguments;
        [
            ("--start-time", *start_time),
            ("--stop-time", *stop_time),
            ("--step-size", *step_size),
            ("--local-tolerance", *local_tolerance),
            ("--output-interval", *output_interval),
            ("--tolerance", *tolerance),
        ]
    }

    /// Marks the settings that flags have changed with the places of these flags.
    pub(super) fn mark(&self, system: &mut System) {
        let Arguments { input_file, record, start_value, .. } = self.arguments;
        let (n_numbers, n_records) = (self.numbers().len(), record.len());
        let description = system.description_mut();
        let experiment = &mut description.experiment;
        let settings = [
            &mut experiment.start,
            &mut experiment.stop,
            &mut experiment.step,
            &mut experiment.local_tolerance,
            &mut experiment.output_interval,
            &mut experiment.tolerance,
        ];
        for (index, (setting, (_, given))) in settings.into_iter().zip(self.numbers()).enumerate() {
            if given.is_some() {
                setting.iter_mut().for_each(|setting| place(setting, index));
            }
        }
        if input_file.is_some() {
            for connection in &mut description.connections {
                place(&mut connection.input, n_numbers);
                connection.sources.iter_mut().for_each(|source| place(&mut source.from, n_numbers));
            }
            for source in &mut description.sources {
                if let lotka::SourceSignal::Csv(csv) = &mut source.signal {
                    place(&mut csv.path, n_numbers);
                }
            }
        }
        if let (Some(patterns), true) = (&mut description.results.variables, n_records > 0) {
            place(patterns, n_numbers + 1);
            patterns.value.iter_mut().zip(n_numbers + 1..).for_each(|(pattern, index)| place(pattern, index));
        }
        let first = description.start_values.len() - start_value.len();
        for (setting, index) in description.start_values[first..].iter_mut().zip(n_numbers + 1 + n_records..) {
            place(&mut setting.variable, index);
            place(&mut setting.value, index);
        }
    }

    /// Returns the same problem; if it is about a flag, the flag replaces the file.
    fn attributed(&self, problem: &Problem) -> Problem {
        let index = problem.span.as_ref().and_then(|span| span.start.checked_sub(PLACES_OUTSIDE));
        let text = index.and_then(|index| self.texts().into_iter().nth(index));
        match text {
            Some(text) => {
                let flag = SourceFile { path: text.into(), text: "".into() };
                Problem { file: Some(flag), span: None, ..problem.clone() }
            }
            None => problem.clone(),
        }
    }
}

fn place<T>(setting: &mut Located<T>, index: usize) {
    setting.span = Some(PLACES_OUTSIDE + index..PLACES_OUTSIDE + index);
}

impl Arguments {
    /// Returns the error, with flags in place of the file for problems that are about flags.
    pub(crate) fn blame(&self, error: Error) -> Error {
        let Error::System(problems) = error else { return error };
        let list = problems.list.iter().map(|problem| Flags::of(self).attributed(problem)).collect();
        Error::System(Problems { list, ..problems })
    }

    /// Returns the warning, with flags in place of the file in the same way.
    pub(crate) fn blame_in(&self, warning: &Warning) -> Warning {
        let Some(problems) = &warning.problem else { return warning.clone() };
        let list: Vec<_> = problems.list.iter().map(|problem| Flags::of(self).attributed(problem)).collect();
        if list == problems.list {
            return warning.clone();
        }
        let of_flags = Problems { file: problems.file.clone(), list };
        let lines = of_flags.list.iter().map(|problem| of_flags.line(problem).replacen("warning: ", "", 1));
        let text = lines.collect::<Vec<_>>().join("\n");
        Warning { text, problem: Some(Box::new(of_flags)), ..warning.clone() }
    }
}
