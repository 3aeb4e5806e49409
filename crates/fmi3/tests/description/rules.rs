//! Every rule has a case that breaks it: a warning or an error in a lenient read, always an error in a strict one.

use crate::rich::RICH;
use fmi3::{ModelDescription, Severity, Strictness};

/// Replaces `from` in the rich description and asserts that the rule is reported with this severity.
pub(crate) fn broken(from: &str, to: &str, rule: &str, severity: Severity) {
    assert!(RICH.contains(from), "{from}");
    let text = RICH.replacen(from, to, 1);
    let found = crate::problems(text.as_bytes());
    let case = format!("{rule}: {from} -> {to}: {found:?}");
    assert!(found.iter().any(|problem| problem.rule == rule && problem.severity == severity), "{case}");
    assert!(found.iter().all(|problem| problem.remedy.as_ref().is_some_and(|remedy| !remedy.is_empty())), "{case}");
    assert!(severity == Severity::Error || found.iter().all(|problem| problem.severity == Severity::Warning), "{case}");
    let strict = ModelDescription::read(text.as_bytes(), Strictness::Strict).expect_err(&case);
    assert!(strict.0.iter().all(|problem| problem.severity == Severity::Error), "{case}");
    assert!(strict.0.iter().any(|problem| problem.rule == rule), "{case}");
}

/// Same as [`broken`], for an error.
pub(crate) fn error(from: &str, to: &str, rule: &str) {
    broken(from, to, rule, Severity::Error);
}

/// Same as [`broken`], for a warning.
pub(crate) fn warning(from: &str, to: &str, rule: &str) {
    broken(from, to, rule, Severity::Warning);
}

/// Asserts that a replacement breaks no rule.
pub(crate) fn fine(from: &str, to: &str) {
    assert!(RICH.contains(from), "{from}");
    let reading = ModelDescription::read(RICH.replacen(from, to, 1).as_bytes(), Strictness::Strict);
    assert!(reading.is_ok(), "{to}: {reading:?}");
}

#[test]
fn root_rules() {
    warning("instantiationToken=\"{0}\"", "", "missing-token");
    warning("instantiationToken=\"{0}\"", "instantiationToken=\"\"", "missing-token");
    warning("modelName=\"Rich &amp; famous\"", "", "missing-model-name");
    warning("2024-11-30T12:00:00.5+01:00", "2024-11-30 12:00", "generation-date");
    fine("2024-11-30T12:00:00.5+01:00", "2024-11-30T12:00:00Z");
    warning("variableNamingConvention=\"structured\"", "variableNamingConvention=\"tree\"", "malformed-value");
    warning("author=\"A\"", "autor=\"A\"", "unknown-attribute");
    warning("author=\"A\"", "guid=\"A\"", "unknown-attribute");
    warning("<LogCategories>", "<Extra><a/></Extra><LogCategories>", "unknown-element");
    warning("<LogCategories>", "<VendorAnnotations/><LogCategories>", "unknown-element");
    warning("<LogCategories>", "text<LogCategories>", "text");
}

#[test]
fn interface_rules() {
    for identifier in ["rich", "rich_cs", "rich_se"] {
        let from = format!("modelIdentifier=\"{identifier}\"");
        error(&from, "", "model-identifier");
        warning(&from, "modelIdentifier=\"1rich\"", "model-identifier");
        error(&from, "modelIdentifier=\"../rich\"", "model-identifier");
    }
    for interface in ["<ModelExchange ", "<CoSimulation ", "<ScheduledExecution "] {
        let (before, tag) = RICH.split_once(interface).unwrap();
        let text = format!("{before}{interface}{}", tag.replacen("canGetAndSetFMUState=\"true\"", "", 1));
        assert_eq!(crate::lenient(&text).warnings[0].rule, "serialize-without-state", "{interface}");
    }
    warning("providesIntermediateUpdate=\"true\"", "", "early-return");
    warning("fixedInternalStepSize=\"0.01\"", "fixedInternalStepSize=\"0\"", "internal-step");
    warning("fixedInternalStepSize=\"0.01\"", "fixedInternalStepSize=\"-1\"", "internal-step");
    warning("hasEventMode=\"true\"", "hasEventMode=\"false\"", "event-mode");
    warning("hasEventMode=\"true\"", "", "event-mode");
    warning("hasEventMode=\"true\"", "hasEventMode=\"yes\"", "malformed-value");
    let (start, end) = (RICH.find("<ModelExchange").unwrap(), RICH.find("<UnitDefinitions").unwrap());
    let text = format!("{}{}", &RICH[..start], &RICH[end..]);
    crate::refused(text.as_bytes(), "no-interface");
}

#[test]
fn elements_have_an_order_and_stand_once() {
    let (start, end) = (RICH.find("  <DefaultExperiment").unwrap(), RICH.find("  <ModelVariables>").unwrap());
    let experiment = &RICH[start..end];
    let moved = RICH.replace(experiment, "").replace("</fmiModelDescription>", &format!("{experiment}</fmiModelDescription>"));
    let reading = crate::lenient(&moved);
    assert_eq!(reading.warnings.iter().map(|warning| warning.rule).collect::<Vec<_>>(), ["element-order"]);
    assert!(reading.description.default_experiment.is_some());
    error("<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment", "duplicate-element");
    error("<CoSimulation ", "<CoSimulation modelIdentifier=\"a\"/><CoSimulation ", "duplicate-element");
    let (start, end) = (RICH.find("  <ModelVariables>").unwrap(), RICH.find("  <ModelStructure>").unwrap());
    crate::refused(RICH.replace(&RICH[start..end], "").as_bytes(), "missing-element");
    let (start, end) = (RICH.find("  <ModelStructure>").unwrap(), RICH.rfind("  <Annotations>").unwrap());
    let reading = crate::lenient(&RICH.replace(&RICH[start..end], ""));
    assert!(reading.warnings.iter().any(|warning| warning.rule == "missing-element"));
}

#[test]
fn definition_rules() {
    warning("<Unit name=\"m/s2\"", "<Unit name=\"K\"", "duplicate-unit");
    warning("<DisplayUnit name=\"1/K\"", "<DisplayUnit name=\"degC\"", "duplicate-unit");
    warning("<Unit name=\"m/s2\"", "<Unit", "missing-attribute");
    warning("s=\"-2\" factor=\"1.0\"", "s=\"-2\" factor=\"0\"", "unit-factor");
    warning("offset=\"-273.15\" inverse=\"false\"", "offset=\"-273.15\" inverse=\"true\"", "inverse-unit");
    fine("offset=\"-273.15\" inverse=\"false\"", "offset=\"0\" inverse=\"true\"");
    error("K=\"1\"", "K=\"one\"", "malformed-value");
    warning("name=\"Flag\"/>", "name=\"Text\"/>", "duplicate-type");
    warning("unit=\"K\" displayUnit=\"degC\" relativeQuantity", "unit=\"F\" relativeQuantity", "unit");
    warning("unit=\"K\" displayUnit=\"degC\" relativeQuantity", "unit=\"K\" displayUnit=\"F\" relativeQuantity", "display-unit");
    warning("unit=\"K\" displayUnit=\"degC\" relativeQuantity", "displayUnit=\"degC\" relativeQuantity", "display-unit");
    warning("min=\"0.0\" max=\"1e16\"", "min=\"2.0\" max=\"1.0\"", "range");
    warning("<Int16Type name=\"I16\" min=\"-32768\" max=\"32767\"", "<Int16Type name=\"I16\" min=\"1\" max=\"0\"", "range");
    warning("min=\"1\" max=\"2\">", "min=\"2\" max=\"1\">", "range");
    warning("max=\"1e16\" nominal=\"300.0\"", "max=\"1e16\" nominal=\"0\"", "nominal");
    warning("<Item name=\"high\" value=\"2\"", "<Item name=\"high\" value=\"1\"", "enumeration-items");
    warning("<Item name=\"high\" value=\"2\"", "<Item name=\"low\" value=\"2\"", "enumeration-items");
    warning("<Category name=\"logEvents\"/>", "<Category name=\"logAll\"/>", "duplicate-log-category");
    let (start, end) = (RICH.find("<Item name=\"low\"").unwrap(), RICH.find("    </EnumerationType>").unwrap());
    let reading = crate::lenient(&RICH.replace(&RICH[start..end], ""));
    assert!(reading.warnings.iter().any(|warning| warning.message == "the enumeration \"Gear\" has no items"));
}

#[test]
fn experiment_rules() {
    warning("stopTime=\"10.0\"", "stopTime=\"0.0\"", "default-experiment");
    warning("stepSize=\"0.1\"", "stepSize=\"-0.1\"", "default-experiment");
    warning("stepSize=\"0.1\"", "stepSize=\"11\"", "default-experiment");
    warning("tolerance=\"1e-6\"", "tolerance=\"0\"", "default-experiment");
}
