//! Multi-models converted to system files.

use std::fs;

use lotka_system::to_toml;

use super::*;

/// Reads the first of these files from a folder with all of them.
fn read_first(files: &[(&str, &str)]) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (inner, place) = (folder.path().canonicalize().unwrap(), folder.path().display().to_string());
    let shown = |text: String| text.replace(&format!("{}/", inner.display()), "").replace(&format!("{place}/"), "");
    match read(text::read(&folder.path().join(files[0].0)).unwrap()) {
        Ok(Read { description, findings, .. }) => {
            let problems = findings.problems(description.file.as_ref());
            let lines = problems.list.iter().map(|problem| shown(problems.line(problem))).collect();
            (shown(to_toml(&description)), lines)
        }
        Err(error) => (String::new(), error.to_string().lines().map(|line| shown(line.to_owned())).collect()),
    }
}

const MODEL: &str = r#"{
  "fmus": { "{c}": "control.fmu", "{t}": "tank.fmu" },
  "connections": { "{c}.one.valve": ["{t}.tank.valve", "{t}.other.valve"], "{t}.tank.level": ["{c}.one.level"] },
  "parameters": { "{c}.one.max": 2, "{c}.one.on": true, "{t}.tank.name": "a b", "{t}.tank.area": "1.5" },
  "livestream": { "{t}.tank": ["level"] }"#;

fn model(rest: &str) -> String {
    format!("{MODEL}{rest}\n}}")
}

const STEPS: &str = ",\n \"startTime\": 0, \"endTime\": 10, \"algorithm\": { \"type\": \"fixed-step\", \"size\": 0.1 }";

#[test]
fn a_multi_model_becomes_a_system() {
    let (text, problems) = read_first(&[("mm.json", &model(STEPS)), ("control.fmu", ""), ("tank.fmu", "")]);
    assert_eq!(problems, [""; 0]);
    let expected = r#"[experiment]
start = 0.0
stop = 10.0
step = 0.1

[instances]
one = { fmu = "control.fmu", start = { max = 2, on = true } }
tank = { fmu = "tank.fmu", start = { name = "a b", area = 1.5 } }
other = "tank.fmu"

[connections]
"tank.valve" = { from = "one.valve", convert-units = false }
"other.valve" = { from = "one.valve", convert-units = false }
"one.level" = { from = "tank.level", convert-units = false }

[algorithm]
sweep = "jacobi"
input-degree = 0
iterations = 1
"#;
    assert_eq!(text, expected);
}

#[test]
fn instances_of_one_name_and_logged_variables_and_stabilization_are_kept() {
    let rest = r#", "logVariables": { "{t}.one": ["inner"], "{c}.one": [] }, "stabalizationEnabled": true, "global_relative_tolerance": 0.01"#;
    let (text, problems) = read_first(&[("mm.json", &model(&format!("{STEPS}{rest}"))), ("control.fmu", ""), ("tank.fmu", "")]);
    assert_eq!(problems, [""; 0]);
    assert!(text.contains("\nt_one = \"tank.fmu\"\n") && text.contains("variables = [\"outputs\", \"t_one.inner\"]"), "{text}");
    assert!(text.contains("iterations = 5\niteration-tolerance = 0.01\n"), "{text}");
}

/// A project folder of the application, with paths of another machine.
#[test]
fn files_are_found_by_the_folders_of_a_project() {
    let files = [
        (
            "Multi-models/m/sim/coe.json",
            r#"{ "endTime": 2, "multimodel_path": "Multi-models\\m\\m.mm.json", "algorithm": { "type": "fixed-step", "size": 0.5 } }"#,
        ),
        ("Multi-models/m/m.mm.json", &model("").replace("\"control.fmu\"", "\"file:///C:/Users/x/FMUs/control.fmu\"")),
        ("FMUs/tank.fmu", ""),
        ("FMUs/control.fmu", ""),
    ];
    let (text, problems) = read_first(&files);
    assert!(text.starts_with("[experiment]\nstop = 2.0\nstep = 0.5\n"), "{text}");
    assert!(text.contains("other = \"FMUs/tank.fmu\""), "{text}");
    let expected = "Multi-models/m/m.mm.json:2:20: warning: file:///C:/Users/x/FMUs/control.fmu does not exist: Lotka uses \
                    FMUs/control.fmu instead; correct the path";
    assert_eq!(problems, [expected]);
    let (text, problems) = read_first(&[files[1], files[2], files[3], ("Multi-models/m/a.coe.json", r#"{ "endTime": 3 }"#)]);
    assert!(text.contains("stop = 3.0\nstep = 0.1\n"), "{text}");
    assert!(
        problems.iter().any(|line| line.contains("the configuration of the simulation is Multi-models/m/a.coe.json")),
        "{problems:?}"
    );
    assert!(problems.iter().any(|line| line.contains("no algorithm is given: Lotka uses steps of 0.1 s")), "{problems:?}");
}

#[test]
fn variable_steps_are_error_control_with_events() {
    let algorithm = r#", "endTime": 1, "algorithm": { "type": "var-step", "size": [1e-4, 1], "initsize": 1e-3, "constraints": {
        "zc": { "type": "zerocrossing", "ports": ["{t}.tank.level"] }, "two": { "type": "zerocrossing", "ports": ["{t}.tank.level", "{c}.one.valve"], "order": 1 },
        "bd": { "type": "boundeddifference", "ports": ["{t}.tank.level"], "abstol": 1 } } }"#;
    let (text, problems) = read_first(&[("mm.json", &model(algorithm)), ("control.fmu", ""), ("tank.fmu", "")]);
    assert!(text.contains("local-tolerance = 0.0001\nfirst-step = 0.001\nmin-step = 0.0001\nmax-step = 1.0\n"), "{text}");
    assert!(text.contains("[events]\n\"tank.level\" = [\"both\", { level = \"one.valve\" }]"), "{text}");
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(
        problems[0].contains("`var-step`: step sizes follow from the local error")
            && problems[1].contains("`order` of the constraint `two` has no effect")
            && problems[2].contains("the constraint `bd` of the type `boundeddifference` has no counterpart"),
        "{problems:?}"
    );
}

#[test]
fn a_model_with_its_execution_is_read() {
    let text = format!(
        "{{ \"masterModel\": \"x\", \"multiModel\": {}, \"executionParameters\": {{ \"endTime\": 4, \"stepSize\": 0.25, \"convergenceAttempts\": 5 }} }}",
        model("")
    );
    let (text, problems) = read_first(&[("mm.json", &text), ("control.fmu", ""), ("tank.fmu", "")]);
    assert!(text.starts_with("[experiment]\nstop = 4.0\nstep = 0.25\n"), "{text}");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("`masterModel`: Lotka ignores the master model"), "{problems:?}");
}

#[test]
fn what_is_wrong_or_has_no_counterpart_is_reported_with_its_line() {
    let text = r#"{
 "fmus": { "{a}": "a.fmu", "{b}": 1, "{c}": "http://x.org/c.fmu", "{d}": "a.fmu" },
 "connections": { "{a}.x.y": "{a}.x.u", "{a}.x.z": ["{a}.x.u"], "{e}.x.y": [], "nonsense": [], "{a}.x.w": [3] },
 "parameters": { "{a}.x.k": { } },
 "modelSwaps": { "x": {} }, "faultInjectInstances": {}, "colour": 1,
 "algorithm": { "type": "fixed-step", "size": [1] }, "endTime": "soon"
}"#;
    let (_, problems) = read_first(&[("mm.json", text), ("a.fmu", "")]);
    let expected = [
        "mm.json:2:35: the FMU `{b}` has no path; write it as a string",
        "mm.json:2:45: `http://x.org/c.fmu` cannot be the FMU `{c}`: only local files are supported; name a file",
        "mm.json:2:68: warning: no connection or parameter refers to an instance of the FMU `{d}`: Lotka does not run it",
        "mm.json:3:53: `x.u` is connected to two sources; remove one of the connections",
        "mm.json:3:66: unknown FMU `{e}`; did you mean `{a}`?",
        "mm.json:3:81: expected the name of a variable, found `nonsense`; write {fmu}.instance.variable",
        "mm.json:3:108: expected a list of names for the connections of `{a}.x.w`",
        "mm.json:4:29: expected a number, true, false or a string for `{a}.x.k`",
        "mm.json:5:3: warning: `modelSwaps`: Lotka does not swap instances during a run",
        "mm.json:5:58: warning: unknown key `colour`: it has no effect",
        "mm.json:6:65: expected a number for `endTime`",
    ];
    assert_eq!(problems, expected);
    let (_, problems) = read_first(&[("mm.json", "{ \"fmus\": {\n x } }")]);
    assert!(problems[0].starts_with("mm.json:2:2: cannot parse the JSON: key must be a string"), "{problems:?}");
    let (_, problems) = read_first(&[("coe.json", "{ \"endTime\": 1 }")]);
    assert!(
        problems[0].contains("expected a multi-model (`fmus`) or a configuration (`multimodel_path`), found neither"),
        "{problems:?}"
    );
}
