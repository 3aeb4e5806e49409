//! Codes of messages: explained in the terminal, and found by machines.

use super::support::{Case, LOOP};
use tests::hostile::Hostile;

#[test]
fn a_code_is_explained_with_its_example_and_a_rule_with_what_it_demands() {
    let case = Case::new("", []);
    let explained = case.lotka(&["explain", "unknown-key"]).assert(0, &[]).stdout.clone();
    for part in ["unknown-key\n\n", "system.toml:\n", "    stopp = 1.0\n", "    $ lotka check system.toml\n", "[unknown-key]\n"] {
        assert!(explained.contains(part), "no `{part}` in\n{explained}");
    }
    assert!(!explained.contains("```") && !explained.contains("<!--"), "{explained}");
    assert_eq!(case.lotka(&["explain", "[unknown-key]"]).stdout, explained, "as it stands behind a message");
    let rule = case.lotka(&["explain", "default-experiment"]).assert(0, &[]).stdout.clone();
    assert!(rule.contains("start < stop") && rule.contains("worst: warning"), "{rule}");
    case.lotka(&["explain", "default-experimant"])
        .assert(2, &["unknown code `default-experimant`; did you mean `default-experiment`?", "[unknown-code]"]);
}

#[test]
fn without_a_code_all_are_listed_with_a_sentence() {
    let listed = Case::new("", []).lotka(&["explain"]).assert(0, &[]).stdout.clone();
    for code in lotka::Code::ALL.iter().map(|code| code.as_str()).chain(lotka::check_rules().map(|rule| rule.name)) {
        let line = listed.lines().find(|line| line.trim_start().split(' ').next() == Some(code));
        assert!(line.is_some_and(|line| line.trim_start().len() > code.len() + 3), "no sentence for `{code}` in\n{listed}");
    }
}

#[test]
fn machines_find_codes_and_places() {
    let case = Case::of(Hostile::new("a"));
    case.write("wrong.toml", "[experiment]\nstop = 1\nstep = 0.1\n[instances]\na = 'a.fmu'\n[connections]\n'a.u' = 'a.yy'\n");
    let json = case.lotka(&["run", "wrong.toml", "--json"]).assert(10, &[]).json();
    assert_eq!((&json["error_code"], json["problems"].as_array().map(Vec::len)), (&"unknown-variable".into(), Some(1)));
    let expected = serde_json::json!({
        "code": "unknown-variable", "severity": "error", "file": "wrong.toml", "line": 7, "column": 9,
        "message": "instance `a` has no variable `yy`", "help": "did you mean `y`?",
    });
    assert_eq!(json["problems"][0], expected);
    let failed = Case::of(Hostile::new("a").reply("fmi2DoStep", 3));
    let json = failed.run(&["--json"]).assert(13, &["[fmu-error]"]).json();
    assert_eq!((&json["error_code"], json.get("problems")), (&"fmu-error".into(), None));
}

#[test]
fn warnings_of_a_system_have_place_code_and_help() {
    let system = format!("[experiment]\nstop = 1\nstep = 0.1\n{LOOP}");
    let case =
        Case::new(&system.replace("a = 'a.fmu'", "a = { fmu = 'a.fmu', start = { u = 1.0 } }"), ["a", "b"].map(Hostile::new));
    let json = case.lotka(&["check", "system.toml", "--json"]).assert(0, &[]).json();
    let finding = &json["findings"][0];
    assert_eq!((&finding["rule"], &finding["file"]), (&"start-of-connected".into(), &"system.toml".into()));
    assert_eq!((&finding["line"], &finding["column"]), (&5.into(), &32.into()));
    assert_eq!(finding["remedy"], "remove the start value or the connection");
    let json = case.run(&["--json"]).assert(0, &["[start-of-connected]"]).json();
    assert_eq!(json["warning_codes"], serde_json::json!(["start-of-connected"]));
}

#[test]
fn what_the_command_line_cannot_be_read_as_has_a_code_too() {
    let case = Case::new("", []);
    case.lotka(&["run", "system.toml", "--stepsize", "1"]).assert(2, &["--stepsize", "[wrong-usage]"]);
    let help = case.lotka(&["run", "--help"]);
    assert!(help.code == 0 && help.stderr.is_empty() && help.stdout.contains("--step-size"), "{help:?}");
    assert_eq!(case.lotka(&["--version"]).code, 0);
    assert_eq!(case.lotka(&[]).code, 2);
}
