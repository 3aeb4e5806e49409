//! Instances, connections and start values.

use std::{collections::HashMap, path::Path};

use lotka_message::{Code, Findings, nearest};
use lotka_system::{Connection, InstanceSettings, Located, StartSetting, StartValue, Summand, SystemDescription};

use super::{
    files::{self, Fmu},
    json::{Json, Object},
    names,
};

/// Keys that are read, and keys without influence on the results: display, logging, checks, and pace.
const KNOWN: [&str; 39] = [
    "livestream",
    "livestreamInterval",
    "liveGraphColumns",
    "liveGraphVisibleRowCount",
    "liveLogInterval",
    "graphs",
    "visible",
    "loggingOn",
    "logLevels",
    "overrideLogLevel",
    "enableAllLogCategoriesPerInstance",
    "reportProgress",
    "postProcessingScript",
    "multimodel_crc",
    "multimodel_path",
    "parallelSimulation",
    "simulationProgramDelay",
    "hasExternalSignals",
    "sigver",
    "scenarioVerifier",
    "verification",
    "traceVisualization",
    "executionParameters",
    "multiModel",
    "fmus",
    "connections",
    "parameters",
    "startTime",
    "endTime",
    "algorithm",
    "logVariables",
    "stepSize",
    "stabalizationEnabled",
    "stabilizationEnabled",
    "global_relative_tolerance",
    "global_absolute_tolerance",
    "convergenceAttempts",
    "convergenceRelativeTolerance",
    "convergenceAbsoluteTolerance",
];

/// Keys that influence the results and have no counterpart.
const UNSUPPORTED: [(&str, &str); 6] = [
    ("modelSwaps", "Lotka does not swap instances during a run"),
    ("modelTransfers", "Lotka does not take over instances from another run"),
    ("faultInjectConfigurationPath", "Lotka does not inject faults; use `[[scenario]]` to set values at given times"),
    ("faultInjectInstances", "Lotka does not inject faults; use `[[scenario]]` to set values at given times"),
    ("environmentParameters", "Lotka does not read values from the environment; the variables keep their start values"),
    ("masterModel", "Lotka ignores the master model; instances step in parallel"),
];

pub(super) fn convert(model: &Object<'_>, settings: &[&Object<'_>], base: &Path, findings: &mut Findings) -> SystemDescription {
    report_keys_without_counterpart(settings, findings);
    let mut maker = Maker { description: SystemDescription::default(), names: HashMap::new(), fmus: HashMap::new(), findings };
    maker.fmus(model, base);
    for (output, inputs) in members(model, "connections", maker.findings) {
        maker.connect(&output, inputs);
    }
    for (variable, value) in members(model, "parameters", maker.findings) {
        maker.parameter(&variable, value);
    }
    let logged: Vec<_> = settings.iter().flat_map(|settings| members(settings, "logVariables", maker.findings)).collect();
    maker.record(logged);
    maker.report_unused(model);
    maker.description
}

fn report_keys_without_counterpart(settings: &[&Object<'_>], findings: &mut Findings) {
    for (key, value) in settings.iter().flat_map(|settings| &settings.0) {
        let name = key.value.as_str();
        if let Some((_, reason)) = UNSUPPORTED.iter().find(|(known, _)| *known == name) {
            if !value.is_empty() {
                findings.warning(Code::MultiModelIgnored, &key.span, format!("`{name}`: {reason}"), None);
            }
        } else if !KNOWN.contains(&name) {
            let message = format!("unknown key `{name}`: it has no effect");
            findings.warning(Code::MultiModelIgnored, &key.span, message, None);
        }
    }
}

/// The members of an object in an object; anything else is reported.
fn members<'t>(object: &Object<'t>, name: &str, findings: &mut Findings) -> Vec<(Located<String>, Json<'t>)> {
    let Some(value) = object.get(name) else { return Vec::new() };
    match value.object() {
        Ok(object) => object.0,
        Err(_) => {
            findings.error(Code::MultiModelForm, &value.span(), format!("expected an object for `{name}`"), None);
            Vec::new()
        }
    }
}

struct Maker<'a> {
    description: SystemDescription,
    /// Names of instances by key of the FMU and name there.
    names: HashMap<(String, String), String>,
    /// Paths of FMUs by key.
    fmus: HashMap<String, Located<std::path::PathBuf>>,
    findings: &'a mut Findings,
}

impl Maker<'_> {
    fn fmus(&mut self, model: &Object<'_>, base: &Path) {
        for (key, value) in members(model, "fmus", self.findings) {
            let Some(uri) = value.string() else {
                let message = format!("the FMU `{}` has no path", key.value);
                self.findings.error(Code::MultiModelForm, &value.span(), message, "write it as a string".to_owned());
                continue;
            };
            let path = match files::fmu(&uri, base) {
                Fmu::There(path) | Fmu::Missing(path) => path,
                Fmu::Elsewhere(path) => {
                    let message = format!("{uri} does not exist: Lotka uses {} instead", path.display());
                    self.findings.warning(Code::MultiModelIgnored, &value.span(), message, "correct the path".to_owned());
                    path
                }
                Fmu::Refused(reason) => {
                    let message = format!("`{uri}` cannot be the FMU `{}`: {reason}", key.value);
                    self.findings.error(Code::MultiModelForm, &value.span(), message, "name a file".to_owned());
                    continue;
                }
            };
            self.fmus.insert(key.value, value.located(path));
        }
    }

    /// `instance.variable` for a name of the multi-model; creates the instance at its first occurrence.
    fn variable(&mut self, name: &Located<String>) -> Option<Located<String>> {
        let parsed = names::parse(&name.value).filter(|name| !name.variable.is_empty());
        let Some(parsed) = parsed else {
            let message = format!("expected the name of a variable, found `{}`", name.value);
            self.findings.error(Code::MultiModelForm, &name.span, message, "write {fmu}.instance.variable".to_owned());
            return None;
        };
        let instance = self.instance(parsed, &name.span)?;
        Some(Located { value: format!("{instance}.{}", parsed.variable), span: name.span.clone() })
    }

    /// The name of an instance: its own, prefixed with that of the FMU if another instance has the same name.
    fn instance(&mut self, name: names::Name<'_>, span: &Option<std::ops::Range<usize>>) -> Option<String> {
        let key = (name.fmu.to_owned(), name.instance.to_owned());
        if let Some(known) = self.names.get(&key) {
            return Some(known.clone());
        }
        let Some(fmu) = self.fmus.get(name.fmu).cloned() else {
            let message = format!("unknown FMU `{}`", name.fmu);
            let mut known: Vec<_> = self.fmus.keys().map(String::as_str).collect();
            known.sort_unstable();
            self.findings.error(Code::MultiModelForm, span, message, nearest(name.fmu, known.into_iter()));
            return None;
        };
        let is_taken = |wanted: &str| self.description.instances.iter().any(|known| known.name.value == wanted);
        let plain = name.fmu.trim_matches(['{', '}']).replace('.', "_");
        let own = if is_taken(name.instance) { format!("{plain}_{}", name.instance) } else { name.instance.to_owned() };
        let located = Located { value: own.clone(), span: span.clone() };
        self.description.instances.push(InstanceSettings::new(located, fmu));
        self.names.insert(key, own.clone());
        Some(own)
    }

    /// An output and the inputs that read it. Maestro passes numbers regardless of their units.
    fn connect(&mut self, output: &Located<String>, inputs: Json<'_>) {
        let Some(from) = self.variable(output) else { return };
        for input in inputs.items() {
            let Some(name) = input.string() else {
                let message = format!("expected a list of names for the connections of `{}`", output.value);
                self.findings.error(Code::MultiModelForm, &input.span(), message, None);
                continue;
            };
            let Some(to) = self.variable(&input.located(name)) else { continue };
            if self.description.connections.iter().any(|known| known.input.value == to.value) {
                let message = format!("`{}` is connected to two sources", to.value);
                self.findings.error(Code::TwoSources, &to.span, message, "remove one of the connections".to_owned());
                continue;
            }
            let source = Summand { convert_units: false, ..Summand::new(from.clone()) };
            self.description.connections.push(Connection { input: to, sources: vec![source] });
        }
    }

    fn parameter(&mut self, name: &Located<String>, value: Json<'_>) {
        let Some(variable) = self.variable(name) else { return };
        let Some(text) = value.scalar() else {
            let message = format!("expected a number, true, false or a string for `{}`", name.value);
            self.findings.error(Code::MultiModelForm, &value.span(), message, None);
            return;
        };
        let Some((instance, variable)) = variable.value.split_once('.') else { return };
        let variable = Located { value: variable.to_owned(), span: name.span.clone() };
        let setting = StartSetting::new(variable, value.located(StartValue::Unparsed(text)));
        let owner = self.description.instances.iter_mut().find(|known| known.name.value == instance);
        owner.into_iter().for_each(|owner| owner.start.push(setting.clone()));
    }

    /// Outputs are recorded in any case; so are variables to log.
    fn record(&mut self, logged: Vec<(Located<String>, Json<'_>)>) {
        let mut patterns: Vec<Located<String>> = vec!["outputs".to_owned().into()];
        for (instance, variables) in logged {
            for variable in variables.items() {
                let Some(name) = variable.string() else { continue };
                let name = Located { value: format!("{}.{name}", instance.value), span: variable.span() };
                patterns.extend(self.variable(&name));
            }
        }
        if patterns.len() > 1 {
            self.description.results.variables = Some(patterns.into());
        }
    }

    /// Unused FMUs: Maestro does not instantiate them either.
    fn report_unused(&mut self, model: &Object<'_>) {
        for (key, _) in members(model, "fmus", &mut Findings::default()) {
            if self.fmus.contains_key(&key.value) && !self.names.keys().any(|(fmu, _)| *fmu == key.value) {
                let message =
                    format!("no connection or parameter refers to an instance of the FMU `{}`: Lotka does not run it", key.value);
                self.findings.warning(Code::MultiModelIgnored, &key.span, message, None);
            }
        }
    }
}
