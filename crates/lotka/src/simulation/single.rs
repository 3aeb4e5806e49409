//! One run from start to stop.

use std::collections::VecDeque;

use fmi2::{Cause, Function};

use super::{
    Counters, End, PowerBondReport, Report,
    checkpoints::{Keeper, Keeping},
    driver::Driver,
    inputs::Settled,
    mesh::Mesh,
    noise,
    scenario::{Ensemble, Scenario},
    schedule::Schedule,
    stepping::{Controlled, FixedSteps, Landings, Stepping as _},
};
use crate::{
    Code, Error,
    algorithm::{
        Attempt, Bends, Coupled, Energies, Level, Method, PowerBonds, Stop, estimator_rolls_back, make_controller, make_estimator,
    },
    checkpoint::{CheckpointError, Contents},
    error_control::{Bounds, EstimatorSettings, Slope, StepSize},
    event::Events,
    initialize::SetUp,
    record::{Event, Observer},
    signal::Block,
    system::{
        Compatibility, Warning,
        resolve::{self, ControlledSteps, PowerBond, ResolvedExperiment},
    },
};

/// What distinguishes one run from another of the same scenario.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub(crate) set_up: &'a [SetUp],
    pub(crate) steps: Steps<'a>,
    /// What inputs do, if it is settled already.
    pub(crate) settled: Option<&'a Settled>,
    /// Checkpoints can be asked for.
    pub(crate) keeping: Option<Keeping<'a>>,
    /// It goes on from here.
    pub(crate) from: Option<&'a Contents>,
}

impl<'a> Course<'a> {
    /// From start to stop, with inputs that are to be settled, without checkpoints.
    pub(crate) fn new(set_up: &'a [SetUp], steps: Steps<'a>) -> Self {
        Self { set_up, steps, settled: None, keeping: None, from: None }
    }
}

/// Where communication points lie.
#[derive(Clone, Copy)]
pub(crate) enum Steps<'a> {
    /// At equal distances \[s\].
    Fixed(f64),
    /// As the local error allows.
    Controlled(&'a ControlledSteps),
    /// On one of the meshes of a verified run; its inputs are settled, and its noise is known.
    Mesh(Mesh<'a>),
}

impl Steps<'_> {
    /// Size of the steps by which the behavior of instances is tried \[s\].
    pub(super) fn trial(&self) -> f64 {
        match self {
            Self::Fixed(h) => *h,
            Self::Controlled(steps) => steps.first,
            Self::Mesh(mesh) => mesh.step(),
        }
    }
}

/// Runs once. On failure the rows so far went to the observers; the report has no calls per instance yet.
pub(crate) fn run(
    ensemble: &mut Ensemble,
    scenario: &Scenario,
    course: Course<'_>,
    warnings: Vec<Warning>,
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    ensemble.coupled.begin();
    let start = scenario.resolved.experiment.start;
    let mut method = scenario.method(&ensemble.coupled);
    let mut driver = Driver {
        coupled: &mut ensemble.coupled,
        method: &mut method,
        observers,
        tells_steps: false,
        log: &ensemble.log,
        cancel: &scenario.cancel,
        counters: Counters::default(),
        n_tolerated: 0,
        largest_error: None,
        warnings,
        t: start,
        time: start,
        last_lines: VecDeque::new(),
        events: None,
        detour: None,
        schedule: None,
        rereads: Vec::new(),
        n_rows: 0,
        keeper: None,
        from: course.from,
    };
    let (end, error) = match start_and_step(&mut driver, scenario, course) {
        Ok(end) => (end, None),
        Err(error) => (End::Failed, Some(*error)),
    };
    let (end, error) = match (finish(&mut driver, &end), error) {
        (Some(ended), None) => (End::Failed, Some(*ended)),
        (_, error) => (end, error),
    };
    let report = Report {
        time: driver.time,
        statistics: driver.counters,
        largest_error_estimate: driver.largest_error,
        power_bonds: power_bonds(driver.coupled, scenario),
        warnings: driver.warnings,
        ..Report::new(end)
    };
    (report, error)
}

fn start_and_step<'a>(driver: &mut Driver<'a, '_>, scenario: &'a Scenario, course: Course<'a>) -> Result<End, Box<Error>> {
    scenario.initialize(driver.coupled, course.set_up)?;
    driver.drain_log();
    let experiment = &scenario.resolved.experiment;
    let span = scenario.span();
    let columns = std::mem::take(&mut driver.coupled.plan.columns);
    driver.emit(&match course.from {
        None => Event::Started { columns: &columns, start: span.0, stop: span.1 },
        Some(from) => Event::Resumed { columns: &columns, start: span.0, stop: span.1, time: from.time, rows: from.rows },
    });
    driver.coupled.plan.columns = columns;
    let settled = match course.from.map(|from| &from.settled).or(course.settled) {
        Some(settled) if settled.fits(&driver.coupled.plan) => settled.clone(),
        Some(_) => return Err(Box::new(CheckpointError::Unfit.into())),
        None => {
            let settled = scenario.settle(driver.coupled, course.steps.trial())?;
            settled.warnings(driver.coupled).into_iter().for_each(|warning| driver.warn(warning));
            settled
        }
    };
    let bonds = &scenario.resolved.power_bonds;
    let has_bonds = !bonds.is_empty() && !matches!(course.steps, Steps::Mesh(_));
    driver.coupled.bonds = has_bonds.then(|| Box::new(PowerBonds::new(bonds, &driver.coupled.plan)));
    settled.apply(driver.coupled);
    measure_noise(driver, scenario, course)?;
    start_bonds(driver, span.0);
    keep_schedule(driver, scenario, &settled);
    if course.from.is_none() && driver.coupled.enter_overrides(span.0 + scenario.resolved.knots.slack)? {
        driver.read_again()?;
    }
    watch_events(driver, scenario, course)?;
    driver.method.expect(settled.order);
    driver.keeper = course.keeping.map(|keeping| Keeper::new(keeping, &settled, driver.coupled)).transpose()?;
    if course.from.is_some() {
        allow_rollback(driver.coupled, Level::Communication)?;
    }
    if driver.method.needs_rollback() {
        allow_rollback(driver.coupled, Level::Communication)?;
    }
    match course.steps {
        Steps::Controlled(steps) => run_controlled(driver, steps, &settled, experiment),
        Steps::Fixed(h) => {
            if course.from.is_none() {
                // It takes its steps at once, so that there can be no knot inside.
                let end = scenario.resolved.knots.list.first().map_or(span.1, |knot| knot.time);
                make_start_block(driver.coupled, driver.method, &settled, (span.0, end), h)?;
            }
            driver.run(&mut FixedSteps::new(span, h, experiment.output_interval, scenario.same_size))
        }
        Steps::Mesh(mut mesh) => {
            driver.coupled.bends = Some(Box::new(Bends::new(&driver.coupled.plan, &driver.coupled.newest, driver.method.late())));
            driver.run(&mut mesh)
        }
    }
}

/// Sees to it that steps end where something that is known is not smooth.
fn keep_schedule<'a>(driver: &mut Driver<'a, '_>, scenario: &'a Scenario, settled: &Settled) {
    let ranks = scenario.graph.ranks();
    driver.rereads.clone_from(&settled.rereads);
    driver.rereads.sort_by_key(|&index| ranks[index]);
    let knots = &scenario.resolved.knots;
    let is_needed = !knots.list.is_empty() || driver.coupled.overrides.is_some();
    driver.schedule = is_needed.then(|| Schedule::new(&knots.list, knots.slack, !scenario.same_size));
}

/// Watches the events of the system; under error control also those that instances tell by discarding steps.
fn watch_events(driver: &mut Driver<'_, '_>, scenario: &Scenario, course: Course<'_>) -> Result<(), Box<Error>> {
    let rolls_back = driver.coupled.members.iter().all(|member| member.instance.capabilities().save_state);
    let is_controlled = matches!(course.steps, Steps::Controlled(steps) if steps.compatibility.is_none());
    let settings = match &scenario.resolved.events {
        Some(events) => events.clone(),
        None if is_controlled && rolls_back => resolve::Events::default(),
        None => return Ok(()),
    };
    let failed = |error| Box::new(Error::Initialization(error));
    let mut events = Events::new(&settings, driver.coupled);
    events.read_slopes(driver.coupled).map_err(failed)?;
    events.follow(&driver.coupled.newest);
    events.rereads.clone_from(&driver.rereads);
    driver.events = Some(Box::new(events));
    allow_rollback(driver.coupled, Level::Communication)
}

/// Lets the power bonds begin at `t`, and tells where their energies cannot be trusted.
fn start_bonds(driver: &mut Driver<'_, '_>, t: f64) {
    let Some(mut bonds) = driver.coupled.bonds.take() else { return };
    bonds.start(t);
    let stale = (0..driver.coupled.members.len()).filter(|&index| bonds.touches(index) && driver.coupled.stays_stale(index));
    for index in stale.collect::<Vec<_>>() {
        let name = driver.coupled.name(index);
        driver.warn(Warning::new(Code::StaleOutputs, format!(
            "outputs of instance `{name}` stay stale after each step; the residual energy of its power bonds does not show all that this makes up"
        )));
    }
    driver.coupled.bonds = Some(bonds);
}

/// What passed over the power bonds.
fn power_bonds(coupled: &Coupled, scenario: &Scenario) -> Vec<PowerBondReport> {
    let energies = coupled.bonds.iter().flat_map(|bonds| bonds.energies());
    let report = |(bond, energies): (&PowerBond, Energies)| PowerBondReport {
        name: bond.name.clone(),
        residual_energy: energies.residual,
        absolute_residual_energy: energies.absolute_residual,
        exchanged_energy: energies.exchanged,
    };
    scenario.resolved.power_bonds.iter().zip(energies).map(report).collect()
}

fn allow_rollback(coupled: &mut Coupled, level: Level) -> Result<(), Box<Error>> {
    coupled.allow_rollback(level).map_err(|error| Box::new(Error::Initialization(error)))
}

/// The start block of a method of degree 2 or 3, if the instances can be rolled back and the run is long enough for it.
fn make_start_block(
    coupled: &mut Coupled,
    method: &mut Method,
    settled: &Settled,
    (start, end): (f64, f64),
    h: f64,
) -> Result<(), Box<Error>> {
    let degree = settled.degree();
    let can = coupled.members.iter().all(|member| member.instance.capabilities().save_state);
    // An iterated cubic through values and slopes at both ends needs no history.
    let needs_none = method.needs_rollback() && coupled.plan.gives_all_slopes();
    if degree < 2 || !can || needs_none || start + degree as f64 * h > end {
        return Ok(());
    }
    allow_rollback(coupled, Level::Communication)?;
    coupled.save(Level::Communication)?;
    let block = Block::new(start, h, degree, &coupled.newest);
    match method.start_block(coupled, block) {
        Attempt::Continue(()) => Ok(()),
        Attempt::Break(stop) => match *stop {
            Stop::Failed(error) => Err(error),
            // The first steps then go on with what is known.
            Stop::Refused(_) => {
                if let Some(inputs) = &mut coupled.inputs {
                    inputs.restart();
                }
                coupled.restore(Level::Communication)
            }
        },
    }
}

/// Refuses tolerances that inexact rollback would spoil. MasterSim's formulas are taken as they are.
fn measure_noise(driver: &mut Driver<'_, '_>, scenario: &Scenario, course: Course<'_>) -> Result<(), Box<Error>> {
    let iteration = scenario.resolved.algorithm.iteration.map(|iteration| ("iteration-tolerance", iteration.tolerances));
    let local = match course.steps {
        Steps::Mesh(_) => return Ok(()),
        _ if course.from.is_some() => return Ok(()),
        Steps::Controlled(steps) if steps.compatibility.is_some() => return Ok(()),
        Steps::Controlled(steps) if estimator_rolls_back(steps.estimator) => Some(("local-tolerance", steps.tolerances)),
        _ => None,
    };
    let found = scenario.measure_noise(driver.coupled, course.set_up, local.is_some(), course.steps.trial())?;
    for (setting, tolerances) in local.into_iter().chain(iteration) {
        noise::check(driver.coupled, &found, setting, tolerances)?;
    }
    Ok(())
}

/// Steps under control of the local error.
fn run_controlled(
    driver: &mut Driver<'_, '_>,
    steps: &ControlledSteps,
    settled: &Settled,
    experiment: &ResolvedExperiment,
) -> Result<End, Box<Error>> {
    let lacking = driver.coupled.members.iter().position(|member| !member.instance.capabilities().save_state);
    let mut stepping = controlled(driver, steps, settled, experiment, lacking.is_none());
    if stepping.needs_rollback() {
        let halves = driver.method.needs_rollback() && estimator_rolls_back(steps.estimator);
        allow_rollback(driver.coupled, if halves { Level::Middle } else { Level::Communication })?;
    }
    let end = driver.run(&mut stepping);
    tell_tolerated(driver, lacking);
    end
}

/// Tells of steps that failed the error test and were kept; `lacking` is an instance that cannot be rolled back.
fn tell_tolerated(driver: &mut Driver<'_, '_>, lacking: Option<usize>) {
    let (tolerated, count) = (driver.n_tolerated, driver.counters.n_steps);
    if tolerated == 0 {
        return;
    }
    let reason = match lacking {
        Some(index) => {
            format!(
                "instance `{}` cannot be rolled back; only the steps after them are smaller; a smaller `max-step` avoids that",
                driver.coupled.name(index)
            )
        }
        None => "smaller ones have the same error: connected outputs jump, or are stale after each step".to_owned(),
    };
    let largest = driver.largest_error.unwrap_or(f64::NAN);
    driver.warn(Warning::new(Code::ErrorTestFailed, format!(
        "{tolerated} of {count} steps failed the error test (largest estimate: {largest:.3} times the tolerance) and were kept all the same, \
         because {reason}"
    )));
}

fn controlled(
    driver: &mut Driver<'_, '_>,
    steps: &ControlledSteps,
    settled: &Settled,
    experiment: &ResolvedExperiment,
    rolls_back: bool,
) -> Controlled {
    let master_sim = steps.compatibility == Some(Compatibility::MasterSim);
    let slope = if master_sim { Slope::MasterSim } else { Slope::HalfSteps };
    let settings = EstimatorSettings { tolerances: steps.tolerances, slope, order: driver.method.order() };
    let estimator = make_estimator(steps.estimator, settings, driver.coupled);
    if estimator.order() > settled.order {
        driver.warn(Warning::new(Code::OptimisticEstimates, format!(
            "the estimates of `{}` go to zero with the power {} of the step size, but the errors of a step only with the power {} here \
             (inputs that are means, or stale outputs): small steps have larger errors than estimated; the estimator step-doubling knows",
            steps.estimator,
            estimator.order() + 1,
            settled.order + 1
        )));
    }
    let bounds = Bounds {
        safety: 0.9,
        smallest_factor: 0.2,
        largest_factor: if master_sim { 2.0 } else { 5.0 },
        minimum: steps.minimum,
        maximum: steps.maximum,
        refusal_factor: if master_sim { 0.2 } else { 0.25 },
    };
    let step_size = StepSize::new(make_controller(steps.controller), bounds, estimator.order(), steps.first);
    let ResolvedExperiment { start, stop, output_interval, .. } = *experiment;
    let landings = Landings { start, stop, output_interval, slack: if master_sim { 1e-6 * stop } else { 0.0 } };
    Controlled::new(estimator, steps.estimator, step_size, landings, rolls_back)
}

/// Terminates the instances that may be terminated, completes the counters and tells the observers. An instance that brings its process to an
/// end thereby is an error; others that fail are only warned of, as the results are complete.
fn finish(driver: &mut Driver<'_, '_>, end: &End) -> Option<Box<Error>> {
    let mut ended = None;
    for index in 0..driver.coupled.members.len() {
        let instance = &mut driver.coupled.members[index].instance;
        if Function::Terminate.allowed_in(instance.phase())
            && let Err(error) = instance.terminate()
        {
            match error.cause {
                Cause::ProcessEnded(_) => ended = Some(Box::new(Error::Call(error))),
                _ => driver.warn(Warning::new(Code::TerminateFailed, format!("the results are complete, but {error}"))),
            }
        }
    }
    driver.drain_log();
    driver.counters.n_rollbacks = driver.coupled.n_rollbacks;
    driver.counters.n_iterations = driver.coupled.n_iterations;
    driver.counters.n_do_step_calls = driver.coupled.members.iter().map(|member| member.calls.steps).sum();
    let counters = driver.counters;
    let end = if ended.is_some() { &End::Failed } else { end };
    driver.emit(&Event::Ended { time: driver.time, end, counters: &counters });
    ended
}
