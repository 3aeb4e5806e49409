//! The steps of a run between the initialization and its first step.

use lotka_message::{Code, Warning};
use lotka_prepare::trial::{
    find_needing_guarantee, noise,
    switches::{self, Bend},
};
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, EstimatorMethod, Level, Method, Stop},
    resolved,
    signal::Block,
};

use super::{
    known,
    run_loop::{EventLocator, RunLoop},
    schedule::Schedule,
    shared_system::SharedSystem,
    single::{RunOptions, Steps},
};
use crate::event::{self, Events, WatchedResponse};

/// Ensures that steps end where known signals are not smooth.
pub(super) fn keep_schedule(run_loop: &mut RunLoop<'_, '_>, system: &SharedSystem) {
    let (ranks, plan) = (system.graph.ranks(), &run_loop.coupled.plan);
    let can_follow = |index: &usize| plan.instances[*index].writes() && !plan.instances[*index].uses_event_mode;
    *run_loop.rereads = (0..plan.n_stepping).filter(can_follow).collect();
    run_loop.rereads.sort_by_key(|&index| ranks[index]);
    run_loop.coupled.accept_rereading(&run_loop.settled.rereads);
    run_loop.coupled.also_read_again(run_loop.rereads, &ranks);
    let time_events = &system.resolved.time_events;
    let has_event_mode = (0..run_loop.coupled.instances.len()).any(|index| run_loop.coupled.uses_event_mode(index));
    let is_needed = !time_events.list.is_empty() || !system.resolved.overrides.actions.is_empty() || has_event_mode;
    *run_loop.schedule = is_needed.then(|| Schedule::of(system));
    run_loop.expect_announced();
}

/// Watches the events of the system; under error control also those that instances report by discarding steps.
pub(super) fn watch_events(
    run_loop: &mut RunLoop<'_, '_>,
    system: &SharedSystem,
    options: RunOptions<'_>,
) -> Result<(), Box<Error>> {
    let rolls_back = run_loop.coupled.instances.iter().all(|instance| instance.inner.capabilities().save_state);
    let is_controlled = matches!(options.steps, Steps::Controlled(steps) if steps.compatibility().is_none());
    let settings = match &system.resolved.events {
        Some(events) => {
            let given = events.tolerance.map(|tolerance| options.event_share * tolerance);
            resolved::Events { tolerance: given.or(finer(&system.resolved.experiment.stepping)), ..events.clone() }
        }
        None if is_controlled && rolls_back => resolved::Events::default(),
        None => return Ok(()),
    };
    if let Steps::Mesh(mesh) = options.steps
        && rolls_back
        && system.seeks_switches
        && system.resolved.algorithm.is_open
    {
        run_loop.monitors.switches =
            switches::watched(run_loop.coupled, &system.switches, &settings, (mesh.step(), mesh.is_coarse()));
    }
    let unit = system.resolved.experiment.internal_step;
    let mut events = Events::new(&settings, run_loop.coupled, unit, matches!(options.steps, Steps::Mesh(_)));
    let name = |bend: &Bend| WatchedResponse::new(run_loop.coupled.name(bend.instance), bend.least.clone());
    events.responses = system.bends.iter().map(name).collect();
    let mut locator = EventLocator::new(events, system.bends.clone(), system.span().1);
    locator.see_responses(run_loop.coupled, run_loop.clock.t)?;
    locator.events.follow(&run_loop.coupled.newest, f64::NAN);
    *run_loop.locator = Some(locator);
    run_loop.coupled.end_early(true);
    run_loop.coupled.allow_rollback(Level::Communication)
}

/// Starts the power bonds at `t`, and warns if their energies are unreliable.
pub(super) fn start_bonds(run_loop: &mut RunLoop<'_, '_>, t: f64) {
    let Some(mut bonds) = run_loop.coupled.bonds.take() else { return };
    bonds.start(t);
    let stale =
        (0..run_loop.coupled.instances.len()).filter(|&index| bonds.involves(index) && run_loop.coupled.stays_stale(index));
    for index in stale.collect::<Vec<_>>() {
        let name = run_loop.coupled.name(index);
        run_loop.reporter.warn(Warning::new(
            Code::StaleOutputs,
            format!(
                "outputs of instance `{name}` are stale after each step; the residual energy of its power bonds does not include \
             the whole error of this"
            ),
        ));
    }
    run_loop.coupled.bonds = Some(bonds);
}

/// Accuracy of event localization for a smaller tolerance than usual \[s\]. All runs are late by this amount, so comparing them
/// does not reveal it.
fn finer(stepping: &resolved::Stepping) -> Option<f64> {
    let resolved::Stepping::Verified(verified) = stepping else { return None };
    (verified.tolerance < USUAL).then(|| event::TOLERANCE * (verified.tolerance / USUAL).max(FINEST))
}

/// For tolerances of results from this value on, events are located with the usual accuracy.
const USUAL: f64 = 1e-6;

/// Smallest share of that accuracy. Near rounding, a signal that rests on a level crosses it again and again.
const FINEST: f64 = 0.1;

/// Whether a method of this degree begins with a start block.
fn wants_start_block(degree: usize, coupled: &Coupled, method: &Method) -> bool {
    // An iterated cubic through values and slopes at both ends needs no history.
    let needs_none = method.needs_rollback() && coupled.plan.gives_all_slopes();
    let is_first_without_slopes = degree == 1 && coupled.plan.slopes > 0 && !method.needs_rollback();
    (degree >= 2 || is_first_without_slopes) && !needs_none
}

/// Makes the start block of a method of degree 2 or 3, or of degree 1 that will know slopes, if the instances support rollback
/// and the run is long enough.
pub(super) fn make_start_block(run_loop: &mut RunLoop<'_, '_>, (start, end): (f64, f64), h: f64) -> Result<(), Box<Error>> {
    let (coupled, method) = (&mut *run_loop.coupled, &mut *run_loop.method);
    let degree = run_loop.settled.degree();
    let can = coupled.instances.iter().all(|instance| instance.inner.capabilities().save_state);
    if !wants_start_block(degree, coupled, method)
        || !can
        || coupled.is_rollback_inexact()
        || start + degree as f64 * h > end
        || find_needing_guarantee(coupled, start, h)?.is_some()
    {
        return Ok(());
    }
    coupled.allow_rollback(Level::Communication)?;
    coupled.save(Level::Communication, start)?;
    let block = Block::new(start, h, degree, &coupled.newest);
    let made = method.start_block(coupled, block);
    let ended = match made {
        Attempt::Continue(()) => Ok(()),
        Attempt::Break(stop) => match *stop {
            Stop::Failed(error) => {
                run_loop.statistics.counters.n_step_attempts += 1;
                Err(error)
            }
            // The first steps then use the known values.
            Stop::Refused(_) => {
                if let Some(inputs) = &mut coupled.inputs {
                    inputs.restart();
                }
                coupled.restore(Level::Communication)
            }
        },
    };
    coupled.forget_saved();
    ended
}

/// Refuses methods that roll back past steps of FMUs that do not support this.
pub(super) fn check_rollback_guarantee(
    run_loop: &mut RunLoop<'_, '_>,
    system: &SharedSystem,
    options: RunOptions<'_>,
) -> Result<(), Box<Error>> {
    let rolls_back = run_loop.method.needs_rollback() || run_loop.locator.is_some();
    let halves = matches!(options.steps, Steps::Controlled(steps) if steps.estimator().is_some_and(EstimatorMethod::may_halve));
    let is_controlled = matches!(options.steps, Steps::Controlled(_));
    let (method, help) = match (halves, run_loop.method.steps_from_middle() && (rolls_back || is_controlled)) {
        (true, _) => ("step doubling", "set estimator = \"predictor-corrector\", or use `step` instead of `local-tolerance`"),
        (_, true) => ("a symmetric sweep with rollback", "set sweep = \"gauss-seidel\""),
        _ => return Ok(()),
    };
    let span = system.span();
    match find_needing_guarantee(run_loop.coupled, span.0, options.steps.trial().min(span.1 - span.0))? {
        Some(index) => Err(Box::new(Error::NeedsPromise { instance: run_loop.coupled.name(index).to_owned(), method, help })),
        None => Ok(()),
    }
}

/// Refuses tolerances that are too small for inexact rollback, or for single precision, and warns of inexact rollback where no
/// tolerance can be compared with it. MasterSim's formulas are used unchanged.
pub(super) fn measure_noise(
    run_loop: &mut RunLoop<'_, '_>,
    system: &SharedSystem,
    options: RunOptions<'_>,
) -> Result<(), Box<Error>> {
    let local = match options.steps {
        Steps::Mesh(_) => return Ok(()),
        _ if options.from.is_some() => return Ok(()),
        Steps::Controlled(steps) if steps.compatibility().is_some() => return Ok(()),
        Steps::Controlled(resolved::ControlledSteps { local: Some(local), .. }) => Some(local),
        _ => None,
    };
    if let Some(local) = local {
        noise::check_rounding(run_loop.coupled, local.tolerances)?;
    }
    let local = local.filter(|local| local.estimator.rolls_back()).map(|local| local.tolerances);
    let rolls_back = system.resolved.events.is_some() || matches!(options.steps, Steps::Controlled(_));
    let all = rolls_back || wants_start_block(run_loop.settled.degree(), run_loop.coupled, run_loop.method);
    let is_needed = local.is_some() || system.resolved.algorithm.iteration.is_some();
    let mut found = match system.measure_noise(run_loop.coupled, options.set_up, all, options.steps.trial()) {
        // Without a tolerance to check, what goes wrong belongs to the first step, which has a row before it.
        Err(_) if !is_needed && system.initialize(run_loop.coupled, options.set_up).is_ok() => return Ok(()),
        found => found?,
    };
    if let Some(tolerances) = local {
        noise::check(run_loop.coupled, &found, "local-tolerance", tolerances)?;
    }
    system.check_noise_of_loops(run_loop.coupled, &found)?;
    noise::judge(run_loop.coupled, &mut found);
    if let Some(worst) = noise::visible(&found) {
        run_loop.coupled.distrust_rollback();
        if rolls_back && local.is_none() {
            let instance = run_loop.coupled.name(worst.instance);
            run_loop.reporter.warn(known::inexact_rollback(instance, &worst.what(run_loop.coupled)));
        }
    }
    Ok(())
}
