use super::{Group, described};
use crate::hostile_suite::case::Case;

pub const GROUP: Group = Group { title: "FMI 3.0: clocks", faults };

fn faults() -> Vec<Case> {
    let sound = [
        ("clock that is an input", "causality=\"input\" intervalVariability=\"triggered\"/>"),
        ("clock that is an output", "causality=\"output\" intervalVariability=\"triggered\"/>"),
        ("clock without its interval", "causality=\"local\" intervalVariability=\"constant\"/>"),
        ("clock with a negative interval", "causality=\"local\" intervalVariability=\"constant\" intervalDecimal=\"-1\"/>"),
        ("clock with an interval of 0", "causality=\"local\" intervalVariability=\"constant\" intervalDecimal=\"0\"/>"),
        (
            "clock with a resolution of 0",
            "causality=\"local\" intervalVariability=\"constant\" intervalCounter=\"1\" resolution=\"0\"/>",
        ),
        ("clock that is a parameter", "causality=\"parameter\" intervalVariability=\"triggered\"/>"),
        ("clock that counts down", "causality=\"local\" intervalVariability=\"countdown\"/>"),
        ("array of clocks", "causality=\"local\" intervalVariability=\"triggered\"><Dimension start=\"2\"/></Clock>"),
    ];
    let refused = [
        (
            "clock of an unknown kind",
            "causality=\"local\" intervalVariability=\"sometimes\"/>",
            "intervalVariability=\"sometimes\"",
        ),
        (
            "clock that depends on itself",
            "causality=\"local\" intervalVariability=\"triggered\" clocks=\"90\"/>",
            "variables depend on the clock `tick`",
        ),
    ];
    let mut cases: Vec<_> = sound.map(|(name, attributes)| clock(name, attributes).runs(&[])).into();
    cases.extend(refused.map(|(name, attributes, text)| clock(name, attributes).refused(&[text])));
    const INT8: &str = "<Int8 name=\"i8\"";
    cases.push(described("variable of a clock that does not exist", INT8, "<Int8 name=\"i8\" clocks=\"99\"").runs(&[]));
    cases.push(described("variable of a clock that is none", INT8, "<Int8 name=\"i8\" clocks=\"32\"").runs(&[]));
    cases
}

/// A clock `tick` that nothing uses.
fn clock(name: &str, attributes: &str) -> Case {
    let element = format!("<Clock name=\"tick\" valueReference=\"90\" {attributes}</ModelVariables>");
    let fmu = tests::hostile::Hostile::family("a", "").edit_xml(move |xml| *xml = xml.replacen("</ModelVariables>", &element, 1));
    Case::new(name, fmu)
}
