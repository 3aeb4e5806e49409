//! Converts a project to a system description.

use lotka_message::{Code, Findings, nearest};
use lotka_step::resolved::Compatibility;
use lotka_system::{
    AlgorithmSettings, Connection, CsvSettings, ExperimentSettings, InstanceSettings, Interpolation, Located, NoConvergence,
    Outside, SourceSettings, SourceSignal, StartSetting, StartValue, Summand, SystemDescription,
};

use super::project::{ErrorControl, Mode, Project, Simulator};

/// The defaults of MasterSim.
const RELATIVE: f64 = 1e-5;
const ABSOLUTE: f64 = 1e-6;
const FIRST_STEP: f64 = 600.0;
const MIN_STEP: f64 = 1e-5;
const MAX_STEP: f64 = 1800.0;
const END: f64 = 31_536_000.0;
const OUTPUT: f64 = 600.0;
const FALL_BACK: f64 = 1e-3;

pub(super) fn convert(project: Project, findings: &mut Findings) -> SystemDescription {
    report_keys_without_counterpart(&project, findings);
    let experiment = experiment(&project);
    let algorithm = algorithm(&project);
    let (tables, simulators): (Vec<_>, Vec<_>) = project.simulators.into_iter().partition(is_table);
    let mut instances: Vec<_> = simulators.into_iter().map(instance).collect();
    let sources = tables.into_iter().map(source).collect();
    for (name, value) in project.parameters {
        let Some((simulator, variable)) = name.value.split_once('.') else { continue };
        let names = instances.iter().map(|instance| instance.name.value.clone()).collect::<Vec<_>>();
        let Some(instance) = instances.iter_mut().find(|instance| instance.name.value == simulator) else {
            let help = nearest(simulator, names.iter().map(String::as_str));
            findings.error(Code::UnknownInstance, &name.span, format!("unknown simulator `{simulator}`"), help);
            continue;
        };
        let variable = Located { value: variable.to_owned(), span: name.span.clone() };
        let value = Located { value: StartValue::Unparsed(value.value), span: value.span };
        instance.start.push(StartSetting::new(variable, value));
    }
    let connection = |edge: super::project::Edge| {
        let source = Summand { factor: edge.factor, offset: edge.offset, ..Summand::new(edge.output) };
        Connection { input: edge.input, sources: vec![source] }
    };
    let connections = project.graph.into_iter().map(connection).collect();
    let mut description = SystemDescription::default();
    (description.experiment, description.algorithm) = (experiment, algorithm);
    (description.instances, description.sources, description.connections) = (instances, sources, connections);
    description
}

/// Whether a simulator is a table, which MasterSim reads itself.
fn is_table(simulator: &Simulator) -> bool {
    let extension = simulator.file.value.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    matches!(extension.as_deref(), Some("csv" | "tsv"))
}

/// Lines between the rows; the first and the last value are held.
fn source(simulator: Simulator) -> SourceSettings {
    let path = Located { value: simulator.file.value.into(), span: simulator.file.span };
    let table = CsvSettings { path, interpolation: Interpolation::Linear, outside: Outside::Hold };
    SourceSettings { name: simulator.name, signal: SourceSignal::Csv(table), units: Vec::new() }
}

fn instance(simulator: Simulator) -> InstanceSettings {
    let file = Located { value: simulator.file.value.into(), span: simulator.file.span };
    InstanceSettings::new(simulator.name, file)
}

/// MasterSim records the first step at or after every multiple of `hOutputMin`, and does not adjust steps to it.
fn experiment(project: &Project) -> ExperimentSettings {
    let or = |value: &Option<Located<f64>>, default: f64| Some(value.clone().unwrap_or(default.into()));
    let mut experiment = ExperimentSettings::default();
    (experiment.start, experiment.stop) = (project.start.clone(), or(&project.end, END));
    if project.error_control.as_ref().is_some_and(|control| control.value == ErrorControl::StepDoubling) {
        experiment.local_tolerance = or(&project.relative, RELATIVE);
        experiment.absolute_tolerance = or(&project.absolute, ABSOLUTE);
        experiment.max_step = or(&project.max_step, MAX_STEP);
        return with_step_sizes(project, experiment);
    }
    if gets_smaller(project) {
        experiment.step = or(&project.max_step, MAX_STEP);
        return with_step_sizes(project, experiment);
    }
    let step = project.first_step.as_ref().map_or(FIRST_STEP, |step| step.value);
    experiment.step = or(&project.first_step, FIRST_STEP);
    match or(&project.output, OUTPUT) {
        Some(interval) if is_multiple(interval.value, step) => experiment.output_interval = Some(interval),
        interval => experiment.min_output_interval = interval.filter(|interval| interval.value > step),
    }
    experiment
}

/// Whether steps become smaller only if the iteration does not converge.
fn gets_smaller(project: &Project) -> bool {
    let is_switched_on = project.switches.iter().any(|(name, is_on)| name.text == "adjustStepSize" && *is_on);
    let estimates = project.error_control.as_ref().is_some_and(|control| control.value != ErrorControl::None);
    let iterates = project.iterations.as_ref().is_some_and(|iterations| iterations.value > 1);
    is_switched_on && !estimates && iterates
}

/// Rows are at some of the communication points, which are not equidistant.
fn with_step_sizes(project: &Project, mut experiment: ExperimentSettings) -> ExperimentSettings {
    let or = |value: &Option<Located<f64>>, default: f64| value.clone().unwrap_or(default.into());
    let (first, smallest) = (or(&project.first_step, FIRST_STEP), or(&project.min_step, MIN_STEP));
    experiment.min_output_interval = Some(or(&project.output, OUTPUT)).filter(|interval| interval.value > smallest.value);
    (experiment.first_step, experiment.min_step) = (Some(first), Some(smallest));
    experiment
}

fn is_multiple(interval: f64, step: f64) -> bool {
    let count = (interval / step).round();
    count >= 1.0 && (count * step - interval).abs() <= 1e-9 * interval
}

fn algorithm(project: &Project) -> AlgorithmSettings {
    let mode = project.mode.as_ref().map_or(Mode::GaussSeidel, |mode| mode.value);
    let sweep = if mode == Mode::GaussSeidel { "gauss-seidel" } else { "jacobi" };
    let mut settings = AlgorithmSettings::default();
    settings.sweep = Some(Located { value: sweep.to_owned(), span: project.mode.as_ref().and_then(|mode| mode.span.clone()) });
    settings.input_degree = Some(0.into());
    if mode == Mode::GaussSeidel {
        let mut order: Vec<_> = project.simulators.iter().filter(|simulator| !is_table(simulator)).collect();
        order.sort_by_key(|simulator| simulator.priority);
        settings.order = Some(order.into_iter().map(|simulator| simulator.name.clone()).collect::<Vec<_>>().into());
    }
    let is_fixed = project.error_control.as_ref().is_none_or(|control| control.value != ErrorControl::StepDoubling);
    // Without it, and below 2, MasterSim does not iterate.
    let iterations = project.iterations.clone().unwrap_or(1.into());
    settings.iterations = Some(Located { value: iterations.value.max(1), span: iterations.span });
    if iterations.value > 1 {
        settings.iteration_tolerance = Some(project.relative.clone().unwrap_or(RELATIVE.into()));
        let choice = if gets_smaller(project) { NoConvergence::SmallerSteps } else { NoConvergence::LastIterate };
        settings.on_no_convergence = is_fixed.then(|| choice.into());
        let given = project.fall_back.clone().unwrap_or(FALL_BACK.into());
        settings.min_iterated_step = (mode == Mode::GaussSeidel).then_some(given);
        settings.acceleration = (mode == Mode::Newton).then(|| "newton".to_owned().into());
    }
    if !is_fixed {
        settings.compatibility = Some(Compatibility::MasterSim.into());
    }
    settings
}

fn report_keys_without_counterpart(project: &Project, findings: &mut Findings) {
    let is_controlled = project.error_control.as_ref().is_some_and(|control| control.value == ErrorControl::StepDoubling);
    let adapts = is_controlled || gets_smaller(project);
    if let Some(control) = project.error_control.as_ref().filter(|control| control.value == ErrorControl::Check) {
        let message = "an error test that only informs has no counterpart: set `tolerance` to estimate the error of the results";
        findings.warning(Code::MsimIgnored, &control.span, message, None);
    }
    for (name, is_on) in &project.switches {
        let message = match (name.text.as_str(), is_on) {
            ("adjustStepSize", true) if !adapts => {
                "the step size stays fixed: it needs `ErrorControlMode STEP_DOUBLING`, or iterations without error control"
            }
            ("preventOversteppingOfEndTime", false) => "runs end at the stop time",
            ("writeInternalVariables", true) => "internal variables are not recorded",
            ("binaryOutputFiles", true) => {
                "Lotka writes rows as text; choose an output file with the extension .mat for a binary format"
            }
            _ => continue,
        };
        findings.warning(Code::MsimIgnored, &Some(name.span.clone()), format!("`{}`: {message}", name.text), None);
    }
}
