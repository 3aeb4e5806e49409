//! Rules of variables, arrays and clocks.

use crate::rich::RICH;
use crate::rules::{error, fine, warning};

/// The last variable of the rich description.
const LAST: &str = "<Float64 name=\"event\" valueReference=\"24\" variability=\"continuous\"/>";

/// Replaces the last variable by one with these attributes and children, and lists it nowhere.
fn text_with(element: &str, attributes: &str, children: &str) -> String {
    let text = RICH.replace("<EventIndicator valueReference=\"24\"/>", "");
    text.replace(LAST, &format!("<{element} name=\"v\" valueReference=\"24\" {attributes}>{children}</{element}>"))
}

/// Asserts that such a variable breaks only this rule, at most with this severity.
fn variable(element: &str, attributes: &str, children: &str, rule: &str) {
    let found = crate::problems(text_with(element, attributes, children).as_bytes());
    assert!(!found.is_empty(), "{rule}: {element} {attributes} {children}");
    assert!(found.iter().all(|problem| problem.rule == rule), "{rule}: {element} {attributes} {children}: {found:?}");
}

/// Asserts that such a variable breaks no rule.
fn valid(element: &str, attributes: &str, children: &str) {
    let found = crate::problems(text_with(element, attributes, children).as_bytes());
    assert_eq!(found, vec![], "{element} {attributes} {children}");
}

#[test]
fn name_rules() {
    error("name=\"event\"", "name=\"u\"", "duplicate-name");
    error("name=\"event\"", "name=\"p2\"", "duplicate-name");
    error("<Alias name=\"p3\"/>", "<Alias name=\"p2\"/>", "duplicate-name");
    error("<Alias name=\"p3\"/>", "<Alias name=\"x\"/>", "duplicate-name");
    error("name=\"event\"", "", "missing-name");
    error("name=\"event\"", "name=\"\"", "missing-name");
    error("<Alias name=\"p3\"/>", "<Alias name=\"\"/>", "missing-name");
    error("valueReference=\"24\" variability", "variability", "missing-attribute");
    warning("name=\"event\"", "name=\"k&#10;l\"", "name-character");
    warning("name=\"event\"", "name=\"Flag\"", "name-of-type");
    warning("<Alias name=\"p3\"/>", "<Alias name=\"Flag\"/>", "name-of-type");
    warning("name=\"event\"", "name=\"an event\"", "structured-name");
    warning("<Alias name=\"p3\"/>", "<Alias name=\"p 3\"/>", "structured-name");
    warning("<Int32 name=\"k\"", "<Int32 name=\"der(k)\"", "structured-name");
    fine("variableNamingConvention=\"structured\"", "");
    error("valueReference=\"24\" variability", "valueReference=\"6\" variability", "value-reference");
    error("valueReference=\"16\"", "valueReference=\"14\"", "value-reference");
}

#[test]
fn the_independent_variable() {
    warning(
        "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>",
        "",
        "independent",
    );
    variable("Float64", "causality=\"independent\"", "", "independent");
    warning("<Float64 name=\"time\"", "<Int32 name=\"time\"", "independent");
    fine("<Float64 name=\"time\"", "<Float32 name=\"time\"");
    warning("<Float64 name=\"time\"", "<Float64 start=\"0\" name=\"time\"", "forbidden-start");
    warning("<Float64 name=\"time\"", "<Float64 initial=\"exact\" name=\"time\"", "initial");
}

#[test]
fn combination_rules() {
    for (causality, legal) in [
        ("structuralParameter", &["fixed", "tunable"][..]),
        ("parameter", &["fixed", "tunable"]),
        ("calculatedParameter", &["fixed", "tunable"]),
        ("input", &["discrete", "continuous"]),
        ("output", &["constant", "discrete", "continuous"]),
        ("local", &["constant", "fixed", "tunable", "discrete", "continuous"]),
        ("independent", &["continuous"]),
    ] {
        for variability in ["constant", "fixed", "tunable", "discrete", "continuous"] {
            let text = text_with("Float64", &format!("causality=\"{causality}\" variability=\"{variability}\""), "");
            let is_refused = crate::problems(text.as_bytes()).iter().any(|problem| problem.rule == "variability");
            assert_eq!(is_refused, !legal.contains(&variability), "{causality} {variability}");
        }
    }
    for element in ["Int8", "UInt64", "Boolean", "String", "Binary"] {
        variable(element, "causality=\"local\" variability=\"continuous\"", "", "variability");
    }
    variable("Enumeration", "causality=\"local\" variability=\"continuous\" declaredType=\"Gear\"", "", "variability");
}

#[test]
fn initial_rules() {
    for (attributes, legal) in [
        ("causality=\"structuralParameter\" variability=\"fixed\"", &["exact"][..]),
        ("causality=\"parameter\" variability=\"tunable\"", &["exact"]),
        ("causality=\"calculatedParameter\" variability=\"fixed\"", &["calculated", "approx"]),
        ("causality=\"input\" variability=\"continuous\"", &["exact"]),
        ("causality=\"input\" variability=\"discrete\"", &["exact"]),
        ("causality=\"output\" variability=\"constant\"", &["exact"]),
        ("causality=\"output\" variability=\"discrete\"", &["calculated", "exact", "approx"]),
        ("causality=\"local\" variability=\"constant\"", &["exact"]),
        ("causality=\"local\" variability=\"tunable\"", &["calculated", "approx"]),
        ("causality=\"local\" variability=\"continuous\"", &["calculated", "exact", "approx"]),
        ("causality=\"independent\" variability=\"continuous\"", &[]),
    ] {
        for initial in ["exact", "approx", "calculated"] {
            let text = text_with("Float64", &format!("{attributes} initial=\"{initial}\""), "");
            let is_refused = crate::problems(text.as_bytes()).iter().any(|problem| problem.rule == "initial");
            assert_eq!(is_refused, !legal.contains(&initial), "{attributes} {initial}");
        }
    }
}

#[test]
fn start_rules() {
    for element in ["Float64", "Float32", "Int8", "UInt64", "Boolean", "String", "Binary"] {
        variable(element, "causality=\"parameter\" variability=\"fixed\"", "", "missing-start");
        variable(element, "causality=\"input\"", "", "missing-start");
        variable(element, "variability=\"constant\"", "", "missing-start");
        variable(element, "causality=\"local\" initial=\"approx\"", "", "missing-start");
    }
    variable("UInt64", "causality=\"structuralParameter\"", "", "missing-start");
    variable("Float64", "causality=\"local\" start=\"1\"", "", "forbidden-start");
    variable("String", "causality=\"local\"", "<Start value=\"1\"/>", "forbidden-start");
    variable("Float64", "causality=\"local\" variability=\"fixed\" start=\"1\"", "", "forbidden-start");
    valid("String", "causality=\"local\" initial=\"exact\"", "<Start value=\"\"/>");
    valid("String", "causality=\"local\" initial=\"exact\"", "<Start/>");
    valid("Binary", "causality=\"local\" initial=\"exact\"", "<Start value=\"\"/>");
}

#[test]
fn arrays_have_one_start_value_or_all() {
    const TWO: &str = "<Dimension start=\"2\"/>";
    for (element, starts) in
        [("Float64", ["1", "1 2", "1 2 3"]), ("Int8", ["1", "1 2", "1 2 3"]), ("Boolean", ["true", "1 0", "1 0 1"])]
    {
        let with = |start: &str| format!("causality=\"input\" variability=\"discrete\" start=\"{start}\"");
        valid(element, &with(starts[0]), "");
        variable(element, &with(starts[1]), "", "start-count");
        valid(element, &with(starts[0]), TWO);
        valid(element, &with(starts[1]), TWO);
        variable(element, &with(starts[2]), TWO, "start-count");
        // Three columns: a structural parameter. Two rows: a constant.
        valid(element, &with(starts[2]), "<Dimension valueReference=\"3\"/>");
        variable(element, &with(starts[1]), "<Dimension valueReference=\"3\"/>", "start-count");
        valid(element, &with(starts[1]), "<Dimension valueReference=\"15\"/>");
    }
    let strings = |count: usize| "<Start value=\"a\"/>".repeat(count);
    valid("String", "initial=\"exact\"", &format!("{TWO}{}", strings(2)));
    valid("String", "initial=\"exact\"", &format!("{TWO}{}", strings(1)));
    variable("String", "initial=\"exact\"", &format!("{TWO}{}", strings(3)), "start-count");
    variable("String", "initial=\"exact\"", &strings(2), "start-count");
    variable("Binary", "initial=\"exact\"", &format!("{TWO}{}", "<Start value=\"00\"/>".repeat(3)), "start-count");
    let message = &crate::refused(text_with("Int8", "initial=\"exact\" start=\"1 2 3\"", TWO).as_bytes(), "start-count").message;
    assert_eq!(message, "\"v\" has 3 start values, but is an array of 2");
}

#[test]
fn dimensions_have_a_size() {
    let dimension = |children: &str| variable("Float64", "", children, "dimension");
    dimension("<Dimension/>");
    dimension("<Dimension start=\"2\" valueReference=\"3\"/>");
    dimension("<Dimension start=\"0\"/>");
    dimension("<Dimension valueReference=\"99\"/>");
    dimension("<Dimension valueReference=\"12\"/>");
    dimension("<Dimension valueReference=\"1\"/>");
    error("min=\"0\" max=\"10\" start=\"3\"", "min=\"0\" max=\"10\" start=\"0\"", "dimension");
    error(
        "<UInt64 name=\"n\" valueReference=\"3\" causality=\"structuralParameter\"",
        "<UInt64 name=\"n\" valueReference=\"3\" causality=\"parameter\"",
        "dimension",
    );
    error(
        "<UInt64 name=\"m\" valueReference=\"15\" variability=\"constant\" start=\"2\"",
        "<UInt64 name=\"m\" valueReference=\"15\" variability=\"constant\"",
        "dimension",
    );
    variable("UInt64", "causality=\"structuralParameter\" start=\"2\"", "<Dimension start=\"2\"/>", "structural-parameter");
    valid("Int32", "causality=\"structuralParameter\" start=\"-2\"", "");
    let problem = crate::refused(text_with("Float64", "", "<Dimension valueReference=\"12\"/>").as_bytes(), "dimension");
    assert_eq!(problem.message, "dimension 1 of \"v\" has the size of \"i32\", which is Int32");
}

#[test]
fn type_rules() {
    const PARAMETER: &str = "causality=\"parameter\" variability=\"fixed\"";
    let parameter =
        |element: &str, attributes: &str, rule: &str| variable(element, &format!("{PARAMETER} {attributes}"), "", rule);
    parameter("Float64", "start=\"1\" declaredType=\"Nowhere\"", "declared-type");
    parameter("Float64", "start=\"1\" declaredType=\"Single\"", "declared-type");
    parameter("Int32", "start=\"1\" declaredType=\"I16\"", "declared-type");
    parameter("Boolean", "start=\"1\" declaredType=\"Text\"", "declared-type");
    variable("String", &format!("{PARAMETER} declaredType=\"Flag\""), "<Start value=\"\"/>", "declared-type");
    variable("Binary", &format!("{PARAMETER} declaredType=\"Text\""), "<Start value=\"\"/>", "declared-type");
    variable(
        "Clock",
        "causality=\"input\" declaredType=\"Gear\" intervalVariability=\"triggered\" priority=\"1\"",
        "",
        "declared-type",
    );
    parameter("Enumeration", "start=\"1\"", "declared-type");
    parameter("Enumeration", "start=\"1\" declaredType=\"I64\"", "declared-type");
    warning("min=\"1\" max=\"2\" start=\"2\"", "min=\"1\" max=\"2\" start=\"3\"", "enumeration-start");
    parameter("Float64", "start=\"1\" unit=\"nowhere\"", "unit");
    parameter("Float64", "start=\"1\" displayUnit=\"degC\"", "display-unit");
    parameter("Float64", "start=\"1\" min=\"2\" max=\"1\"", "range");
    parameter("Float64", "start=\"1\" min=\"2\"", "range");
    parameter("Int8", "start=\"-5\" min=\"-4\"", "range");
    parameter("Enumeration", "start=\"2\" max=\"1\" declaredType=\"Gear\"", "range");
    variable("Float64", "initial=\"exact\" start=\"1 3\" max=\"2\"", "<Dimension start=\"2\"/>", "range");
    parameter("Float64", "start=\"1\" declaredType=\"Temperature\" min=\"-1\"", "range-of-type");
    parameter("Enumeration", "start=\"2\" max=\"3\" declaredType=\"Gear\"", "range-of-type");
    parameter("Float64", "start=\"1\" nominal=\"-1\"", "nominal");
    variable("Float64", "unit=\"K\"", "<Alias name=\"w\"/>", "duplicate-name");
    variable("Float64", "unit=\"K\"", "<Alias name=\"v2\" displayUnit=\"F\"/>", "display-unit");
    variable("Int8", "", "<Alias name=\"v2\" displayUnit=\"degC\"/>", "display-unit");
    variable("Binary", "initial=\"exact\" maxSize=\"1\"", "<Start value=\"0000\"/>", "max-size");
    variable(
        "Binary",
        "initial=\"exact\" declaredType=\"Bytes\"",
        &format!("<Start value=\"{}\"/>", "00".repeat(101)),
        "max-size",
    );
}

#[test]
fn derivative_rules() {
    warning("derivative=\"4\"", "derivative=\"99\"", "derivative");
    warning("derivative=\"4\"", "derivative=\"5\"", "derivative");
    warning("derivative=\"4\"", "derivative=\"1\"", "derivative");
    warning("derivative=\"4\"", "derivative=\"12\"", "derivative");
    variable("Float64", "derivative=\"4\"", "", "derivative");
    valid("Float64", "derivative=\"4\"", "<Dimension valueReference=\"15\"/>");
    variable("Float64", "reinit=\"true\"", "", "misplaced-attribute");
    variable("Float64", "canHandleMultipleSetPerTimeInstant=\"false\"", "", "misplaced-attribute");
    variable("Float64", "variability=\"discrete\" intermediateUpdate=\"true\"", "", "intermediate-update");
    variable("Boolean", "intermediateUpdate=\"true\"", "", "intermediate-update");
    valid("Boolean", "intermediateUpdate=\"false\"", "");
}

#[test]
fn clocked_variables() {
    variable("Float64", "variability=\"discrete\" clocks=\"\"", "", "clocked-variable");
    variable("Float64", "clocks=\"20\"", "", "clocked-variable");
    variable("Int8", "clocks=\"99\"", "", "clocked-variable");
    variable("Int8", "clocks=\"20 22\"", "", "clocked-variable");
    valid("Int8", "clocks=\"20\"", "");
    valid("Float64", "variability=\"tunable\" clocks=\"20\"", "");
    let local =
        "<Clock name=\"c\" valueReference=\"98\" causality=\"local\" intervalVariability=\"triggered\"/></ModelVariables>";
    let with = |attributes: &str| text_with("Int8", attributes, "").replace("</ModelVariables>", local);
    assert_eq!(crate::problems(with("clocks=\"98\"").as_bytes()), vec![]);
    assert_eq!(crate::problems(with("causality=\"input\" start=\"1\" clocks=\"98\"").as_bytes())[0].rule, "clocked-variable");
    variable(
        "Clock",
        "causality=\"input\" priority=\"1\" intervalVariability=\"triggered\" clocks=\"24\"",
        "",
        "clocked-variable",
    );
}

#[test]
fn previous_values() {
    let previous = |from: &str, to: &str| warning(from, to, "previous");
    previous("previous=\"23\"", "previous=\"22\"");
    previous("previous=\"23\"", "previous=\"99\"");
    previous("previous=\"23\"", "previous=\"16\"");
    previous("previous=\"23\"", "previous=\"12\"");
    previous("clocks=\"20 21\" previous=\"23\"", "previous=\"23\"");
    previous(
        "valueReference=\"23\" variability=\"discrete\" clocks=\"20\"",
        "valueReference=\"23\" variability=\"discrete\" clocks=\"20\" previous=\"23\"",
    );
    let second = text_with("Int32", "clocks=\"20\" previous=\"23\"", "").replace(
        "<ClockedState valueReference=\"22\"/>",
        "<ClockedState valueReference=\"22\"/><ClockedState valueReference=\"24\"/>",
    );
    let found = crate::problems(second.as_bytes());
    assert_eq!(found.iter().map(|problem| &*problem.message).collect::<Vec<_>>(), ["\"v\" has the same previous value as \"k\""]);
}

#[test]
fn clock_rules() {
    let clock = |attributes: &str| variable("Clock", attributes, "", "clock");
    clock("causality=\"parameter\" intervalVariability=\"triggered\"");
    clock("causality=\"local\" variability=\"tunable\" intervalVariability=\"triggered\"");
    clock("causality=\"local\" initial=\"exact\" intervalVariability=\"triggered\"");
    clock("causality=\"local\" intermediateUpdate=\"false\" intervalVariability=\"triggered\"");
    clock("causality=\"local\"");
    clock("causality=\"local\" intervalVariability=\"countdown\"");
    clock("causality=\"input\" intervalVariability=\"triggered\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"constant\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"constant\" intervalDecimal=\"0\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"changing\" intervalDecimal=\"1\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" shiftDecimal=\"1\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" intervalDecimal=\"1\" shiftDecimal=\"-1\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"changing\" resolution=\"1\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" resolution=\"0\"");
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" supportsFraction=\"true\" intervalCounter=\"1\"");
    clock(
        "causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" supportsFraction=\"true\" resolution=\"1\" intervalCounter=\"0\"",
    );
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" resolution=\"1\" intervalCounter=\"1\"");
    clock(
        "causality=\"input\" priority=\"1\" intervalVariability=\"countdown\" supportsFraction=\"true\" intervalCounter=\"1\" resolution=\"1\"",
    );
    clock("causality=\"input\" priority=\"1\" intervalVariability=\"fixed\" shiftCounter=\"1\"");
    variable("Clock", "causality=\"local\" intervalVariability=\"triggered\"", "<Dimension start=\"2\"/>", "clock");
    for variability in ["fixed", "tunable", "changing", "countdown", "triggered"] {
        valid("Clock", &format!("causality=\"input\" priority=\"1\" intervalVariability=\"{variability}\""), "");
    }
    valid("Clock", "causality=\"input\" priority=\"1\" intervalVariability=\"constant\" declaredType=\"Tick\"", "");
    warning("clocks=\"20\" intervalVariability=\"triggered\"", "priority=\"1\" intervalVariability=\"triggered\"", "clock");
    // Priorities are those of scheduled execution.
    let (start, end) = (RICH.find("  <ScheduledExecution").unwrap(), RICH.find("  <UnitDefinitions").unwrap());
    let text = text_with("Clock", "causality=\"input\" intervalVariability=\"triggered\"", "").replace(&RICH[start..end], "");
    assert_eq!(crate::problems(text.as_bytes()), vec![]);
    // A type of clocks is checked, too.
    warning("priority=\"1\" intervalVariability=\"constant\"", "priority=\"1\"", "clock");
    warning(
        "intervalVariability=\"constant\" intervalDecimal=\"0.5\" shiftDecimal=\"0.25\"",
        "intervalVariability=\"constant\" intervalDecimal=\"-1\" shiftDecimal=\"0.25\"",
        "clock",
    );
}
