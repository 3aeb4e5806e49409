//! `[algorithm]`

use super::Section;
use crate::{AlgorithmSettings, NoConvergence};
use lotka_engine::resolved::{Compatibility, FeedthroughOutputs, InputDelivery};
use lotka_message::Findings;

pub(super) const COMPATIBILITIES: &[(&str, Compatibility)] = &[("mastersim", Compatibility::MasterSim)];

pub(super) const INPUT_DELIVERIES: &[(&str, InputDelivery)] =
    &[("mean", InputDelivery::Mean), ("derivatives", InputDelivery::Derivatives)];

pub(super) const FEEDTHROUGH_OUTPUTS: &[(&str, FeedthroughOutputs)] = &[
    ("auto", FeedthroughOutputs::Auto),
    ("stale", FeedthroughOutputs::Stale),
    ("re-read", FeedthroughOutputs::ReRead),
    ("derivative", FeedthroughOutputs::Derivative),
];

pub(super) const NO_CONVERGENCE: &[(&str, NoConvergence)] = &[
    ("error", NoConvergence::Error),
    ("last-iterate", NoConvergence::LastIterate),
    ("smaller-steps", NoConvergence::SmallerSteps),
];

pub(super) fn read(mut section: Section<'_>, findings: &mut Findings) -> AlgorithmSettings {
    let settings = AlgorithmSettings {
        sweep: section.text("sweep", findings),
        order: section.texts("order", ("instances", "the name of an instance"), findings),
        input_degree: section.integer("input-degree", findings),
        input_delivery: section.choice("input-delivery", INPUT_DELIVERIES, findings),
        output_derivatives: section.boolean("output-derivatives", findings),
        feedthrough_outputs: section.choice("feedthrough-outputs", FEEDTHROUGH_OUTPUTS, findings),
        iterations: section.integer("iterations", findings),
        iteration_tolerance: section.number("iteration-tolerance", findings),
        min_iterated_step: section.number("min-iterated-step", findings),
        acceleration: section.text("acceleration", findings),
        on_no_convergence: section.choice("on-no-convergence", NO_CONVERGENCE, findings),
        estimator: section.text("estimator", findings),
        controller: section.text("controller", findings),
        compatibility: section.choice("compatibility", COMPATIBILITIES, findings),
    };
    section.finish(findings);
    settings
}
