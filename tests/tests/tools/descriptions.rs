//! Model descriptions of FMI 3.0: the schema accepts what we write, and what the schema or FMPy finds wrong, we find, too.
//!
//! Needs the tools that `tests::interop::prepare` installs, like `interop.rs`.

use std::path::{Path, PathBuf};

use fmi3::{ModelDescription, Problem, Severity, Strictness};
use tests::interop::{Interop, run};
use tests::root;

/// A description that nobody finds wrong.
const SOUND: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="sound" instantiationToken="{0}" generationDateAndTime="2024-01-01T00:00:00Z" variableNamingConvention="structured">
  <CoSimulation modelIdentifier="sound" canGetAndSetFMUState="true" hasEventMode="true"/>
  <UnitDefinitions>
    <Unit name="K"><BaseUnit K="1"/><DisplayUnit name="degC" offset="-273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <EnumerationType name="Gear"><Item name="low" value="1"/></EnumerationType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment stopTime="1" stepSize="0.1"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="u" valueReference="1" causality="input" variability="continuous" start="0 1"><Dimension start="2"/></Float64>
    <Int8 name="i" valueReference="2" causality="parameter" variability="fixed" start="1"/>
    <Float32 name="y" valueReference="3" causality="output" initial="calculated" unit="K"/>
    <Float64 name="x" valueReference="4" causality="local" initial="exact" start="1"/>
    <Float64 name="der(x)" valueReference="5" causality="local" derivative="4"/>
    <Enumeration name="e" valueReference="6" causality="parameter" variability="fixed" declaredType="Gear" start="1"/>
    <Clock name="c" valueReference="7" causality="input" intervalVariability="triggered"/>
    <Int32 name="k" valueReference="8" variability="discrete" clocks="7" previous="9" initial="exact" start="0"/>
    <Int32 name="l" valueReference="9" variability="discrete" clocks="7"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="3" dependencies="1" dependenciesKind="dependent"/>
    <ContinuousStateDerivative valueReference="5"/>
    <ClockedState valueReference="8"/>
    <InitialUnknown valueReference="3"/>
    <InitialUnknown valueReference="5"/>
  </ModelStructure>
</fmiModelDescription>
"#;

/// What to replace in it by what.
const FAULTS: &[(&str, &str)] = &[
    ("name=\"i\"", "name=\"u\""),
    ("valueReference=\"2\"", "valueReference=\"1\""),
    ("valueReference=\"2\"", "valueReference=\"-2\""),
    ("valueReference=\"2\"", ""),
    ("start=\"0 1\"", ""),
    ("start=\"0 1\"", "start=\"0,1\""),
    ("start=\"1\"/>", "start=\"128\"/>"),
    ("start=\"1\"/>", "/>"),
    ("initial=\"calculated\"", "initial=\"calculated\" start=\"1\""),
    ("causality=\"output\"", "causality=\"output\" variability=\"fixed\""),
    ("causality=\"output\"", "causality=\"outputs\""),
    (
        "<Int32 name=\"l\" valueReference=\"9\" variability=\"discrete\"",
        "<Int32 name=\"l\" valueReference=\"9\" variability=\"continuous\"",
    ),
    ("causality=\"input\" variability=\"continuous\"", "causality=\"input\" variability=\"continuous\" initial=\"approx\""),
    ("causality=\"independent\"", "causality=\"local\""),
    ("causality=\"independent\"", "causality=\"independent\" start=\"1\""),
    ("unit=\"K\"", "unit=\"nowhere\""),
    ("unit=\"K\"", "unit=\"K\" displayUnit=\"nowhere\""),
    ("unit=\"K\"/>", "unit=\"K\"><Alias name=\"z\" displayUnit=\"nowhere\"/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Alias/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Start value=\"1\"/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Alias name=\"z\"/><Dimension start=\"2\"/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Dimension start=\"-1\"/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Annotations/></Float32>"),
    ("unit=\"K\"/>", "unit=\"K\"><Annotations><Annotation/></Annotations></Float32>"),
    ("<Output valueReference=\"3\" dependencies=\"1\" dependenciesKind=\"dependent\"/>", ""),
    ("dependencies=\"1\"", ""),
    ("dependenciesKind=\"dependent\"", "dependenciesKind=\"dependent fixed\""),
    ("dependenciesKind=\"dependent\"", "dependenciesKind=\"direct\""),
    ("dependencies=\"1\"", "dependencies=\"1,2\""),
    ("dependencies=\"1\"", "dependencies=\"99\""),
    ("<ContinuousStateDerivative valueReference=\"5\"/>", "<ContinuousStateDerivative valueReference=\"4\"/>"),
    ("<InitialUnknown valueReference=\"3\"/>", ""),
    ("<InitialUnknown valueReference=\"3\"/>", "<InitialUnknown valueReference=\"3\"/><InitialUnknown valueReference=\"2\"/>"),
    ("<InitialUnknown valueReference=\"3\"/>", "<InitialUnknown/>"),
    ("<ClockedState valueReference=\"8\"/>", "<InitialUnknown valueReference=\"8\"/><ClockedState valueReference=\"8\"/>"),
    ("derivative=\"4\"", "derivative=\"99\""),
    ("derivative=\"4\"", "derivative=\"-4\""),
    ("name=\"der(x)\"", "name=\"der(x\""),
    ("declaredType=\"Gear\"", ""),
    ("declaredType=\"Gear\"", "declaredType=\"Nowhere\""),
    ("<Item name=\"low\" value=\"1\"/>", ""),
    ("<Item name=\"low\" value=\"1\"/>", "<Item name=\"low\"/>"),
    ("intervalVariability=\"triggered\"", ""),
    ("intervalVariability=\"triggered\"", "intervalVariability=\"triggers\""),
    ("intervalVariability=\"triggered\"", "intervalVariability=\"triggered\" initial=\"exact\""),
    ("intervalVariability=\"triggered\"", "intervalVariability=\"triggered\" intermediateUpdate=\"true\""),
    ("previous=\"9\"", "previous=\"nine\""),
    ("clocks=\"7\"", "clocks=\"seven\""),
    ("<Category name=\"logAll\"/>", "<Category/>"),
    ("<Category name=\"logAll\"/>", "<Category name=\"logAll\" level=\"1\"/>"),
    ("<BaseUnit K=\"1\"/><DisplayUnit name=\"degC\" offset=\"-273.15\"/>", "<DisplayUnit name=\"degC\"/><BaseUnit K=\"1\"/>"),
    ("<BaseUnit K=\"1\"/>", "<BaseUnit K=\"1.5\"/>"),
    ("stopTime=\"1\"", "stopTime=\"one\""),
    ("stepSize=\"0.1\"", "stepSize=\"0.1 s\""),
    ("canGetAndSetFMUState=\"true\"", "canGetAndSetFMUState=\"yes\""),
    ("modelIdentifier=\"sound\"", ""),
    ("2024-01-01T00:00:00Z", "2024-01-01"),
    ("instantiationToken=\"{0}\"", ""),
    ("modelName=\"sound\"", ""),
    ("fmiVersion=\"3.0\"", "fmiVersion=\"3.0.x\""),
    ("variableNamingConvention=\"structured\"", "variableNamingConvention=\"tree\""),
    ("modelName=", "guid=\"{0}\" modelName="),
    ("<fmiModelDescription ", "<fmiModelDescription xmlns=\"urn:fmi\" "),
    ("<LogCategories>", "<Extra/><LogCategories>"),
    ("<LogCategories>", "<DefaultExperiment/><LogCategories>"),
    ("<ModelVariables>", "<ModelVariables>text"),
    ("<ModelVariables>", "<ModelVariables><Real/>"),
    ("</ModelVariables>", ""),
];

fn found(text: &str) -> Vec<Problem> {
    let found = ModelDescription::examine(text.as_bytes());
    found.into_iter().filter(|problem| problem.severity > Severity::Note).collect()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs the validators; returns for each file the numbers of problems that the schema and FMPy find.
fn validate(files: &[PathBuf]) -> Vec<[usize; 2]> {
    let interop = Interop::find(&root()).unwrap_or_else(|error| panic!("{error}"));
    let printed = run(interop.script("fmi3_validate.py").args(files)).unwrap();
    let counts =
        |line: &str| line.split('\t').skip(1).map(|count| count.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
    let counts: Vec<_> = printed.lines().map(counts).collect();
    assert_eq!(counts.len(), files.len());
    counts
}

#[test]
fn the_schema_accepts_what_we_write() {
    let rich = std::fs::read_to_string(root().join("crates/fmi3/tests/description/rich.xml")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (index, text) in [rich.as_str(), SOUND].into_iter().enumerate() {
        let description = ModelDescription::read(text.as_bytes(), Strictness::Strict).unwrap().description;
        files.push(write(folder.path(), &format!("read{index}.xml"), text));
        files.push(write(folder.path(), &format!("written{index}.xml"), &description.to_xml()));
    }
    let counts = validate(&files);
    assert!(counts.iter().all(|[schema, _]| *schema == 0), "{counts:?}");
    // FMPy 0.3.32 does not know the media types of binary types, which the rich description has.
    assert_eq!(counts[2..], [[0, 0], [0, 0]]);
}

#[test]
fn every_fault_of_a_description_that_others_find_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let faulty: Vec<_> = FAULTS
        .iter()
        .map(|(from, to)| {
            assert!(SOUND.contains(from), "{from}");
            SOUND.replacen(from, to, 1)
        })
        .collect();
    let files: Vec<_> =
        faulty.iter().enumerate().map(|(index, text)| write(folder.path(), &format!("{index}.xml"), text)).collect();
    assert_eq!(found(SOUND), vec![]);
    for ((counts, text), fault) in validate(&files).iter().zip(&faulty).zip(FAULTS) {
        assert!(counts.iter().any(|count| *count > 0), "nobody else finds {fault:?}");
        assert!(!found(text).is_empty(), "the schema and FMPy find {counts:?} problems with {fault:?}, we find none");
    }
}
