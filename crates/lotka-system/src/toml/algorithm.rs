//! `[algorithm]`

use lotka_message::Findings;
use lotka_step::{
    algorithm::{AccelerationMethod, ControllerMethod, EstimatorMethod, Named, SweepMethod},
    resolved::{Compatibility, FeedthroughOutputs, InputDelivery},
};

use super::{
    Section,
    form::{Choice, Form},
    keys::{Key, Keys},
};
use crate::{AlgorithmSettings, NoConvergence, StepFactorSettings};

pub(super) static COMPATIBILITIES: [Choice<Compatibility>; 2] = [
    Choice::new(
        "mastersim",
        Compatibility::MasterSim,
        "Estimates, bounds, first step and controller of MasterSim 0.9, for comparison.",
    ),
    Choice::new(
        "libcosim",
        Compatibility::Libcosim,
        "Estimates and controller of libcosim's algorithm ecco, which repeats no step, for comparison.",
    ),
];

pub(super) static INPUT_DELIVERIES: [Choice<InputDelivery>; 2] = [
    Choice::new("mean", InputDelivery::Mean, "As their mean over the step."),
    Choice::new("derivatives", InputDelivery::Derivatives, "As value and derivatives."),
];

pub(super) static FEEDTHROUGH_OUTPUTS: [Choice<FeedthroughOutputs>; 4] = [
    Choice::new("auto", FeedthroughOutputs::Auto, "In the first way that works with the FMU."),
    Choice::new("stale", FeedthroughOutputs::Stale, "They keep the value of the end of the step."),
    Choice::new("re-read", FeedthroughOutputs::ReRead, "The inputs are set and the outputs read again."),
    Choice::new("derivative", FeedthroughOutputs::Derivative, "By the FMU's directional derivatives."),
];

pub(super) static NO_CONVERGENCE: [Choice<NoConvergence>; 3] = [
    Choice::new("error", NoConvergence::Error, "The run ends."),
    Choice::new("last-iterate", NoConvergence::LastIterate, "Lotka keeps the values of the last iteration, and warns."),
    Choice::new("smaller-steps", NoConvergence::SmallerSteps, "Lotka repeats the step with a fifth of its size."),
];

pub(super) const TABLE: Keys = &[&KEYS];

static KEYS: [Key; 19] = [
    Key::new(
        "sweep",
        Form::Method(names::<SweepMethod>),
        "Coupling scheme: the order in which instances step, and the values they receive.",
    )
    .or_else("one that suits the system"),
    Key::new("order", Form::List(&Form::Text, 0), "All instances in the order in which they step.")
        .or_else("sources first; in loops along direct feedthrough, then as in the file"),
    Key::new("input-degree", Form::Integer, "Extrapolation order of the inputs, 0 (hold) to 3.").or_else("1 in most systems"),
    Key::new("input-delivery", Form::Choice(&INPUT_DELIVERIES), "How FMUs receive inputs of degree 1 to 3.")
        .or_else("as each FMU can"),
    Key::new("output-derivatives", Form::Boolean, "Whether Lotka uses output derivatives where FMUs provide them.").or("true"),
    Key::new(
        "feedthrough-outputs",
        Form::Choice(&FEEDTHROUGH_OUTPUTS),
        "How outputs with direct feedthrough are updated after a step.",
    )
    .or("\"auto\""),
    Key::new("iterations", Form::Integer, "Largest number of iterations inside loops, with rollback; 1 is none.")
        .or_else("1; 50 with an algebraic loop"),
    Key::new("iteration-tolerance", Form::Number, "Change below which a loop counts as converged, relative and absolute."),
    Key::new("min-iterated-step", Form::Number, "Length below which steps are made in one pass, without iteration [s].")
        .or_else("none"),
    Key::new("acceleration", Form::Method(names::<AccelerationMethod>), "Acceleration of the iteration.")
        .or_else("none; newton with an algebraic loop"),
    Key::new("on-no-convergence", Form::Choice(&NO_CONVERGENCE), "What happens if a loop does not converge.").or("\"error\""),
    Key::new("estimator", Form::Method(names::<EstimatorMethod>), "Estimator of the local error, with local-tolerance.")
        .or("\"step-doubling\""),
    Key::new("controller", Form::Method(names::<ControllerMethod>), "Step-size controller, with local-tolerance.").or("\"pi\""),
    Key::new("safety-factor", Form::Number, "Factor by which steps are shorter than the error estimate allows.").or("0.9"),
    Key::new("min-step-factor", Form::Number, "Smallest factor from one step size to the next.").or("0.2"),
    Key::new("max-step-factor", Form::Number, "Largest factor from one step size to the next.").or("5"),
    Key::new("proportional-gain", Form::Number, "Gain of the change of the error, with the controller pi.").or("0.4"),
    Key::new("integral-gain", Form::Number, "Gain of the error, with the controller pi.").or("0.3"),
    Key::new("compatibility", Form::Choice(&COMPATIBILITIES), "Another master whose error control Lotka imitates."),
];

/// The names of the methods of a kind.
fn names<M: Named>() -> Vec<&'static str> {
    M::built_in().iter().map(M::name).collect()
}

pub(super) fn read(section: Section<'_>, findings: &mut Findings) -> AlgorithmSettings {
    let settings = AlgorithmSettings {
        sweep: section.text("sweep", findings),
        order: section.texts("order", ("instances", "the name of an instance"), findings),
        input_degree: section.integer("input-degree", findings),
        input_delivery: section.choice("input-delivery", &INPUT_DELIVERIES, findings),
        output_derivatives: section.boolean("output-derivatives", findings),
        feedthrough_outputs: section.choice("feedthrough-outputs", &FEEDTHROUGH_OUTPUTS, findings),
        iterations: section.integer("iterations", findings),
        iteration_tolerance: section.number("iteration-tolerance", findings),
        min_iterated_step: section.number("min-iterated-step", findings),
        acceleration: section.text("acceleration", findings),
        on_no_convergence: section.choice("on-no-convergence", &NO_CONVERGENCE, findings),
        estimator: section.text("estimator", findings),
        controller: section.text("controller", findings),
        factors: StepFactorSettings {
            safety_factor: section.number("safety-factor", findings),
            min_step_factor: section.number("min-step-factor", findings),
            max_step_factor: section.number("max-step-factor", findings),
            proportional_gain: section.number("proportional-gain", findings),
            integral_gain: section.number("integral-gain", findings),
        },
        compatibility: section.choice("compatibility", &COMPATIBILITIES, findings),
    };
    section.finish(findings);
    settings
}
