use super::{Group, a, described};
use crate::hostile_suite::case::Case;
use tests::hostile::Hostile;

pub const GROUP: Group = Group { title: "Model descriptions: structure and default experiment", faults };

const EXPERIMENT: &str = "<DefaultExperiment startTime=\"0\" stopTime=\"1\" stepSize=\"0.1\"/>";
const OUTPUT: &str = "<Unknown index=\"2\" dependencies=\"\"/>";

/// Everything between two texts is replaced.
fn between(start: &'static str, end: &'static str, new: &'static str) -> Hostile {
    a().edit_xml(move |xml| {
        let range = xml.find(start).unwrap()..xml.find(end).unwrap() + end.len();
        xml.replace_range(range, new);
    })
}

fn faults() -> Vec<Case> {
    const XML: &str = "modelDescription.xml";
    vec![
        Case::new("no ModelStructure", between("<ModelStructure>", "</ModelStructure>", ""))
            .ends(0, &[XML, "ModelStructure"])
            .rows(11),
        Case::new("empty ModelStructure", between("<ModelStructure>", "</ModelStructure>", "<ModelStructure/>"))
            .ends(0, &[XML, "Outputs"])
            .rows(11),
        Case::new("no InitialUnknowns", between("<InitialUnknowns>", "</InitialUnknowns>", "")).runs(&[XML, "InitialUnknowns"]),
        Case::new("output 0", described(OUTPUT, "<Unknown index=\"0\" dependencies=\"\"/>")).ends(0, &[XML, "0"]).rows(11),
        Case::new("output 999", described(OUTPUT, "<Unknown index=\"999\" dependencies=\"\"/>")).ends(0, &[XML, "999"]).rows(11),
        Case::new("output -1", described(OUTPUT, "<Unknown index=\"-1\" dependencies=\"\"/>")).ends(0, &[XML, "-1"]).rows(11),
        Case::new("a parameter among the outputs", described(OUTPUT, "<Unknown index=\"3\" dependencies=\"\"/>"))
            .ends(0, &[XML])
            .rows(11),
        Case::new(
            "the same output twice",
            described(OUTPUT, "<Unknown index=\"2\" dependencies=\"\"/><Unknown index=\"2\" dependencies=\"\"/>"),
        )
        .runs(&[XML]),
        Case::new("dependency on nothing that is there", described(OUTPUT, "<Unknown index=\"2\" dependencies=\"400\"/>"))
            .ends(0, &[XML, "400"])
            .rows(11),
        Case::new("dependencies that are no numbers", described(OUTPUT, "<Unknown index=\"2\" dependencies=\"u\"/>"))
            .ends(0, &[XML, "dependencies"])
            .rows(11),
        Case::new(
            "more kinds than dependencies",
            described(OUTPUT, "<Unknown index=\"2\" dependencies=\"1\" dependenciesKind=\"fixed fixed\"/>"),
        )
        .ends(0, &[XML, "1 dependencies and 2 kinds"])
        .rows(11),
        Case::new("dependency that the library does not have", described(OUTPUT, "<Unknown index=\"2\" dependencies=\"1\"/>"))
            .ends(0, &[])
            .rows(11),
        Case::new("no default experiment", described(EXPERIMENT, "")).runs(&[]),
        Case::new("default experiment NaN", described(EXPERIMENT, "<DefaultExperiment startTime=\"NaN\" stopTime=\"INF\"/>"))
            .runs(&[XML, "NaN"]),
        Case::new(
            "default experiment that ends before it starts",
            described(EXPERIMENT, "<DefaultExperiment startTime=\"5\" stopTime=\"1\"/>"),
        )
        .runs(&[XML]),
        Case::new(
            "negative default step size and tolerance",
            described(EXPERIMENT, "<DefaultExperiment stepSize=\"-1\" tolerance=\"0\"/>"),
        )
        .runs(&[XML]),
    ]
}
