//! The choice of algorithm, and whether the FMUs can do what it needs.

use super::{Interface, Link, ResolvedExperiment, Stepping};
use crate::{
    algorithm::{sweep_name, sweep_names},
    error_control::Tolerances,
    graph,
    system::{
        AlgorithmSettings, Compatibility, Located, SystemDescription,
        problem::{Findings, nearest},
    },
};

/// Iteration default for fixed steps; under error control a tenth of the error test.
const FIXED_STEP_ITERATION_TOLERANCE: f64 = 1e-7;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Algorithm {
    pub(crate) sweep: &'static str,
    /// Instances in the order they are stepped, if the file says so.
    pub(crate) order: Option<Vec<usize>>,
    pub(crate) iteration: Option<Iteration>,
}

/// Iteration inside loops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Iteration {
    pub(crate) limit: u32,
    pub(crate) tolerances: Tolerances,
}

pub(super) fn resolve(
    settings: &AlgorithmSettings,
    experiment: &ResolvedExperiment,
    names: &[&str],
    findings: &mut Findings,
) -> Algorithm {
    let default = "gauss-seidel";
    let sweep = settings.sweep.as_ref().map_or(default, |chosen| {
        sweep_name(&chosen.value).unwrap_or_else(|| {
            findings.error(&chosen.span, format!("there is no sweep `{}`", chosen.value), nearest(&chosen.value, sweep_names()));
            default
        })
    });
    if let Some(degree) = &settings.input_degree
        && degree.value != 0
    {
        let message = format!("`input-degree` {} is not available yet", degree.value);
        findings.error(&degree.span, message, "use 0: inputs hold the newest known value".to_owned());
    }
    let order = settings.order.as_ref().and_then(|order| resolve_order(order, names, findings));
    Algorithm { sweep, order, iteration: iteration(settings, experiment, findings) }
}

fn iteration(settings: &AlgorithmSettings, experiment: &ResolvedExperiment, findings: &mut Findings) -> Option<Iteration> {
    let limit = settings.iterations.as_ref().map_or(1, |limit| limit.value);
    let limit = u32::try_from(limit).ok().filter(|limit| (1..=1000).contains(limit));
    if limit.is_none() {
        let span = settings.iterations.as_ref().and_then(|limit| limit.span.clone());
        findings.error(&span, "`iterations` must be between 1 (none) and 1000", None);
    }
    let limit = limit.unwrap_or(1);
    if let Some(tolerance) = &settings.iteration_tolerance {
        if !(tolerance.value.is_finite() && tolerance.value > 0.0) {
            findings.error(
                &tolerance.span,
                format!("`iteration-tolerance` is {}; it must be greater than 0", tolerance.value),
                None,
            );
        } else if limit == 1 {
            let message = "`iteration-tolerance` has no meaning without iteration";
            findings.error(&tolerance.span, message, "write iterations = 20, or leave it out".to_owned());
        }
    }
    (limit > 1).then(|| Iteration { limit, tolerances: iteration_tolerances(settings, experiment) })
}

fn iteration_tolerances(settings: &AlgorithmSettings, experiment: &ResolvedExperiment) -> Tolerances {
    match (&settings.iteration_tolerance, &experiment.stepping) {
        (Some(tolerance), _) => Tolerances { relative: tolerance.value, absolute: tolerance.value },
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
                findings.error(&name.span, format!("`{}` is in `order` twice", name.value), None);
            }
            Some(index) => indices.push(index),
            None => {
                let help = nearest(&name.value, names.iter().copied());
                findings.error(&name.span, format!("there is no instance `{}`", name.value), help);
            }
        }
    }
    let missing: Vec<_> =
        (0..names.len()).filter(|index| !indices.contains(index)).map(|index| format!("`{}`", names[index])).collect();
    if !missing.is_empty() {
        findings.error(&order.span, format!("`order` lacks {}", missing.join(", ")), None);
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
    let controlled = matches!(experiment.stepping, Stepping::Controlled(_));
    let in_loop = graph::in_loop(interfaces.len(), links);
    for (index, (instance, interface)) in system.instances.iter().zip(interfaces).enumerate() {
        let mut lacks = |method: &str, needs: &str, flag: &str, instead: &str| {
            let message = format!(
                "{method} needs {needs}, which the FMU {} of instance `{}` cannot do ({flag} is not true)",
                interface.path.display(),
                instance.name.value
            );
            findings.error(&instance.fmu.span, message, instead.to_owned());
        };
        if controlled && !interface.capabilities.variable_step {
            lacks(
                "step doubling (`local-tolerance`)",
                "steps of different size",
                "canHandleVariableCommunicationStepSize",
                "use a fixed `step`",
            );
        }
        if controlled && !interface.capabilities.save_state {
            lacks("step doubling (`local-tolerance`)", "rollback", "canGetAndSetFMUstate", "use a fixed `step`");
        } else if algorithm.iteration.is_some() && in_loop[index] && !interface.capabilities.save_state {
            lacks("iteration (`iterations`)", "rollback", "canGetAndSetFMUstate", "use iterations = 1");
        }
    }
}
