//! The short table of results on a terminal.

use super::{support::Case, verbosity::on_terminal_of};
use tests::hostile::Hostile;

/// Two instances that step to t = 1 s.
fn system() -> Case {
    let text = "[experiment]\nstop = 1.0\nstep = 0.1\n[results]\nvariables = ['*.y']\n[instances]\na = 'a.fmu'\nb = 'b.fmu'\n[connections]\n'a.u' = 'b.y'\n";
    Case::new(text, [Hostile::new("a"), Hostile::new("b")])
}

/// The lines with the names of variables, and the heading.
fn table(text: &str) -> Vec<&str> {
    let is_row = |line: &&str| ["variable ", "a.y ", "b.y "].iter().any(|name| line.starts_with(name));
    text.lines().map(|line| line.trim_end_matches('\r')).filter(is_row).collect()
}

#[test]
fn a_terminal_gets_a_table_and_a_pipe_gets_the_rows() {
    let case = system();
    let text = on_terminal_of(80, &case, "run system.toml", &[("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8")]);
    let lines = table(&text);
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("variable") && lines[0].ends_with("t = 0 … 1 s"), "{text}");
    assert!(lines[0].contains("start") && lines[0].contains("final") && lines[0].contains("min"), "{text}");
    assert!(lines[1..].iter().all(|line| line.ends_with(|c| ('▁'..='█').contains(&c))), "{text}");
    assert!(!text.contains("time,a.y") && !text.contains("\u{1b}["), "{text}");
    assert!(text.contains("stop time 1 s reached"), "{text}");
    let rows = case.lotka(&["run", "system.toml"]).assert(0, &[]).stdout.clone();
    assert!(rows.starts_with("time,a.y,b.y\n0.0,") && rows.lines().count() == 12, "{rows}");
    let on_terminal = on_terminal_of(80, &case, "run system.toml --rows --quiet", &[]);
    assert_eq!(on_terminal.replace('\r', ""), rows);
    let csv = on_terminal_of(80, &case, "run system.toml --output-format csv --quiet", &[]);
    assert_eq!(csv, on_terminal);
    case.lotka(&["run", "system.toml", "--rows", "--output-file", "a.csv"]).assert(2, &["--rows"]);
}

#[test]
fn the_table_is_data_and_fits_the_terminal() {
    let case = system();
    for (width, locale, has_curves) in [(100, "C.UTF-8", true), (30, "C.UTF-8", true), (20, "C.UTF-8", true), (80, "C", false)] {
        let text = on_terminal_of(width, &case, "run system.toml --quiet", &[("NO_COLOR", "1"), ("LC_ALL", locale)]);
        let lines = table(&text);
        assert_eq!((lines.len(), text.lines().count()), (3, 3), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        assert_eq!(text.contains(|c| ('▁'..='█').contains(&c)), has_curves, "{width}, {locale}:\n{text}");
    }
    let colored = on_terminal_of(80, &case, "run system.toml --quiet --color always", &[]);
    assert!(colored.contains("\u{1b}[1mvariable") && colored.contains("\u{1b}[36m"), "{colored}");
}

#[test]
fn many_variables_are_counted() {
    let instances: String = (0..25).map(|n| format!("i{n} = 'a.fmu'\n")).collect();
    let case = Case::new(
        &format!("[experiment]\nstop = 1.0\nstep = 0.5\n[results]\nvariables = ['*.y']\n[instances]\n{instances}"),
        [Hostile::new("a")],
    );
    let lines = |text: String| text.lines().filter(|line| line.starts_with('i') && line.contains(".y ")).count();
    let text = on_terminal_of(80, &case, "run system.toml", &[]);
    assert!(text.contains("… and 5 more; -v shows all"), "{text}");
    assert_eq!(lines(text), 20);
    assert_eq!(lines(on_terminal_of(80, &case, "run system.toml -v", &[])), 25);
}

#[test]
fn a_run_that_fails_shows_what_it_has_and_a_tolerance_shows_errors() {
    let case = Case::new(
        "[experiment]\nstop = 1.0\nstep = 0.1\n[instances]\na = 'a.fmu'\n",
        [Hostile::new("a").reply("fmi2DoStep", 3).define("FAULT_AT=0.45")],
    );
    let text = on_terminal_of(80, &case, "run system.toml", &[("LC_ALL", "C.UTF-8")]);
    assert!(text.contains("t = 0 … 0.5 s") && text.contains("\na.y ") && text.contains("fmi2DoStep"), "{text}");
    let case = Case::new("[experiment]\nstop = 1.0\ntolerance = 1e-6\n[instances]\na = 'prey.fmu'\n", []);
    std::fs::copy(tests::packed("prey"), case.path("prey.fmu")).unwrap();
    let text = on_terminal_of(80, &case, "run system.toml --manifest run.json", &[("NO_COLOR", "1")]);
    assert!(text.lines().any(|line| line.starts_with("variable") && line.contains("error")), "{text}");
    // The rows have their hash, although nobody sees them.
    let manifest: serde_json::Value = serde_json::from_str(&case.read("run.json")).unwrap();
    case.lotka(&["run", "system.toml", "--manifest", "piped.json"]).assert(0, &[]);
    let piped: serde_json::Value = serde_json::from_str(&case.read("piped.json")).unwrap();
    assert!(piped["result"]["sha256"].is_string());
    assert_eq!(manifest["result"], piped["result"]);
}
