//! Converts a structure to a system description.

use std::path::{Path, PathBuf};

use lotka_message::{Code, Findings, SourceFile};
use lotka_step::resolved::Compatibility;
use lotka_system::{AlgorithmSettings, ExperimentSettings, InstanceSettings, Isolation, Located, Location, SystemDescription};

use super::{
    connect::{Connected, connect},
    models::Models,
    structure::{Simulator, Structure},
};

/// Default step size \[s\], as in libcosim.
const BASE_STEP: f64 = 0.1;

/// Prefixes of libcosim and its predecessors for the source of an FMU that runs in a separate process.
const PROXIES: [&str; 2] = ["proxyfmu://", "fmu-proxy://"];

pub(super) fn convert(structure: Structure, file: &SourceFile, findings: &mut Findings) -> SystemDescription {
    let folder = file.path.parent().map(Path::to_owned).unwrap_or_default();
    let (experiment, algorithm) = steps(&structure, findings);
    let Structure { simulators, functions, links, .. } = structure;
    let (mut instances, mut models) = (Vec::new(), Models::default());
    for simulator in simulators {
        let name = simulator.name.value.clone();
        let sample_time = sample_time(simulator.step.as_ref(), experiment.step.as_ref());
        if let Some(instance) = instance(simulator, &folder, findings) {
            let instance = InstanceSettings { sample_time, ..instance };
            models.add(&name, &folder.join(&instance.fmu.value), &folder, findings);
            instances.push(instance);
        } else {
            models.add_unread(&name);
        }
    }
    let Connected { connections, power_bonds } = connect(&links, &functions, &models, findings);
    let mut description = SystemDescription::default();
    (description.beside, description.experiment, description.algorithm) = (models.files, experiment, algorithm);
    (description.instances, description.connections, description.power_bonds) = (instances, connections, power_bonds);
    description
}

/// A name without dots, which stand between instances and variables.
pub(super) fn plain(name: &str) -> String {
    name.replace('.', "_")
}

fn instance(simulator: Simulator, folder: &Path, findings: &mut Findings) -> Option<InstanceSettings> {
    let source = &simulator.source;
    let (uri, is_apart) = match PROXIES.iter().find_map(|proxy| source.value.strip_prefix(proxy)) {
        Some(rest) => (rest.split_once("file=").map_or(rest, |(_, file)| file), true),
        None => (source.value.as_str(), false),
    };
    let location = Location { folder: folder.to_owned(), is_packed: false };
    let path = match location.resolve(&uri.replace('\\', "/")) {
        Ok(target) => target.path,
        Err(reason) => {
            let message = format!("`{}` cannot be the source of `{}`: {reason}", source.value, simulator.name.value);
            findings.error(Code::OspForm, &source.span, message, "use a path relative to the structure".to_owned());
            return None;
        }
    };
    let path = path.strip_prefix(folder).map_or_else(|_| path.clone(), PathBuf::from);
    let name = Located { value: plain(&simulator.name.value), span: simulator.name.span };
    let mut instance = InstanceSettings::new(name, Located { value: path, span: source.span.clone() });
    instance.isolation.isolation = is_apart.then(|| Isolation::Process.into());
    instance.start = simulator.values;
    Some(instance)
}

/// libcosim steps all simulators side by side, and holds their inputs.
fn steps(structure: &Structure, findings: &mut Findings) -> (ExperimentSettings, AlgorithmSettings) {
    let base = structure.base_step.clone().unwrap_or(BASE_STEP.into());
    let mut experiment = ExperimentSettings::default();
    (experiment.start, experiment.stop) = (structure.start.clone(), structure.stop.clone());
    let mut algorithm = AlgorithmSettings::side_by_side();
    match structure.algorithm.as_ref().map(|name| name.value.to_lowercase()).as_deref() {
        None | Some("" | "fixedstep") => experiment.step = Some(base),
        Some("ecco") => ecco(structure, &mut experiment, &mut algorithm),
        Some(_) => {
            let name = structure.algorithm.as_ref();
            let message = format!("unknown algorithm `{}`", name.map_or("", |name| &name.value));
            let help = "available: `fixedStep`, `ecco`".to_owned();
            findings.error(Code::OspForm, &name.and_then(|name| name.span.clone()), message, help);
            experiment.step = Some(base);
        }
    }
    (experiment, algorithm)
}

/// libcosim makes one step of a simulator with a longer step size in so many base steps, and holds its outputs in between. `base`
/// is the fixed step.
fn sample_time(step: Option<&Located<f64>>, base: Option<&Located<f64>>) -> Option<Located<f64>> {
    let (step, base) = step.zip(base)?;
    let count = (step.value / base.value).round();
    (count > 1.0).then(|| Located { value: count * base.value, span: step.span.clone() })
}

/// Step sizes from the residual energy of power bonds, as in libcosim.
fn ecco(structure: &Structure, experiment: &mut ExperimentSettings, algorithm: &mut AlgorithmSettings) {
    let number = |name: &str| structure.ecco.iter().find(|(known, _)| known == name).map(|(_, number)| number.clone());
    experiment.local_tolerance = number("RelativeTolerance").or(Some(1e-4.into()));
    experiment.absolute_tolerance = number("AbsoluteTolerance");
    experiment.first_step = number("StepSize").or_else(|| structure.base_step.clone());
    experiment.min_step = number("MinimumStepSize");
    experiment.max_step = number("MaximumStepSize");
    let factors = &mut algorithm.factors;
    factors.safety_factor = number("SafetyFactor");
    factors.min_step_factor = number("MinimumChangeRate");
    factors.max_step_factor = number("MaximumChangeRate");
    factors.proportional_gain = number("ProportionalGain");
    factors.integral_gain = number("IntegralGain");
    algorithm.compatibility = Some(Compatibility::Libcosim.into());
}
