//! What FMPy and fmutool find wrong with an FMU, `lotka check` finds, too: the union of what existing validators find.
//!
//! Needs the tools that `tests::interop::prepare` installs, like `interop.rs`. The page of FMI names VDMCheck as well, which
//! needs Java: its rules were read and are among those of `docs/checks.md`.

use std::path::{Path, PathBuf};

use fmu::{Finding, Limits};
use tests::hostile::Hostile;
use tests::interop::{Interop, run};

/// What is wrong, and what to replace in the description of a sound FMU by what.
const FAULTS: &[(&str, &str, &str)] = &[
    ("two variables of one name", "name=\"k\"", "name=\"u\""),
    (
        "an input without start value",
        "causality=\"input\" variability=\"continuous\"><Real start=\"0\"/>",
        "causality=\"input\" variability=\"continuous\"><Real/>",
    ),
    ("a calculated variable with a start value", "initial=\"calculated\"><Real/>", "initial=\"calculated\"><Real start=\"1\"/>"),
    (
        "a fixed output",
        "name=\"y\" valueReference=\"1\" causality=\"output\" variability=\"continuous\"",
        "name=\"y\" valueReference=\"1\" causality=\"output\" variability=\"fixed\"",
    ),
    (
        "a continuous Integer",
        "causality=\"input\" variability=\"discrete\"><Integer",
        "causality=\"input\" variability=\"continuous\"><Integer",
    ),
    (
        "an input with initial",
        "causality=\"input\" variability=\"continuous\"",
        "causality=\"input\" variability=\"continuous\" initial=\"exact\"",
    ),
    ("an unknown unit", "<Real start=\"0\"/>", "<Real start=\"0\" unit=\"nowhere\"/>"),
    ("a display unit without unit", "<Real start=\"0\"/>", "<Real start=\"0\" displayUnit=\"nowhere\"/>"),
    ("an output that is not listed", "<Unknown index=\"2\" dependencies=\"\"/>", ""),
    (
        "an input in <Outputs>",
        "<Unknown index=\"2\" dependencies=\"\"/>",
        "<Unknown index=\"1\"/><Unknown index=\"2\" dependencies=\"\"/>",
    ),
    ("an initial unknown that is not listed", "<Unknown index=\"2\" dependencies=\"4\"/>", ""),
    (
        "kinds without dependencies",
        "<Unknown index=\"2\" dependencies=\"4\"/>",
        "<Unknown index=\"2\" dependenciesKind=\"dependent\"/>",
    ),
    (
        "more kinds than dependencies",
        "<Unknown index=\"2\" dependencies=\"4\"/>",
        "<Unknown index=\"2\" dependencies=\"4\" dependenciesKind=\"dependent dependent\"/>",
    ),
    ("a dependency on no variable", "<Unknown index=\"2\" dependencies=\"4\"/>", "<Unknown index=\"2\" dependencies=\"99\"/>"),
    ("a derivative of no variable", "<Real start=\"0\"/>", "<Real start=\"0\" derivative=\"99\"/>"),
    ("a derivative that is none", "<InitialUnknowns>", "<Derivatives><Unknown index=\"2\"/></Derivatives><InitialUnknowns>"),
    ("a name that is not structured", "name=\"k\"", "name=\"k k\""),
    ("an unknown attribute", "numberOfEventIndicators=\"0\"", "numberOfEvents=\"0\""),
    ("an unknown element", "<LogCategories>", "<Extra/><LogCategories>"),
    ("a Boolean that is none", "canGetAndSetFMUstate=\"true\"", "canGetAndSetFMUstate=\"yes\""),
    ("a number with a comma", "<Real start=\"0\"/>", "<Real start=\"0,5\"/>"),
    ("fmiVersion 2.0.1", "fmiVersion=\"2.0\"", "fmiVersion=\"2.0.1\""),
    ("no guid", "guid=\"{hostile}\"", ""),
    ("a namespace", "<fmiModelDescription ", "<fmiModelDescription xmlns=\"urn:fmi\" "),
    ("an attribute of XML", "<fmiModelDescription ", "<fmiModelDescription xml:lang=\"en\" "),
    ("two lists of outputs", "<Outputs>", "<Outputs><Unknown index=\"2\"/></Outputs><Outputs>"),
    (
        "an annotation of two elements",
        "<Real start=\"0\"/></ScalarVariable>",
        "<Real start=\"0\"/><Annotations><Tool name=\"T\"><a/><b/></Tool></Annotations></ScalarVariable>",
    ),
    (
        "an annotation of text",
        "<Real start=\"0\"/></ScalarVariable>",
        "<Real start=\"0\"/><Annotations><Tool name=\"T\">text</Tool></Annotations></ScalarVariable>",
    ),
    (
        "an annotation before the type",
        "<Real start=\"0\"/></ScalarVariable>",
        "<Annotations><Tool name=\"T\"/></Annotations><Real start=\"0\"/></ScalarVariable>",
    ),
    ("an empty list", "<DefaultExperiment", "<VendorAnnotations/><DefaultExperiment"),
    ("an enumeration without type", "<Integer start=\"0\"/>", "<Enumeration start=\"0\"/>"),
    ("a declared type that is not defined", "<Real start=\"0\"/>", "<Real start=\"0\" declaredType=\"Nowhere\"/>"),
    ("a date without time", "2024-01-01T00:00:00Z", "2024-01-01"),
    ("no value reference", "valueReference=\"2\" ", ""),
    ("a negative value reference", "valueReference=\"2\" ", "valueReference=\"-2\" "),
    ("a variable of two types", "<Real start=\"0\"/>", "<Real start=\"0\"/><Integer/>"),
    ("an unknown causality", "causality=\"input\" variability=\"continuous\"", "causality=\"inputs\" variability=\"continuous\""),
    ("text between elements", "<ModelVariables>", "<ModelVariables>text"),
    ("XML that is not well-formed", "</ModelVariables>", ""),
    (
        "a unit with a display unit before its base unit",
        "<LogCategories>",
        "<UnitDefinitions><Unit name=\"m\"><DisplayUnit name=\"km\"/><BaseUnit m=\"1\"/></Unit></UnitDefinitions><LogCategories>",
    ),
    (
        "a type of two kinds",
        "<LogCategories>",
        "<TypeDefinitions><SimpleType name=\"T\"><Real/><Integer/></SimpleType></TypeDefinitions><LogCategories>",
    ),
    (
        "an enumeration without items",
        "<LogCategories>",
        "<TypeDefinitions><SimpleType name=\"T\"><Enumeration/></SimpleType></TypeDefinitions><LogCategories>",
    ),
    ("an unknown log attribute", "<Category name=\"logAll\"/>", "<Category name=\"logAll\" level=\"1\"/>"),
    ("a log category without name", "<Category name=\"logAll\"/>", "<Category/>"),
    ("an infinite number", "<Real start=\"0\"/>", "<Real start=\"0\" max=\"inf\"/>"),
    ("a stop time that is no number", "stopTime=\"1\"", "stopTime=\"one\""),
    ("a step size in the wrong form", "stepSize=\"0.1\"", "stepSize=\"0.1 s\""),
    ("dependencies in the wrong form", "dependencies=\"4\"", "dependencies=\"4,5\""),
    (
        "an unknown kind of dependency",
        "<Unknown index=\"2\" dependencies=\"4\"/>",
        "<Unknown index=\"2\" dependencies=\"4\" dependenciesKind=\"direct\"/>",
    ),
];

/// The FMUs with what is wrong with them; the first one is sound.
fn fmus(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let build = |(number, &(name, from, to)): (usize, &(&'static str, &'static str, &'static str))| {
        let edit = move |xml: &mut String| {
            assert!(xml.contains(from), "{name}: {from}");
            *xml = xml.replacen(from, to, 1);
        };
        let folder = folder.join(number.to_string());
        std::fs::create_dir(&folder).unwrap();
        (name, Hostile::new("faulty").edit_xml(edit).build(&folder))
    };
    let mut fmus: Vec<_> = FAULTS.iter().enumerate().map(build).collect();
    let unstructured = |xml: &mut String| {
        let (start, end) = (xml.find("  <ModelStructure>").unwrap(), xml.find("</fmiModelDescription>").unwrap());
        xml.replace_range(start..end, "");
    };
    fmus.push(("no model structure", Hostile::new("unstructured").edit_xml(unstructured).build(folder)));
    let backslashes = |entries: &mut Vec<tests::hostile::Entry>| {
        entries.push(tests::hostile::Entry::stored("resources\\a.txt", "x"));
    };
    fmus.push(("a name with a backslash", Hostile::new("backslashes").edit_archive(backslashes).build(folder)));
    fmus.insert(0, ("nothing", Hostile::new("sound").build(folder)));
    fmus
}

/// The rules that are broken beside those that a sound FMU made for tests breaks.
fn rules(path: &Path, usual: &[&str]) -> Vec<&'static str> {
    let found: Vec<Finding> = fmu::check(path, &Limits::default()).unwrap();
    let mut rules: Vec<_> = found.iter().map(|finding| finding.problem.rule).filter(|rule| !usual.contains(rule)).collect();
    rules.dedup();
    rules
}

#[test]
fn every_fault_that_another_validator_finds_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let fmus = fmus(folder.path());
    let interop = Interop::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap_or_else(|error| panic!("{error}"));
    let printed = run(interop.script("validators.py").args(fmus.iter().map(|(_, path)| path))).unwrap();
    let counts = |line: &str| line.split('\t').skip(1).map(|count| count.parse::<usize>().unwrap()).collect::<Vec<_>>();
    let usual = rules(&fmus[0].1, &[]);
    let mut found_by_others = 0;
    for (line, (name, path)) in printed.lines().zip(&fmus) {
        assert!(line.starts_with(&*path.to_string_lossy()), "{line}");
        let (others, ours) = (counts(line), rules(path, &usual));
        let is_found = others.iter().any(|count| *count > 0);
        assert!(!is_found || !ours.is_empty(), "{name}: FMPy and fmutool find {others:?}, lotka nothing");
        assert_eq!(*name == "nothing", ours.is_empty(), "{name}: {ours:?}, {others:?}");
        found_by_others += usize::from(is_found);
    }
    assert_eq!(
        (printed.lines().count(), found_by_others),
        (fmus.len(), fmus.len() - 1),
        "each fault is one that another validator knows"
    );
}
