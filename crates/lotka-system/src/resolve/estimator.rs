//! Requirements of the estimators of the local error.

use std::collections::BTreeSet;

use lotka_message::{Code, Findings};
use lotka_plan::{
    graph::Declarations,
    link::{Link, LinkIndex, LinkSource, PerModel, SignalType, VariableIndex},
};
use lotka_step::{
    algorithm::EstimatorMethod,
    resolved::{Algorithm, Interface},
};

use crate::SystemDescription;

/// Reports missing requirements of an estimator.
pub(super) fn check(
    estimator: &EstimatorMethod,
    system: &SystemDescription,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    if *estimator == EstimatorMethod::Embedded {
        refuse_held_sources(links, findings);
    }
    let is_source = |instance: usize| interfaces[instance].description.is_source;
    let readers = links.iter().filter(|link| link.sources.iter().any(|source| is_source(source.instance)));
    if *estimator == EstimatorMethod::PredictorCorrector
        && let Some(link) = readers.min_by_key(|link| link.instance)
    {
        let span = system.algorithm.estimator.as_ref().and_then(|estimator| estimator.span.clone());
        let name = system.name_of(link.instance);
        let message = format!(
            "the estimator `predictor-corrector` does not detect errors of `{name}` that come from signals of sources; use the \
             estimator step-doubling"
        );
        findings.warning(Code::BlindEstimator, &span, message, None);
    }
    if *estimator == EstimatorMethod::Energy && system.power_bonds.is_empty() {
        let span = system.algorithm.estimator.as_ref().and_then(|estimator| estimator.span.clone());
        let help = "add [power-bonds] with pairs of effort and flow, or use the estimator step-doubling".to_owned();
        findings.error(Code::UnfitEstimator, &span, "the estimator `energy` needs power bonds, found none", help);
    }
    if *estimator == EstimatorMethod::ParallelEmbedded {
        check_derivatives(system, algorithm, links, interfaces, findings);
    }
}

/// A source that is held regardless of the degree of the others has an error that the embedded estimator does not include.
fn refuse_held_sources(links: &[Link], findings: &mut Findings) {
    let mut reals = links.iter().filter(|link| link.signal == SignalType::Real);
    if reals.any(|link| link.sources.iter().any(|source| source.degree == Some(0))) {
        let message = "the estimator `embedded` does not detect the error of a source with degree = 0";
        let help = "set degree = 1 for that source, or use the estimator step-doubling or predictor-corrector".to_owned();
        findings.error(Code::UnfitEstimator, &None, message, help);
    }
}

/// The parallel embedded estimator requires outputs with known derivatives.
fn check_derivatives(
    system: &SystemDescription,
    algorithm: &Algorithm,
    links: &[Link],
    interfaces: &[Interface<'_>],
    findings: &mut Findings,
) {
    let span = system.algorithm.estimator.as_ref().and_then(|estimator| estimator.span.clone());
    let sources = links.iter().flat_map(|link| &link.sources).filter(|source| source.signal == SignalType::Real);
    let sources = sources.filter(|source| !interfaces[source.instance].description.is_source);
    let outputs: BTreeSet<_> = sources.map(LinkSource::output).collect();
    let index = LinkIndex::new(links);
    let descriptions: Vec<_> = interfaces.iter().map(|interface| interface.description).collect();
    let declarations = PerModel::new(&descriptions, Declarations::new);
    let has_derivative = |&&(instance, variable): &&VariableIndex| {
        let inputs = index.inputs_of(instance, |_| true);
        interfaces[instance].capabilities.max_output_derivative_order > 0 && !declarations[instance].follows(variable, &inputs)
    };
    let is_seen = |output: &&VariableIndex| algorithm.inputs.output_derivatives && has_derivative(output);
    let unseen: Vec<_> = outputs.iter().filter(|output| !is_seen(output)).collect();
    let help = || "use the estimator step-doubling or predictor-corrector".to_owned();
    if !algorithm.inputs.output_derivatives {
        let message = "the estimator `parallel-embedded` needs output derivatives, but output-derivatives = false";
        findings.error(Code::UnfitEstimator, &span, message, help());
    } else if unseen.len() == outputs.len() {
        let message = "the estimator `parallel-embedded` needs derivatives of connected outputs without direct feedthrough, found none \
                       (maxOutputDerivativeOrder)";
        findings.error(Code::UnfitEstimator, &span, message, help());
    } else if !unseen.is_empty() {
        let name = |&&(instance, variable): &&VariableIndex| {
            format!("`{}.{}`", system.name_of(instance), interfaces[instance].description.variables[variable].name)
        };
        let names: Vec<_> = unseen.iter().map(name).collect();
        let message = format!("the estimator `parallel-embedded` does not detect the errors of {}", names.join(", "));
        findings.warning(
            Code::BlindEstimator,
            &span,
            format!("{message}: they have no derivatives, or have direct feedthrough"),
            help(),
        );
    }
}
