//! Values of parameters: bindings, mappings, files.

use super::*;

#[test]
fn outer_values_win_and_later_ones() {
    let inner = binding("", &[("k", &real(1.0)), ("k", &real(2.0)), ("u", &real(3.0)), ("on", "<v:Boolean value='1'/>")], "");
    let a = component("a", "", "").replace("</Component>", &format!("{inner}</Component>"));
    let sub = format!(
        "<System name='sub'>{}<Elements>{a}</Elements></System>",
        binding("a.", &[("k", &real(4.0)), ("name", "<v:String value='x'/>")], "")
    );
    let outer = binding(
        "",
        &[("sub.a.k", &real(5.0)), ("sub.a.n", "<v:Integer value='7'/>"), ("sub.a.mode", "<v:Enumeration value='on'/>")],
        "",
    );
    let text = read_text(&format!("<System name='root'>{outer}<Elements>{sub}</Elements></System>"));
    let start = "start = { k = 5.0, u = 3.0, on = true, name = \"x\", n = 7, mode = \"on\" }";
    assert_eq!(text, format!("[instances]\n\"sub/a\" = {{ fmu = \"a.fmu\", {start} }}\n"));
}

#[test]
fn a_mapping_renames_scales_and_leaves_out() {
    let mapping = "<ParameterMapping><m:ParameterMapping version='1.0'><m:MappingEntry source='gain' target='a.k'>
      <c:LinearTransformation factor='10' offset='1'/></m:MappingEntry></m:ParameterMapping></ParameterMapping>";
    let bound = binding("", &[("gain", &real(2.0)), ("a.u", &real(9.0))], mapping);
    let text = read_text(&format!("<System name='root'>{bound}<Elements>{}</Elements></System>", component("a", "", "")));
    assert_eq!(text, "[instances]\na = { fmu = \"a.fmu\", start = { k = 21.0 } }\n");
}

#[test]
fn values_go_down_the_connections_of_parameters() {
    let body = format!(
        "<System name='root'>{}<Connectors><Connector name='gain' kind='parameter'><c:Real unit='degC'/></Connector></Connectors>
         <Elements>{}</Elements><Connections><Connection startConnector='gain' endElement='a' endConnector='k'>
         <c:LinearTransformation factor='2'/></Connection></Connections></System>{UNITS}",
        binding("", &[("gain", "<v:Real value='20' unit='degC'/>")], ""),
        component("a", "", "")
    );
    let text = read_text(&body.replace("<c:Unit name='odd'/>", ""));
    assert!(text.contains("start = { k = { value = 40.0, unit = \"degC\" } }"), "{text}");
}

#[test]
fn values_and_mappings_stand_in_files_of_their_own_and_problems_name_them() {
    let values = format!(
        "<v:ParameterSet xmlns:v='http://ssp-standard.org/SSP1/SystemStructureParameterValues' version='1.0' name='p'><v:Parameters>
         <v:Parameter name='k'>{}</v:Parameter>
         <v:Parameter name='n'><v:Integer value='many'/></v:Parameter></v:Parameters></v:ParameterSet>",
        real(3.5)
    );
    let mapping = "<m:ParameterMapping xmlns:m='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' version='1.0'>
      <m:MappingEntry source='k' target='k'/></m:ParameterMapping>";
    let bindings = "<ParameterBindings><ParameterBinding source='p.ssv'><ParameterMapping source='p.ssm'/></ParameterBinding>
      <ParameterBinding source='absent.ssv'/></ParameterBindings>";
    let a = component("a", "", "").replace("</Component>", &format!("{bindings}</Component>"));
    let text = format!("{BEGIN}<System name='s'><Elements>{a}</Elements></System></SystemStructureDescription>");
    let (text, problems) = read_with(&text, &[("p.ssv", &values), ("p.ssm", mapping)]);
    assert!(text.contains("a = { fmu = \"a.fmu\", start = { k = 3.5 } }"), "{text}");
    assert!(problems[0].contains("`absent.ssv` cannot be read: No such file"), "{problems:?}");
    assert_eq!(problems[1], "p.ssv:3:32: the value \"many\" of `n` has the wrong type: expected Integer");
}

#[test]
fn values_in_the_namespace_of_a_draft_are_read_with_a_warning() {
    let values = format!(
        "<v:ParameterSet xmlns:v='http://ssp-standard.org/SSP1/ParameterValues' version='1.0' name='p'><v:Parameters>
         <v:Parameter name='k'>{}</v:Parameter></v:Parameters></v:ParameterSet>",
        real(3.5)
    );
    let mapping = "<m:ParameterMapping xmlns:m='http://ssp-standard.org/SSP1/ParameterMapping' version='1.0'>
      <m:MappingEntry source='k' target='n'/></m:ParameterMapping>";
    let bindings = "<ParameterBindings><ParameterBinding source='p.ssv'><ParameterMapping source='p.ssm'/></ParameterBinding></ParameterBindings>";
    let a = component("a", "", "").replace("</Component>", &format!("{bindings}</Component>"));
    let text = format!("{BEGIN}<System name='s'><Elements>{a}</Elements></System></SystemStructureDescription>");
    let (text, problems) = read_with(&text, &[("p.ssv", &values), ("p.ssm", mapping)]);
    assert!(text.contains("start = { n = 3.5 }"), "{text}");
    for (problem, name) in problems.iter().zip(["ParameterMapping", "ParameterValues"]) {
        let namespace = format!("warning: the namespace http://ssp-standard.org/SSP1/{name} is that of a draft of SSP");
        assert!(problem.contains(&namespace) && problem.contains(&format!("SSP1/SystemStructure{name}")), "{problems:?}");
    }
    assert_eq!(problems.len(), 2, "{problems:?}");
}

#[test]
fn empty_and_undefined_units_of_values_are_warnings_with_their_line() {
    let values = binding("a.", &[("k", "\n<v:Real value='20' unit=''/>")], "");
    let body = format!("<System name='s'>{values}<Elements>{}</Elements></System>", component("a", "", ""));
    let (text, problems) = read_with(&format!("{BEGIN}{body}</SystemStructureDescription>"), &[]);
    assert!(text.contains("start = { k = 20.0 }"), "{text}");
    let expected = "test.ssd:5:1: warning: the unit of the value of `k` is empty: Lotka uses the unit of the variable; remove \
                    `unit`, or name one";
    assert_eq!(problems, [expected]);
}

/// The start values that a binding of the component `a` gives it.
fn start(values: &str) -> String {
    let set = format!(
        "<ParameterBindings><ParameterBinding><ParameterValues><v:ParameterSet version='2.0' name='p'><v:Parameters>{values}
         </v:Parameters></v:ParameterSet></ParameterValues></ParameterBinding></ParameterBindings>"
    );
    read_text(&format!("<System name='s'><Elements><Component name='a' source='a.fmu'>{set}</Component></Elements></System>"))
}

#[test]
fn integers_of_64_bits_and_bytes_are_exact() {
    let text = start(
        "<v:Parameter name='below'><v:Int64 value='-9223372036854775808'/></v:Parameter>
         <v:Parameter name='above'><v:UInt64 value='18446744073709551615'/></v:Parameter>
         <v:Parameter name='blob'><v:Binary value='ff00'/></v:Parameter>",
    );
    let expected = r#"start = { below = -9223372036854775808, above = "18446744073709551615", blob = "FF00" }"#;
    assert_eq!(text, format!("[instances]\na = {{ fmu = \"a.fmu\", {expected} }}\n"));
}

/// SSP 2.0, ssv: values in row-major order, sizes in `<c:Dimension>`.
#[test]
fn values_of_arrays_are_those_of_their_elements() {
    let text = start(
        "<v:Parameter name='A'><v:Float64 value='1 2.5\n 3 4 5 6'/><c:Dimension size='2'/><c:Dimension size='3'/></v:Parameter>
         <v:Parameter name='n'><v:UInt8 value='7 8'/><c:Dimension/></v:Parameter>
         <v:Parameter name='s'><v:String><v:Value value='a b'/><v:Value value=''/></v:String><c:Dimension size='2'/></v:Parameter>",
    );
    let expected = r#"start = { "A[1,1]" = 1.0, "A[1,2]" = 2.5, "A[1,3]" = 3.0, "A[2,1]" = 4.0, "A[2,2]" = 5.0, "A[2,3]" = 6.0, "n[1]" = 7, "n[2]" = 8, "s[1]" = "a b", "s[2]" = "" }"#;
    assert_eq!(text, format!("[instances]\na = {{ fmu = \"a.fmu\", {expected} }}\n"));
}

#[test]
fn values_that_do_not_fill_their_array_or_type_are_errors() {
    let found = |parameter: &str| {
        let set = format!("<v:Parameter name='x'>{parameter}</v:Parameter>");
        let binding = binding("", &[], "").replace("</v:Parameters>", &format!("{set}</v:Parameters>"));
        let a = format!("<Component name='a' source='a.fmu'>{binding}</Component>");
        problems(&format!("<System name='s'><Elements>{a}</Elements></System>")).join("; ")
    };
    let cases = [
        ("<v:Float64 value='1 2'/>", "the value \"1 2\" of `x` has the wrong type: expected Float64"),
        ("<v:Float64 value=''/>", "the value \"\" of `x` has the wrong type: expected Float64"),
        ("<v:Float64 value='inf'/>", "the value \"inf\" of `x` has the wrong type: expected Float64"),
        ("<v:Int32 value='1 2'/><c:Dimension size='3'/>", "the value of `x` has the wrong size: expected 3 elements, found 2"),
        (
            "<v:Int32 value='1 2'/><c:Dimension size='4294967296'/><c:Dimension size='4294967296'/>",
            "the value of `x` has the wrong size: expected 4294967296 x 4294967296 elements, found 2",
        ),
        (
            "<v:Int32 value='1 2'/><c:Dimension sizeConnector='n'/><c:Dimension size='2'/>",
            "an array with dimensions of unknown size",
        ),
        ("<v:UInt64 value='18446744073709551616'/>", "has the wrong type: expected UInt64"),
        ("<v:Binary value='0g'/>", "the value \"0g\" of `x` has the wrong type: expected Binary"),
        ("<v:Clock value='1'/>", "has the unsupported type Clock"),
    ];
    for (parameter, expected) in cases {
        let found = found(parameter);
        assert!(found.contains(expected), "{parameter}: {found}");
    }
}

#[test]
fn an_array_is_mapped_with_all_of_its_elements() {
    let mapping = "<ParameterMapping><m:ParameterMapping version='2.0'><m:MappingEntry source='gain' target='a.k'>
      <c:LinearTransformation factor='10'/></m:MappingEntry></m:ParameterMapping></ParameterMapping>";
    let bound = binding("", &[("gain", "<v:Real value='1 2'/><c:Dimension size='2'/>"), ("gains", &real(3.0))], mapping);
    let text = read_text(&format!("<System name='root'>{bound}<Elements>{}</Elements></System>", component("a", "", "")));
    assert_eq!(text, "[instances]\na = { fmu = \"a.fmu\", start = { \"k[1]\" = 10.0, \"k[2]\" = 20.0 } }\n");
}

#[test]
fn arrays_and_bytes_are_connected_as_a_whole() {
    let connector = |name: &str, kind: &str, inner: &str| format!("<Connector name='{name}' kind='{kind}'>{inner}</Connector>");
    let array = "<c:Float64/><c:Dimension size='2'/>";
    let a = [connector("y", "output", array), connector("b", "output", "<c:Binary/>")].concat();
    let b = [connector("u", "input", array), connector("c", "input", "<c:Binary/>")].concat();
    let elements = [("a", a), ("b", b)].map(|(name, connectors)| {
        format!("<Component name='{name}' source='{name}.fmu'><Connectors>{connectors}</Connectors></Component>")
    });
    let connections = "<Connection startElement='a' startConnector='y' endElement='b' endConnector='u'/>
      <Connection startElement='a' startConnector='b' endElement='b' endConnector='c'/>";
    let text = read_text(&format!(
        "<System name='s'><Elements>{}</Elements><Connections>{connections}</Connections></System>",
        elements.concat()
    ));
    assert!(text.ends_with("[connections]\n\"b.u\" = \"a.y\"\n\"b.c\" = \"a.b\"\n"), "{text}");
}
