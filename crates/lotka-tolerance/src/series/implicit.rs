//! Runs in which instances of loops solve for their values at the end of each step.
//!
//! A fast output follows its inputs within a step. Held inputs then show it what they were at the beginning of the step, and
//! errors fall with power 1 until steps resolve how fast it is. Inputs that are linear between the values at both ends of a step,
//! found by Newton's method, show it where they are and how they move, so that it lags behind them as it should.
//!
//! The values at the end of a step are as exact as rounding allows, and a step is the same forward and backward in time: errors
//! have even powers of the step size. Between steps that resolve the fast mode and those that are much longer, they fall more
//! slowly; estimates allow for that.
//!
//! Reference: S. Sicklinger et al. 2014, *Interface Jacobian-based co-simulation*, doi 10.1002/nme.4637.

use lotka_prepare::{
    mesh::Base,
    trial::stiffness::{self, Stiffness},
};
use lotka_run::{
    InstanceSet, InstanceSetFactory, Report, SharedSystem, describe, has_polynomials,
    record::{Notification, Observer, emit},
};
use lotka_step::{
    Error,
    algorithm::{AccelerationMethod, SweepMethod},
    error_control::Tolerances,
    resolved::{Algorithm, Inputs, Iteration, Resolved, Verified},
};

use super::{
    outcome::{InVain, Outcome, Refined},
    runs::{Runs, Spent},
    verification::Verification,
};

/// Why these runs end without a result.
pub(super) const IN_VAIN: &str =
    "the tolerance is not met in this way; Lotka restarts with steps that resolve how fast the instances are";

/// Reason for the choice.
const REASON: &str = "Outputs in a loop follow their inputs within a step, so the instances solve for their values at its end.";

/// Tolerance of the values at the end of a step, as a share of that of the results, and its bounds.
const SHARE: f64 = 1e-3;
const BOUNDS: (f64, f64) = (1e-13, 1e-9);

/// Maximum number of jumps from which steps grow.
const MOST_GRADED: usize = 8;

/// Maximum number of iterations.
const LIMIT: u32 = 12;

/// Makes the runs. Returns what remains of them if they do not meet the tolerance.
pub(super) fn make(
    set_factory: &InstanceSetFactory,
    system: &SharedSystem,
    instance_set: &mut InstanceSet,
    verified: &Verified,
    spent: &Spent,
    observers: &mut [&mut dyn Observer],
) -> Result<(Report, Outcome), InVain> {
    let resolved = Resolved { algorithm: algorithm(system, verified), ..system.resolved.clone() };
    let set_factory = InstanceSetFactory { input_polynomials: has_polynomials(&resolved), ..set_factory.clone() };
    let system = SharedSystem { resolved, ..system.clone() };
    let what = format!(
        "trial steps show outputs that follow their inputs within a step; algorithm: {}",
        describe(&system, &set_factory)
    );
    emit(observers, &Notification::MethodChanged { what: &what });
    let mut runs = Runs::new(&set_factory, instance_set, &system, verified, None);
    runs.add_spent(spent);
    (runs.earlier_calls, runs.is_implicit) = (runs.calls(), true);
    let outcome = outcome(&mut runs, &set_factory, verified, observers);
    match outcome {
        Some(Ok((Refined::Done, verdict))) if !verdict.as_ref().is_some_and(|verdict| verdict.error.reached) => {
            Err(InVain { spent: Box::new(runs.spent()), best: verdict.map(Box::new) })
        }
        Some(outcome) => Ok((runs.report(), outcome)),
        None => Err(InVain { spent: Box::new(runs.spent()), best: None }),
    }
}

/// The outcome of the runs; `None` if the method is of no use.
fn outcome<'a>(
    runs: &mut Runs<'a>,
    set_factory: &'a InstanceSetFactory,
    verified: &'a Verified,
    observers: &mut [&mut dyn Observer],
) -> Option<Outcome> {
    let mut verification = Verification::new(runs, set_factory, verified, observers).ok()?;
    match verification.refine(observers) {
        Ok(Refined::Done) if verification.next.is_none() => None,
        Ok(refined) => Some(verification.verdict(refined, observers)),
        Err(error) if error.ended_process() || error.is_fatal() => Some(Err(error)),
        Err(_) => None,
    }
}

fn algorithm(system: &SharedSystem, verified: &Verified) -> Algorithm {
    let relative = (SHARE * verified.tolerance).clamp(BOUNDS.0, BOUNDS.1);
    let iteration = Iteration {
        limit: LIMIT,
        tolerances: Tolerances { relative, absolute: relative * verified.scale.unwrap_or(0.0) },
        acceleration: AccelerationMethod::Newton,
        is_default: true,
        is_tight: true,
        keeps_last: false,
        shortest: 0.0,
    };
    let algorithm = &system.resolved.algorithm;
    Algorithm {
        sweep: SweepMethod::Jacobi,
        reason: Some(REASON),
        inputs: Inputs { degree: 1, output_derivatives: false, ..algorithm.inputs },
        iteration: Some(iteration),
        is_open: false,
        ..algorithm.clone()
    }
}

impl Runs<'_> {
    /// Whether instances of loops solve for their values at the end of each step although these do not follow each other without
    /// delay.
    pub(super) fn solves_for_ends(&self) -> bool {
        self.system.resolved.algorithm.iteration.is_some() && self.system.graph.algebraic_loops().next().is_none()
    }

    /// A base whose steps grow from the start and from where sources jump: these set fast outputs in motion.
    pub(super) fn graded(&self, base: Base) -> Base {
        let mut base = self.resolved(base);
        let jumps = self.system.resolved.time_events.list.iter().filter(|time_event| time_event.jumps());
        let points = jumps.map(|time_event| base.times().partition_point(|time| *time < time_event.time - base.slack()));
        let points: Vec<usize> = [0].into_iter().chain(points.take(MOST_GRADED)).collect();
        base.grade(&points);
        base
    }

    /// Tries, once, whether outputs in loops are fast. Returns nothing if no other method helps: it needs instances that can
    /// interpolate their inputs.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    pub(super) fn find_stiffness(&mut self, base: &Base) -> Result<Option<Stiffness>, Box<Error>> {
        let algorithm = &self.system.resolved.algorithm;
        let is_usable = self.can_try() && self.watched.is_none() && !self.has_events() && algorithm.iteration.is_none();
        if !is_usable || std::mem::replace(&mut self.tried_stiffness, true) {
            return Ok(None);
        }
        let (start, stop) = self.system.span();
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        match self.system.initialize(coupled, &self.system.set_up) {
            Ok(()) => {}
            Err(error) if error.ended_process() || error.is_fatal() => return Err(error),
            Err(_) => return Ok(None),
        }
        let found = stiffness::measure(coupled, (start, base.longest()), stop - start);
        self.counters.n_trial_calls += coupled.calls().map(|calls| calls.steps).sum::<u64>();
        self.instance_set.log.take();
        let can_change = algorithm.is_open && (self.set_factory.allows_several() || self.set_factory.input_polynomials);
        let interpolates = |index: &usize| {
            let has_feedthrough = self.set_factory.plan.instances[*index].has_feedthrough;
            self.set_factory.fmus[*index].capabilities().interpolate_inputs && !has_feedthrough
        };
        Ok(found.filter(|found| found.locked.is_some() || can_change && found.fast.iter().all(interpolates)))
    }
}
