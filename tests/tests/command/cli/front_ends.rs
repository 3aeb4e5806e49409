//! Systems as the Open Simulation Platform and INTO-CPS describe them: the rows are those of the same system as TOML. Files that
//! are something else are named.

use super::support::Case;
use tests::hostile::Hostile;

/// Prey and predator side by side, inputs held, as libcosim and Maestro step them. The predator eats half of the prey and 0.25
/// more.
const SYSTEM: &str = "[experiment]\nstop = 5\nstep = 0.1\n[instances]\nprey = 'prey.fmu'\n\
    predator = { fmu = 'predator.fmu', start = { c = 0.5 } }\n[connections]\n'prey.y' = 'predator.y'\n\
    'predator.x' = { from = 'prey.x', factor = 0.5, offset = 0.25 }\n[algorithm]\nsweep = 'jacobi'\ninput-degree = 0\niterations = 1\n";

/// The same for libcosim. The second connection is written from the input to the output.
const OSP: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <EndTime>5</EndTime>
  <BaseStepSize>0.1</BaseStepSize>
  <Algorithm>fixedStep</Algorithm>
  <Simulators>
    <Simulator name="prey" source="prey.fmu" stepSize="0.1"/>
    <Simulator name="predator" source="./predator.fmu"><InitialValues>
      <InitialValue variable="c"><Real value="0.5"/></InitialValue>
    </InitialValues></Simulator>
  </Simulators>
  <Functions><LinearTransformation name="half" factor="0.5" offset="0.25"/></Functions>
  <Connections>
    <VariableConnection><Variable simulator="prey" name="y"/><Variable simulator="predator" name="y"/></VariableConnection>
    <SignalConnection><Signal function="half" name="in"/><Variable simulator="prey" name="x"/></SignalConnection>
    <SignalConnection><Variable simulator="predator" name="x"/><Signal function="half" name="out"/></SignalConnection>
  </Connections>
</OspSystemStructure>
"#;

/// The same for Maestro, but for the factor.
const MULTI_MODEL: &str = r#"{
  "fmus": { "{a}": "prey.fmu", "{b}": "FMUs/predator.fmu" },
  "connections": { "{a}.prey.x": ["{b}.predator.x"], "{b}.predator.y": ["{a}.prey.y"] },
  "parameters": { "{b}.predator.c": 0.5 }
}"#;

const CONFIGURATION: &str =
    r#"{ "startTime": 0, "endTime": 5, "algorithm": { "type": "fixed-step", "size": 0.1 }, "visible": false }"#;

fn case() -> Case {
    let case = Case::new(SYSTEM, []);
    std::fs::create_dir(case.path("FMUs")).unwrap();
    for (name, to) in [("prey", "prey.fmu"), ("predator", "predator.fmu"), ("predator", "FMUs/predator.fmu")] {
        std::fs::copy(tests::packed(name), case.path(to)).unwrap();
    }
    case
}

fn rows(case: &Case, file: &str) -> String {
    case.lotka(&["run", file]).assert(0, &[]).stdout.clone()
}

#[test]
fn a_system_structure_of_osp_has_the_rows_of_the_system_file() {
    let case = case();
    case.write("OspSystemStructure.xml", OSP);
    let expected = rows(&case, "system.toml");
    let ended = case.lotka(&["run", "OspSystemStructure.xml"]);
    assert_eq!(ended.assert(0, &[]).stdout, expected);
    assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
    for to in ["a.toml", "b.ssd", "c.ssp"] {
        case.lotka(&["convert", "OspSystemStructure.xml", to]).assert(0, &[]);
        assert_eq!(rows(&case, to), expected, "{to}");
    }
    case.lotka(&["check", "OspSystemStructure.xml"]).assert(0, &[]);
    case.lotka(&["graph", "OspSystemStructure.xml"]).assert(0, &[]);
    case.lotka(&["inspect", "OspSystemStructure.xml"]).assert(0, &[]);
}

#[test]
fn sums_and_groups_of_osp_have_the_rows_of_the_system_file() {
    let case = case();
    let sum = r#"<Functions><Sum name="twice" inputCount="2"/></Functions><Connections>
      <VariableGroupConnection><VariableGroup simulator="prey" name="hunters"/><VariableGroup simulator="predator" name="hunters"/></VariableGroupConnection>
      <SignalConnection><Signal function="twice" name="in[0]"/><Variable simulator="prey" name="x"/></SignalConnection>
      <SignalConnection><Signal function="twice" name="in[1]"/><Variable simulator="prey" name="x"/></SignalConnection>
      <SignalConnection><Signal function="twice" name="out"/><Variable simulator="predator" name="x"/></SignalConnection>
    </Connections></OspSystemStructure>"#;
    let begin = &OSP[..OSP.find("<Functions>").unwrap()];
    case.write("OspSystemStructure.xml", &format!("{begin}{sum}"));
    let group = |name: &str| {
        format!(
            "<OspModelDescription xmlns='http://opensimulationplatform.com/MSMI/OSPModelDescription' version='0.1'><VariableGroups>\
             <Generic name='{name}'><Variable ref='y'/></Generic></VariableGroups></OspModelDescription>"
        )
    };
    for model in ["prey", "predator"] {
        case.write(&format!("{model}_OspModelDescription.xml"), &group("hunters"));
    }
    case.write("sum.toml", &SYSTEM.replace("{ from = 'prey.x', factor = 0.5, offset = 0.25 }", "['prey.x', 'prey.x']"));
    assert_eq!(rows(&case, "OspSystemStructure.xml"), rows(&case, "sum.toml"));
    case.write("prey_OspModelDescription.xml", &group("hunter"));
    let problem = "OspSystemStructure.xml:13:70: simulator `prey` has no group of variables `hunters`; did you mean `hunter`?";
    case.lotka(&["check", "OspSystemStructure.xml"]).assert(10, &[problem]);
}

#[test]
fn a_multi_model_has_the_rows_of_the_system_file() {
    let case = case();
    case.write("plain.toml", &SYSTEM.replace("{ from = 'prey.x', factor = 0.5, offset = 0.25 }", "'prey.x'"));
    let expected = rows(&case, "plain.toml");
    case.write("mm.json", MULTI_MODEL);
    case.write("coe.json", CONFIGURATION);
    let ended = case.lotka(&["run", "mm.json"]);
    assert_eq!(ended.assert(0, &["the configuration of the simulation is coe.json"]).stdout, expected);
    let named = CONFIGURATION.replace("{ ", "{ \"multimodel_path\": \"models/mm.json\", ");
    case.write("other.json", &named);
    assert_eq!(rows(&case, "other.json"), expected, "by its name");
    let whole = format!("{},{}", MULTI_MODEL.trim_end_matches('}').trim_end(), CONFIGURATION.trim_start_matches('{'));
    case.write("whole.json", &whole.replace(": 5", ": \"5\""));
    std::fs::remove_file(case.path("coe.json")).unwrap();
    let ended = case.lotka(&["run", "whole.json"]);
    assert_eq!(ended.assert(0, &[]).stdout, expected);
    assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
    for to in ["a.toml", "b.ssd", "c.ssp"] {
        case.lotka(&["convert", "whole.json", to]).assert(0, &[]);
        assert_eq!(rows(&case, to), expected, "{to}");
    }
    case.lotka(&["graph", "whole.json"]).assert(0, &[]);
    case.lotka(&["inspect", "whole.json"]).assert(0, &[]);
    case.lotka(&["run", "mm.json"]).assert(10, &["missing stop time"]);
    for arguments in
        [&["check", "mm.json"][..], &["inspect", "mm.json"], &["inspect", "--coupling", "mm.json"], &["graph", "mm.json"]]
    {
        let ended = case.lotka(arguments);
        let text = format!("{}{}", ended.assert(0, &[]).stdout, ended.stderr);
        assert!(text.contains("missing stop time, which a run needs"), "{arguments:?}: {text}");
    }
}

#[test]
fn nothing_that_a_description_is_read_from_is_written_over() {
    let case = case();
    case.write("mm.json", MULTI_MODEL);
    case.write("coe.json", CONFIGURATION);
    case.write("OspSystemStructure.xml", OSP);
    let groups = "<OspModelDescription xmlns='http://opensimulationplatform.com/MSMI/OSPModelDescription' version='0.1'/>";
    case.write("prey_OspModelDescription.xml", groups);
    let values = "<ssv:ParameterSet xmlns:ssv='http://ssp-standard.org/SSP1/SystemStructureParameterValues' version='1.0' name='v'>\
                  <ssv:Parameters/></ssv:ParameterSet>";
    case.write("values.ssv", values);
    let inner = "<ssd:SystemStructureDescription xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription' version='1.0' name='s'>\
                 <ssd:System name='s'><ssd:Elements><ssd:Component name='prey' source='prey.fmu'/></ssd:Elements></ssd:System>\
                 <ssd:DefaultExperiment stopTime='1'/></ssd:SystemStructureDescription>";
    case.write("inner.ssd", inner);
    let bound = "source='inner.ssd'><ssd:ParameterBindings><ssd:ParameterBinding source='values.ssv'/></ssd:ParameterBindings></ssd:Component>";
    case.write("outer.ssd", &inner.replace("source='prey.fmu'/>", bound));
    for (system, file) in [
        ("mm.json", "coe.json"),
        ("OspSystemStructure.xml", "prey_OspModelDescription.xml"),
        ("outer.ssd", "values.ssv"),
        ("outer.ssd", "inner.ssd"),
    ] {
        let before = case.read(file);
        case.lotka(&["check", system]).assert(0, &[]);
        case.lotka(&["run", system, "--manifest", file]).assert(2, &[file, "the system reads it"]);
        assert_eq!(case.read(file), before);
    }
}

#[test]
fn files_that_are_no_systems_are_named_for_what_they_are() {
    let case = case();
    case.lotka(&["run", "system.toml", "--output-file", "rows.parquet"]).assert(0, &[]);
    case.write("values.ssv", "<ParameterSet/>");
    case.write("settings.json", "{ \"a\": 1 }");
    case.write("pom.xml", "<project/>");
    for (file, what) in [
        ("rows.parquet", "expected a system description, found a Parquet file"),
        ("values.ssv", "expected a system description, found a parameter set of SSP"),
        ("settings.json", "expected a system description, found JSON that is not a multi-model"),
        ("pom.xml", "expected a system description, found XML of another kind"),
    ] {
        case.lotka(&["run", file]).assert(10, &[&format!("{file}: {what}"), "[not-a-system]"]);
    }
}

/// The crate that reads Parquet panics where the place of a column is damaged.
#[test]
fn a_damaged_parquet_file_is_an_error_and_no_crash() {
    let case = case();
    case.lotka(&["run", "system.toml", "--output-file", "rows.csv"]).assert(0, &[]);
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds/results");
    std::fs::copy(format!("{seeds}/damaged.parquet"), case.path("damaged.parquet")).unwrap();
    let ended = case.lotka(&["compare", "damaged.parquet", "rows.csv"]);
    ended.assert(10, &["damaged.parquet: cannot read the Parquet file: Parquet error: it is damaged", "[table-format]"]);
    assert!(!ended.stderr.contains("internal error"), "{}", ended.stderr);
}

/// OMSimulator refuses a description with annotations at its root, a system without `SimulationInformation` of its own, names
/// that are no identifiers and values of enumerations that are names.
#[test]
fn what_is_written_has_what_omsimulator_needs_where_it_looks_for_it() {
    let case = case();
    let variable = SYSTEM
        .replace("step = 0.1", "local-tolerance = 1e-5\nmax-step = 0.5")
        .replace("[algorithm]\n", "[algorithm]\nestimator = 'predictor-corrector'\n");
    case.write("my-variable.toml", &variable);
    let steps = |step: &str, tolerance: &str| {
        [
            format!("name=\"oms_ma_default\" method=\"oms_ma\" fixedStepSize=\"{step}\" relativeTolerance=\"{tolerance}\""),
            format!("<oms:FixedStepMaster description=\"oms-ma\" stepSize=\"{step}\" relativeTolerance=\"{tolerance}\"/>"),
        ]
    };
    let warning = "other tools do not support `local-tolerance`: they use fixed steps of 0.0005 s";
    for (from, name, steps, said) in [
        ("system.toml", "system", steps("0.1", "0.0001"), ""),
        ("my-variable.toml", "my_variable", steps("0.0005", "0.00001"), warning),
    ] {
        let to = from.replace(".toml", ".ssd");
        case.lotka(&["convert", from, &to]).assert(0, &[said]);
        let text = case.read(&to);
        assert!(text.contains(&format!("version=\"1.0\" name=\"{name}\"")), "{text}");
        let (system, behind) = text.split_once("</ssd:System>").unwrap();
        assert!(steps.iter().all(|steps| system.contains(steps.as_str())), "{system}");
        assert!(system.contains("<ssc:Annotation type=\"lotka\">"), "{system}");
        let first = system.split("<ssc:Annotation type=\"").nth(1).unwrap();
        assert!(first.starts_with("org.openmodelica"), "it looks at the first one only: {first}");
        let root: Vec<_> = behind.lines().filter(|line| line.starts_with("  <ssd:")).collect();
        assert!(root.iter().all(|line| !line.contains("Annotations")), "{root:?}");
        assert_eq!(case.lotka(&["run", &to]).assert(0, &[]).stdout, case.lotka(&["run", from]).assert(0, &[]).stdout);
    }
    case.write("named.toml", &SYSTEM.replace("prey", "the-prey").replace("the-prey.fmu", "prey.fmu"));
    case.lotka(&["convert", "named.toml", "named.ssd"]).assert(0, &["OMSimulator refuses the instance name `the-prey`"]);
}

/// A control of the local error makes the same steps whatever rows are wanted; each multiple of the smallest distance has the
/// first step at or after it.
#[test]
fn rows_at_a_smallest_distance_do_not_change_the_steps() {
    let case = case();
    let with = |setting: &str| SYSTEM.replace("step = 0.1", &format!("local-tolerance = 1e-4\n{setting}"));
    case.write("all.toml", &with(""));
    case.write("some.toml", &with("min-output-interval = 0.5"));
    let rows = |name: &str| -> Vec<String> { rows(&case, name).lines().skip(1).map(str::to_owned).collect() };
    let (all, some) = (rows("all.toml"), rows("some.toml"));
    let time = |row: &String| row.split(',').next().unwrap().parse::<f64>().unwrap();
    let expected: Vec<_> =
        (0..=10).map(|n| all.iter().find(|row| time(row) >= 0.5 * f64::from(n) - 1e-9).unwrap().clone()).collect();
    let mut distinct = expected.clone();
    distinct.dedup();
    assert_eq!(some, distinct);
    assert!(some.len() < all.len(), "{} of {}", some.len(), all.len());
    case.write("both.toml", &with("min-output-interval = 0.5\noutput-interval = 1.0"));
    case.lotka(&["check", "both.toml"]).assert(10, &["`output-interval` and `min-output-interval` exclude each other"]);
    case.write("fixed.toml", &SYSTEM.replace("step = 0.1", "step = 0.1\nmin-output-interval = 0.25"));
    let times: Vec<_> = case
        .lotka(&["run", "fixed.toml"])
        .assert(0, &[])
        .stdout
        .lines()
        .skip(1)
        .take(5)
        .map(|row| row.split(',').next().unwrap().to_owned())
        .collect();
    assert_eq!(times, ["0.0", "0.30000000000000004", "0.5", "0.8", "1.0"]);
}

#[test]
fn many_values_without_a_variable_are_one_warning() {
    let space = |name: &str| format!("http://ssp-standard.org/SSP1/SystemStructure{name}");
    let case = Case::new("", [Hostile::new("a")]);
    for (count, lines) in [(3, 3), (200, 1)] {
        let values: String =
            (0..count).map(|n| format!("<Parameter name='unknown{n}'><Real value='1'/></Parameter>\n")).collect();
        case.write(
            "p.ssv",
            &format!(
                "<ParameterSet xmlns='{}' version='1.0' name='p'><Parameters>\n{values}<Parameter name='k'><Real value='2'/></Parameter></Parameters></ParameterSet>",
                space("ParameterValues")
            ),
        );
        case.write(
            "system.ssd",
            &format!(
                "<SystemStructureDescription version='1.0' name='s' xmlns='{}'><System name='s'><Elements>\
                 <Component name='a' source='a.fmu'><ParameterBindings><ParameterBinding source='p.ssv'/></ParameterBindings></Component>\
                 </Elements></System><DefaultExperiment startTime='0' stopTime='1'/></SystemStructureDescription>",
                space("Description")
            ),
        );
        let ended = case.lotka(&["check", "system.ssd"]);
        let warnings: Vec<_> =
            ended.assert(0, &["`unknown0`"]).stderr.lines().filter(|line| line.contains("[ignored-value]")).collect();
        assert_eq!(warnings.len(), lines, "{warnings:?}");
        assert_eq!(warnings[0].contains("199 other values are ignored, too"), count == 200, "{warnings:?}");
    }
}
