//! The choice of algorithm, and whether the FMUs can do what it needs.

use super::{
    Interface, Link, ResolvedExperiment, SignalType, Stepping,
    choice::{self, Iterates, Traits},
};
use crate::{
    Code,
    algorithm::{
        EMBEDDED, NEWTON, NO_ACCELERATION, PREDICTOR_CORRECTOR, acceleration_name, acceleration_names, estimator_rolls_back,
        sweep_name, sweep_names,
    },
    error_control::Tolerances,
    graph,
    signal::MAX_DEGREE,
    system::{
        AlgorithmSettings, Compatibility, Connection, FeedthroughOutputs, InputDelivery, Located, SystemDescription,
        problem::{Findings, nearest},
    },
};

/// Iteration default for fixed steps; under error control a tenth of the error test.
const FIXED_STEP_ITERATION_TOLERANCE: f64 = 1e-7;

/// Share of the tolerance of a verified run to which loops are iterated: what is left of each step adds up, and extrapolation enlarges it.
const VERIFIED_ITERATION_SHARE: f64 = 1e-3;

/// Iterations at most where a loop of direct feedthrough is iterated by default.
const DEFAULT_LIMIT: u32 = 50;

/// Tolerance of such an iteration, relative to each value: Newton's method reaches it with one pass more than a coarse one.
const DEFAULT_ITERATION_TOLERANCE: f64 = 1e-11;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Algorithm {
    pub(crate) sweep: &'static str,
    /// Why, if the sweep was not given.
    pub(crate) reason: Option<&'static str>,
    /// Instances in the order they are stepped, if the file says so.
    pub(crate) order: Option<Vec<usize>>,
    pub(crate) inputs: Inputs,
    pub(crate) iteration: Option<Iteration>,
    /// Steps end at events.
    pub(crate) has_events: bool,
    /// Sources jump.
    pub(crate) has_jumps: bool,
}

impl Algorithm {
    /// Whether outputs that follow inputs at once may have to be read again between two steps.
    pub(crate) fn reads_again(&self) -> bool {
        self.has_events || self.has_jumps
    }
}

/// What inputs do during a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Inputs {
    pub(crate) degree: usize,
    /// `None`: as each FMU can.
    pub(crate) delivery: Option<InputDelivery>,
    pub(crate) output_derivatives: bool,
    pub(crate) feedthrough: FeedthroughOutputs,
}

/// Iteration inside loops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Iteration {
    pub(crate) limit: u32,
    pub(crate) tolerances: Tolerances,
    pub(crate) acceleration: &'static str,
    /// The user did not ask for it, but a loop of direct feedthrough needs it.
    pub(crate) is_default: bool,
    /// The tolerances are a default: they may be widened to what inexact rollback allows.
    pub(crate) is_tight: bool,
}

pub(super) fn resolve(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    names: &[&str],
    traits: &Traits,
    findings: &mut Findings,
) -> Algorithm {
    let settings = &system.algorithm;
    let given = settings.sweep.as_ref().and_then(|chosen| {
        let sweep = sweep_name(&chosen.value);
        if sweep.is_none() {
            findings.error(
                Code::UnknownChoice,
                &chosen.span,
                format!("there is no sweep `{}`", chosen.value),
                nearest(&chosen.value, sweep_names()),
            );
        }
        sweep
    });
    let degree_given = settings.input_degree.as_ref().and_then(|given| degree(given, "input-degree", findings));
    let needs_iteration = traits.has_algebraic_loop && given != Some("symmetric") && settings.compatibility.is_none();
    let iteration = iteration(settings, experiment, needs_iteration, findings);
    let iterates = match &iteration {
        None => Iterates::No,
        Some(iteration) if iteration.is_default => Iterates::ByDefault,
        Some(_) => Iterates::AsGiven,
    };
    let choice = choice::choose(given, degree_given, iterates, settings.compatibility.is_some(), experiment, traits);
    if choice.sweep == "symmetric" {
        refuse_with_symmetric(settings, choice.degree, iteration.is_some(), findings);
        refuse_degrees_with_symmetric(&system.connections, findings);
    }
    if estimator(experiment) == Some(EMBEDDED) && choice.degree == 0 {
        refuse_embedded(settings, choice.sweep, findings);
    }
    if let (Some(compatibility), true) = (&settings.compatibility, choice.degree > 0) {
        findings.error(
            Code::ConflictingSettings,
            &compatibility.span,
            "`compatibility` holds inputs constant",
            "leave `input-degree` out".to_owned(),
        );
    }
    Algorithm {
        sweep: choice.sweep,
        reason: choice.reason,
        order: settings.order.as_ref().and_then(|order| resolve_order(order, names, findings)),
        inputs: Inputs {
            degree: choice.degree,
            delivery: settings.input_delivery.as_ref().map(|delivery| delivery.value),
            output_derivatives: settings.output_derivatives.as_ref().is_none_or(|on| on.value),
            feedthrough: settings.feedthrough_outputs.as_ref().map(|policy| policy.value).unwrap_or_default(),
        },
        iteration,
        has_events: traits.has_events,
        has_jumps: traits.has_jumps,
    }
}

/// The degree of an input signal.
pub(super) fn degree(given: &Located<i64>, key: &str, findings: &mut Findings) -> Option<usize> {
    let degree = usize::try_from(given.value).ok().filter(|degree| *degree <= MAX_DEGREE);
    if degree.is_none() {
        let message = format!("`{key}` is {}, but input signals have degree 0 (hold) to {MAX_DEGREE}", given.value);
        findings.error(Code::OutOfRange, &given.span, message, "use 1 for order 2 with every FMU".to_owned());
    }
    degree
}

/// The symmetric sweep is one of constant inputs.
fn refuse_with_symmetric(settings: &AlgorithmSettings, degree: usize, iterates: bool, findings: &mut Findings) {
    if let (Some(given), true) = (&settings.input_degree, degree > 0) {
        let help = "leave `input-degree` out, or use the sweep gauss-seidel or jacobi".to_owned();
        findings.error(
            Code::ConflictingSettings,
            &given.span,
            "the symmetric sweep has order 2 with held inputs; `input-degree` does not go with it",
            help,
        );
    }
    if let (Some(given), true) = (&settings.iterations, iterates) {
        let help = "leave `iterations` out, or use the sweep gauss-seidel or jacobi".to_owned();
        findings.error(Code::ConflictingSettings, &given.span, "the symmetric sweep does not iterate", help);
    }
}

/// A single source cannot have a degree, either: both half steps would get the mean of its signal over the whole step.
fn refuse_degrees_with_symmetric(connections: &[Connection], findings: &mut Findings) {
    for connection in connections {
        for source in &connection.sources {
            let Some(degree) = source.degree.as_ref().filter(|degree| degree.value > 0) else { continue };
            let message = format!(
                "`{}` <- `{}`: the symmetric sweep has order 2 with held inputs, and only order 1 with a source of degree {}",
                connection.input.value, source.from.value, degree.value
            );
            let help = "leave `degree` out, or use the sweep gauss-seidel or jacobi".to_owned();
            findings.error(Code::ConflictingSettings, &degree.span, message, help);
        }
    }
}

/// The estimator, if the local error is controlled.
fn estimator(experiment: &ResolvedExperiment) -> Option<&'static str> {
    match &experiment.stepping {
        Stepping::Controlled(steps) => Some(steps.estimator),
        Stepping::Fixed(_) | Stepping::Verified(_) => None,
    }
}

/// The embedded estimator compares inputs of one degree with those of one less.
fn refuse_embedded(settings: &AlgorithmSettings, sweep: &str, findings: &mut Findings) {
    let span = settings.estimator.as_ref().and_then(|estimator| estimator.span.clone());
    let message = format!("the estimator `{EMBEDDED}` compares inputs of a degree with those of one less, but inputs are held");
    let instead = if sweep == "symmetric" {
        "use the sweep gauss-seidel or jacobi with input-degree = 1"
    } else {
        "write input-degree = 1"
    };
    findings.error(Code::UnfitEstimator, &span, message, format!("{instead}, or use the estimator step-doubling"));
}

/// A source that is held whatever the degree of the others is has an error that the embedded estimator cannot see.
fn refuse_held_sources(links: &[Link], findings: &mut Findings) {
    let mut reals = links.iter().filter(|link| link.signal == SignalType::Real);
    if reals.any(|link| link.sources.iter().any(|source| source.degree == Some(0))) {
        let message = format!("the estimator `{EMBEDDED}` does not see the error of a source with degree = 0");
        let help = format!("give that source degree = 1, or use the estimator step-doubling or {PREDICTOR_CORRECTOR}");
        findings.error(Code::UnfitEstimator, &None, message, help);
    }
}

fn iteration(
    settings: &AlgorithmSettings,
    experiment: &ResolvedExperiment,
    is_needed: bool,
    findings: &mut Findings,
) -> Option<Iteration> {
    let is_default = is_needed && settings.iterations.is_none();
    let limit = if is_default { DEFAULT_LIMIT } else { limit(settings, findings) };
    if let Some(tolerance) = &settings.iteration_tolerance {
        if !(tolerance.value.is_finite() && tolerance.value > 0.0) {
            findings.error(
                Code::OutOfRange,
                &tolerance.span,
                format!("`iteration-tolerance` is {}; it must be greater than 0", tolerance.value),
                "leave it out for the default".to_owned(),
            );
        } else if limit == 1 {
            let message = "`iteration-tolerance` has no meaning without iteration";
            findings.error(
                Code::MeaninglessSetting,
                &tolerance.span,
                message,
                "write iterations = 20, or leave it out".to_owned(),
            );
        }
    }
    let acceleration = acceleration(settings, limit, if is_default { NEWTON } else { NO_ACCELERATION }, findings);
    let is_tight = is_default && settings.iteration_tolerance.is_none();
    let mut tolerances = iteration_tolerances(settings, experiment);
    if is_tight {
        tolerances = Tolerances { relative: tolerances.relative.min(DEFAULT_ITERATION_TOLERANCE), absolute: 0.0 };
    }
    (limit > 1).then_some(Iteration { limit, tolerances, acceleration, is_default, is_tight })
}

/// The number of iterations that is given; 1 is none.
fn limit(settings: &AlgorithmSettings, findings: &mut Findings) -> u32 {
    let Some(given) = &settings.iterations else { return 1 };
    let limit = u32::try_from(given.value).ok().filter(|limit| (1..=1000).contains(limit));
    if limit.is_none() {
        findings.error(
            Code::OutOfRange,
            &given.span,
            "`iterations` must be between 1 (none) and 1000",
            "write iterations = 20, or leave it out".to_owned(),
        );
    }
    limit.unwrap_or(1)
}

fn acceleration(settings: &AlgorithmSettings, limit: u32, default: &'static str, findings: &mut Findings) -> &'static str {
    let Some(given) = &settings.acceleration else { return default };
    if limit == 1 {
        let help = "write iterations = 20, or leave it out".to_owned();
        findings.error(Code::MeaninglessSetting, &given.span, "`acceleration` has no meaning without iteration", help);
    }
    acceleration_name(&given.value).unwrap_or_else(|| {
        let help = nearest(&given.value, acceleration_names());
        findings.error(Code::UnknownChoice, &given.span, format!("there is no acceleration `{}`", given.value), help);
        NO_ACCELERATION
    })
}

fn iteration_tolerances(settings: &AlgorithmSettings, experiment: &ResolvedExperiment) -> Tolerances {
    match (&settings.iteration_tolerance, &experiment.stepping) {
        (Some(tolerance), _) => Tolerances { relative: tolerance.value, absolute: tolerance.value },
        (None, Stepping::Verified(verified)) => {
            let tolerance = VERIFIED_ITERATION_SHARE * verified.tolerance;
            // Without a scale the size of the values decides.
            Tolerances { relative: tolerance, absolute: tolerance * verified.scale.unwrap_or(0.0) }
        }
        (None, Stepping::Fixed(_)) => {
            Tolerances { relative: FIXED_STEP_ITERATION_TOLERANCE, absolute: FIXED_STEP_ITERATION_TOLERANCE }
        }
        (None, Stepping::Controlled(steps)) => {
            let share = if steps.compatibility == Some(Compatibility::MasterSim) { 1.0 } else { 0.1 };
            Tolerances { relative: share * steps.tolerances.relative, absolute: share * steps.tolerances.absolute }
        }
    }
}

fn resolve_order(order: &Located<Vec<Located<String>>>, names: &[&str], findings: &mut Findings) -> Option<Vec<usize>> {
    let mut indices = Vec::new();
    for name in &order.value {
        match names.iter().position(|known| *known == name.value) {
            Some(index) if indices.contains(&index) => {
                findings.error(
                    Code::DuplicateEntry,
                    &name.span,
                    format!("`{}` is in `order` twice", name.value),
                    "list each instance once".to_owned(),
                );
            }
            Some(index) => indices.push(index),
            None => {
                let help = nearest(&name.value, names.iter().copied());
                findings.error(Code::UnknownInstance, &name.span, format!("there is no instance `{}`", name.value), help);
            }
        }
    }
    let missing: Vec<_> =
        (0..names.len()).filter(|index| !indices.contains(index)).map(|index| format!("`{}`", names[index])).collect();
    if !missing.is_empty() {
        findings.error(
            Code::OrderIncomplete,
            &order.span,
            format!("`order` lacks {}", missing.join(", ")),
            "list all instances, or leave `order` out".to_owned(),
        );
        return None;
    }
    (indices.len() == names.len()).then_some(indices)
}

/// Reports FMUs that lack what the chosen method needs.
pub(super) fn check_capabilities(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let estimator = estimator(experiment);
    if estimator == Some(EMBEDDED) {
        refuse_held_sources(links, findings);
    }
    if let Some(estimator) = estimator {
        super::estimator::check(estimator, system, algorithm, links, interfaces, findings);
    }
    let controlled = estimator.is_some();
    let verified = matches!(experiment.stepping, Stepping::Verified(_));
    let in_loop = graph::in_loop(interfaces.len(), links);
    for (index, (instance, interface)) in system.instances.iter().zip(interfaces).enumerate() {
        let mut lacks = |method: &str, needs: &str, flag: &str, instead: &str| {
            let message = format!(
                "{method} needs {needs}, which the FMU {} of instance `{}` cannot do ({flag} is not true)",
                interface.path.display(),
                instance.name.value
            );
            findings.error(Code::MissingCapability, &instance.fmu.span, message, instead.to_owned());
        };
        let capabilities = &interface.capabilities;
        const VARIABLE_STEP: &str = "canHandleVariableCommunicationStepSize";
        const SAVE_STATE: &str = "canGetAndSetFMUstate";
        if !capabilities.variable_step {
            let different = "steps of different size";
            if controlled {
                lacks("control of the local error (`local-tolerance`)", different, VARIABLE_STEP, "use a fixed `step`");
            } else if verified {
                lacks("a verified run (`tolerance`)", different, VARIABLE_STEP, "use a fixed `step`");
            } else if algorithm.has_events {
                lacks(
                    "the location of events (`[events]`)",
                    different,
                    VARIABLE_STEP,
                    "leave [events] out: events then come up to a step late",
                );
            } else if algorithm.sweep == "symmetric" {
                lacks("the symmetric sweep", different, VARIABLE_STEP, "use the sweep gauss-seidel with input-degree = 1");
            }
        }
        if !capabilities.save_state {
            if let Some(estimator) = estimator.filter(|name| estimator_rolls_back(name)) {
                let method = format!("control of the local error (`local-tolerance`) with the estimator {estimator}");
                let instead = format!("write estimator = \"{PREDICTOR_CORRECTOR}\", or use a fixed `step`");
                lacks(&method, "rollback", SAVE_STATE, &instead);
            } else if let Some(iteration) = algorithm.iteration.filter(|_| in_loop[index]) {
                if iteration.is_default {
                    let method = "solving the loop of direct feedthrough (algebraic loop) in every step by iteration";
                    let instead = "write iterations = 1: its values then follow each other with the delay of a step";
                    lacks(method, "rollback", SAVE_STATE, instead);
                } else {
                    lacks("iteration (`iterations`)", "rollback", SAVE_STATE, "use iterations = 1");
                }
            } else if algorithm.has_events {
                let instead = "leave [events] out: events then come up to a step late";
                lacks("the location of events (`[events]`)", "rollback", SAVE_STATE, instead);
            }
        }
        if algorithm.inputs.delivery == Some(InputDelivery::Derivatives) && !capabilities.interpolate_inputs {
            let instead = "leave `input-delivery` out: each FMU then gets what it can use";
            lacks("input-delivery = \"derivatives\"", "input derivatives", "canInterpolateInputs", instead);
        }
        if algorithm.inputs.feedthrough == FeedthroughOutputs::Derivative && !capabilities.directional_derivative {
            let instead = "use feedthrough-outputs = \"auto\"";
            lacks("feedthrough-outputs = \"derivative\"", "directional derivatives", "providesDirectionalDerivative", instead);
        }
    }
}
