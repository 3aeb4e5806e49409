//! Systems of FMUs of FMI 3.0 through every verb and format.

use std::fs::{self, File};
use std::io::Write;

use super::support::Case;
use tests::hostile::Hostile;
use zip::{ZipWriter, write::SimpleFileOptions};

/// 2^53 + 1, which no floating-point number holds.
const EXACT: &str = "9007199254740993";

/// Prey and predator, in the folders `2` and `3` for both versions of FMI.
fn of_both_versions() -> Case {
    let case = Case::new("", []);
    for (folder, of) in [("2", ""), ("3", "fmi3/")] {
        fs::create_dir(case.path(folder)).unwrap();
        for name in ["prey", "predator"] {
            fs::copy(tests::packed(&format!("{of}{name}")), case.path(&format!("{folder}/{name}.fmu"))).unwrap();
        }
    }
    case
}

#[test]
fn a_draft_of_fmus_of_fmi_3_is_checked_drawn_and_runs_like_that_of_fmi_2() {
    let case = of_both_versions();
    let of = |version: &str| {
        let [prey, predator, system] = ["prey.fmu", "predator.fmu", "system.toml"].map(|file| format!("{version}/{file}"));
        case.lotka(&["inspect", &prey]).assert(0, &[]);
        assert!(case.lotka(&["inspect", &prey]).stdout.contains(&format!("FMI          {version}.0, co-simulation")));
        case.lotka(&["new", &prey, &predator, "--output-file", &system])
            .assert(0, &[&format!("{system}: 2 instances, 2 inputs connected, 0 left")]);
        assert_eq!(case.lotka(&["check", &system]).assert(0, &[]).stdout.trim(), format!("{system}: no problems"));
        let drawn = case.lotka(&["graph", &system, "--format", "dot"]).assert(0, &[]).stdout.clone();
        let seen = case.lotka(&["inspect", &system]).assert(0, &[]).stdout.clone();
        // Held inputs, because polynomials reach an FMU in other ways in both versions, with other roundings.
        case.write(&system, &(case.read(&system) + "[algorithm]\ninput-degree = 0\n"));
        let rows = case.lotka(&["run", &system, "--step-size", "0.1"]).assert(0, &[]).stdout.clone();
        (case.read(&system), drawn, seen.replace(&system, ""), rows)
    };
    let (of_2, of_3) = (of("2"), of("3"));
    assert_eq!(of_3, of_2);
    assert!(of_3.1.contains("n1:o0 -> n0:i0") && of_3.3.lines().count() > 1000, "{of_3:?}");
}

#[test]
fn a_system_of_fmi_3_is_the_same_in_every_format() {
    let system = format!(
        "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = {{ fmu = 'a.fmu', start = {{ level = {EXACT}, label = 'first' }} }}\n\
         b = {{ fmu = 'b.fmu', start = {{ x0 = 3.0 }} }}\n[connections]\n'b.u' = {{ from = 'a.pair[2]', factor = 0.5 }}\n'a.u' = 'b.y'\n"
    );
    let case = Case::new(&system, ["a", "b"].map(Hostile::fmi3));
    let rows = case.lotka(&["run", "system.toml"]).assert(0, &[]).stdout.clone();
    let header = rows.lines().next().unwrap();
    assert!(header.contains("a.pair[2],") && header.contains("a.blob"), "{header}");
    for (from, to) in [("system.toml", "a.ssp"), ("a.ssp", "b.ssd"), ("b.ssd", "c.toml"), ("c.toml", "d.ssp")] {
        let ended = case.lotka(&["convert", from, to]);
        ended.assert(0, &[]);
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "{from} to {to}");
        assert_eq!(case.lotka(&["run", to]).assert(0, &[]).stdout, rows, "{to}");
    }
    assert!(case.read("b.ssd").contains(&format!("<ssv:Integer value=\"{EXACT}\"/>")), "{}", case.read("b.ssd"));
    assert!(case.read("c.toml").contains(&format!("level = {EXACT}")), "{}", case.read("c.toml"));
}

/// A rod of ten nodes as a component of SSP 2.0, with these parameters.
fn rod(parameters: &str) -> Case {
    let case = Case::new("", []);
    fs::copy(tests::packed("fmi3/heat_rod"), case.path("heat_rod.fmu")).unwrap();
    let space = |name: &str| format!("http://ssp-standard.org/SSP1/SystemStructure{name}");
    let text = format!(
        "<SystemStructureDescription version='2.0' name='rod' xmlns='{}' xmlns:c='{}' xmlns:v='{}'><System name='s'><Elements>\n\
         <Component name='rod' source='heat_rod.fmu'><Connectors><Connector name='T' kind='output'><c:Float64/><c:Dimension size='10'/></Connector>\n\
         </Connectors><ParameterBindings><ParameterBinding><ParameterValues><v:ParameterSet version='2.0' name='p'><v:Parameters>\n\
         {parameters}</v:Parameters></v:ParameterSet></ParameterValues></ParameterBinding></ParameterBindings></Component></Elements></System>\n\
         <DefaultExperiment startTime='0' stopTime='0.1'/></SystemStructureDescription>",
        space("Description"),
        space("Common"),
        space("ParameterValues"),
    );
    case.write("rod.ssd", &text);
    case
}

#[test]
fn an_array_of_start_values_in_ssp_reaches_its_fmu() {
    let case = rod(
        "<v:Parameter name='T'><v:Float64 value='1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5'/><c:Dimension size='10'/></v:Parameter>",
    );
    let rows = case.lotka(&["run", "rod.ssd", "--step-size", "0.1"]).assert(0, &[]).stdout.clone();
    let first = rows.lines().nth(1).unwrap();
    assert!(first.starts_with("0.0,1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,6.0,"), "{first}: 6.0 is the mean");
    case.lotka(&["convert", "rod.ssd", "rod.toml"]).assert(0, &[]);
    assert_eq!(case.lotka(&["run", "rod.toml", "--step-size", "0.1"]).assert(0, &[]).stdout, rows);
}

#[test]
fn what_is_wrong_in_a_description_of_ssp_is_not_lost_when_it_is_converted() {
    let case = rod("<v:Parameter name='T'><v:Float64 value='1 2'/><c:Dimension size='10'/></v:Parameter>");
    let expected = "rod.ssd:4:23: the value of `T` has the wrong size: expected 10 elements, found 2";
    for to in ["rod.toml", "rod.ssp", "copy.ssd"] {
        case.lotka(&["convert", "rod.ssd", to]).assert(10, &[expected]);
        assert!(!case.path(to).exists(), "{to}");
    }
    let clock = rod("<v:Parameter name='tick'><v:Clock value='1'/></v:Parameter>");
    clock
        .lotka(&["convert", "rod.ssd", "rod.toml"])
        .assert(0, &["warning: rod.ssd:4:26: the value of `tick` has the unsupported type Clock: Lotka ignores it"]);
}

/// An FMU with a description only: inputs and outputs that are an array of two by two, bytes and an integer of 64 bits without
/// sign.
fn write_description(case: &Case, file: &str) {
    let variables: String = [("u", "input", 0), ("y", "output", 3)]
        .map(|(name, causality, first)| {
            let start = |start: &str| if causality == "input" { start.to_owned() } else { String::new() };
            let [array, bytes, large] = [0, 1, 2].map(|n| format!("valueReference='{}' causality='{causality}'", first + n));
            format!(
                "<Float64 name='{name}' {array} {}><Dimension start='2'/><Dimension start='2'/></Float64>\
                 <Binary name='{name}_bytes' {bytes} variability='discrete'>{}</Binary>\
                 <UInt64 name='{name}_large' {large} variability='discrete' {}/>",
                start("start='0 0 0 0'"),
                start("<Start value='00'/>"),
                start("start='0'"),
            )
        })
        .concat();
    let outputs: String = (3..6).map(|n| format!("<Output valueReference='{n}'/>")).collect();
    let unknowns: String = (3..6).map(|n| format!("<InitialUnknown valueReference='{n}'/>")).collect();
    let text = format!(
        "<fmiModelDescription fmiVersion='3.0' modelName='m' instantiationToken='t'><CoSimulation modelIdentifier='m'/>\
         <ModelVariables>{variables}</ModelVariables><ModelStructure>{outputs}{unknowns}</ModelStructure></fmiModelDescription>"
    );
    let mut archive = ZipWriter::new(File::create(case.path(file)).unwrap());
    archive.start_file("modelDescription.xml", SimpleFileOptions::default()).unwrap();
    archive.write_all(text.as_bytes()).unwrap();
    archive.finish().unwrap();
}

#[test]
fn arrays_bytes_and_large_integers_stay_in_ssp() {
    let case = Case::new(
        "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = 'm.fmu', start = { u_bytes = 'FF00', u_large = '18446744073709551615', 'u[2,1]' = 2.5 } }\n\
         b = 'm.fmu'\n[connections]\n'b.u' = 'a.y'\n'b.u_bytes' = 'a.y_bytes'\n'b.u_large' = 'a.y_large'\n",
        [],
    );
    write_description(&case, "m.fmu");
    case.lotka(&["convert", "system.toml", "a.ssd"]).assert(0, &[]);
    let description = case.read("a.ssd").lines().map(str::trim).collect::<String>();
    // Other tools find every end of a connection among the connectors.
    for (row, column) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let ends = format!("startConnector=\"y[{row},{column}]\" endElement=\"b\" endConnector=\"u[{row},{column}]\"");
        let connector = format!("<ssd:Connector name=\"u[{row},{column}]\" kind=\"input\"><ssc:Real/>");
        assert!(description.contains(&ends) && description.contains(&connector), "{description}");
    }
    for (from, to) in [("a.ssd", "b.toml"), ("b.toml", "c.ssd"), ("c.ssd", "d.toml")] {
        let ended = case.lotka(&["convert", from, to]);
        ended.assert(0, &[]);
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""), "{from} to {to}");
    }
    assert_eq!(case.read("c.ssd").replace("\"c\"", "\"a\""), case.read("a.ssd"));
    let text = case.read("d.toml");
    for part in [
        r#"u_bytes = "FF00""#,
        r#"u_large = "18446744073709551615""#,
        r#""u[2,1]" = 2.5"#,
        r#""b.u[2,1]" = "a.y[2,1]""#,
        r#""b.u_bytes" = "a.y_bytes""#,
        r#""b.u_large" = "a.y_large""#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
