//! `lotka inspect`, and the systems of `examples/`.

use std::{path::Path, process::Command};

use super::support::{Case, LOOP, lotka};
use tests::hostile::{BadArchive, Hostile};

#[test]
fn an_fmu_is_shown_as_text_and_json() {
    let case = Case::of(Hostile::new("a"));
    let text = case.lotka(&["inspect", "a.fmu"]).assert(0, &[]).stdout.clone();
    for part in [
        "  name        a\n",
        "  tool        Lotka tests\n  made        2024-01-01T00:00:00Z\n  GUID        {hostile}\n  FMI         2.0, co-simulation\n",
        "  platforms   linux64\n",
        "  yes  its state is saved and restored (rollback)\n",
        "  no   directional derivatives\n",
        "logStatusFatal",
        "  stop time   1 s\n",
        "\ninputs (3)\n  name    type     start\n  u       Real     0.0\n  level   Integer  0\n",
        "\nparameters (3)\n",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let json = case.lotka(&["inspect", "a.fmu", "--json"]).assert(0, &[]).json();
    assert_eq!(
        (json["kind"].as_str(), json["model_name"].as_str(), json["fmi_version"].as_str()),
        (Some("fmu"), Some("a"), Some("2.0"))
    );
    assert_eq!(json["platforms"], serde_json::json!(["linux64"]));
    assert_eq!(json["capabilities"]["save_state"], true);
    assert_eq!(json["default_experiment"]["step_size"], 0.1);
    let k = json["variables"].as_array().unwrap().iter().find(|variable| variable["name"] == "k").unwrap();
    assert_eq!((k["causality"].as_str(), k["type"].as_str(), k["start"].as_f64()), (Some("parameter"), Some("Real"), Some(1.0)));
}

#[test]
fn long_lists_are_shortened_unless_all_are_asked_for() {
    let many: String = (0..1000)
        .map(|n| format!("<ScalarVariable name=\"p{n}\" valueReference=\"{}\" causality=\"parameter\" description=\"a&#10;b\"><Real start=\"{n}\"/></ScalarVariable>", n + 10))
        .collect();
    let fmu =
        Hostile::new("a").edit_xml(move |xml| *xml = xml.replace("  </ModelVariables>", &format!("{many}</ModelVariables>")));
    let case = Case::new("", [fmu]);
    let short = case.lotka(&["inspect", "a.fmu"]).assert(0, &[]).stdout.clone();
    assert!(short.contains("parameters (1003)\n") && short.contains("  … and 983 more: --all lists them\n"), "{short}");
    assert!(short.contains("  … and 990 more: --all lists them; `lotka check` says"), "no variability is a warning: {short}");
    assert!(!short.contains("  p999  ") && short.lines().count() < 100, "{short}");
    let all = case.lotka(&["inspect", "a.fmu", "--all"]).assert(0, &[]).stdout.clone();
    assert!(all.contains("  p999   Real    999.0   a b\n") && !all.contains(": --all"), "{all}");
    let json = case.lotka(&["inspect", "a.fmu", "--json"]).assert(0, &[]).json();
    assert_eq!(json["variables"].as_array().unwrap().len(), 1010);
}

#[test]
fn variables_have_their_ranges_and_enumerations_their_names() {
    let case = Case::new("", []);
    let population = tests::packed("population");
    let shown = case.lotka(&["inspect", population.to_str().unwrap()]).assert(0, &[]).stdout.clone();
    for part in [
        "name                type         unit  start  min  description\n",
        "  init                Enumeration        free        where the",
    ] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    let json = case.lotka(&["inspect", tests::packed("prey").to_str().unwrap(), "--json"]).json();
    let x = json["variables"].as_array().unwrap().iter().find(|variable| variable["name"] == "x").unwrap();
    assert_eq!(
        (&x["min"], &x["max"], &x["variability"]),
        (&serde_json::json!(0.0), &serde_json::json!(null), &serde_json::json!("continuous"))
    );
}

#[test]
fn an_fmu_for_another_platform_can_be_inspected_whatever_its_name() {
    let case = Case::of(Hostile::new("a"));
    BadArchive::ForeignPlatform.build(case.dir());
    std::fs::rename(case.path("bad.fmu"), case.path("bad.zip")).unwrap();
    let json = case.lotka(&["inspect", "bad.zip", "--json"]).assert(0, &[]).json();
    assert_eq!(json["platforms"], serde_json::json!(["darwin64", "win64"]));
}

#[test]
fn a_system_is_shown_with_its_loops_and_order() {
    let system = format!(
        "[experiment]\nstop = 1\nstep = 0.1\n{}",
        LOOP.replace("[instances]", "[instances]\nc = 'b.fmu'").replace("[connections]", "[connections]\n'a.level' = 'c.steps'")
    );
    let case = Case::new(&system, [Hostile::new("a").feedthrough(0.5), Hostile::new("b")]);
    let text = case.lotka(&["inspect", "system.toml"]).assert(0, &[]).stdout.clone();
    for part in [
        "  c  b.fmu",
        "b.u      = a.y",
        "loops (strongly connected components)\n  b, a: no algebraic loop (broken by states)\n",
        "evaluation order\n  c, b, a\n",
        "direct feedthrough\n  b -> a\n",
        "    b.y      follows no connected input\n    a.y      follows b.y\n",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let json = case.lotka(&["inspect", "system.toml", "--json"]).assert(0, &[]).json();
    assert_eq!(json["order"], serde_json::json!(["c", "b", "a"]));
    assert_eq!(json["components"][1], serde_json::json!({ "members": ["b", "a"], "is_loop": true }));
    assert_eq!(json["direct_feedthrough"], serde_json::json!([{ "from": "b", "to": "a" }]));
    assert_eq!(json["connections"][0]["sources"][0]["from"], "c.steps");
    assert_eq!(json["algebraic_loops"], serde_json::json!([]));
}

#[test]
fn an_algebraic_loop_is_named_with_the_connections_that_close_it() {
    let source = "[instances]\nsource = 'source.fmu'\n";
    let system = format!("[experiment]\nstop = 1\nstep = 0.1\n{}", LOOP.replace("[instances]\n", source));
    let system = system.replace("'b.u' = 'a.y'", "'b.u' = ['a.y', 'source.y']");
    let fmus = [Hostile::new("a").feedthrough(0.5), Hostile::new("b").feedthrough(0.25), Hostile::new("source")];
    let case = Case::new(&system, fmus);
    let text = case.lotka(&["inspect", "system.toml"]).assert(0, &[]).stdout.clone();
    for part in [
        "    source.y  follows no connected input\n  ┌ a.y       follows b.y\n  └ b.y       follows a.y, source.y\n",
        "  a, b\n    algebraic loop of a, b: b.y -> a.u, a.y -> b.u\n",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let json = case.lotka(&["inspect", "system.toml", "--json"]).assert(0, &[]).json();
    assert_eq!(json["evaluation"][0]["outputs"][0]["output"], "source.y");
    assert_eq!(json["evaluation"][1]["is_loop"], true);
    assert_eq!(json["evaluation"][1]["outputs"][1]["needs"], serde_json::json!(["a.y", "source.y"]));
    let connections = serde_json::json!([{ "from": "b.y", "to": "a.u" }, { "from": "a.y", "to": "b.u" }]);
    assert_eq!(json["algebraic_loops"], serde_json::json!([{ "members": ["a", "b"], "connections": connections }]));
}

/// Runs an example with the packaged FMUs and returns the last row.
fn run_example(name: &str) -> (String, [f64; 3]) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/predator-prey").join(name);
    let fmus = tests::packed("prey").parent().unwrap().to_owned();
    let text = std::fs::read_to_string(example).unwrap().replace("../../target/fmus", fmus.to_str().unwrap());
    let case = Case::new(&text, []);
    case.run(&[]).assert(0, &["stop time 100 s reached"]);
    let header = case.read("out.csv").lines().next().unwrap().to_owned();
    let last = case.rows().pop().unwrap();
    (header, [0, 1, 2].map(|column| last[column].parse().unwrap()))
}

#[test]
fn the_examples_reach_their_numbers() {
    for (name, expected, tolerance) in [
        ("system.toml", [25.681_746_294_2, 15.312_623_828_5], 1e-6),
        ("gauss-seidel.toml", [26.475_697_229_0, 15.209_108_484_7], 1e-9),
        ("jacobi.toml", [38.908_574_176, 10.807_189_605], 1e-9),
        ("iterated.toml", [16.424_496, 7.512_233], 1e-6),
        ("mastersim.toml", [25.737_130, 15.301_103], 1e-6),
    ] {
        let (header, [time, prey, predator]) = run_example(name);
        assert_eq!((header.as_str(), time), ("time,prey.x,predator.y", 100.0), "{name}");
        for (got, expected) in [(prey, expected[0]), (predator, expected[1])] {
            assert!((got / expected - 1.0_f64).abs() < tolerance, "{name}: {got} is not {expected}");
        }
    }
}

#[test]
fn a_program_of_its_own_runs_the_same_system() {
    let embed = lotka().with_file_name("embed");
    assert!(embed.is_file(), "{} is missing: run `cargo build -p embed` with the profile of the tests", embed.display());
    let run = |arguments: &[&Path]| Command::new(&embed).args(arguments).output().unwrap();
    let output = run(&[&tests::packed("prey"), &tests::packed("predator")]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.starts_with("t = 100 s after ") && text.contains(": 25.6"), "{text}");
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(run(&[Path::new("nowhere.fmu"), Path::new("nowhere.fmu")]).status.code(), Some(1));
}

#[test]
fn inputs_without_a_source_are_listed_with_the_values_that_they_keep() {
    let text = "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = { fmu = 'a.fmu', start = { level = 3 } }\nb = 'b.fmu'\n\
                [connections]\n'a.u' = 'b.y'\n[[scenario]]\nat = 0.5\nset = { 'b.u' = 1.0 }\n";
    let case = Case::new(text, [Hostile::new("a"), Hostile::new("b")]);
    let kept = [("a.level", "3"), ("a.enable", "true"), ("b.level", "0"), ("b.enable", "true")];
    for arguments in [&["check", "system.toml"][..], &["graph", "system.toml"], &["run", "system.toml", "-v"]] {
        let ended = case.lotka(arguments);
        let lines: Vec<_> = ended.assert(0, &[]).stderr.lines().filter(|line| line.contains("has no source")).collect();
        assert_eq!(lines.len(), kept.len(), "{arguments:?}: {lines:?}");
        for (line, (input, value)) in lines.iter().zip(kept) {
            assert!(line.contains(&format!("input `{input}` has no source; it keeps {value}")), "{line}");
        }
    }
    let shown = case.lotka(&["inspect", "system.toml"]).assert(0, &[]).stdout.clone();
    let json = case.lotka(&["inspect", "system.toml", "--json"]).assert(0, &[]).json();
    let listed = json["unconnected"].as_array().unwrap();
    assert_eq!(listed.len(), kept.len(), "{json}");
    for ((input, value), entry) in kept.into_iter().zip(listed) {
        let line = shown.lines().find(|line| line.trim_start().starts_with(input)).unwrap();
        assert!(line.ends_with(&format!("= {value}")), "{shown}");
        assert_eq!((entry["input"].as_str().unwrap(), entry["value"].to_string().as_str()), (input, value));
    }
    assert!(!case.lotka(&["run", "system.toml"]).assert(0, &[]).stderr.contains("no source"), "only with -v");
}
