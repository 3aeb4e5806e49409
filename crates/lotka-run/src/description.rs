//! Description of the algorithm of a run in words.

use lotka_plan::link::{Link, SignalType};
use lotka_step::{
    algorithm::ControllerMethod,
    error_control::Gains,
    resolved::{Algorithm, Compatibility, FMU_SHARE, LocalControl, Stepping},
    signal::MAX_DEGREE,
};

use super::{instance_set::InstanceSetFactory, shared_system::SharedSystem};

/// Describes the algorithm, with the reason for each choice that the user left open.
pub fn describe(system: &SharedSystem, set_factory: &InstanceSetFactory) -> String {
    let algorithm = &system.resolved.algorithm;
    let order: Vec<_> = system.graph.order.iter().map(|&index| set_factory.names[index].as_str()).collect();
    let reason = algorithm.reason.map(|reason| format!(". {reason}")).unwrap_or_default();
    format!(
        "{} sweep in the order {}, {}, {}, {}{}{reason}",
        algorithm.sweep,
        order.join(", "),
        inputs(system, set_factory),
        iteration(algorithm),
        steps(&system.resolved.experiment.stepping),
        fmu_tolerances(system, set_factory)
    )
}

const DEGREES: [&str; MAX_DEGREE + 1] = ["held", "linear", "quadratic", "cubic"];

/// Describes the degree of the inputs, and the sources with another one.
fn inputs(system: &SharedSystem, set_factory: &InstanceSetFactory) -> String {
    let degree = system.resolved.algorithm.inputs.degree;
    let reals = system.resolved.links.iter().filter(|link| link.signal == SignalType::Real);
    let others: Vec<_> = reals.flat_map(|link| sources_of_another_degree(link, degree, set_factory)).collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    format!("{} inputs{others}", DEGREES[degree])
}

fn sources_of_another_degree(link: &Link, degree: usize, set_factory: &InstanceSetFactory) -> Vec<String> {
    let name = |instance: usize, variable: usize| {
        format!("`{}.{}`", set_factory.names[instance], set_factory.fmus[instance].description().variables[variable].name)
    };
    let (input, sources) = (name(link.instance, link.variable), link.sources.iter());
    let others = sources.filter_map(|source| Some((source, source.degree.filter(|own| *own != degree)?)));
    others.map(|(source, own)| format!("{input} from {} {}", name(source.instance, source.variable), DEGREES[own])).collect()
}

fn iteration(algorithm: &Algorithm) -> String {
    match &algorithm.iteration {
        Some(iteration) => format!(
            "at most {} iterations inside loops to {:e} with acceleration {}{}{}",
            iteration.limit,
            iteration.tolerances.relative as f32,
            iteration.acceleration,
            if iteration.shortest > 0.0 { format!(", none in steps below {} s", iteration.shortest) } else { String::new() },
            if iteration.keeps_last { " (the last iterate is kept if a loop does not converge)" } else { "" }
        ),
        None => "no iteration".to_owned(),
    }
}

/// Describes the tolerances requested from FMUs, if they are not a share of that of the results.
fn fmu_tolerances(system: &SharedSystem, set_factory: &InstanceSetFactory) -> String {
    let share = match &system.resolved.experiment.stepping {
        Stepping::Verified(verified) => Some(FMU_SHARE * verified.tolerance),
        _ => None,
    };
    let asked =
        set_factory.names.iter().zip(&system.set_up).filter_map(|(name, set_up)| Some((name, set_up.experiment.tolerance?)));
    let own = asked.filter(|(_, tolerance)| Some(*tolerance) != share).map(|(name, tolerance)| format!("`{name}` {tolerance:e}"));
    match own.collect::<Vec<_>>().join(", ") {
        own if own.is_empty() => own,
        own => format!(", tolerances of FMUs: {own}"),
    }
}

fn steps(stepping: &Stepping) -> String {
    match stepping {
        Stepping::Fixed(h) => format!("fixed steps of {h} s"),
        Stepping::Controlled(steps) => {
            let Some(LocalControl { tolerances, controller, estimator, compatibility, factors }) = &steps.local else {
                return format!("steps of {} s, smaller if a loop does not converge", steps.maximum);
            };
            let Gains { proportional, integral } = factors.gains;
            let formulas = match compatibility {
                Some(Compatibility::MasterSim) => ", with MasterSim's formulas".to_owned(),
                Some(Compatibility::Libcosim) => {
                    format!(" (gains {proportional} and {integral}), with libcosim's formulas, which repeat no step")
                }
                None if *controller == ControllerMethod::ProportionalIntegral && factors.gains != Gains::default() => {
                    format!(" (gains {proportional} and {integral})")
                }
                None => String::new(),
            };
            format!(
                "{estimator} at local tolerance {:e} (absolute {:e}) with the {controller} controller{formulas}",
                tolerances.relative, tolerances.absolute
            )
        }
        Stepping::Verified(verified) => format!(
            "runs on successively finer meshes, extrapolated until the global error is at most {:e} at rows every {} s",
            verified.tolerance, verified.output_interval
        ),
    }
}
