//! Settings of the run: times of the description, annotations of other tools and of Lotka.

use lotka_message::{Code, SourceFile};
use lotka_step::resolved::FeedthroughOutputs;

use super::{annotations::Hints, flatten::Flattener};
use crate::{AlgorithmSettings, Located, SystemDescription, toml};

/// The default tolerance of a description without step settings.
const DEFAULT_TOLERANCE: f64 = 1e-6;

impl Flattener {
    pub(super) fn experiment(
        &mut self,
        start: Option<Located<f64>>,
        stop: Option<Located<f64>>,
        hints: Hints,
        file: &SourceFile,
    ) {
        if let Some(settings) = &hints.settings {
            self.settings(settings, file);
        }
        let experiment = &mut self.description.experiment;
        (experiment.start, experiment.stop) = (start, stop);
        if experiment.step.is_some() || experiment.tolerance.is_some() || experiment.local_tolerance.is_some() {
            return;
        }
        match (hints.step, hints.control) {
            (Some(step), _) => {
                experiment.step = Some(step);
                if hints.is_of_omsimulator {
                    self.description.algorithm = master_of_omsimulator();
                }
            }
            (None, Some(control)) if control.relative.is_some() => {
                experiment.local_tolerance = control.relative;
                experiment.absolute_tolerance = control.absolute;
                (experiment.first_step, experiment.min_step, experiment.max_step) =
                    (control.first, control.minimum, control.maximum);
            }
            _ => experiment.tolerance = Some(DEFAULT_TOLERANCE.into()),
        }
    }

    /// Sections of a system file in an annotation. Their text is read at its offset, so that problems have places in the file.
    fn settings(&mut self, settings: &Located<String>, file: &SourceFile) {
        let begin = settings.span.as_ref().map_or(0, |span| span.start);
        let Some(at) = file.text[begin..].find(settings.value.as_str()) else {
            self.findings.error(
                Code::SspSettings,
                &settings.span,
                "cannot read the settings",
                "write them without escapes, in a CDATA section".to_owned(),
            );
            return;
        };
        let blank = |text: &str| text.split_inclusive('\n').map(blank_line).collect::<String>();
        let text = format!("{}{}", blank(&file.text[..begin + at]), settings.value);
        let (read, findings) = toml::read_sections(&text);
        self.findings.extend(findings);
        let SystemDescription {
            experiment,
            isolation,
            initialization,
            loop_tolerance,
            algorithm,
            events,
            power_bonds,
            sources,
            scenario,
            results,
            ..
        } = read;
        let description = &mut self.description;
        (description.experiment, description.isolation, description.initialization) = (experiment, isolation, initialization);
        description.loop_tolerance = loop_tolerance;
        (description.algorithm, description.events, description.power_bonds) = (algorithm, events, power_bonds);
        (description.sources, description.scenario, description.results) = (sources, scenario, results);
        for connection in read.connections {
            description.connections.retain(|known| known.input.value != connection.input.value);
            description.connections.push(connection);
        }
        for own in read.instances {
            let instance = description.instances.iter_mut().find(|instance| instance.name.value == own.name.value);
            if let Some(instance) = instance {
                (instance.pass_stop_time, instance.isolation) = (own.pass_stop_time, own.isolation);
                (instance.fmu_tolerance, instance.sample_time) = (own.fmu_tolerance, own.sample_time);
            }
        }
    }
}

/// OMSimulator steps all components side by side, holds their inputs, and reads outputs with direct feedthrough again.
fn master_of_omsimulator() -> AlgorithmSettings {
    AlgorithmSettings { feedthrough_outputs: Some(FeedthroughOutputs::ReRead.into()), ..AlgorithmSettings::side_by_side() }
}

/// A line of blanks of the same length.
fn blank_line(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    format!("{}{end}", " ".repeat(text.len()))
}
