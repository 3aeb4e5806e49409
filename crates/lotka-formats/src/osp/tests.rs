//! Structures converted to system files. Without FMUs, connections keep the order of the file.

use std::{fs, io::Write};

use lotka_system::to_toml;

use super::*;

/// Reads a structure from a folder with these files.
fn read_with(content: &str, files: &[(&str, Vec<u8>)]) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let text = format!(
        "<OspSystemStructure xmlns='http://opensimulationplatform.com/MSMI/OSPSystemStructure' version='0.1'>{content}</OspSystemStructure>"
    );
    let shown = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    match read(SourceFile { path: folder.path().join("osp.xml"), text: text.into() }) {
        Ok(Read { description, findings, .. }) => {
            let problems = findings.problems(description.file.as_ref());
            let lines = problems.list.iter().map(|problem| shown(problems.line(problem))).collect();
            (shown(to_toml(&description)), lines)
        }
        Err(error) => (String::new(), error.to_string().lines().map(|line| shown(line.to_owned())).collect()),
    }
}

fn simulators(names: &[&str]) -> String {
    let one = |name: &&str| format!("<Simulator name='{name}' source='{name}.fmu'/>");
    format!("<Simulators>{}</Simulators>", names.iter().map(one).collect::<String>())
}

fn variables(kind: &str, ends: [(&str, &str); 2]) -> String {
    let end = |(simulator, name): (&str, &str)| format!("<{kind} simulator='{simulator}' name='{name}'/>");
    format!("\n<{kind}Connection>{}</{kind}Connection>", ends.map(end).concat())
}

fn signal(kind: &str, signal: (&str, &str), variable: (&str, &str)) -> String {
    let (signals, variables) = (format!("Signal{kind}"), format!("Variable{kind}"));
    format!(
        "\n<{signals}Connection><{signals} function='{}' name='{}'/><{variables} simulator='{}' name='{}'/></{signals}Connection>",
        signal.0, signal.1, variable.0, variable.1
    )
}

/// An FMU without a library: inputs `u1`, `u2`, outputs `y1`, `y2`.
fn fmu(name: &str) -> Vec<u8> {
    let variable = |(nth, (name, causality)): (usize, (&str, &str))| {
        format!(
            "<ScalarVariable name='{name}' valueReference='{nth}' causality='{causality}'><Real {}/></ScalarVariable>",
            if causality == "input" { "start='0'" } else { "" }
        )
    };
    let variables = [("u1", "input"), ("u2", "input"), ("y1", "output"), ("y2", "output")].into_iter().enumerate().map(variable);
    let text = format!(
        "<fmiModelDescription fmiVersion='2.0' modelName='{name}' guid='x'><CoSimulation modelIdentifier='{name}'/>\
         <ModelVariables>{}</ModelVariables><ModelStructure><Outputs><Unknown index='3'/><Unknown index='4'/></Outputs></ModelStructure></fmiModelDescription>",
        variables.collect::<String>()
    );
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("modelDescription.xml", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(text.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

fn groups(content: &str) -> Vec<u8> {
    format!("<OspModelDescription xmlns='http://opensimulationplatform.com/MSMI/OSPModelDescription'><VariableGroups>{content}</VariableGroups></OspModelDescription>").into_bytes()
}

#[test]
fn times_values_and_processes_are_those_of_libcosim() {
    let content = "<StartTime> 1.5 </StartTime><EndTime>3</EndTime><BaseStepSize>1e-2</BaseStepSize><Algorithm>FixedStep</Algorithm><Simulators>
        <Simulator name='a.b' source='models/a%20b.fmu' stepSize='0.01'><InitialValues><InitialValue variable='r'><Real value='2.5'/></InitialValue>
        <InitialValue variable='n'><Integer value='-3'/></InitialValue><InitialValue variable='on'><Boolean value='1'/></InitialValue>
        <InitialValue variable='s'><String value='x y'/></InitialValue></InitialValues></Simulator>
        <Simulator name='c' source='proxyfmu://localhost?file=c.fmu'/></Simulators>";
    let (text, problems) = read_with(content, &[]);
    assert_eq!(problems, [""; 0]);
    let expected = "[experiment]\nstart = 1.5\nstop = 3.0\nstep = 0.01\n\n[instances]\na_b = { fmu = \"models/a b.fmu\", start = { r = 2.5, n = -3, on = true, s = \"x y\" } }\n\
        c = { fmu = \"c.fmu\", isolation = \"process\" }\n\n[algorithm]\nsweep = \"jacobi\"\ninput-degree = 0\niterations = 1\n";
    assert_eq!(text, expected);
    let (text, problems) = read_with(&simulators(&["a"]), &[]);
    assert!(text.starts_with("[experiment]\nstep = 0.1\n") && problems.is_empty(), "the default of libcosim: {text}");
}

#[test]
fn a_simulator_with_a_longer_step_is_sampled() {
    for (step, expected) in
        [("0.2", "sample-time = 0.2 }"), ("0.34", "sample-time = 0.30000000000000004 }"), ("0.12", "a = \"a.fmu\"")]
    {
        let step = format!("name='a' stepSize='{step}'");
        let content = format!("<BaseStepSize>0.1</BaseStepSize>{}", simulators(&["a"]).replace("name='a'", &step));
        let (text, problems) = read_with(&content, &[]);
        assert!(text.contains(expected) && problems.is_empty(), "{text} {problems:?}");
    }
}

#[test]
fn outputs_feed_inputs_whichever_is_written_first() {
    let connections = [
        variables("Variable", [("a", "y1"), ("b", "u1")]),
        variables("Variable", [("a", "u1"), ("b", "y1")]),
        variables("Variable", [("x", "v"), ("a", "u2")]),
        variables("Variable", [("b", "u2"), ("x", "w")]),
    ];
    let content = format!("{}<Connections>{}</Connections>", simulators(&["a", "b", "x"]), connections.concat());
    let (text, problems) = read_with(&content, &[("a.fmu", fmu("a")), ("b.fmu", fmu("b"))]);
    assert_eq!(problems, [""; 0]);
    let connected: Vec<_> = text.lines().filter(|line| line.contains("from = ")).collect();
    let line = |to: &str, from: &str| format!("\"{to}\" = {{ from = \"{from}\", convert-units = false }}");
    assert_eq!(connected, [line("b.u1", "a.y1"), line("a.u1", "b.y1"), line("a.u2", "x.v"), line("b.u2", "x.w")]);
}

#[test]
fn functions_scale_and_sum() {
    let functions = "<Functions><LinearTransformation name='f' factor='2' offset='-1'/><Sum name='s' inputCount='2'/><VectorSum name='v' inputCount='2' dimension='2'/></Functions>";
    let connections = [
        signal("", ("f", "in"), ("a", "y1")),
        signal("", ("f", "out"), ("b", "u1")),
        signal("", ("f", "out"), ("b", "u2")),
        signal("", ("s", "in[1]"), ("a", "y2")),
        signal("", ("s", "in[0]"), ("a", "y1")),
        signal("", ("s", "out"), ("a", "u1")),
        signal("Group", ("v", "in[0]"), ("a", "y")),
        signal("Group", ("v", "in[1]"), ("b", "y")),
        signal("Group", ("v", "out"), ("c", "u")),
    ];
    let content = format!("{}{functions}<Connections>{}</Connections>", simulators(&["a", "b", "c"]), connections.concat());
    let both = "<Generic name='u'><Variable ref='u1'/><Variable ref='u2'/></Generic><Generic name='y'><Variable ref='y1'/><Variable ref='y2'/></Generic>";
    let mut files: Vec<_> = ["a", "b", "c"].map(|name| (format!("{name}.fmu"), fmu(name))).into();
    files.extend(["a", "b", "c"].map(|name| (format!("{name}_OspModelDescription.xml"), groups(both))));
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let (text, problems) = read_with(&content, &files);
    assert_eq!(problems, [""; 0]);
    let scaled = "{ from = \"a.y1\", factor = 2.0, offset = -1.0, convert-units = false }";
    let plain = |from: &str| format!("{{ from = \"{from}\", convert-units = false }}");
    let sum = |one: &str, other: &str| format!("[{}, {}]", plain(one), plain(other));
    let expected = [
        format!("\"b.u1\" = {scaled}"),
        format!("\"b.u2\" = {scaled}"),
        format!("\"a.u1\" = {}", sum("a.y1", "a.y2")),
        format!("\"c.u1\" = {}", sum("a.y1", "b.y1")),
        format!("\"c.u2\" = {}", sum("a.y2", "b.y2")),
    ];
    let connected: Vec<_> = text.lines().filter(|line| line.contains("from = ")).collect();
    assert_eq!(connected, expected);
}

#[test]
fn groups_in_groups_are_connected_by_their_places() {
    let port = |first: &str, second: &str| {
        groups(&format!(
            "<LinearMechanicalPort name='port'><Force name='f'><Variable ref='{first}'/></Force><LinearVelocity name='v'><Variable ref='{second}'/></LinearVelocity></LinearMechanicalPort>"
        ))
    };
    let files = [
        ("a.fmu", fmu("a")),
        ("b.fmu", fmu("b")),
        ("a_OspModelDescription.xml", port("y1", "u1")),
        ("b_OspModelDescription.xml", port("u2", "y2")),
    ];
    let content = |name: &str| {
        format!(
            "{}<Connections>{}</Connections>",
            simulators(&["a", "b"]),
            variables("VariableGroup", [("a", name), ("b", name)])
        )
    };
    let (text, problems) = read_with(&content("port"), &files);
    assert_eq!(problems, [""; 0]);
    assert!(text.contains("\"b.u2\" = { from = \"a.y1\"") && text.contains("\"a.u1\" = { from = \"b.y2\""), "{text}");
    let (text, _) = read_with(&content("f"), &files);
    assert!(text.contains("\"b.u2\" = { from = \"a.y1\"") && !text.contains("b.y2"), "a group in a group: {text}");
    let mut other = files.clone();
    other[3].1 = groups("<Generic name='port'><Variable ref='u1'/></Generic>");
    let (_, problems) = read_with(&content("port"), &other);
    assert!(
        problems[0].contains("the groups `a.port` (2 variables) and `b.port` (1 variables) have different shapes"),
        "{problems:?}"
    );
}

#[test]
fn ecco_keeps_its_numbers_and_its_power_bonds() {
    let bond = |ends| variables("Variable", ends).replace("<VariableConnection>", "<VariableConnection powerBond='axle'>");
    let connections = bond([("a", "y1"), ("b", "u1")]) + &bond([("b", "y1"), ("a", "u1")]);
    let content = format!(
        "<EndTime>1</EndTime><Algorithm>ecco</Algorithm>{}<Connections>{connections}</Connections><EccoConfiguration><SafetyFactor>0.99</SafetyFactor><StepSize>1e-4</StepSize>
         <MinimumStepSize>1e-5</MinimumStepSize><MaximumStepSize>0.01</MaximumStepSize><MinimumChangeRate>0.2</MinimumChangeRate>
         <MaximumChangeRate>1.5</MaximumChangeRate><ProportionalGain>0.2</ProportionalGain><IntegralGain>0.15</IntegralGain><RelativeTolerance>1e-6</RelativeTolerance><AbsoluteTolerance>1e-8</AbsoluteTolerance></EccoConfiguration>",
        simulators(&["a", "b"])
    );
    let (text, problems) = read_with(&content, &[("a.fmu", fmu("a")), ("b.fmu", fmu("b"))]);
    let steps = "local-tolerance = 1e-6\nabsolute-tolerance = 1e-8\nfirst-step = 0.0001\nmin-step = 0.00001\nmax-step = 0.01\n";
    assert!(text.contains(steps), "{text}");
    let factors =
        "safety-factor = 0.99\nmin-step-factor = 0.2\nmax-step-factor = 1.5\nproportional-gain = 0.2\nintegral-gain = 0.15\n";
    assert!(text.contains(&format!("{factors}compatibility = \"libcosim\"\n")), "{text}");
    assert!(text.contains("[power-bonds]\naxle = { effort = \"a.y1\", flow = \"b.y1\" }"), "{text}");
    assert_eq!(problems, [""; 0]);
}

#[test]
fn what_is_wrong_or_has_no_counterpart_is_reported_with_its_line() {
    let functions = "<Functions><Sum name='s' inputCount='2'/><Product name='p'/></Functions>";
    let connections = [
        variables("Variable", [("a", "y"), ("bb", "u")]),
        variables("Variable", [("a", "y"), ("b", "u")]),
        variables("Variable", [("a", "z"), ("b", "u")]),
        signal("", ("s", "in[2]"), ("a", "y")),
        signal("", ("t", "in"), ("a", "y")),
        signal("Group", ("s", "in[0]"), ("a", "g")),
    ];
    let content = format!(
        "<BaseStepSize>0.1</BaseStepSize><Algorithm>euler</Algorithm>{}{functions}<Connections>{}</Connections><Paint/>",
        simulators(&["a", "b"]).replace("b.fmu'", "http://x.org/b.fmu'"),
        connections.concat()
    );
    let (_, problems) = read_with(&content, &[]);
    for expected in [
        "unknown function <Product>; use LinearTransformation, Sum or VectorSum",
        "warning: unknown element <Paint> in <OspSystemStructure>: it has no effect",
        "unknown algorithm `euler`; available: `fixedStep`, `ecco`",
        "`http://x.org/b.fmu` cannot be the source of `b`: only local files are supported",
        "unknown simulator `bb`",
        "unknown function `t`; available: `s`",
        "the function `s` has no signal `in[2]`; available: `in[0]`, `in[1]`, … and `out`",
        "input 0 of the function `s` is not connected",
    ] {
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}\n{problems:#?}");
    }
    let twice = format!("{}<Connections>{}{}</Connections>", simulators(&["a", "b"]), connections[1], connections[2]);
    assert!(read_with(&twice, &[]).1[0].contains("`b.u` is connected to two sources"));
}
