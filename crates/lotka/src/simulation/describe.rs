//! The algorithm of a run in words.

use super::scenario::Scenario;
use crate::system::{
    Compatibility,
    resolve::{Algorithm, Stepping},
};

/// What is done, and why where it was not given.
pub(super) fn describe(scenario: &Scenario, names: &[String]) -> String {
    let algorithm = &scenario.resolved.algorithm;
    let order: Vec<_> = scenario.graph.order.iter().map(|&index| names[index].as_str()).collect();
    let reason = algorithm.reason.map(|reason| format!(". {reason}")).unwrap_or_default();
    format!(
        "{} sweep in the order {}, {}, {}, {}{reason}",
        algorithm.sweep,
        order.join(", "),
        inputs(algorithm),
        iteration(algorithm),
        steps(&scenario.resolved.experiment.stepping)
    )
}

fn inputs(algorithm: &Algorithm) -> &'static str {
    ["held inputs", "linear inputs", "quadratic inputs", "cubic inputs"][algorithm.inputs.degree]
}

fn iteration(algorithm: &Algorithm) -> String {
    match &algorithm.iteration {
        Some(iteration) => format!(
            "at most {} iterations inside loops to {:e} with acceleration {}",
            iteration.limit, iteration.tolerances.relative, iteration.acceleration
        ),
        None => "no iteration".to_owned(),
    }
}

fn steps(stepping: &Stepping) -> String {
    match stepping {
        Stepping::Fixed(h) => format!("fixed steps of {h} s"),
        Stepping::Controlled(steps) => {
            let formulas = steps.compatibility.map_or("", |Compatibility::MasterSim| ", with MasterSim's formulas");
            let (tolerances, controller) = (steps.tolerances, steps.controller);
            format!(
                "{} at local tolerance {:e} (absolute {:e}) with the {controller} controller{formulas}",
                steps.estimator, tolerances.relative, tolerances.absolute
            )
        }
        Stepping::Verified(verified) => format!(
            "runs on finer and finer meshes, extrapolated until the global error is at most {:e} at rows every {} s",
            verified.tolerance, verified.output_interval
        ),
    }
}
