//! Descriptions converted to system files.

mod limits;
mod names;
mod steps;
mod values;

use std::{fs, path::Path};

use super::*;
use crate::toml;
use lotka_message::Findings;

const BEGIN: &str = r#"<SystemStructureDescription version="1.0" name="test"
  xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:c="http://ssp-standard.org/SSP1/SystemStructureCommon"
  xmlns:v="http://ssp-standard.org/SSP1/SystemStructureParameterValues" xmlns:m="http://ssp-standard.org/SSP1/SystemStructureParameterMapping">"#;

/// Reads a description from a folder with these files.
fn read_with(text: &str, files: &[(&str, &str)]) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let path = folder.path().join("test.ssd");
    fs::write(&path, text).unwrap();
    let shown = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    match read(&path) {
        Ok(crate::Read { description, findings, .. }) => {
            let problems = lines(findings, &description);
            (shown(toml::write(&description)), problems.into_iter().map(shown).collect())
        }
        Err(error) => (String::new(), error.to_string().lines().map(|line| shown(line.to_owned())).collect()),
    }
}

fn lines(findings: Findings, description: &crate::SystemDescription) -> Vec<String> {
    let problems = findings.problems(description.file.as_ref());
    problems.list.iter().map(|problem| problems.line(problem)).collect()
}

/// The system file of a description without problems, from the instances on.
fn read_text(body: &str) -> String {
    let (text, problems) = read_with(&format!("{BEGIN}{body}</SystemStructureDescription>"), &[]);
    assert_eq!(problems, [""; 0]);
    text[text.find("[instances]").unwrap()..].to_owned()
}

/// The problems of a description.
fn problems(body: &str) -> Vec<String> {
    read_with(&format!("{BEGIN}\n{body}</SystemStructureDescription>"), &[]).1
}

/// A component with an input `u`, an output `y` and a parameter `k` with these units.
fn component(name: &str, input: &str, output: &str) -> String {
    let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" unit='{unit}'") };
    format!(
        "<Component name='{name}' source='{name}.fmu'><Connectors>
         <Connector name='u' kind='input'><c:Real{}/></Connector><Connector name='y' kind='output'><c:Real{}/></Connector>
         <Connector name='k' kind='parameter'/></Connectors></Component>",
        unit(input),
        unit(output)
    )
}

const UNITS: &str =
    "<Units><c:Unit name='K'><c:BaseUnit K='1'/></c:Unit><c:Unit name='degC'><c:BaseUnit K='1' offset='273.15'/></c:Unit>
  <c:Unit name='m'><c:BaseUnit m='1'/></c:Unit><c:Unit name='odd'/></Units>";

const TO_B: &str = "startElement='a' startConnector='y' endElement='b' endConnector='u'";

fn two(units: [&str; 2], connection: &str) -> String {
    let (a, b) = (component("a", "", units[0]), component("b", units[1], ""));
    format!("<System name='s'><Elements>{a}{b}</Elements><Connections>{connection}</Connections></System>")
}

/// A binding with values in the file itself.
fn binding(prefix: &str, values: &[(&str, &str)], mapping: &str) -> String {
    let parameters: String =
        values.iter().map(|(name, value)| format!("<v:Parameter name='{name}'>{value}</v:Parameter>")).collect();
    format!(
        "<ParameterBindings><ParameterBinding prefix='{prefix}'><ParameterValues><v:ParameterSet version='1.0' name='p'>
         <v:Parameters>{parameters}</v:Parameters></v:ParameterSet></ParameterValues>{mapping}</ParameterBinding></ParameterBindings>"
    )
}

fn real(value: f64) -> String {
    format!("<v:Real value='{value}'/>")
}

#[test]
fn names_are_distinguished_by_their_namespace_whatever_the_prefix() {
    let text =
        "<q:SystemStructureDescription xmlns:q='http://ssp-standard.org/SSP1/SystemStructureDescription' version='1.0' name='x'>
      <q:System name='s'><q:Elements><q:Component name='a' source='a.fmu'/></q:Elements></q:System>
      <q:DefaultExperiment startTime='1' stopTime='2.5'/></q:SystemStructureDescription>";
    let (text, problems) = read_with(text, &[]);
    assert_eq!(text, "[experiment]\nstart = 1.0\nstop = 2.5\ntolerance = 1e-6\n\n[instances]\na = \"a.fmu\"\n");
    assert_eq!(problems, [""; 0]);
    let other = "<SystemStructureDescription xmlns='http://example.org' version='1.0' name='x'><System name='s'/></SystemStructureDescription>";
    let expected = "test.ssd:1:1: expected the root element <SystemStructureDescription> of SSP, found \
                    <SystemStructureDescription> in the namespace \"http://example.org\"; use the namespace \
                    http://ssp-standard.org/SSP1/SystemStructureDescription, with any prefix";
    assert_eq!(read_with(other, &[]).1, [expected]);
}

#[test]
fn exponents_of_units_are_whole_numbers() {
    let unit = |exponent: &str| {
        problems(&format!(
            "<System name='s'/><Units><c:Unit name='x'><c:BaseUnit m='2' kg='{exponent}' s='-2'/></c:Unit></Units>"
        ))
    };
    for exponent in ["0.5", "-1.5", "1e7", "-1000000.5"] {
        let found = unit(exponent);
        let number: f64 = exponent.parse().unwrap();
        assert!(
            matches!(&found[..], [problem] if problem.contains(&format!("expected a whole number for the exponent of kg, found {number}"))),
            "{found:?}"
        );
    }
    assert!(unit("half").iter().any(|problem| problem.contains("half")));
    for exponent in ["1", "-3", "2.0", "0"] {
        assert!(!unit(exponent).iter().any(|problem| problem.contains("exponent")), "{exponent}");
    }
}

#[test]
fn versions_1_and_2_are_read_alike() {
    let two = "<SystemStructureDescription version='2.0' name='x' xmlns='http://ssp-standard.org/SSP1/SystemStructureDescription'
      xmlns:c='http://ssp-standard.org/SSP1/SystemStructureCommon'><System name='s'><Elements>
      <Component name='a' source='a.fmu'><Connectors><Connector name='y' kind='output'><c:Float64/></Connector></Connectors><MetaData/></Component>
      <Component name='b' source='b.fmu'><Connectors><Connector name='u' kind='input'><c:Float64/></Connector></Connectors></Component>
      </Elements><Connections><Connection startElement='a' startConnector='y' endElement='b' endConnector='u'/></Connections></System>
      </SystemStructureDescription>";
    let (text, problems) = read_with(two, &[]);
    assert!(text.ends_with("[connections]\n\"b.u\" = \"a.y\"\n"), "{text}");
    assert_eq!(problems, [""; 0]);
}

#[test]
fn direction_follows_from_the_kinds_of_connectors() {
    let forward = read_text(&two(["", ""], &format!("<Connection {TO_B}/>")));
    let backward = "<Connection startElement='b' startConnector='u' endElement='a' endConnector='y'/>";
    assert_eq!(read_text(&two(["", ""], backward)), forward);
    assert_eq!(forward, "[instances]\na = \"a.fmu\"\nb = \"b.fmu\"\n\n[connections]\n\"b.u\" = \"a.y\"\n");
    let wrong = "<Connection startElement='a' startConnector='u' endElement='b' endConnector='u'/>";
    let found = problems(&two(["", ""], wrong));
    assert!(
        found[0].ends_with("`a.u` and `b.u` are connected, but both receive values; check the kinds of the connectors"),
        "{found:?}"
    );
    let double = format!("<Connection {TO_B}/><Connection startElement='b' startConnector='y' endElement='b' endConnector='u'/>");
    let found = problems(&two(["", ""], &double));
    assert!(found[0].ends_with("`b.u` is connected to two sources; remove one of the connections"), "{found:?}");
    let nobody = "<Connection startElement='aa' startConnector='y' endElement='b' endConnector='u'/>";
    let found = problems(&two(["", ""], nobody));
    assert!(found[0].ends_with("unknown element `aa` in the system; did you mean `a`?"), "{found:?}");
}

#[test]
fn nested_systems_are_seen_through() {
    let inner = |name: &str, inside: &str, connections: &str| {
        format!(
            "<System name='{name}'><Connectors><Connector name='in' kind='input'/><Connector name='out' kind='output'/></Connectors>
             <Elements>{inside}</Elements><Connections>{connections}</Connections></System>"
        )
    };
    let through = |element: &str, input: &str, output: &str| {
        format!(
            "<Connection startConnector='in' endElement='{element}' endConnector='{input}'/>
             <Connection startElement='{element}' startConnector='{output}' endConnector='out'/>"
        )
    };
    let deep = inner("deep", &component("b.c", "", ""), &through("b.c", "u", "y"));
    let outer = inner("outer", &deep, &through("deep", "in", "out"));
    let root = format!(
        "<System name='root'><Elements>{}{outer}</Elements><Connections>
         <Connection startElement='a' startConnector='y' endElement='outer' endConnector='in'/>
         <Connection startElement='outer' startConnector='out' endElement='a' endConnector='u'/></Connections></System>",
        component("a", "", "")
    );
    let expected = "[instances]\na = \"a.fmu\"\n\"outer/deep/b_c\" = \"b.c.fmu\"\n\n\
                    [connections]\n\"outer/deep/b_c.u\" = \"a.y\"\n\"a.u\" = \"outer/deep/b_c.y\"\n";
    assert_eq!(read_text(&root), expected);
}

#[test]
fn a_value_that_passes_a_system_without_coming_from_an_output_is_no_connection() {
    let root = format!(
        "<System name='root'><Connectors><Connector name='in' kind='input'/></Connectors><Elements>{}</Elements><Connections>
         <Connection startConnector='in' endElement='a' endConnector='u'/></Connections></System>",
        component("a", "", "")
    );
    assert_eq!(read_text(&root), "[instances]\na = \"a.fmu\"\n");
}

#[test]
fn transformations_act_after_the_conversion_of_units() {
    let linear = "<c:LinearTransformation factor='2' offset='-1'/>";
    let source = |units: [&str; 2], attributes: &str, content: &str| {
        let connection = format!("<Connection {TO_B} {attributes}>{content}</Connection>");
        let text = read_text(&format!("{}{UNITS}", two(units, &connection)).replace("<c:Unit name='odd'/>", ""));
        text.lines().find_map(|line| line.strip_prefix("\"b.u\" = ")).unwrap().to_owned()
    };
    assert_eq!(source(["", ""], "", linear), "{ from = \"a.y\", factor = 2.0, offset = -1.0 }");
    assert_eq!(source(["K", "K"], "", ""), "\"a.y\"");
    let converted = source(["degC", "K"], "", linear);
    assert_eq!(
        converted, "{ from = \"a.y\", factor = 2.0, offset = 545.3, from-unit = \"degC\", to-unit = \"K\" }",
        "2 (y + 273.15) - 1"
    );
    assert_eq!(
        source(["degC", "K"], "suppressUnitConversion='true'", linear),
        "{ from = \"a.y\", factor = 2.0, offset = -1.0, convert-units = false }"
    );
    assert_eq!(source(["", "K"], "", linear), "{ from = \"a.y\", factor = 2.0, offset = -1.0 }", "the unit of the input");
    assert_eq!(
        source(["K", ""], "", linear),
        "{ from = \"a.y\", factor = 2.0, offset = -1.0 }",
        "the FMU of the input knows its unit"
    );
}

#[test]
fn units_that_do_not_fit_are_an_error_and_undefined_ones_a_warning() {
    let body = |units: [&str; 2]| format!("{}{UNITS}", two(units, &format!("<Connection {TO_B}/>")));
    let wrong = problems(&body(["K", "m"]));
    assert!(
        wrong
            .iter()
            .any(|line| line.contains("the units of the connection to `b.u` differ: `K` does not convert to `m`; correct a unit")),
        "{wrong:?}"
    );
    let odd = problems(&body(["odd", "m"]));
    let expected =
        ["warning: the unit `odd` has no base unit: values in it are not converted", "Lotka treats values in `odd` as `m`"];
    assert!(expected.iter().all(|part| odd.iter().any(|line| line.contains(part))), "{odd:?}");
}

#[test]
fn transformations_add_up_on_the_way() {
    let inner = format!(
        "<System name='sub'><Connectors><Connector name='in' kind='input'><c:Real unit='degC'/></Connector></Connectors>
         <Elements>{}</Elements><Connections><Connection startConnector='in' endElement='b' endConnector='u'>
         <c:LinearTransformation offset='5'/></Connection></Connections></System>",
        component("b", "K", "")
    );
    let body = format!(
        "<System name='root'><Elements>{}{inner}</Elements><Connections>
         <Connection startElement='a' startConnector='y' endElement='sub' endConnector='in'><c:LinearTransformation factor='3'/></Connection>
         </Connections></System>{UNITS}",
        component("a", "", "K")
    );
    let text = read_text(&body.replace("<c:Unit name='odd'/>", ""));
    // y K = y - 273.15 degC, times 3, in K again, and 5 more.
    let factor_and_offset = "factor = 3.0, offset = -541.3";
    assert!(text.contains(&format!("\"sub/b.u\" = {{ from = \"a.y\", {factor_and_offset} }}")), "{text}");
}

#[test]
fn maps_are_kept_and_joined() {
    let map = |kind: &str, entries: &str| {
        format!("<Connection {TO_B}><c:{kind}MappingTransformation>{entries}</c:{kind}MappingTransformation></Connection>")
    };
    let entry = |from: &str, to: &str| format!("<c:MapEntry source='{from}' target='{to}'/>");
    let source = |connection: String| {
        let text = read_text(&two(["", ""], &connection));
        text.lines().find_map(|line| line.strip_prefix("\"b.u\" = ")).unwrap().to_owned()
    };
    let expected = "{ from = \"a.y\", map = { 1 = 5, -2 = 0 } }";
    assert_eq!(source(map("Integer", &format!("{}{}", entry("1", "5"), entry("-2", "0")))), expected);
    assert_eq!(source(map("Boolean", &entry("1", "false"))), "{ from = \"a.y\", map = { true = false } }");
    assert_eq!(source(map("Enumeration", &entry("off", "stand by"))), "{ from = \"a.y\", map = { off = \"stand by\" } }");
    let found = problems(&two(["", ""], &map("Integer", &entry("on", "1"))));
    assert!(found[0].contains("the entry `on` to `1` does not match the type of the map"), "{found:?}");
}

#[test]
fn systems_in_files_of_their_own_take_the_place_of_components() {
    let other = format!(
        "{BEGIN}<System name='whatever'>{}<Connectors><Connector name='in' kind='input'/></Connectors><Elements>{}</Elements>
         <Connections><Connection startConnector='in' endElement='b' endConnector='u'/></Connections></System></SystemStructureDescription>",
        binding("", &[("b.k", &real(1.0))], ""),
        component("b", "", "")
    );
    let part = format!(
        "<Component name='part' source='other.ssd' type='application/x-ssp-definition'>{}</Component>",
        binding("", &[("b.k", &real(2.0))], "")
    );
    let text = format!(
        "{BEGIN}<System name='s'><Elements>{}{part}</Elements><Connections>
         <Connection startElement='a' startConnector='y' endElement='part' endConnector='in'/></Connections></System></SystemStructureDescription>",
        component("a", "", "")
    );
    let (text, problems) = read_with(&text, &[("other.ssd", &other)]);
    assert_eq!(problems, [""; 0]);
    let expected = "[instances]\na = \"a.fmu\"\n\"part/b\" = { fmu = \"b.fmu\", start = { k = 2.0 } }\n\n[connections]\n\"part/b.u\" = \"a.y\"\n";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_system_that_contains_itself_is_refused() {
    let body = "<System name='s' id='all'><Elements><Component name='again' source='#all'/></Elements></System>";
    let found = problems(body);
    assert!(found[0].contains("the component `again` is a system that contains it"), "{found:?}");
}

#[test]
fn a_system_of_the_same_file_is_used_twice() {
    let one = format!("<System name='one' id='x'><Elements>{}</Elements></System>", component("a", "", ""));
    let text = read_text(&format!("<System name='s'><Elements>{one}<Component name='two' source='#x'/></Elements></System>"));
    assert_eq!(text, "[instances]\n\"one/a\" = \"a.fmu\"\n\"two/a\" = \"a.fmu\"\n");
}

#[test]
fn what_cannot_be_run_is_refused_and_what_is_unknown_is_reported_with_its_line() {
    let body = "<System name='s'><Elements>\n<Component name='a'/>\n<Component name='b' source='b.fmu' implementation='ModelExchange'/>\n\
                <Component name='c' source='c.mo' type='text/x-modelica'/>\n<Component name='d' source='https://x.org/d.fmu'/>\n\
                <Wheel/></Elements><Spring/></System>\n<Annotations><c:Annotation type='org.example'/></Annotations>";
    let expected = [
        "test.ssd:5:18: the component `a` has no implementation; name its FMU as `source`",
        "test.ssd:6:18: the component `b` requires ModelExchange; export its FMU for co-simulation",
        "test.ssd:7:18: the component `c` is of the type `text/x-modelica`; use an FMU or an SSP system",
        "test.ssd:8:29: `https://x.org/d.fmu` cannot be the source of `d`: only local files are supported; use a path relative \
         to the description",
        "test.ssd:9:1: warning: unknown element <Wheel> in <Elements>: it has no effect",
        "test.ssd:9:20: warning: unknown element <Spring> in <System>: it has no effect",
        "test.ssd:10:14: warning: unknown annotation type `org.example`: the annotation has no effect",
    ];
    assert_eq!(problems(body), expected);
    assert!(problems("<System name='s'>")[0].contains("cannot parse the XML"));
}

#[test]
fn packages_have_descriptions_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let package = |name: &str, files: &[&str]| {
        let path = folder.path().join(name);
        let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        for file in files {
            archive.start_file(*file, zip::write::SimpleFileOptions::default()).unwrap();
            let text = format!(
                "{BEGIN}<System name='s'><Elements>{}</Elements></System></SystemStructureDescription>",
                component(&file.replace(".ssd", ""), "", "")
            );
            std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
        }
        archive.finish().unwrap();
        path
    };
    let first =
        |path: &Path| read(path).map(|read| read.description.instances[0].name.value.clone()).map_err(|error| error.to_string());
    let both = package("both.ssp", &["SystemStructure.ssd", "Winter.ssd"]);
    assert_eq!(first(&both).unwrap(), "SystemStructure");
    assert_eq!(first(&folder.path().join("both.ssp#Winter.ssd")).unwrap(), "Winter");
    let refused = first(&folder.path().join("both.ssp#Summer.ssd")).unwrap_err();
    assert!(refused.contains("the package has no Summer.ssd; available: SystemStructure.ssd, Winter.ssd; pass "), "{refused}");
    let only = read(&package("only.ssp", &["Winter.ssd"])).unwrap();
    let noted = lines(only.findings, &only.description);
    assert!(noted[0].ends_with("warning: the package has no SystemStructure.ssd; Lotka reads Winter.ssd"), "{noted:?}");
    let refused = first(&package("none.ssp", &["readme.txt"])).unwrap_err();
    assert!(refused.ends_with("it has no system description (.ssd)"), "{refused}");
}

#[test]
fn an_empty_name_of_an_element_is_the_system_itself() {
    let sub = format!(
        "<System name='sub'><Connectors><Connector name='in' kind='input'/><Connector name='out' kind='output'/></Connectors>
         <Elements>{}</Elements><Connections><Connection startElement='' startConnector='in' endElement='b' endConnector='u'/>
         <Connection startElement='b' startConnector='y' endElement='' endConnector='out'/></Connections></System>",
        component("b", "", "")
    );
    let body = format!(
        "<System name='s'><Elements>{}{sub}</Elements><Connections>
         <Connection startElement='a' startConnector='y' endElement='sub' endConnector='in'/>
         <Connection startElement='sub' startConnector='out' endElement='a' endConnector='u'/></Connections></System>",
        component("a", "", "")
    );
    assert!(read_text(&body).ends_with("[connections]\n\"sub/b.u\" = \"a.y\"\n\"a.u\" = \"sub/b.y\"\n"), "{}", read_text(&body));
}
