//! The choice of algorithm, and whether the FMUs can do what it needs.

use lotka_message::{Code, Findings, nearest};
use lotka_plan::{graph, link::Link};
use lotka_step::{
    algorithm::{EstimatorMethod, MethodRegistry, SweepMethod},
    resolved::{
        Algorithm, FeedthroughOutputs, InputDelivery, Inputs, Interface, Iterates, ResolvedExperiment, Stepping, Traits, choose,
    },
    signal::MAX_DEGREE,
};

use super::{iteration::iteration, methods};
use crate::{AlgorithmSettings, Connection, Located, SystemDescription, locate::Names};

pub fn resolve(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    names: &Names<'_>,
    traits: &Traits,
    registry: &MethodRegistry,
    findings: &mut Findings,
) -> Algorithm {
    let settings = &system.algorithm;
    let given: Option<SweepMethod> = settings.sweep.as_ref().and_then(|chosen| methods::find(chosen, registry, findings));
    let degree_given = settings.input_degree.as_ref().and_then(|given| degree(given, "input-degree", findings));
    let needs_iteration = traits.has_algebraic_loop
        && !given.as_ref().is_some_and(|sweep| sweep.make().is_symmetric())
        && settings.compatibility.is_none();
    let iteration = iteration(settings, experiment, needs_iteration, registry, findings);
    let iterates = match &iteration {
        None => Iterates::No,
        Some(iteration) if iteration.is_default => Iterates::ByDefault,
        Some(_) => Iterates::AsGiven,
    };
    let compatibility = settings.compatibility.as_ref().map(|compatibility| compatibility.value);
    let choice = choose(given, degree_given, iterates, compatibility, experiment, traits);
    if choice.sweep.make().is_symmetric() {
        refuse_with_symmetric(settings, choice.degree, iteration.is_some(), findings);
        refuse_degrees_with_symmetric(&system.connections, findings);
    }
    if estimator(experiment) == Some(&EstimatorMethod::Embedded) && choice.degree == 0 {
        refuse_embedded(settings, &choice.sweep, findings);
    }
    if let (Some(compatibility), true) = (&settings.compatibility, choice.degree > 0) {
        findings.error(
            Code::ConflictingSettings,
            &compatibility.span,
            "`compatibility` holds inputs constant",
            "remove `input-degree`".to_owned(),
        );
    }
    Algorithm {
        sweep: choice.sweep,
        reason: choice.reason,
        order: settings
            .order
            .as_ref()
            .and_then(|order| resolve_order(order, &names.list()[..system.instances.len()], names, findings)),
        inputs: Inputs {
            degree: choice.degree,
            delivery: settings.input_delivery.as_ref().map(|delivery| delivery.value),
            output_derivatives: settings.output_derivatives.as_ref().is_none_or(|on| on.value),
            feedthrough: settings.feedthrough_outputs.as_ref().map(|policy| policy.value).unwrap_or_default(),
        },
        iteration,
        has_events: traits.has_events,
        has_jumps: traits.has_jumps,
        is_open: is_open(settings),
    }
}

/// The degree of an input signal.
pub(super) fn degree(given: &Located<i64>, key: &str, findings: &mut Findings) -> Option<usize> {
    let degree = usize::try_from(given.value).ok().filter(|degree| *degree <= MAX_DEGREE);
    if degree.is_none() {
        let message = format!("expected 0 (hold) to {MAX_DEGREE} for `{key}`, found {}", given.value);
        findings.error(Code::OutOfRange, &given.span, message, "use 1 for order 2 with every FMU".to_owned());
    }
    degree
}

/// The symmetric scheme requires constant inputs.
fn refuse_with_symmetric(settings: &AlgorithmSettings, degree: usize, iterates: bool, findings: &mut Findings) {
    if let (Some(given), true) = (&settings.input_degree, degree > 0) {
        let help = "remove `input-degree`, or use the sweep gauss-seidel or jacobi".to_owned();
        findings.error(
            Code::ConflictingSettings,
            &given.span,
            "the symmetric sweep needs held inputs, with which it has order 2; it does not support `input-degree`",
            help,
        );
    }
    if let (Some(given), true) = (&settings.iterations, iterates) {
        let help = "remove `iterations`, or use the sweep gauss-seidel or jacobi".to_owned();
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
            let help = "remove `degree`, or use the sweep gauss-seidel or jacobi".to_owned();
            findings.error(Code::ConflictingSettings, &degree.span, message, help);
        }
    }
}

/// The estimator, if the local error is controlled.
fn estimator(experiment: &ResolvedExperiment) -> Option<&EstimatorMethod> {
    match &experiment.stepping {
        Stepping::Controlled(steps) => steps.estimator(),
        Stepping::Fixed(_) | Stepping::Verified(_) => None,
    }
}

/// The embedded estimator compares inputs of one degree with those of one less.
fn refuse_embedded(settings: &AlgorithmSettings, sweep: &SweepMethod, findings: &mut Findings) {
    let span = settings.estimator.as_ref().and_then(|estimator| estimator.span.clone());
    let message = "the estimator `embedded` compares inputs of two degrees, but inputs are held";
    let instead = if sweep.make().is_symmetric() {
        "use the sweep gauss-seidel or jacobi with input-degree = 1"
    } else {
        "set input-degree = 1"
    };
    findings.error(Code::UnfitEstimator, &span, message, format!("{instead}, or use the estimator step-doubling"));
}

fn resolve_order(
    order: &Located<Vec<Located<String>>>,
    instances: &[&str],
    names: &Names<'_>,
    findings: &mut Findings,
) -> Option<Vec<usize>> {
    let mut indices = Vec::new();
    let mut is_listed = vec![false; instances.len()];
    for name in &order.value {
        match names.find(&name.value).filter(|index| *index < instances.len()) {
            Some(index) if is_listed[index] => {
                findings.error(
                    Code::DuplicateEntry,
                    &name.span,
                    format!("`order` lists `{}` twice", name.value),
                    "list each instance once".to_owned(),
                );
            }
            Some(index) => {
                is_listed[index] = true;
                indices.push(index);
            }
            None => {
                let help = nearest(&name.value, instances.iter().copied());
                findings.error(Code::UnknownInstance, &name.span, format!("unknown instance `{}`", name.value), help);
            }
        }
    }
    let missing: Vec<_> =
        instances.iter().zip(&is_listed).filter(|(_, is_listed)| !**is_listed).map(|(name, _)| format!("`{name}`")).collect();
    if !missing.is_empty() {
        findings.error(
            Code::OrderIncomplete,
            &order.span,
            format!("`order` lacks {}", missing.join(", ")),
            "list all instances, or remove `order`".to_owned(),
        );
        return None;
    }
    (indices.len() == instances.len()).then_some(indices)
}

/// Warns of FMUs that support one step size only but get a shorter last step.
fn warn_of_rest(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let Stepping::Fixed(h) = experiment.stepping else { return };
    let steps = (experiment.stop - experiment.start) / h;
    if (steps - steps.round()).abs() <= 1e-9 * steps.max(1.0) {
        return;
    }
    for (instance, interface) in system.instances.iter().zip(interfaces).filter(|(_, one)| !one.capabilities.variable_step) {
        let message = format!(
            "the last step is shorter than the others, but the FMU {} of instance `{}` supports one step size only \
             (canHandleVariableCommunicationStepSize is not true): its last row may be wrong",
            interface.path.display(),
            instance.name.value
        );
        let help = "make the time from start to stop a multiple of `step`".to_owned();
        findings.warning(Code::MissingCapability, &instance.fmu.span, message, help);
    }
}

/// Reports FMUs that lack a capability that the chosen method requires.
pub(super) fn check_capabilities(
    system: &SystemDescription,
    experiment: &ResolvedExperiment,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let estimator = estimator(experiment);
    if let Some(estimator) = estimator {
        super::estimator::check(estimator, system, algorithm, links, interfaces, findings);
    }
    let controlled = matches!(experiment.stepping, Stepping::Controlled(_));
    let in_loop = graph::in_loop(interfaces.len(), links);
    warn_of_rest(system, experiment, interfaces, findings);
    for (index, (instance, interface)) in system.instances.iter().zip(interfaces).enumerate() {
        let mut lacks = |method: &str, needs: &str, flag: &str, instead: &str| {
            let message = format!(
                "{method} needs {needs}, which the FMU {} of instance `{}` does not support ({flag} is not true)",
                interface.path.display(),
                instance.name.value
            );
            findings.error(Code::MissingCapability, &instance.fmu.span, message, instead.to_owned());
        };
        let capabilities = &interface.capabilities;
        const VARIABLE_STEP: &str = "canHandleVariableCommunicationStepSize";
        const SAVE_STATE: &str = "canGetAndSetFMUstate";
        const SMALLER_STEPS: &str = "`on-no-convergence = \"smaller-steps\"`";
        if !capabilities.variable_step {
            let different = "variable step sizes";
            if estimator.is_some() {
                lacks("local error control (`local-tolerance`)", different, VARIABLE_STEP, "use a fixed `step`");
            } else if controlled {
                lacks(SMALLER_STEPS, different, VARIABLE_STEP, "remove `on-no-convergence`");
            } else if algorithm.has_events {
                lacks(
                    "event localization (`[events]`)",
                    different,
                    VARIABLE_STEP,
                    "remove [events]; events then occur up to one step late",
                );
            } else if algorithm.sweep.make().is_symmetric() {
                lacks("the symmetric sweep", different, VARIABLE_STEP, "use the sweep gauss-seidel with input-degree = 1");
            }
        }
        if !capabilities.save_state {
            if let Some(estimator) = estimator.filter(|estimator| estimator.rolls_back()) {
                let method = format!("local error control (`local-tolerance`) with the estimator {estimator}");
                let instead = "set estimator = \"predictor-corrector\", or use a fixed `step`";
                lacks(&method, "rollback", SAVE_STATE, instead);
            } else if controlled && estimator.is_none() {
                lacks(SMALLER_STEPS, "rollback", SAVE_STATE, "remove `on-no-convergence`");
            } else if let Some(iteration) = algorithm.iteration.as_ref().filter(|_| in_loop[index]) {
                if iteration.is_default {
                    let method = "solving an algebraic loop by iteration in every step";
                    let instead = "set iterations = 1; its values then lag by one step";
                    lacks(method, "rollback", SAVE_STATE, instead);
                } else {
                    lacks("iteration (`iterations`)", "rollback", SAVE_STATE, "use iterations = 1");
                }
            } else if algorithm.has_events {
                let instead = "remove [events]; events then occur up to one step late";
                lacks("event localization (`[events]`)", "rollback", SAVE_STATE, instead);
            }
        }
        if algorithm.inputs.delivery == Some(InputDelivery::Derivatives) && !capabilities.interpolate_inputs {
            let instead = "remove `input-delivery`; Lotka then uses what each FMU supports";
            lacks("input-delivery = \"derivatives\"", "input derivatives", "canInterpolateInputs", instead);
        }
        if algorithm.inputs.feedthrough == FeedthroughOutputs::Derivative && !capabilities.directional_derivative {
            let instead = "use feedthrough-outputs = \"auto\"";
            lacks("feedthrough-outputs = \"derivative\"", "directional derivatives", "providesDirectionalDerivative", instead);
        }
    }
}

/// Whether Lotka chooses the method.
fn is_open(settings: &AlgorithmSettings) -> bool {
    let numbers = settings.input_degree.is_none() && settings.iterations.is_none();
    numbers && settings.sweep.is_none() && settings.compatibility.is_none() && settings.feedthrough_outputs.is_none()
}
