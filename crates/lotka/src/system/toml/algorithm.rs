//! `[algorithm]`

use toml::de::DeValue;

use super::{Section, section::kind};
use crate::system::{AlgorithmSettings, Compatibility, FeedthroughOutputs, InputDelivery, Located, problem::Findings};

pub(super) const COMPATIBILITIES: &[(&str, Compatibility)] = &[("mastersim", Compatibility::MasterSim)];

pub(super) const INPUT_DELIVERIES: &[(&str, InputDelivery)] =
    &[("mean", InputDelivery::Mean), ("derivatives", InputDelivery::Derivatives)];

pub(super) const FEEDTHROUGH_OUTPUTS: &[(&str, FeedthroughOutputs)] = &[
    ("auto", FeedthroughOutputs::Auto),
    ("stale", FeedthroughOutputs::Stale),
    ("re-read", FeedthroughOutputs::ReRead),
    ("derivative", FeedthroughOutputs::Derivative),
];

pub(super) fn read(mut section: Section<'_>, findings: &mut Findings) -> AlgorithmSettings {
    let settings = AlgorithmSettings {
        sweep: section.text("sweep", findings),
        order: order(&mut section, findings),
        input_degree: section.integer("input-degree", findings),
        input_delivery: section.choice("input-delivery", INPUT_DELIVERIES, findings),
        output_derivatives: section.boolean("output-derivatives", findings),
        feedthrough_outputs: section.choice("feedthrough-outputs", FEEDTHROUGH_OUTPUTS, findings),
        iterations: section.integer("iterations", findings),
        iteration_tolerance: section.number("iteration-tolerance", findings),
        acceleration: section.text("acceleration", findings),
        estimator: section.text("estimator", findings),
        controller: section.text("controller", findings),
        compatibility: section.choice("compatibility", COMPATIBILITIES, findings),
    };
    section.finish(findings);
    settings
}

fn order(section: &mut Section<'_>, findings: &mut Findings) -> Option<Located<Vec<Located<String>>>> {
    let value = section.get("order")?;
    let DeValue::Array(list) = value.get_ref() else {
        findings.error(
            &Some(value.span()),
            format!("`order` is {} where a list of instances belongs", kind(value.get_ref())),
            None,
        );
        return None;
    };
    let mut names = Vec::new();
    for name in list.iter() {
        match name.get_ref().as_str() {
            Some(text) => names.push(Located { value: text.to_owned(), span: Some(name.span()) }),
            None => findings.error(
                &Some(name.span()),
                format!("`order` has {} where the name of an instance belongs", kind(name.get_ref())),
                None,
            ),
        }
    }
    Some(Located { value: names, span: Some(value.span()) })
}
