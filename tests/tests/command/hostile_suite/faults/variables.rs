use super::{Group, a, described};
use crate::hostile_suite::case::Case;
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "Model descriptions: variables", faults };

const XML: &str = "modelDescription.xml";
const START: &str = "<Real start=\"0\"/>";
const Y: &str = "name=\"y\" valueReference=\"1\"";
const INPUT: &str = "causality=\"input\" variability=\"continuous\"";
const PARAMETER: &str = "causality=\"parameter\" variability=\"fixed\"";

fn variable(name: &str, reference: u32, attributes: &str, kind: &str) -> String {
    format!("<ScalarVariable name=\"{name}\" valueReference=\"{reference}\" {attributes}>{kind}</ScalarVariable>")
}

/// More variables behind the ten that are there.
fn adding(name: &'static str, variables: String) -> Case {
    let end = "</ModelVariables>";
    Case::new(name, a().edit_xml(move |xml| *xml = xml.replacen(end, &format!("{variables}{end}"), 1)))
}

fn replacing(name: &'static str, old: &'static str, new: &'static str) -> Case {
    Case::new(name, described(old, new))
}

/// No variables at all.
fn empty() -> Hostile {
    a().edit_xml(|xml| {
        let (start, end) = (xml.find("<ScalarVariable").unwrap(), xml.find("</ModelVariables>").unwrap());
        xml.replace_range(start..end, "");
    })
}

fn faults() -> Vec<Case> {
    [names_and_references(), starts(), kinds(), together()].into_iter().flatten().collect()
}

fn names_and_references() -> Vec<Case> {
    vec![
        replacing("two variables of the same name", "name=\"k\"", "name=\"u\"").refused(&[XML, "\"u\""]),
        replacing("empty name", "name=\"k\"", "name=\"\"").refused(&[XML, "no name"]),
        replacing("no name", "name=\"k\" ", "").refused(&[XML, "name"]),
        replacing("no value reference", " valueReference=\"2\"", "").refused(&[XML, "valueReference"]),
        adding("value reference 4294967295", variable("z", u32::MAX, "variability=\"fixed\"", "<Real/>")).runs(&[]),
        replacing("value reference 4294967296", Y, "name=\"y\" valueReference=\"4294967296\"").refused(&[XML, "4294967296"]),
        replacing("value reference -1", Y, "name=\"y\" valueReference=\"-1\"").refused(&[XML, "-1"]),
        replacing("value reference that the library does not know", Y, "name=\"y\" valueReference=\"77\"")
            .ends(12, &["fmi2GetReal", "value reference 77"])
            .checked(0, &[]),
    ]
}

fn starts() -> Vec<Case> {
    vec![
        replacing("input without start value", START, "<Real/>").runs(&["\"u\" has no start value"]),
        replacing("start value with a comma", START, "<Real start=\"0,5\"/>").refused(&[XML, "start=\"0,5\""]),
        replacing("start value NaN", START, "<Real start=\"NaN\"/>").refused(&[XML, "start=\"NaN\""]),
        replacing("start value 1e999", START, "<Real start=\"1e999\"/>").refused(&[XML, "start=\"1e999\""]),
        replacing("Integer start value 2147483648", "<Integer start=\"0\"/>", "<Integer start=\"2147483648\"/>")
            .refused(&[XML, "start=\"2147483648\""]),
        replacing("Boolean start value yes", "<Boolean start=\"true\"/>", "<Boolean start=\"yes\"/>")
            .refused(&[XML, "start=\"yes\""]),
        replacing("start value of what is calculated", "\"calculated\"><Real/>", "\"calculated\"><Real start=\"1\"/>")
            .runs(&[XML, "start"]),
    ]
}

fn kinds() -> Vec<Case> {
    let discrete = "variability=\"discrete\" initial=\"calculated\"><Integer/>";
    let continuous = "variability=\"continuous\" initial=\"calculated\"><Integer/>";
    let exact = "causality=\"input\" variability=\"continuous\" initial=\"exact\"";
    vec![
        replacing("parameter that is continuous", PARAMETER, "causality=\"parameter\" variability=\"continuous\"")
            .runs(&[XML, "parameter"]),
        replacing("Integer that is continuous", discrete, continuous).runs(&[XML, "steps"]),
        replacing("unknown causality", "causality=\"output\"", "causality=\"outgoing\"")
            .refused(&[XML, "causality=\"outgoing\""]),
        replacing("input with initial", INPUT, exact).runs(&[XML, "initial"]),
        replacing("type that is not defined", START, "<Real declaredType=\"Volt\" start=\"0\"/>").runs(&[XML, "Volt"]),
        replacing("unit that is not defined", START, "<Real unit=\"furlong\" start=\"0\"/>").runs(&[XML, "furlong"]),
        replacing("minimum above the maximum", START, "<Real min=\"2\" max=\"1\" start=\"0\"/>").runs(&[XML, "min"]),
        adding("enumeration without items", variable("e", 70, "variability=\"discrete\"", "<Enumeration declaredType=\"E\"/>"))
            .runs(&[XML, "\"E\""]),
        adding("variable without type", variable("w", 50, "", "")).refused(&[XML, "w"]),
    ]
}

fn together() -> Vec<Case> {
    let independent = |name, reference| variable(name, reference, "causality=\"independent\"", "<Real/>");
    let crowd = (0..100_000).map(|index| variable(&format!("p[{index}]"), index + 100, PARAMETER, "<Real start=\"1\"/>"));
    vec![
        adding("two independent variables", independent("t1", 90) + &independent("t2", 91)).runs(&[XML, "independent"]),
        adding("two inputs for one value", variable("v", 0, INPUT, START)).runs(&[XML, "\"v\""]),
        adding("alias with another start value", variable("k2", 2, PARAMETER, "<Real start=\"9\"/>")).runs(&[XML, "\"k2\""]),
        Case::new("no variables", empty()).ends(10, &["`y`"]),
        adding("100 000 variables", crowd.collect()).runs(&[]),
    ]
}
