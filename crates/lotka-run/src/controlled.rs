//! Runs with variable steps: under local error control, or dependent on the convergence of loops.

use lotka_message::{Code, Warning};
use lotka_plan::time::{Points, Resolution};
use lotka_step::{
    Error,
    algorithm::{EstimatorMethod, Level},
    error_control::{Bounds, Controller, Ecco, Estimator, EstimatorSettings, Gains, Integral, StepFactors, StepSize},
    resolved::{Compatibility, ControlledSteps, LocalControl, ResolvedExperiment},
};

use super::{
    contraction::ContractionCheck,
    run_loop::RunLoop,
    stepping::{Controlled, Landings, Stepping as _, ToleratedSteps},
};

/// Factor by which steps grow after success and shrink if a loop does not converge, without an error estimator; as in MasterSim.
const GROWTH: f64 = 2.0;
const SHRINKAGE: f64 = 0.2;

/// A run with variable steps.
pub(super) struct ControlledRun {
    pub(super) steps: Controlled,
    /// Size of the first step \[s\].
    first: f64,
    /// An instance without rollback.
    lacking: Option<usize>,
    compatibility: Option<Compatibility>,
}

impl ControlledRun {
    pub(super) fn new(
        run_loop: &mut RunLoop<'_, '_>,
        steps: &ControlledSteps,
        experiment: &ResolvedExperiment,
    ) -> Result<Self, Box<Error>> {
        let lacking = run_loop.coupled.instances.iter().position(|instance| !instance.inner.capabilities().save_state);
        let may_repeat = steps.compatibility() != Some(Compatibility::Libcosim);
        let stepping = controlled(run_loop, steps, experiment, may_repeat && lacking.is_none());
        if stepping.needs_rollback() {
            let halves = run_loop.method.needs_rollback() && steps.estimator().is_some_and(EstimatorMethod::rolls_back);
            run_loop.coupled.allow_rollback(if halves { Level::Middle } else { Level::Communication })?;
        }
        Ok(Self { steps: stepping, first: steps.first, lacking, compatibility: steps.compatibility() })
    }

    /// Size of the first step \[s\].
    pub(super) fn first(&self) -> f64 {
        self.first
    }

    /// Warns about the accuracy of the whole run.
    pub(super) fn warn(&self, run_loop: &mut RunLoop<'_, '_>) {
        self.warn_of_tolerated(run_loop);
        if let Some(contraction) = self.steps.contraction() {
            run_loop.statistics.counters.n_trial_calls += contraction.n_steps();
            contraction.warning().into_iter().for_each(|warning| run_loop.reporter.warn(warning));
        }
    }

    /// Warns about steps that failed the error test but were tolerated.
    fn warn_of_tolerated(&self, run_loop: &mut RunLoop<'_, '_>) {
        let (tolerated, count) = (run_loop.statistics.n_tolerated, run_loop.statistics.counters.n_steps);
        if tolerated == 0 {
            return;
        }
        let reason = match (self.lacking, self.compatibility) {
            (_, Some(Compatibility::Libcosim)) => {
                "libcosim repeats no step; remove `compatibility` to repeat them with smaller sizes".to_owned()
            }
            (Some(index), _) => {
                format!(
                    "instance `{}` cannot be rolled back; only later steps are smaller; reduce `max-step` to avoid this",
                    run_loop.coupled.name(index)
                )
            }
            (None, Some(Compatibility::MasterSim)) => {
                "they have the minimum size, and MasterSim accepts such steps whatever their error; without `compatibility` the run \
                 would stop"
                    .to_owned()
            }
            (None, None) => "smaller steps have the same error: connected outputs jump, or are stale after each step".to_owned(),
        };
        let largest = run_loop.statistics.largest_error.unwrap_or(f64::NAN);
        run_loop.reporter.warn(Warning::new(
            Code::ErrorTestFailed,
            format!(
                "{tolerated} of {count} steps failed the error test (largest estimate: {largest:.3} times the tolerance) but were \
                 accepted because {reason}"
            ),
        ));
    }
}

fn controlled(
    run_loop: &mut RunLoop<'_, '_>,
    steps: &ControlledSteps,
    experiment: &ResolvedExperiment,
    rolls_back: bool,
) -> Controlled {
    let compatibility = steps.compatibility();
    let master_sim = compatibility == Some(Compatibility::MasterSim);
    let ResolvedExperiment { start, stop, output_interval, .. } = *experiment;
    let shortest = Resolution::of((start, stop)).shortest_step();
    let factors = match &steps.local {
        // The controller has the safety factor.
        Some(local) if compatibility == Some(Compatibility::Libcosim) => StepFactors { safety: 1.0, ..local.factors },
        Some(local) => local.factors,
        None => StepFactors { safety: 1.0, smallest: SHRINKAGE, largest: GROWTH, gains: Gains::default() },
    };
    let bounds = Bounds {
        factors,
        minimum: steps.minimum.max(shortest),
        maximum: steps.maximum,
        unit: experiment.internal_step,
        refusal_factor: if master_sim || steps.local.is_none() { SHRINKAGE } else { 0.25 },
    };
    let landings = Landings {
        rows: Points::new((start, stop), output_interval.unwrap_or(stop - start)),
        are_all_rows: output_interval.is_none(),
        slack: if master_sim { 1e-6 * stop } else { 0.0 },
        shortest,
    };
    let stepping = match &steps.local {
        Some(local) => {
            let estimator = estimator(run_loop, local);
            let step_size = StepSize::new(controller(local), bounds, estimator.order(), steps.first);
            let judge = Some((local.estimator.clone(), estimator));
            // A run like that of another tool makes the same calls.
            let contraction = match compatibility {
                Some(_) => None,
                None => ContractionCheck::new(run_loop.coupled, run_loop.method, local.tolerances),
            };
            Controlled::new(judge, step_size, landings, rolls_back).keeping(tolerated(compatibility)).checking(contraction)
        }
        None => Controlled::new(None, StepSize::new(Box::new(Integral), bounds, 0, steps.first), landings, rolls_back),
    };
    stepping.spaced(experiment.min_output_interval)
}

/// Steps that are tolerated although they fail the error test.
fn tolerated(compatibility: Option<Compatibility>) -> ToleratedSteps {
    match compatibility {
        None => ToleratedSteps::None,
        Some(Compatibility::MasterSim) => ToleratedSteps::Shortest,
        Some(Compatibility::Libcosim) => ToleratedSteps::All,
    }
}

fn controller(local: &LocalControl) -> Box<dyn Controller> {
    match local.compatibility {
        Some(Compatibility::Libcosim) => Box::new(Ecco::new(local.factors)),
        _ => local.controller.make(local.factors.gains),
    }
}

fn estimator(run_loop: &mut RunLoop<'_, '_>, local: &LocalControl) -> Box<dyn Estimator> {
    let LocalControl { tolerances, compatibility, .. } = *local;
    let settings = EstimatorSettings::new(tolerances, compatibility, run_loop.method.order());
    let estimator = local.estimator.make(settings, run_loop.coupled);
    let order = run_loop.settled.order;
    if estimator.order() > order {
        run_loop.reporter.warn(Warning::new(Code::OptimisticEstimates, format!(
            "the estimates of `{}` decrease with power {} of the step size, but the local error only with power {} (mean inputs \
             or stale outputs), so errors of small steps are underestimated; use the estimator step-doubling",
            local.estimator,
            estimator.order() + 1,
            order + 1
        )));
    }
    estimator
}
