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
fn empty_and_undefined_units_of_values_are_warnings_with_their_line() {
    let values = binding("a.", &[("k", "\n<v:Real value='20' unit=''/>")], "");
    let body = format!("<System name='s'>{values}<Elements>{}</Elements></System>", component("a", "", ""));
    let (text, problems) = read_with(&format!("{BEGIN}{body}</SystemStructureDescription>"), &[]);
    assert!(text.contains("start = { k = 20.0 }"), "{text}");
    let expected = "test.ssd:5:1: warning: the unit of the value of `k` is empty: Lotka uses the unit of the variable; remove \
                    `unit`, or name one";
    assert_eq!(problems, [expected]);
}
