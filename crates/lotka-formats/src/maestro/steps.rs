//! Times and steps.

use lotka_message::{Code, Findings, nearest};
use lotka_step::resolved::Direction;
use lotka_system::{AlgorithmSettings, EventLevel, IndicatorSettings, Located, SystemDescription};

use super::{
    json::{Json, Object},
    names,
};

/// Default step size \[s\].
const STEP: f64 = 0.1;

/// Default number of iterations.
const ATTEMPTS: i64 = 5;

/// Default tolerance of the local error for variable step sizes.
const TOLERANCE: f64 = 1e-4;

/// The first setting found counts.
pub(super) fn convert(settings: &[&Object<'_>], description: &mut SystemDescription, findings: &mut Findings) {
    let number = |name: &str, findings: &mut Findings| {
        let value = settings.iter().find_map(|settings| settings.get(name))?;
        let number = value.number();
        if number.is_none() {
            findings.error(Code::MultiModelForm, &value.span(), format!("expected a number for `{name}`"), None);
        }
        Some(value.located(number?))
    };
    let positive = |number: Option<Located<f64>>| number.filter(|number| number.value > 0.0);
    description.experiment.start = number("startTime", findings);
    description.experiment.stop = number("endTime", findings);
    description.algorithm = AlgorithmSettings::side_by_side();
    let is_on = |name: &str| settings.iter().find_map(|settings| settings.get(name)).is_some_and(|value| value.is_true());
    let relative = positive(number("global_relative_tolerance", findings))
        .or_else(|| positive(number("convergenceRelativeTolerance", findings)));
    if is_on("stabalizationEnabled") || is_on("stabilizationEnabled") {
        let attempts = positive(number("convergenceAttempts", findings))
            .map(|attempts| Located { value: attempts.value as i64, span: attempts.span });
        description.algorithm.iterations = Some(attempts.unwrap_or(ATTEMPTS.into()));
        description.algorithm.iteration_tolerance = relative.clone();
    }
    let algorithm = settings.iter().find_map(|settings| settings.get("algorithm"));
    let step = positive(number("stepSize", findings));
    match algorithm.map(|algorithm| (algorithm, algorithm.object())) {
        Some((_, Ok(object))) => sizes(&object, relative, description, findings),
        Some((value, Err(_))) => findings.error(Code::MultiModelForm, &value.span(), "expected an object for `algorithm`", None),
        None if step.is_some() => description.experiment.step = step,
        None => {
            let message = format!("no algorithm is given: Lotka uses steps of {STEP} s");
            findings.warning(Code::MultiModelIgnored, &None, message, "add an algorithm with a `size`".to_owned());
            description.experiment.step = Some(STEP.into());
        }
    }
}

/// `fixed-step` and `var-step`.
fn sizes(algorithm: &Object<'_>, relative: Option<Located<f64>>, description: &mut SystemDescription, findings: &mut Findings) {
    let kind = algorithm.get("type").and_then(|kind| kind.string()).unwrap_or_default();
    let size: Vec<_> = algorithm.get("size").map(|size| size.items()).unwrap_or_default();
    let numbers: Vec<_> = size.iter().filter_map(|size| Some(size.located(size.number().filter(|size| *size > 0.0)?))).collect();
    match (kind.as_str(), &numbers[..]) {
        ("fixed-step", [step]) => description.experiment.step = Some(step.clone()),
        ("var-step", [smallest, largest]) => {
            let experiment = &mut description.experiment;
            experiment.local_tolerance = Some(relative.unwrap_or(TOLERANCE.into()));
            (experiment.min_step, experiment.max_step) = (Some(smallest.clone()), Some(largest.clone()));
            experiment.first_step =
                algorithm.get("initsize").and_then(|size| Some(size.located(size.number().filter(|size| *size > 0.0)?)));
            let place = algorithm.get("type").and_then(|kind| kind.span());
            let message = "`var-step`: step sizes follow from the local error, within the same bounds";
            findings.warning(Code::MultiModelIgnored, &place, message, None);
            let constraints = algorithm.get("constraints").and_then(|constraints| constraints.object().ok()).unwrap_or_default();
            for (name, constraint) in &constraints.0 {
                self::constraint(name, constraint, description, findings);
            }
        }
        ("fixed-step" | "var-step", _) => {
            let what = if kind == "fixed-step" { "a number" } else { "the smallest and the largest step" };
            let place = algorithm.get("size").or(algorithm.get("type")).and_then(|size| size.span());
            findings.error(Code::MultiModelForm, &place, format!("expected {what} for `size` of the algorithm `{kind}`"), None);
        }
        _ => {
            let place = algorithm.get("type").and_then(|kind| kind.span());
            let help = nearest(&kind, ["fixed-step", "var-step"].into_iter());
            findings.error(Code::MultiModelForm, &place, format!("unknown algorithm `{kind}`"), help);
        }
    }
}

/// A zero crossing is an event. Other constraints of steps have no counterpart.
fn constraint(name: &Located<String>, constraint: &Json<'_>, description: &mut SystemDescription, findings: &mut Findings) {
    let object = constraint.object().unwrap_or_default();
    let kind = object.get("type").and_then(|kind| kind.string()).unwrap_or_default();
    if kind != "zerocrossing" {
        let message =
            format!("the constraint `{}` of the type `{kind}` has no counterpart: the local error limits steps", name.value);
        findings.warning(Code::MultiModelIgnored, &name.span, message, None);
        return;
    }
    let ports = object.get("ports").map(|ports| ports.items()).unwrap_or_default();
    let names: Vec<_> = ports.iter().filter_map(|port| port.string().map(|name| port.located(name))).collect();
    let known: Option<Vec<_>> = names.iter().map(|port| output(port, description)).collect();
    let (output, level) = match known.as_deref() {
        Some([output]) => (output.clone(), EventLevel::Value(0.0)),
        Some([output, other]) => (output.clone(), EventLevel::Output(other.clone())),
        _ => {
            let message = format!("the constraint `{}` needs one or two `ports` of existing instances", name.value);
            findings.error(Code::MultiModelForm, &name.span, message, "write {fmu}.instance.variable".to_owned());
            return;
        }
    };
    description.events.indicators.push(IndicatorSettings { output, level, direction: Direction::Both });
    for key in ["order", "abstol", "safety"].into_iter().filter(|key| object.get(key).is_some()) {
        let message = format!("`{key}` of the constraint `{}` has no effect: Lotka locates events by rollback", name.value);
        findings.warning(Code::MultiModelIgnored, &name.span, message, None);
    }
}

/// A port as `instance.variable`.
fn output(port: &Located<String>, description: &SystemDescription) -> Option<Located<String>> {
    let name = names::parse(&port.value).filter(|name| !name.variable.is_empty())?;
    let plain = format!("{}_{}", name.fmu.trim_matches(['{', '}']).replace('.', "_"), name.instance);
    let is_known = |wanted: &str| description.instances.iter().any(|known| known.name.value == wanted);
    let instance = if is_known(&plain) { plain } else { Some(name.instance.to_owned()).filter(|name| is_known(name))? };
    Some(Located { value: format!("{instance}.{}", name.variable), span: port.span.clone() })
}
