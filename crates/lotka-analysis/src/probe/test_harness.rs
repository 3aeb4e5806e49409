//! The common input of all questions: the FMU, a suitable experiment, and its variables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fmi2::Function;
use lotka_host::{Folder, HostOptions, HostedFmu};
use lotka_instance::description::{Causality, Variability, Variable, VariableKind};
use lotka_instance::{CallError, Cause, Experiment, FunctionName, InstanceFactory, ModelDescription, RealRef};

use super::answer::Answer;
use super::listing::listing;
use super::options::ProbeOptions;
use super::trouble::Trouble;
use super::variables::Variables;

/// Runs have at most this number of steps.
const STEPS: u32 = 12;

/// Default step size, as a divisor of the duration of the experiment.
const PARTS: f64 = 100.0;

/// The FMU and the experiment.
pub(super) struct TestHarness {
    pub fmu: HostedFmu,
    /// The working directory of the FMU, empty at first.
    pub directory: Folder,
    /// What was there when the library had been loaded, in the folder of the FMU.
    pub files: BTreeSet<PathBuf>,
    /// Start, stop and tolerance of the default experiment, completed: FMUs that need a stop time or a tolerance get one.
    pub experiment: Experiment,
    /// Communication step size \[s\].
    pub h: f64,
    /// Number of steps of a run; at least one more would end before the stop time.
    pub steps: u32,
    /// Real inputs with their start values.
    pub inputs: Vec<(RealRef, f64)>,
    /// Values of these inputs that are not the start values, within their bounds.
    pub moved_inputs: Vec<f64>,
    /// That larger steps than `h` were discarded.
    pub discarded: Option<String>,
    pub outputs: Variables,
    /// Real outputs that are not declared discrete.
    pub continuous_outputs: Vec<RealRef>,
    pub all: Variables,
}

impl TestHarness {
    /// The name of a function of FMI 2.0 in the version of the FMU.
    pub fn function(&self, function: Function) -> FunctionName {
        self.fmu.description().function(function)
    }

    /// Whether the FMU refuses a step by a status, which the standard allows.
    pub fn is_refusal(&self, error: &CallError) -> bool {
        error.function == self.function(Function::DoStep) && matches!(error.cause, Cause::Status(_))
    }

    /// The answer where no output differs: there has to be one.
    pub fn same(&self, explanation: impl Into<String>) -> Answer {
        match self.outputs.count() {
            0 => Answer::skipped("it works, but the FMU has no outputs to compare"),
            _ => Answer::pass(explanation),
        }
    }

    /// Loads the FMU, in a process of its own.
    pub fn open(path: &Path, options: &ProbeOptions) -> Result<Self, Trouble> {
        let limit = Some(options.time_limit);
        let program = options.host_program.clone();
        let directory = Folder::new().map_err(|error| Trouble::new(error.to_string()))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let hosting = HostOptions {
            program,
            init_timeout: limit,
            step_timeout: limit,
            directory: Some(directory.path().to_owned()),
            sandbox: options.sandbox.clone(),
            ..HostOptions::default()
        };
        let fmu = HostedFmu::open(path, hosting)?;
        let description = InstanceFactory::description(&fmu);
        let (experiment, h) = experiment(description);
        let fitting = experiment.stop.map_or(f64::from(STEPS), |stop| ((stop - experiment.start) / h).floor() - 1.0);
        let inputs = description.variables.iter().filter(|variable| variable.causality == Causality::Input);
        let inputs = inputs.filter_map(|variable| match &variable.kind {
            VariableKind::Real(real) => Some((variable, real.start.unwrap_or(0.0))),
            _ => None,
        });
        let inputs: Vec<_> = inputs.collect();
        let moved_inputs = inputs.iter().map(|&(variable, start)| moved(start, variable.range()));
        Ok(Self {
            experiment,
            h,
            steps: fitting.clamp(2.0, f64::from(STEPS)) as u32,
            moved_inputs: moved_inputs.collect(),
            inputs: inputs.iter().map(|&(variable, start)| (RealRef(variable.value_reference), start)).collect(),
            discarded: None,
            outputs: Variables::of(description, |variable| variable.causality == Causality::Output),
            continuous_outputs: continuous_outputs(description),
            all: Variables::of(description, |_| true),
            files: listing(fmu.folder()).into_iter().collect(),
            fmu,
            directory,
        })
    }
}

fn continuous_outputs(description: &ModelDescription) -> Vec<RealRef> {
    let is_continuous =
        |variable: &Variable| variable.causality == Causality::Output && variable.variability == Variability::Continuous;
    Variables::of(description, is_continuous).reals.into_iter().map(|(_, reference)| reference).collect()
}

/// Another value between two bounds.
fn moved(start: f64, [least, most]: [Option<f64>; 2]) -> f64 {
    let by = 1.0_f64.max(start.abs());
    match (least, most) {
        (_, Some(most)) if start + by > most => least.map_or(start - by, |least| f64::midpoint(least, start)),
        _ => start + by,
    }
}

/// The default experiment, and its step size; without one, steps are multiples of those inside the FMU.
fn experiment(description: &ModelDescription) -> (Experiment, f64) {
    let default = description.default_experiment.unwrap_or_default();
    let start = default.start_time.unwrap_or(0.0);
    let known_step = default.step_size.or(description.fixed_internal_step);
    let stop = default.stop_time.unwrap_or_else(|| start + known_step.map_or(1.0, |h| h * PARTS));
    let usual = (stop - start) / PARTS;
    let whole = |own: f64| own * (usual / own).round().max(1.0);
    let h = default.step_size.unwrap_or_else(|| description.fixed_internal_step.map_or(usual, whole));
    // At least two steps, and another one before the stop time.
    let stop = stop.max(start + 4.0 * h);
    (Experiment { start, stop: Some(stop), tolerance: Some(default.tolerance.unwrap_or(1e-6)) }, h)
}
