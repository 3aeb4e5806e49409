//! `lotka new`: what it writes can be checked and run, and nothing is overwritten.

use std::fs;

use super::support::Case;
use tests::hostile::Hostile;

/// A folder with packed FMUs of this project under other names.
fn folder(fmus: &[(&str, &str)]) -> Case {
    let case = Case::new("", []);
    fs::remove_file(case.path("system.toml")).unwrap();
    for (file, fmu) in fmus {
        fs::copy(tests::packed(fmu), case.path(file)).unwrap();
    }
    case
}

#[test]
fn prey_and_predator_are_connected_and_run_to_the_known_numbers() {
    let case = folder(&[("prey.fmu", "prey"), ("predator.fmu", "predator")]);
    case.lotka(&["new", "prey.fmu", "predator.fmu"]).assert(0, &["system.toml: 2 instances, 2 inputs connected, 0 left"]);
    let text = case.read("system.toml");
    for line in [
        "stop = 100.0              # s; default experiment\n",
        "[instances.prey]\nfmu = \"prey.fmu\"  # Prey of the predator-prey system: dx/dt = x (a - b y)\n",
        "# a = 0.1   # 1/s, reproduction rate of prey\n",
        "\"prey.y\" = \"predator.y\"  # same name, same unit (1)\n\"predator.x\" = \"prey.x\"  # same name, same unit (1)\n",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert_eq!(case.lotka(&["check", "system.toml", "--strict"]).assert(0, &[]).stdout, "system.toml: no problems\n");
    case.run(&[]).assert(0, &["tolerance 1e-6 kept"]);
    let last: Vec<f64> = case.rows().pop().unwrap().iter().map(|field| field.parse().unwrap()).collect();
    // The last row of examples/predator-prey/expected.toml.
    for (got, expected) in last.iter().zip([100.0, 25.681_746_294_2, 15.312_623_828_5]) {
        assert!((got / expected - 1.0).abs() < 1e-6, "{last:?}");
    }
}

#[test]
fn every_suggestion_is_right_once_its_sign_is_taken_away() {
    let case = folder(&[("mass.fmu", "mass"), ("sprung.fmu", "sprung_mass_force"), ("formula.fmu", "expression")]);
    case.lotka(&["new", "left=mass.fmu", "right=sprung.fmu", "formula.fmu"])
        .assert(0, &["3 instances, 1 input connected, 6 left"]);
    let text = case.read("system.toml");
    assert!(text.contains("\"left.f\" = \"right.f\"  # same name, same unit (N)\n"), "{text}");
    assert!(text.contains("# \"right.x_other\" = \"left.x\"  # same unit (m)\n"), "{text}");
    let (head, connections) = text.split_once("[connections]").unwrap();
    let is_one_of_several = |line: &str| ["local-tolerance", "step", "\"formula."].iter().any(|key| line.starts_with(key));
    let bare = |line: &str| match line.strip_prefix("# ") {
        Some(code) if code.contains(" = ") && !is_one_of_several(code) => format!("{code}\n"),
        _ => format!("{line}\n"),
    };
    let all: String = head.lines().chain(["[connections]"]).chain(connections.lines().skip(1)).map(bare).collect();
    assert!(
        all.contains("\nk_other = 10.0")
            && all.contains("\nformula = \"u1\"")
            && all.contains("\n\"right.v_other\" = \"left.v\""),
        "{all}"
    );
    case.write("system.toml", &all);
    case.lotka(&["check", "system.toml", "--strict"]).assert(0, &[]);
}

#[test]
fn names_are_unique_and_paths_start_at_the_file() {
    let case = folder(&[("a.fmu", "prey"), ("b 2.fmu", "predator")]);
    fs::create_dir(case.path("deep")).unwrap();
    case.lotka(&["new", "a.fmu", "a.fmu", "b 2.fmu", "c=a.fmu", "--output", "deep/s.toml"]).assert(0, &["4 instances"]);
    let text = case.read("deep/s.toml");
    for line in
        ["[instances.a]\nfmu = \"../a.fmu\"", "[instances.a_2]\n", "[instances.b_2]\nfmu = \"../b 2.fmu\"", "[instances.c]\n"]
    {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    // Three prey could feed the predator: none does.
    assert!(text.contains("\n# \"b_2.x\" = \"a_2.x\"") && text.contains("\n\"a.y\" = \"b_2.y\""), "{text}");
    case.lotka(&["check", "deep/s.toml"]).assert(0, &[]);
}

#[test]
fn a_file_is_overwritten_only_if_asked_for() {
    let case = folder(&[("a.fmu", "prey")]);
    case.write("system.toml", "mine");
    case.lotka(&["new", "a.fmu"]).assert(2, &["error: `system.toml` already exists", "--force"]);
    assert_eq!(case.read("system.toml"), "mine");
    case.lotka(&["new", "a.fmu", "--force"]).assert(0, &["1 instance, 0 inputs connected, 1 left"]);
    assert!(case.read("system.toml").contains("[experiment]"));
    let before = fs::read(case.path("a.fmu")).unwrap();
    case.lotka(&["new", "a.fmu", "--force", "--output-file", "a.fmu"]).assert(16, &["it is an FMU"]);
    assert_eq!(fs::read(case.path("a.fmu")).unwrap(), before);
    let printed = case.lotka(&["new", "a.fmu", "--output-file", "-"]);
    let written = case.read("system.toml");
    let without_schema = written.strip_prefix("#:schema ./lotka.schema.json\n").unwrap();
    assert_eq!((printed.code, printed.stdout.as_str(), printed.stderr.as_str()), (0, without_schema, ""));
}

#[test]
fn the_schema_lies_beside_the_file_unless_it_is_not_wanted() {
    let case = folder(&[("a.fmu", "prey")]);
    case.lotka(&["new", "a.fmu", "--no-schema"]).assert(0, &[]);
    assert!(!case.read("system.toml").contains("#:schema") && !case.path("lotka.schema.json").exists());
    let schema = case.lotka(&["schema", "system"]).assert(0, &[]).stdout.clone();
    for (before, is_replaced) in [("{ \"title\": \"Lotka system file\" }", true), ("{ \"title\": \"mine\" }", false)] {
        case.write("lotka.schema.json", before);
        case.lotka(&["new", "a.fmu", "--force"]).assert(0, &[]);
        assert_eq!(case.read("lotka.schema.json"), if is_replaced { &schema } else { before });
    }
    case.lotka(&["schema", "rows"]).assert(2, &["invalid value 'rows'", "system"]);
}

#[test]
fn connections_are_those_that_are_given() {
    let case = folder(&[("mass.fmu", "mass"), ("sprung.fmu", "sprung_mass_force")]);
    let given = ["--connect", "right.x_other=left.x", "--connect", "right.v_other = left.v"];
    case.lotka(&[&["new", "left=mass.fmu", "right=sprung.fmu"][..], &given].concat())
        .assert(0, &["2 instances, 3 inputs connected, 0 left"]);
    let text = case.read("system.toml");
    for line in [
        "\"left.f\" = \"right.f\"        # same name, same unit (N)\n",
        "\"right.x_other\" = \"left.x\"  # given, same unit (m)\n",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    case.lotka(&["check", "system.toml", "--strict"]).assert(0, &[]);
    let wrong = ["--connect", "right.x=left.x", "--connect", "right.x_othr=left.x", "--connect", "up.u=left.x"];
    case.lotka(&[&["new", "left=mass.fmu", "right=sprung.fmu", "--force"][..], &wrong].concat()).assert(
        10,
        &[
            "--connect right.x=left.x: `right.x` cannot be the target of a connection: it is an output",
            "--connect right.x_othr=left.x: instance `right` has no variable `x_othr`; did you mean `x_other`? [unknown-variable]",
            "--connect up.u=left.x: unknown instance `up`",
        ],
    );
    assert_eq!(case.read("system.toml"), text);
    case.lotka(&["new", "mass.fmu", "--connect", "f"]).assert(2, &["write instance.input=instance.output"]);
}

#[test]
fn all_that_is_wrong_is_reported_at_once() {
    let case = folder(&[("a.fmu", "prey")]);
    case.write("no.fmu", "no archive");
    let ended = case.lotka(&["new", "x.y=a.fmu", "b=a.fmu", "b=a.fmu", "no.fmu", "nowhere.fmu"]);
    ended.assert(
        2,
        &["`x.y` in `x.y=a.fmu` cannot be the name of an instance", "two instances have the name `b`", "no.fmu", "nowhere.fmu"],
    );
    assert!(!case.path("system.toml").exists());
    case.lotka(&["new"]).assert(2, &["FMU"]);
}

#[test]
fn fmus_of_fixed_steps_get_a_fixed_step() {
    let case = Case::new("", [Hostile::new("a").capability("canHandleVariableCommunicationStepSize", false), Hostile::new("b")]);
    case.lotka(&["new", "a.fmu", "b.fmu", "--force"]).assert(0, &[]);
    let text = case.read("system.toml");
    assert!(text.contains("step = 0.1") && text.contains("fixed because some FMUs support one step size only: a\n"), "{text}");
    case.lotka(&["check", "system.toml"]).assert(0, &[]);
    case.run(&["--log-level", "error"]).assert(0, &["stop time 1 s reached"]);
}
