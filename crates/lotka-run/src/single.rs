//! One run from start to stop.

use lotka_instance::{Cause, Phase, RoundedSizes};
use lotka_message::{Code, Warning};
use lotka_prepare::trial::{
    ResolvedInputs,
    feedthrough::{AbsentFeedthrough, FeedthroughMonitor},
    grids::{self, Look},
    switches::{self, Turns},
};
use lotka_step::{
    Error,
    algorithm::{Coupled, Energies, Grid, Level, Pauses, PowerBonds, Tracer},
    checkpoint::CheckpointRefusal,
    renewal::{SetUp, read_back},
    resolved::{ControlledSteps, PowerBond},
};

use super::{
    End, PowerBondReport, Report,
    checkpoint::Contents,
    instance_set::InstanceSet,
    mesh::Mesh,
    only_steps::OnlySteps,
    run_loop::{CheckpointSettings, EventLocator, RunFindings, RunLoop, RunState},
    shared_system::SharedSystem,
    start_up::{check_rollback_guarantee, keep_schedule, measure_noise, start_bonds, watch_events},
};
use crate::record::{Notification, Observer};

/// The properties of one run among those of the same system.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// What the instances are given before the first step.
    pub set_up: &'a [SetUp],
    /// How communication points are chosen.
    pub steps: Steps<'a>,
    /// The inputs, if they are already resolved.
    pub settled: Option<&'a ResolvedInputs>,
    /// Trials on which the method relies, and the subdivisions of this run.
    pub watched: Option<(&'a AbsentFeedthrough, u32)>,
    /// Set if checkpoints can be requested.
    pub keeping: Option<CheckpointSettings<'a>>,
    /// The checkpoint from which the run continues.
    pub from: Option<&'a Contents>,
    /// The trial at its end.
    pub trial: Option<RunTrial<'a>>,
    /// Events are located to this share of the user's tolerance.
    pub event_share: f64,
    /// The instances that make each step in two parts.
    pub in_parts: &'a [bool],
    /// Whether the run is a session, in which variables may change at any time.
    pub is_session: bool,
}

impl<'a> RunOptions<'a> {
    /// A run from start to stop, without resolved inputs or checkpoints.
    #[must_use]
    pub fn new(set_up: &'a [SetUp], steps: Steps<'a>) -> Self {
        Self {
            set_up,
            steps,
            settled: None,
            watched: None,
            keeping: None,
            from: None,
            trial: None,
            event_share: 1.0,
            in_parts: &[],
            is_session: false,
        }
    }
}

/// What trial steps find out at the end of a run, until a time \[s\], or during the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunTrial<'a> {
    /// Whether instances make internal steps of fixed size, or move by themselves faster than meshes resolve.
    Motions {
        /// The time \[s\].
        until: f64,
        /// Where to look.
        look: Look,
    },
    /// Whether an instance pauses in short steps.
    Pauses {
        /// The instance, and the sizes that its internal steps may have.
        grid: Grid,
        /// The time \[s\].
        until: f64,
    },
    /// Whether an instance switches at a level of an input, within the values of a run.
    Switch {
        /// The instance.
        reader: usize,
        /// The time \[s\].
        until: f64,
        /// The least and the largest value of each Real signal.
        seen: &'a [(f64, f64)],
    },
    /// Whether instances switch at levels that their inputs pass between communication points, where they reverse.
    Turns,
}

/// The choice of communication points.
#[derive(Clone, Copy)]
pub enum Steps<'a> {
    /// At equal distances \[s\].
    Fixed(f64),
    /// Under local error control.
    Controlled(&'a ControlledSteps),
    /// On a mesh of a verified run, whose inputs are resolved and whose noise is known.
    Mesh(Mesh<'a>),
}

impl Steps<'_> {
    /// Size of the trial steps \[s\].
    pub(super) fn trial(&self) -> f64 {
        match self {
            Self::Fixed(h) => *h,
            Self::Controlled(steps) => steps.first,
            Self::Mesh(mesh) => mesh.step(),
        }
    }
}

/// The results of a run.
pub struct Ended {
    /// The report.
    pub report: Report,
    /// The reason why it failed.
    pub error: Option<Error>,
    /// What trials have found.
    pub findings: RunFindings,
    /// Set if the run must begin again.
    begin_again: Option<BeginAgain>,
}

/// A run must begin again, because an instance takes no step after one whose size was off by the rounding of times.
struct BeginAgain {
    instance: usize,
    refused: RoundedSizes,
    /// Number of notifications that the observers have received, and do not receive again.
    n_sent: u64,
}

/// Runs once. If the run fails, the rows computed so far have been sent to the observers; the report has no calls per instance
/// yet.
pub fn run_once(
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    options: RunOptions<'_>,
    observers: &mut [&mut dyn Observer],
) -> Ended {
    let (mut refused_sizes, mut n_sent) = (system.refused_sizes.clone(), 0);
    loop {
        let ended = run_from(instance_set, system, options, (&refused_sizes, n_sent), observers);
        let Some(again) = ended.begin_again else { return ended };
        refused_sizes[again.instance] = refused_sizes[again.instance].or(again.refused);
        n_sent = again.n_sent;
    }
}

/// Runs once, with sizes that instances are known to refuse. The observers have received this number of notifications before.
fn run_from(
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    options: RunOptions<'_>,
    (refused_sizes, n_sent): (&[RoundedSizes], u64),
    observers: &mut [&mut dyn Observer],
) -> Ended {
    instance_set.coupled.begin();
    let mut state = RunState::new(system, &instance_set.coupled);
    let mut run_loop = RunLoop::new(instance_set, system, &mut state, options.keeping, observers);
    run_loop.reporter.n_withheld = n_sent;
    run_loop.coupled.expect_refusals(refused_sizes, matches!(options.steps, Steps::Fixed(_)));
    let started = match options.steps {
        Steps::Mesh(mesh) => {
            let result = run_on_mesh(&mut run_loop, system, options, mesh);
            return finish(run_loop, system, result);
        }
        Steps::Fixed(size) => OnlySteps::start_fixed(&mut run_loop, system, options, size),
        Steps::Controlled(steps) => OnlySteps::start_controlled(&mut run_loop, system, options, steps),
    };
    let result = started.and_then(|mut stepping| {
        let end = stepping.advance(&mut run_loop, f64::INFINITY);
        if begin_again(&run_loop).is_none() {
            stepping.conclude(&mut run_loop);
        }
        end.map(|end| end.unwrap_or(End::StopTime))
    });
    finish(run_loop, system, result)
}

/// Runs on one mesh of a series, with its monitors.
fn run_on_mesh<'a>(
    run_loop: &mut RunLoop<'a, '_>,
    system: &'a SharedSystem,
    options: RunOptions<'a>,
    mut mesh: Mesh<'a>,
) -> Result<End, Box<Error>> {
    let step = options.steps.trial();
    run_loop.shares_rows = true;
    run_loop.monitors.feedthrough = options.watched.map(|(watched, n)| FeedthroughMonitor::new(watched, system.span(), n, step));
    set_up(run_loop, system, options)?;
    let (plan, late) = (&run_loop.coupled.plan, run_loop.method.late().filter(|_| mesh.leaves_behind()));
    let tracer = || Tracer::new(plan, &run_loop.coupled.newest, run_loop.clock.time, late, mesh.lengths());
    run_loop.coupled.tracer = match (mesh.is_divided(), mesh.is_growing()) {
        (true, _) => Some(Box::new(tracer())),
        (false, true) => Some(Box::new(tracer().with_needles(&run_loop.coupled.newest, mesh.comb()))),
        (false, false) => None,
    };
    run_loop.monitors.turns = matches!(options.trial, Some(RunTrial::Turns)).then(|| Box::new(Turns::new(run_loop.coupled)));
    run_loop.row(run_loop.clock.time)?;
    let end = run_loop.advance(&mut mesh, f64::INFINITY)?.unwrap_or(End::StopTime);
    if end == End::StopTime {
        try_at_end(run_loop, options.trial)?;
    }
    Ok(end)
}

/// Makes the trial at the end of a run.
fn try_at_end(run_loop: &mut RunLoop<'_, '_>, trial: Option<RunTrial<'_>>) -> Result<(), Box<Error>> {
    let t = run_loop.clock.t;
    match trial {
        Some(RunTrial::Motions { until, look }) => {
            run_loop.monitors.findings.motions = grids::measure(run_loop.coupled, (t, until), look);
        }
        Some(RunTrial::Pauses { grid, until }) => {
            let pauses = grids::pauses(run_loop.coupled, &grid, (t, until));
            run_loop.monitors.findings.motions.grids = pauses.then_some(grid).into_iter().collect();
        }
        Some(RunTrial::Switch { reader, until, seen }) => {
            run_loop.monitors.findings.tried = switches::find(run_loop.coupled, run_loop.method, reader, (t, until), seen)?;
        }
        Some(RunTrial::Turns) | None => {}
    }
    Ok(())
}

/// Initializes the instances and prepares the first step; observers receive the start of the run.
pub(super) fn set_up<'a>(
    run_loop: &mut RunLoop<'a, '_>,
    system: &'a SharedSystem,
    options: RunOptions<'a>,
) -> Result<(), Box<Error>> {
    system.initialize(run_loop.coupled, options.set_up)?;
    let back = read_back(run_loop.coupled, options.set_up)?;
    if back.disturbed {
        system.initialize(run_loop.coupled, options.set_up)?;
    }
    // The previous run has reported the log lines of this stage.
    if options.from.is_none() {
        run_loop.reporter.drain_log();
    }
    let span = system.span();
    let columns = &run_loop.coupled.plan.columns;
    run_loop.reporter.emit(&match options.from {
        None => Notification::Started { columns, start: span.0, stop: span.1 },
        Some(from) => Notification::Resumed { columns, start: span.0, stop: span.1, time: from.time, rows: from.rows },
    });
    back.warnings.into_iter().for_each(|warning| run_loop.reporter.warn(warning));
    settle_inputs(run_loop, system, options)?;
    let bonds = &system.resolved.power_bonds;
    let is_only = !matches!(options.steps, Steps::Mesh(_));
    run_loop.coupled.bonds = (is_only && !bonds.is_empty()).then(|| Box::new(PowerBonds::new(bonds, &run_loop.coupled.plan)));
    run_loop.settled.apply(run_loop.coupled);
    run_loop.coupled.step_in_parts(options.in_parts);
    measure_noise(run_loop, system, options)?;
    start_bonds(run_loop, span.0);
    keep_schedule(run_loop, system);
    if options.from.is_none() {
        run_loop.coupled.note_inputs();
        if run_loop.coupled.enter_overrides(span.0 + system.resolved.time_events.slack)? {
            run_loop.follow_jumps()?;
        }
    }
    watch_events(run_loop, system, options)?;
    let followed = if is_only { FOLLOWED } else { u64::MAX };
    let pauses = Pauses::new(&run_loop.coupled.plan, &run_loop.coupled.newest, run_loop.clock.time, followed);
    run_loop.coupled.pauses = Some(Box::new(pauses));
    run_loop.method.expect(run_loop.settled.order);
    // A checkpoint reads the states from these slots.
    if options.keeping.is_some() || options.from.is_some() || run_loop.method.needs_rollback() {
        run_loop.coupled.allow_rollback(Level::Communication)?;
    }
    check_rollback_guarantee(run_loop, system, options)
}

/// Resolves the inputs, from a checkpoint, an earlier run, or monitors.
fn settle_inputs(run_loop: &mut RunLoop<'_, '_>, system: &SharedSystem, options: RunOptions<'_>) -> Result<(), Box<Error>> {
    *run_loop.settled = match options.from.map(|from| &from.settled).or(options.settled) {
        Some(settled) if settled.fits(&run_loop.coupled.plan) => settled.clone(),
        Some(_) => return Err(Box::new(CheckpointRefusal::Unfit.into())),
        None => {
            let settled = system.settle(run_loop.coupled, options.set_up, options.steps.trial(), options.is_session)?;
            settled.warnings(run_loop.coupled).into_iter().for_each(|warning| run_loop.reporter.warn(warning));
            settled
        }
    };
    Ok(())
}

/// The energy exchanged over the power bonds.
fn power_bonds(coupled: &Coupled, system: &SharedSystem) -> Vec<PowerBondReport> {
    let energies = coupled.bonds.iter().flat_map(|bonds| bonds.energies());
    let report = |(bond, energies): (&PowerBond, Energies)| PowerBondReport {
        name: bond.name.clone(),
        residual_energy: energies.residual,
        absolute_residual_energy: energies.absolute_residual,
        exchanged_energy: energies.exchanged,
    };
    system.resolved.power_bonds.iter().zip(energies).map(report).collect()
}

/// Number of steps followed to find instances that pause in some of them.
const FOLLOWED: u64 = 256;

/// Whether a run that has failed must begin again.
fn begin_again(run_loop: &RunLoop<'_, '_>) -> Option<BeginAgain> {
    let mut instances = run_loop.coupled.instances.iter().enumerate();
    let (instance, refused) = instances.find_map(|(index, instance)| Some((index, instance.rounding.stuck()?)))?;
    Some(BeginAgain { instance, refused, n_sent: run_loop.reporter.n_sent })
}

/// Ends a run: terminates the instances that may be terminated, completes the counters and notifies the observers. An instance
/// that ends its process meanwhile is an error. Other failures cause only a warning, because the results are complete.
pub(super) fn finish(mut run_loop: RunLoop<'_, '_>, system: &SharedSystem, result: Result<End, Box<Error>>) -> Ended {
    let begin_again = result.as_ref().err().and_then(|_| begin_again(&run_loop));
    if begin_again.is_some() {
        run_loop.reporter.n_withheld = u64::MAX;
    }
    let ended = terminate(&mut run_loop);
    let (end, error) = match (result, ended) {
        (Ok(end), None) => (end, None),
        (Ok(_), Some(error)) | (Err(error), _) => (End::Failed, Some(*error)),
    };
    run_loop.reporter.drain_log();
    let RunLoop { coupled, clock, statistics, mut reporter, locator, monitors, .. } = run_loop;
    let counters = &mut statistics.counters;
    counters.n_rollbacks = coupled.n_rollbacks;
    counters.n_iterations = coupled.n_iterations;
    counters.n_do_step_calls = coupled.instances.iter().map(|instance| instance.calls.steps).sum();
    reporter.emit(&Notification::Ended { time: clock.time, end: &end, counters });
    let mut findings = monitors.findings;
    findings.grazings = locator.take().map_or_else(Vec::new, EventLocator::grazings);
    findings.tried.switches.extend(monitors.other_switch.map(|other| *other));
    let report = Report {
        refuted: monitors.feedthrough.and_then(|watch| watch.refuted),
        time: clock.time,
        counters: *counters,
        largest_error_estimate: statistics.largest_error,
        power_bonds: power_bonds(coupled, system),
        warnings: std::mem::take(&mut reporter.journal.warnings),
        ..Report::new(end)
    };
    Ended { report, error, findings, begin_again }
}

/// Terminates the instances that may be terminated; returns the error of one that ends its process.
fn terminate(run_loop: &mut RunLoop<'_, '_>) -> Option<Box<Error>> {
    let mut ended = None;
    for instance in &mut run_loop.coupled.instances {
        if matches!(instance.inner.phase(), Phase::StepComplete | Phase::StepFailed)
            && let Err(error) = instance.inner.terminate()
        {
            match error.cause {
                Cause::ProcessEnded(_) => ended = Some(Box::new(Error::Call(error))),
                _ => {
                    let text = format!("the results are complete, but {error}");
                    run_loop.reporter.warn(Warning::new(Code::TerminateFailed, text));
                }
            }
        }
    }
    ended
}
