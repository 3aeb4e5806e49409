//! From a description and loaded FMUs to a simulation, and from there to a report.

use std::collections::VecDeque;

use fmi2::{Function, Instance, ModelDescription};
use fmu::Fmu;

use super::{
    CancelToken, Counters, End, InstanceReport, Report, RunFailure,
    driver::Driver,
    log_queue::LogQueue,
    profile::{Stopwatch, Timed},
    stepping::{Controlled, FixedSteps},
};
use crate::{
    Error,
    algorithm::{Coupled, Level, Member, Method, make_controller},
    error::LoadError,
    error_control::{Bounds, Slope, StepDoubling, StepSize},
    graph::{self, Graph, Plan},
    initialize::{self, SetUp, Setting},
    record::{Column, Event, Observer},
    system::{
        Compatibility, SystemDescription, Warning,
        problem::Findings,
        resolve::{self, ControlledSteps, Interface, Resolved, Stepping},
    },
};

/// Instances that are coupled and ready to run.
pub struct Simulation {
    coupled: Coupled,
    resolved: Resolved,
    graph: Graph,
    set_up: Vec<SetUp>,
    same_size: bool,
    log: LogQueue,
    cancel: CancelToken,
    stopwatches: Vec<Stopwatch>,
    warnings: Vec<Warning>,
}

/// What is watched beside the results.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Watch {
    /// The time spent in each instance is measured.
    pub(crate) profile: bool,
    /// The FMUs are asked to log what they do.
    pub(crate) debug_logging: bool,
}

/// Resolves `system` against `fmus` (one per instance) and instantiates them.
pub(crate) fn build(system: &SystemDescription, findings: Findings, fmus: &[Fmu], watch: Watch) -> Result<Simulation, Error> {
    let interfaces: Vec<_> = fmus
        .iter()
        .map(|fmu| Interface { path: fmu.path(), description: fmu.description(), capabilities: *fmu.capabilities() })
        .collect();
    let (mut resolved, mut warnings) = resolve::resolve(system, findings, &interfaces).map_err(Error::System)?;
    let descriptions: Vec<&ModelDescription> = interfaces.iter().map(|interface| interface.description).collect();
    let names: Vec<&str> = system.instances.iter().map(|instance| instance.name.value.as_str()).collect();
    let graph = graph::analyze(&descriptions, &resolved.links, resolved.algorithm.order.as_deref());
    if !graph.components.iter().any(|component| component.is_loop) {
        resolved.algorithm.iteration = None;
    }
    let log = LogQueue::default();
    let options =
        fmu::InstantiateOptions { log: Some(log.sink()), logging_on: watch.debug_logging, ..fmu::InstantiateOptions::default() };
    let stopwatches: Vec<_> = names.iter().filter(|_| watch.profile).map(|_| Stopwatch::default()).collect();
    let instances = instantiate(&names, fmus, &options, &stopwatches)?;
    // After the instances: what they keep then lies close together in memory, which matters when they are many.
    let plan = Plan::new(&names, &descriptions, &resolved.links, graph.clone());
    for (name, fmu) in names.iter().zip(fmus) {
        warnings.extend(fmu.warnings().iter().map(|warning| Warning(format!("instance `{name}`: {warning}"))));
    }
    let set_up = set_up(system, &resolved, &descriptions);
    let same_size = fmus.iter().any(|fmu| !fmu.capabilities().variable_step);
    let coupled = Coupled::new(plan, instances);
    let cancel = CancelToken::new();
    Ok(Simulation { coupled, resolved, graph, set_up, same_size, log, cancel, stopwatches, warnings })
}

fn instantiate(
    names: &[&str],
    fmus: &[Fmu],
    options: &fmu::InstantiateOptions,
    stopwatches: &[Stopwatch],
) -> Result<Vec<Box<dyn Instance>>, Error> {
    let (mut instances, mut failures) = (Vec::<Box<dyn Instance>>::with_capacity(fmus.len()), Vec::new());
    for (index, (name, fmu)) in names.iter().zip(fmus).enumerate() {
        match fmu.instantiate(name, options) {
            Ok(instance) => instances.push(match stopwatches.get(index) {
                Some(stopwatch) => Box::new(Timed::new(Box::new(instance), stopwatch.clone())),
                None => Box::new(instance),
            }),
            Err(source) => failures.push(LoadError { instance: (*name).to_owned(), source }),
        }
    }
    if failures.is_empty() { Ok(instances) } else { Err(Error::Load(failures)) }
}

fn set_up(system: &SystemDescription, resolved: &Resolved, descriptions: &[&ModelDescription]) -> Vec<SetUp> {
    let (start, stop) = (resolved.experiment.start, resolved.experiment.stop);
    let instances = system.instances.iter().zip(&resolved.start_values).zip(descriptions);
    instances
        .map(|((instance, values), description)| SetUp {
            experiment: fmi2::Experiment { start, stop: instance.pass_stop_time.then_some(stop), tolerance: None },
            settings: values.iter().map(|(variable, value)| Setting::new(description, *variable, value.clone())).collect(),
        })
        .collect()
}

impl Simulation {
    /// A token that ends the run from another thread.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// The recorded variables, in the order of the rows.
    pub fn columns(&self) -> &[Column] {
        &self.coupled.plan.columns
    }

    /// Loops and evaluation order.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Warnings of set-up.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The chosen algorithm in a sentence.
    pub fn describe_algorithm(&self) -> String {
        let names: Vec<_> = self.graph.order.iter().map(|&index| self.coupled.name(index)).collect();
        let iteration = match &self.resolved.algorithm.iteration {
            Some(iteration) => {
                format!("at most {} iterations inside loops to {:e}", iteration.limit, iteration.tolerances.relative)
            }
            None => "no iteration".to_owned(),
        };
        let steps = match &self.resolved.experiment.stepping {
            Stepping::Fixed(h) => format!("fixed steps of {h} s"),
            Stepping::Controlled(steps) => {
                let formulas = steps.compatibility.map_or("", |Compatibility::MasterSim| ", with MasterSim's formulas");
                let (tolerances, controller) = (steps.tolerances, steps.controller);
                format!(
                    "step doubling at local tolerance {:e} (absolute {:e}) with the {controller} controller{formulas}",
                    tolerances.relative, tolerances.absolute
                )
            }
        };
        format!("{} sweep in the order {}, {iteration}, {steps}", self.resolved.algorithm.sweep, names.join(", "))
    }

    /// Initializes the instances and steps them until the stop time, the end that an instance asks for, or cancellation.
    ///
    /// A simulation can run again: the instances are reset first. On failure the rows so far went to the observers.
    ///
    /// # Errors
    /// [`RunFailure`] with the error and the report of the run up to there.
    pub fn run(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Report, Box<RunFailure>> {
        self.coupled.begin();
        let start = self.resolved.experiment.start;
        let mut method = Method::new(&self.resolved.algorithm, &self.graph.order, &self.coupled.newest);
        let mut driver = Driver {
            coupled: &mut self.coupled,
            method: &mut method,
            observers,
            tells_steps: false,
            log: &self.log,
            cancel: &self.cancel,
            counters: Counters::default(),
            largest_error: None,
            warnings: self.warnings.clone(),
            t: start,
            time: start,
            last_lines: VecDeque::new(),
        };
        let result = start_and_step(&mut driver, &self.resolved, &self.graph, &self.set_up, self.same_size);
        let (end, error) = match result {
            Ok(end) => (end, None),
            Err(error) => (End::Failed, Some(*error)),
        };
        finish(&mut driver, &end);
        let mut report = Report {
            end,
            time: driver.time,
            statistics: driver.counters,
            largest_error_estimate: driver.largest_error,
            instances: Vec::new(),
            warnings: driver.warnings,
        };
        report.instances = self.instance_reports();
        error.map_or(Ok(report.clone()), |error| Err(Box::new(RunFailure { error, report })))
    }

    fn instance_reports(&self) -> Vec<InstanceReport> {
        let each = self.coupled.members.iter().zip(&self.coupled.plan.units).enumerate();
        each.map(|(index, (Member { instance, calls, .. }, unit))| {
            let per_step = |is_called: bool| if is_called { calls.steps } else { 0 };
            InstanceReport {
                name: instance.name().to_owned(),
                calls: vec![
                    ("set_real", per_step(!unit.input_references.is_empty())),
                    ("do_step", calls.steps),
                    ("get_real", per_step(!unit.outputs.is_empty())),
                    ("save", calls.saves),
                    ("restore", calls.restores),
                ],
                time: self.stopwatches.get(index).map(Stopwatch::elapsed),
            }
        })
        .collect()
    }
}

fn start_and_step(
    driver: &mut Driver<'_, '_>,
    resolved: &Resolved,
    graph: &Graph,
    set_up: &[SetUp],
    same_size: bool,
) -> Result<End, Box<Error>> {
    let order = graph::order_along(set_up.len(), &graph.initial);
    let loops = graph::feedthrough_loops(set_up.len(), &graph.initial);
    initialize::initialize(driver.coupled, set_up, &order, &loops)?;
    driver.drain_log();
    let experiment = &resolved.experiment;
    let span = (experiment.start, experiment.stop);
    let columns = std::mem::take(&mut driver.coupled.plan.columns);
    driver.emit(&Event::Started { columns: &columns, start: span.0, stop: span.1 });
    driver.coupled.plan.columns = columns;
    if resolved.algorithm.iteration.is_some() {
        allow_rollback(driver.coupled, Level::Communication)?;
    }
    match &experiment.stepping {
        Stepping::Fixed(h) => driver.run(&mut FixedSteps::new(span, *h, experiment.output_interval, same_size)),
        Stepping::Controlled(steps) => {
            let level = if resolved.algorithm.iteration.is_some() { Level::Middle } else { Level::Communication };
            allow_rollback(driver.coupled, level)?;
            let order = driver.method.order();
            let signals = driver.coupled.newest.reals.len();
            driver.run(&mut controlled(steps, span, experiment.output_interval, order, signals))
        }
    }
}

fn allow_rollback(coupled: &mut Coupled, level: Level) -> Result<(), Box<Error>> {
    coupled.allow_rollback(level).map_err(|error| Box::new(Error::Initialization(error)))
}

fn controlled(steps: &ControlledSteps, span: (f64, f64), output_interval: Option<f64>, order: u32, signals: usize) -> Controlled {
    let master_sim = steps.compatibility == Some(Compatibility::MasterSim);
    let slope = if master_sim { Slope::MasterSim } else { Slope::HalfSteps };
    let estimator = StepDoubling::new(steps.tolerances, slope, signals);
    let bounds = Bounds {
        safety: 0.9,
        smallest_factor: 0.2,
        largest_factor: if master_sim { 2.0 } else { 5.0 },
        minimum: steps.minimum,
        maximum: steps.maximum,
        refusal_factor: if master_sim { 0.2 } else { 0.25 },
    };
    let step_size = StepSize::new(make_controller(steps.controller), bounds, order, steps.first);
    let slack = if master_sim { 1e-6 * span.1 } else { 0.0 };
    Controlled::new(Box::new(estimator), step_size, span, output_interval, slack)
}

/// Terminates the instances that may be terminated, completes the counters and tells the observers.
fn finish(driver: &mut Driver<'_, '_>, end: &End) {
    for index in 0..driver.coupled.members.len() {
        let instance = &mut driver.coupled.members[index].instance;
        if Function::Terminate.allowed_in(instance.phase())
            && let Err(error) = instance.terminate()
        {
            driver.warn(Warning(error.to_string()));
        }
    }
    driver.drain_log();
    driver.counters.n_rollbacks = driver.coupled.n_rollbacks;
    driver.counters.n_iterations = driver.coupled.n_iterations;
    driver.counters.n_do_step_calls = driver.coupled.members.iter().map(|member| member.calls.steps).sum();
    let counters = driver.counters;
    driver.emit(&Event::Ended { time: driver.time, end, counters: &counters });
}
