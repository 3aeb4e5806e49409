//! Every rule has a case that breaks it: a warning or an error in a lenient read, always an error in a strict one.

use crate::rich::RICH;
use fmi2::{ModelDescription, Severity, Strictness};

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

fn error(from: &str, to: &str, rule: &str) {
    broken(from, to, rule, Severity::Error);
}

fn warning(from: &str, to: &str, rule: &str) {
    broken(from, to, rule, Severity::Warning);
}

/// Replaces the last variable.
fn variable(attributes: &str, kind: &str, rule: &str) {
    const LAST: &str = "variability=\"constant\">\n      <Real start=\"9.81\"/>";
    broken(LAST, &format!("{attributes}>\n      {kind}"), rule, Severity::Warning);
}

#[test]
fn root_rules() {
    error("guid=\"{0}\"", "", "missing-guid");
    error("guid=\"{0}\"", "guid=\"\"", "missing-guid");
    error("fmiVersion=\"2.0\"", "", "fmi-version");
    error("fmiVersion=\"2.0\"", "fmiVersion=\"2.1\"", "fmi-version");
    warning("fmiVersion=\"2.0\"", "fmiVersion=\"2.0.4\"", "fmi-version");
    warning("modelName=\"Rich &amp; famous\"", "", "missing-model-name");
    warning("2024-11-30T12:00:00Z", "2024-11-30 12:00", "generation-date");
    warning("variableNamingConvention=\"structured\"", "variableNamingConvention=\"tree\"", "malformed-value");
    warning("author=\"A\"", "autor=\"A\"", "unknown-attribute");
    warning("<LogCategories>", "<Extra><a/></Extra><LogCategories>", "unknown-element");
    warning("<LogCategories>", "text<LogCategories>", "text");
}

#[test]
fn other_versions_of_fmi_are_named_and_nothing_else_is_said() {
    for (version, name) in [("1.0", "FMI 1.0"), ("3.0", "FMI 3.0"), ("3.0.1", "FMI 3.0"), ("3.0-beta.2", "FMI 3.0")] {
        let text =
            format!("<fmiModelDescription fmiVersion=\"{version}\" instantiationToken=\"x\"><Nonsense/></fmiModelDescription>");
        let problems = ModelDescription::read(text.as_bytes(), Strictness::Lenient).unwrap_err();
        let last = problems.0.last().unwrap();
        assert_eq!(last.message, format!("{name} is not supported"));
        assert!(!problems.to_string().contains("Nonsense"), "{problems}");
    }
}

#[test]
fn interface_rules() {
    error("modelIdentifier=\"rich\"", "", "model-identifier");
    warning("modelIdentifier=\"rich\"", "modelIdentifier=\"1rich\"", "model-identifier");
    warning("modelIdentifier=\"rich\"", "modelIdentifier=\"r-i (ch)\"", "model-identifier");
    error("modelIdentifier=\"rich\"", "modelIdentifier=\"../rich\"", "model-identifier");
    warning("canGetAndSetFMUstate=\"true\"", "", "serialize-without-state");
    warning("canRunAsynchronuously=", "canRunAsynchronously=", "unknown-attribute");
    warning("canInterpolateInputs=\"true\"", "completedIntegratorStepNotNeeded=\"true\"", "model-exchange-attribute");
    warning("canInterpolateInputs=\"true\"", "canInterpolateInputs=\"yes\"", "malformed-value");
    warning("<File name=\"rich.c\"/>", "", "empty-list");
    warning("<File name=\"rich.c\"/>", "<File/>", "missing-attribute");
    let (start, end) = (RICH.find("<CoSimulation").unwrap(), RICH.find("<UnitDefinitions").unwrap());
    let text = format!("{}{}", &RICH[..start], &RICH[end..]);
    crate::refused(text.as_bytes(), "no-interface");
}

#[test]
fn elements_have_an_order_and_stand_once() {
    let experiment = RICH.lines().find(|line| line.contains("<DefaultExperiment")).unwrap();
    let moved = RICH.replace(experiment, "").replace("</fmiModelDescription>", &format!("{experiment}</fmiModelDescription>"));
    let reading = crate::lenient(&moved);
    assert_eq!(reading.warnings.iter().map(|warning| warning.rule).collect::<Vec<_>>(), ["element-order"]);
    assert!(reading.description.default_experiment.is_some());
    error("<DefaultExperiment", "<DefaultExperiment/><DefaultExperiment", "duplicate-element");
    let start = RICH.find("<ModelVariables>").unwrap();
    let end = RICH.find("</ModelVariables>").unwrap() + "</ModelVariables>".len();
    crate::refused(RICH.replace(&RICH[start..end], "").as_bytes(), "missing-element");
    let start = RICH.find("  <ModelStructure>").unwrap();
    let reading = crate::lenient(&format!("{}</fmiModelDescription>", &RICH[..start]));
    assert!(reading.warnings.iter().any(|warning| warning.rule == "missing-element"));
}

#[test]
fn definition_rules() {
    warning("<Unit name=\"\"/>", "<Unit name=\"K\"/>", "duplicate-unit");
    warning("<Unit name=\"\"/>", "<Unit/>", "missing-attribute");
    error("K=\"1\"", "K=\"one\"", "malformed-value");
    warning("name=\"Flag\"", "name=\"Text\"", "duplicate-type");
    warning("<Boolean/>", "", "type-kind");
    warning("quantity=\"T\" unit=\"K\" displayUnit=\"degC\" relativeQuantity", "unit=\"F\" relativeQuantity", "unit");
    warning(
        "quantity=\"T\" unit=\"K\" displayUnit=\"degC\" relativeQuantity",
        "unit=\"K\" displayUnit=\"F\" relativeQuantity",
        "display-unit",
    );
    warning(
        "quantity=\"T\" unit=\"K\" displayUnit=\"degC\" relativeQuantity",
        "displayUnit=\"degC\" relativeQuantity",
        "display-unit",
    );
    warning("min=\"0.0\" max=\"1e16\"", "min=\"2.0\" max=\"1.0\"", "range");
    warning("nominal=\"300.0\" unbounded", "nominal=\"0\" unbounded", "nominal");
    warning("<Item name=\"high\" value=\"2\"/>", "<Item name=\"high\" value=\"1\"/>", "enumeration-items");
    warning("<Item name=\"high\" value=\"2\"/>", "<Item name=\"low\" value=\"2\"/>", "enumeration-items");
    warning("<Category name=\"logEvents\"/>", "<Category name=\"logAll\"/>", "duplicate-log-category");
}

#[test]
fn an_experiment_that_makes_no_sense_is_left_out() {
    warning("stopTime=\"10.0\"", "stopTime=\"0.0\"", "default-experiment");
    warning("stepSize=\"0.1\"", "stepSize=\"-0.1\"", "default-experiment");
    warning("stepSize=\"0.1\"", "stepSize=\"11\"", "default-experiment");
    warning("tolerance=\"1e-6\"", "tolerance=\"0\"", "default-experiment");
    let text = RICH.replace("stopTime=\"10.0\"", "stopTime=\"-1\"").replace("tolerance=\"1e-6\"", "tolerance=\"0\"");
    let experiment = crate::lenient(&text).description.default_experiment.unwrap();
    assert_eq!((experiment.start_time, experiment.stop_time, experiment.tolerance), (None, None, None));
    assert_eq!(experiment.step_size, Some(0.1));
}

#[test]
fn name_rules() {
    error("name=\"k\"", "name=\"u\"", "duplicate-name");
    error("name=\"k\"", "", "missing-name");
    error("name=\"k\"", "name=\"\"", "missing-name");
    error("valueReference=\"7\"", "", "missing-attribute");
    error("<Real start=\"9.81\"/>", "", "variable-kind");
    error("<Real start=\"9.81\"/>", "<Real start=\"9.81\"/><Integer/>", "variable-kind");
    error("variability=\"constant\"", "variability=\"Constant\"", "malformed-value");
    error("causality=\"independent\"", "causality=\"internal\"", "malformed-value");
    warning("name=\"k\"", "name=\"Flag\"", "name-of-type");
    warning("name=\"k\"", "name=\"k&#10;l\"", "name-character");
}

#[test]
fn combination_rules() {
    variable("causality=\"parameter\"", "<Real start=\"1\"/>", "variability");
    variable("causality=\"parameter\" variability=\"constant\"", "<Real start=\"1\"/>", "variability");
    variable("causality=\"calculatedParameter\" variability=\"discrete\"", "<Real/>", "variability");
    variable("causality=\"input\" variability=\"fixed\"", "<Real start=\"1\"/>", "variability");
    variable("causality=\"output\" variability=\"fixed\"", "<Real/>", "variability");
    variable("causality=\"independent\" variability=\"discrete\"", "<Real/>", "variability");
    variable("causality=\"local\"", "<Integer/>", "variability");
    variable("causality=\"parameter\" variability=\"fixed\" initial=\"calculated\"", "<Real/>", "initial");
    variable("causality=\"calculatedParameter\" variability=\"fixed\" initial=\"exact\"", "<Real start=\"1\"/>", "initial");
    variable("causality=\"input\" initial=\"exact\"", "<Real start=\"1\"/>", "initial");
    variable("causality=\"local\" variability=\"fixed\" initial=\"exact\"", "<Real start=\"1\"/>", "initial");
    variable("variability=\"constant\" initial=\"approx\"", "<Real start=\"1\"/>", "initial");
    variable("causality=\"independent\" initial=\"exact\"", "<Real start=\"1\"/>", "initial");
    variable("causality=\"independent\"", "<Real/>", "independent");
    warning("causality=\"independent\">\n      <Real unit=\"K\"/>", "causality=\"independent\"><Integer/>", "independent");
}

#[test]
fn start_rules() {
    variable("causality=\"parameter\" variability=\"fixed\"", "<Real/>", "missing-start");
    variable("causality=\"input\"", "<Real/>", "missing-start");
    variable("variability=\"constant\"", "<Real/>", "missing-start");
    variable("causality=\"local\" initial=\"approx\"", "<Real/>", "missing-start");
    variable("causality=\"local\"", "<Real start=\"1\"/>", "forbidden-start");
    variable("causality=\"calculatedParameter\" variability=\"fixed\"", "<Real start=\"1\"/>", "forbidden-start");
    variable("causality=\"independent\"", "<Real start=\"1\"/>", "forbidden-start");
}

#[test]
fn type_rules() {
    const PARAMETER: &str = "causality=\"parameter\" variability=\"fixed\"";
    variable(PARAMETER, "<Real start=\"1\" declaredType=\"Nowhere\"/>", "declared-type");
    variable(PARAMETER, "<Real start=\"1\" declaredType=\"Count\"/>", "declared-type");
    variable(PARAMETER, "<Boolean start=\"1\" declaredType=\"Text\"/>", "declared-type");
    variable(PARAMETER, "<String start=\"1\" declaredType=\"Flag\"/>", "declared-type");
    variable(PARAMETER, "<Enumeration start=\"1\"/>", "declared-type");
    variable(PARAMETER, "<Enumeration start=\"3\" declaredType=\"Gear\"/>", "enumeration-start");
    variable(PARAMETER, "<Real start=\"1\" unit=\"nowhere\"/>", "unit");
    variable(PARAMETER, "<Real start=\"1\" displayUnit=\"degC\"/>", "display-unit");
    variable(PARAMETER, "<Real start=\"1\" min=\"2\" max=\"1\"/>", "range");
    variable(PARAMETER, "<Real start=\"1\" min=\"2\"/>", "range");
    variable(PARAMETER, "<Integer start=\"11\" declaredType=\"Count\"/>", "range");
    variable(PARAMETER, "<Real start=\"1\" nominal=\"-1\"/>", "nominal");
    variable(PARAMETER, "<Real start=\"1\" reinit=\"false\"/>", "model-exchange-attribute");
    variable(
        &format!("{PARAMETER} canHandleMultipleSetPerTimeInstant=\"true\""),
        "<Real start=\"1\"/>",
        "model-exchange-attribute",
    );
    warning("derivative=\"4\"", "derivative=\"99\"", "derivative");
    warning("derivative=\"4\"", "derivative=\"0\"", "derivative");
    let text = RICH.replace("derivative=\"4\"", "derivative=\"99\"");
    assert!(!crate::lenient(&text).description.to_xml().contains("derivative=\"99\""));
}

#[test]
fn alias_rules() {
    const OF_P: &str = "valueReference=\"1\" ";
    let alias = |attributes: &str, kind: &str| {
        let from = "valueReference=\"7\" variability=\"constant\">\n      <Real start=\"9.81\"/>";
        broken(from, &format!("{OF_P}{attributes}>{kind}"), "alias", Severity::Warning);
    };
    alias("causality=\"parameter\" variability=\"fixed\"", "<Real start=\"300\" unit=\"K\"/>");
    alias("variability=\"constant\"", "<Real start=\"300\" unit=\"K\"/>");
    alias("causality=\"local\"", "<Real unit=\"m/s2\"/>");
    alias("causality=\"local\"", "<Real/>");
    // Enumerations count as integers.
    warning(
        "valueReference=\"2\" causality=\"parameter\" variability=\"fixed\"",
        "valueReference=\"1\" causality=\"parameter\" variability=\"fixed\"",
        "alias",
    );
    // A calculated local variable may be an alias of any variable with the same unit.
    let text = RICH.replace(
        "valueReference=\"7\" variability=\"constant\">\n      <Real start=\"9.81\"/>",
        "valueReference=\"1\">\n      <Real declaredType=\"Temperature\"/>",
    );
    assert_eq!(crate::lenient(&text).warnings, vec![]);
}
