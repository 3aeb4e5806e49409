//! One run from start to stop.

use std::collections::VecDeque;

use lotka_instance::{Cause, Phase};

use super::{
    Counters, End, PowerBondReport, Report,
    checkpoints::{CheckpointWriter, Keeping},
    controlled::run_controlled,
    driver::Driver,
    feedthrough::{Watch, Watched},
    grids,
    inputs::ResolvedInputs,
    mesh::Mesh,
    scenario::{InstanceSet, Scenario},
    start_up::{allow_rollback, check_promises, keep_schedule, make_start_block, measure_noise, start_bonds, watch_events},
    stepping::FixedSteps,
    switches::{self, Turns},
    unconverged::UnconvergedSteps,
};
use crate::{
    Error,
    algorithm::{Coupled, Energies, Grid, Level, Pauses, PowerBonds, Tracer},
    checkpoint::{CheckpointRefusal, Contents},
    initialize::{SetUp, read_back},
    record::{Event, Observer},
    resolved::{ControlledSteps, PowerBond},
};
use lotka_message::{Code, Warning};

/// What distinguishes one run from another of the same scenario.
#[derive(Clone, Copy)]
pub(crate) struct Course<'a> {
    pub(crate) set_up: &'a [SetUp],
    pub(crate) steps: Steps<'a>,
    /// What inputs do, if it is settled already.
    pub(crate) settled: Option<&'a ResolvedInputs>,
    /// Trials that the method relies on, and the subdivisions of this run.
    pub(crate) watched: Option<(&'a Watched, u32)>,
    /// Checkpoints can be asked for.
    pub(crate) keeping: Option<Keeping<'a>>,
    /// It goes on from here.
    pub(crate) from: Option<&'a Contents>,
    /// What is tried at its end.
    pub(crate) trial: Option<Trial<'a>>,
    /// Events are located to this share of the tolerance that the user gives.
    pub(crate) event_share: f64,
}

impl<'a> Course<'a> {
    /// From start to stop, with inputs that are to be settled, without checkpoints.
    pub(crate) fn new(set_up: &'a [SetUp], steps: Steps<'a>) -> Self {
        Self { set_up, steps, settled: None, watched: None, keeping: None, from: None, trial: None, event_share: 1.0 }
    }
}

/// What is tried at the end of a run, until a time \[s\], or in it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trial<'a> {
    /// Whether instances advance in steps of their own.
    Grids { until: f64 },
    /// Whether an instance pauses in short steps.
    Pauses { grid: Grid, until: f64 },
    /// Whether an instance switches at a level of an input, given the least and the largest value of each Real signal in a run.
    Switch { reader: usize, until: f64, seen: &'a [(f64, f64)] },
    /// Whether instances switch at levels that their inputs pass between communication points, where they turn about.
    Turns,
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
    instance_set: &mut InstanceSet,
    scenario: &Scenario,
    course: Course<'_>,
    warnings: Vec<Warning>,
    observers: &mut [&mut dyn Observer],
) -> (Report, Option<Error>) {
    instance_set.coupled.begin();
    let start = scenario.resolved.experiment.start;
    let mut method = scenario.method(&instance_set.coupled);
    let begin = instance_set.coupled.newest.clone();
    let mut driver = Driver {
        coupled: &mut instance_set.coupled,
        method: &mut method,
        observers,
        tells_steps: false,
        log: &instance_set.log,
        cancel: &scenario.cancel,
        counters: Counters::default(),
        n_tolerated: 0,
        unconverged: UnconvergedSteps::default(),
        largest_error: None,
        warnings,
        t: start,
        time: start,
        last_lines: VecDeque::new(),
        begin,
        events: None,
        shortened: None,
        schedule: None,
        rereads: Vec::new(),
        watch: course.watched.map(|(watched, n)| Watch::new(watched, scenario.span(), n, course.steps.trial())),
        switches: Vec::new(),
        declared: scenario.resolved.events.as_ref(),
        stop: scenario.span().1,
        other_switch: None,
        turns: None,
        shares_rows: matches!(course.steps, Steps::Mesh(_)),
        n_rows: 0,
        odd_columns: Vec::new(),
        checkpoint_writer: None,
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
    driver.coupled.touches = driver.events.take().map_or_else(Vec::new, |events| events.touches);
    if let Some(other) = driver.other_switch.take() {
        driver.coupled.tried.switches.push(*other);
    }
    let report = Report {
        refuted: driver.watch.take().and_then(|watch| watch.refuted),
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
    let back = read_back(driver.coupled, course.set_up)?;
    if back.disturbed {
        scenario.initialize(driver.coupled, course.set_up)?;
    }
    // What the instances log here in a run that goes on, the run before has told.
    if course.from.is_none() {
        driver.drain_log();
    }
    let experiment = &scenario.resolved.experiment;
    let span = scenario.span();
    let columns = std::mem::take(&mut driver.coupled.plan.columns);
    driver.emit(&match course.from {
        None => Event::Started { columns: &columns, start: span.0, stop: span.1 },
        Some(from) => Event::Resumed { columns: &columns, start: span.0, stop: span.1, time: from.time, rows: from.rows },
    });
    driver.coupled.plan.columns = columns;
    back.warnings.into_iter().for_each(|warning| driver.warn(warning));
    let settled = match course.from.map(|from| &from.settled).or(course.settled) {
        Some(settled) if settled.fits(&driver.coupled.plan) => settled.clone(),
        Some(_) => return Err(Box::new(CheckpointRefusal::Unfit.into())),
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
    if course.from.is_none() && driver.coupled.enter_overrides(span.0 + scenario.resolved.time_events.slack)? {
        driver.read_again()?;
    }
    watch_events(driver, scenario, course)?;
    let followed = if matches!(course.steps, Steps::Mesh(_)) { u64::MAX } else { FOLLOWED };
    driver.coupled.pauses = Some(Box::new(Pauses::new(&driver.coupled.plan, &driver.coupled.newest, driver.time, followed)));
    driver.method.expect(settled.order);
    driver.checkpoint_writer =
        course.keeping.map(|keeping| CheckpointWriter::new(keeping, &settled, driver.coupled)).transpose()?;
    if course.from.is_some() {
        allow_rollback(driver.coupled, Level::Communication)?;
    }
    if driver.method.needs_rollback() {
        allow_rollback(driver.coupled, Level::Communication)?;
    }
    check_promises(driver, scenario, course)?;
    let end = match course.steps {
        Steps::Controlled(steps) => run_controlled(driver, steps, &settled, experiment),
        Steps::Fixed(h) => {
            if course.from.is_none() && !scenario.cancel.is_canceled() {
                // It takes its steps at once, so that there can be no time event inside.
                let end = scenario.resolved.time_events.list.first().map_or(span.1, |time_event| time_event.time);
                make_start_block(driver, &settled, (span.0, end), h)?;
            }
            let steps = FixedSteps::new(span, h, experiment.output_interval, scenario.same_size);
            let end = driver.run(&mut steps.spaced(experiment.min_output_interval));
            driver.tell_unconverged();
            end
        }
        Steps::Mesh(mut mesh) => {
            let (plan, late) = (&driver.coupled.plan, driver.method.late().filter(|_| mesh.leaves_behind()));
            let tracer = mesh.is_divided().then(|| Box::new(Tracer::new(plan, &driver.coupled.newest, driver.time, late)));
            driver.coupled.tracer = tracer;
            driver.turns = matches!(course.trial, Some(Trial::Turns)).then(|| Box::new(Turns::new(driver.coupled)));
            let end = driver.run(&mut mesh);
            match (&end, course.trial) {
                (Ok(End::StopTime), Some(Trial::Grids { until })) => {
                    driver.coupled.grids = grids::measure(driver.coupled, (driver.t, until), mesh.row_distance(), 1.0);
                }
                (Ok(End::StopTime), Some(Trial::Pauses { grid, until })) => {
                    let pauses = grids::pauses(driver.coupled, &grid, (driver.t, until));
                    driver.coupled.grids = pauses.then_some(grid).into_iter().collect();
                }
                (Ok(End::StopTime), Some(Trial::Switch { reader, until, seen })) => {
                    driver.coupled.tried = switches::find(driver, reader, until, seen)?;
                }
                _ => {}
            }
            end
        }
    };
    if !matches!(course.steps, Steps::Mesh(_)) {
        tell_pauses(driver, course.steps);
    }
    end
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

/// Steps that are followed to see whether instances pause in some of them.
const FOLLOWED: u64 = 256;

/// Warns of instances that advance in steps of their own that are longer than the communication steps.
fn tell_pauses(driver: &mut Driver<'_, '_>, steps: Steps<'_>) {
    for pauses in driver.coupled.pauses.take().map_or_else(Vec::new, |pauses| pauses.finish()) {
        let grid = Grid::from(&pauses);
        let (name, size) = (driver.coupled.name(grid.instance), grid.shown(steps.trial()));
        let how = match steps {
            Steps::Fixed(h) => format!("the communication step size {h} s is not a multiple of it; choose a multiple"),
            _ => {
                "shorter communication steps do not show the error; set `step` to a multiple of it, or use `tolerance`".to_owned()
            }
        };
        driver.warn(Warning::new(
            Code::InternalSteps,
            format!("instance `{name}` advances in internal steps of about {size} s: {how}"),
        ));
    }
}

/// Terminates the instances that may be terminated, completes the counters and tells the observers. An instance that brings its process to an
/// end thereby is an error; others that fail are only warned of, as the results are complete.
fn finish(driver: &mut Driver<'_, '_>, end: &End) -> Option<Box<Error>> {
    let mut ended = None;
    for index in 0..driver.coupled.members.len() {
        let instance = &mut driver.coupled.members[index].instance;
        if matches!(instance.phase(), Phase::StepComplete | Phase::StepFailed)
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
