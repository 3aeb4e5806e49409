//! `lotka graph`: pictures of systems.

use std::{fs, path::Path};

use super::support::{Case, LOOP};
use tests::hostile::{BadArchive, Hostile};

/// `a` and `b` form an algebraic loop, `c` gets twice what `a` gives; nothing of it has feedthrough to `c`.
fn looped() -> Case {
    let system = LOOP.replace("[instances]\n", "[instances]\nc = 'c.fmu'\n");
    let system = format!("[experiment]\nstop = 1\nstep = 0.1\n{system}'c.u' = {{ from = 'a.y', factor = 2 }}\n");
    Case::new(&system, [Hostile::new("a").feedthrough(0.5), Hostile::new("b").feedthrough(0.25), Hostile::new("c")])
}

/// What stands between two texts.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    text.split_once(begin).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(inner, _)| inner)
}

#[test]
fn dot_has_records_clusters_and_every_connection() {
    let text = looped().lotka(&["graph", "system.toml"]).assert(0, &[]).stdout.clone();
    assert!(text.starts_with("digraph system {\n") && text.ends_with("}\n"), "{text}");
    let unquoted: String = text.split('"').step_by(2).collect();
    assert_eq!(unquoted.matches('{').count(), unquoted.matches('}').count(), "{text}");
    let cluster = between(&text, "subgraph cluster_0 {", "  }\n");
    assert!(cluster.contains("label=\"algebraic loop 1\""), "{text}");
    assert!(cluster.contains("n1 [") && cluster.contains("n2 [") && !cluster.contains("n0 ["), "{text}");
    for part in [
        r#"n0 [label="{{<i0> u\ =\ 2\ y|<i1> level\ =\ 0|<i2> enable\ =\ true}|3: c\nc|{}}", style=rounded];"#,
        r##"n1 [label="{{<i0> u|<i1> level\ =\ 0|<i2> enable\ =\ true}|1: a\na|{<o0> y}}", style=rounded, color="#bf5200"];"##,
        "n1:o0 -> n0:i0 [style=dashed];",
        "n1:o0 -> n2:i0 [color=\"#bf5200\", penwidth=2];",
        "n2:o0 -> n1:i0 [color=\"#bf5200\", penwidth=2];",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn svg_is_well_formed_and_shows_names_order_and_loops() {
    let case = looped();
    assert_eq!(case.lotka(&["graph", "system.toml", "--output", "picture.svg"]).assert(0, &[]).stdout, "");
    let text = case.read("picture.svg");
    let mut reader = quick_xml::Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let mut texts = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Text(text) => texts.push(text.to_string()),
            _ => {}
        }
    }
    for name in ["a", "b", "c", "1", "2", "3", "a, algebraic loop 1", "u = 2 y", "instance in an algebraic loop"] {
        assert!(texts.iter().any(|text| text == name), "no `{name}` in {texts:?}");
    }
    assert_eq!(text.matches("marker-end=\"url(#algebraic)\"").count(), 2 + 1, "two connections and the legend: {text}");
    assert_eq!(text, case.lotka(&["graph", "system.toml", "--format", "svg"]).stdout);
}

#[test]
fn names_cannot_break_a_picture() {
    let name = "<a&\\\"{b}|c>";
    let text = format!("[experiment]\nstop = 1\nstep = 0.1\n[instances]\n'{name}' = 'a.fmu'\n");
    let case = Case::new(&text, [Hostile::new("a")]);
    let dot = case.lotka(&["graph", "system.toml", "--format", "dot"]).assert(0, &[]).stdout.clone();
    assert!(dot.contains(r#"1: \<a&\\\\\"\{b\}\|c\>\na"#), "{dot}");
    let svg = case.lotka(&["graph", "system.toml", "--format", "svg"]).assert(0, &[]).stdout.clone();
    assert!(svg.contains(">&lt;a&amp;\\&quot;{b}|c&gt;</text>"), "{svg}");
}

#[test]
fn instances_without_memory_have_corners() {
    let [population, starvation] = ["population", "starvation"].map(tests::packed);
    let text = format!(
        "[experiment]\nstop = 1\nstep = 0.1\n[instances]\nfoxes = '{}'\nhunger = '{}'\n\
         [connections]\n'hunger.population' = 'foxes.population'\n'foxes.rate' = 'hunger.rate'\n",
        population.display(),
        starvation.display()
    );
    let dot = Case::new(&text, []).lotka(&["graph", "system.toml"]).assert(0, &[]).stdout.clone();
    for (name, is_rounded) in [("foxes", true), ("hunger", false)] {
        let line = dot.lines().find(|line| line.contains(&format!(": {name}"))).unwrap();
        assert_eq!(line.contains("style=rounded"), is_rounded, "{line}");
    }
    assert!(dot.contains("label=\"loop 1\""), "{dot}");
}

/// The picture in the README of the three species is that of its system file.
#[test]
fn a_system_of_nine_is_drawn_as_it_was() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/three-species");
    let fmus = tests::packed("predation").parent().unwrap().to_owned();
    let text = fs::read_to_string(example.join("system.toml")).unwrap().replace("../../target/fmus", fmus.to_str().unwrap());
    let svg = Case::new(&text, []).lotka(&["graph", "system.toml", "--format", "svg"]).assert(0, &[]).stdout.clone();
    let expected = fs::read_to_string(example.join("graph.svg")).unwrap();
    assert!(svg == expected, "run: lotka graph examples/three-species/system.toml --output examples/three-species/graph.svg");
}

#[test]
fn no_library_is_loaded() {
    let case = Case::new("[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'bad.fmu'\n", []);
    BadArchive::ForeignPlatform.build(case.dir());
    assert!(case.lotka(&["graph", "system.toml"]).assert(0, &[]).stdout.contains("1: a"));
}

#[test]
fn what_cannot_be_drawn_is_reported() {
    let case = looped();
    case.lotka(&["graph", "system.toml", "--output", "picture.png"]).assert(2, &["picture.png", "--format svg"]);
    case.lotka(&["graph", "a.fmu"]).assert(2, &["is an FMU", "lotka inspect"]);
    case.lotka(&["graph", "system.toml", "--output", "nowhere/picture.svg"]).assert(16, &["nowhere/picture.svg"]);
    case.write("wrong.toml", "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n[connections]\n'a.v' = 'a.y'\n");
    case.lotka(&["graph", "wrong.toml"]).assert(10, &["wrong.toml:7:1", "no variable `v`", "available: `u`"]);
}
