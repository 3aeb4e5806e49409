//! The analysis of a coupling as JSON.

use lotka::analysis::{Contraction, Coupling, CriticalStep, Outputs, Scheme, Sensitivity};
use serde_json::{Value, json};

/// Returns the analysis of a coupling as JSON.
#[must_use]
pub fn coupling(coupling: &Coupling) -> Value {
    let sensitivity = |found: &Sensitivity| {
        let Sensitivity { output, input, derivative, relative, .. } = found;
        json!({ "output": output, "input": input, "derivative": derivative, "relative": relative })
    };
    let contraction = |found: Contraction| json!({ "jacobi": found.jacobi, "gauss_seidel": found.gauss_seidel });
    json!({
        "step": coupling.step,
        "sensitivities": coupling.sensitivities.iter().map(sensitivity).collect::<Vec<_>>(),
        "contraction": coupling.contraction.map(contraction),
        "critical_steps": coupling.critical_steps.iter().map(critical_step).collect::<Vec<_>>(),
        "stale": coupling.stale,
        "advice": coupling.advice.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn critical_step((scheme, found): &(Scheme, CriticalStep)) -> Value {
    let outputs = scheme.outputs.map(|outputs| match outputs {
        Outputs::Stale => "stale",
        Outputs::Fresh => "fresh",
    });
    let (result, step, reason) = match found {
        CriticalStep::Critical { h } => ("critical", Some(*h), None),
        CriticalStep::StableUpTo { h } => ("stable_up_to", Some(*h), None),
        CriticalStep::UnstableDownTo { h } => ("unstable_down_to", Some(*h), None),
        CriticalStep::NotDetermined { reason } => ("not_determined", None, Some(reason.to_string())),
    };
    json!({ "sweep": scheme.sweep.name(), "outputs": outputs, "result": result, "step": step, "reason": reason })
}
