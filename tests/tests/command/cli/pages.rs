//! `lotka completions` and `lotka man`.

use std::fs;

use tests::shells::{completed, formatted};

use super::support::Case;

const VERBS: [&str; 17] = [
    "new",
    "run",
    "resume",
    "inspect",
    "graph",
    "check",
    "convert",
    "compare",
    "compile",
    "plot",
    "report",
    "explain",
    "completions",
    "man",
    "schema",
    "sweep",
    "cache",
];

#[test]
fn bash_completes_subcommands_flags_and_values() {
    let case = Case::new("", []);
    case.write("lotka.bash", &case.lotka(&["completions", "bash"]).assert(0, &[]).stdout);
    let complete = |words: &str| completed(&case.path("lotka.bash"), words);
    assert_eq!(complete("lotka res"), "resume");
    assert_eq!(complete("lotka run --tol"), "--tolerance");
    assert_eq!(complete("lotka run --log-level d"), "debug");
    assert_eq!(complete("lotka graph --color n"), "never");
    assert!(complete("lotka new --").contains("--force"));
}

#[test]
fn other_shells_know_every_subcommand() {
    let case = Case::new("", []);
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let script = case.lotka(&["completions", shell]).assert(0, &[]).stdout.clone();
        assert!(VERBS.iter().all(|verb| script.contains(verb)) && script.contains("checkpoint-every"), "{shell}: {script}");
    }
    case.lotka(&["completions", "tcl"]).assert(2, &["bash", "fish"]);
}

#[test]
fn every_subcommand_has_a_page() {
    let case = Case::new("", []);
    case.lotka(&["man", "--output-dir", "pages"]).assert(0, &[]);
    let mut names: Vec<_> = VERBS.iter().map(|verb| format!("lotka-{verb}.1")).chain(["lotka.1".to_owned()]).collect();
    names.sort();
    let mut files: Vec<_> =
        fs::read_dir(case.path("pages")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, names);
    for name in names {
        let page = case.read(&format!("pages/{name}"));
        // What is not ASCII comes out wrong where the locale is another one.
        assert!(page.is_ascii() && page.contains(".SH NAME\n") && page.contains(".SH SYNOPSIS\n"), "{name}: {page}");
        assert!(page.contains("\\-\\-color"), "{name}");
        let requests = page.lines().filter(|line| line.starts_with('.'));
        let known = |line: &str| {
            [".TH", ".SH", ".TP", ".RS", ".RE", ".br", ".IP", ".ie", ".el", ".PP"].iter().any(|request| line.starts_with(request))
        };
        assert!(requests.clone().all(known), "{name}: {:?}", requests.filter(|line| !known(line)).collect::<Vec<_>>());
    }
    assert_eq!(case.lotka(&["man", "run"]).assert(0, &[]).stdout, case.read("pages/lotka-run.1"));
    assert!(case.read("pages/lotka-run.1").contains("Exit codes:"));
    case.lotka(&["man", "rum"]).assert(2, &["unknown subcommand `rum`", "run"]);
}

/// The formatter of `man` has nothing to object to.
#[test]
fn groff_understands_the_pages() {
    let case = Case::new("", []);
    case.lotka(&["man", "--output-dir", "."]).assert(0, &[]);
    for verb in VERBS {
        let text = formatted(&case.path(&format!("lotka-{verb}.1")));
        assert!(text.contains(&format!("lotka-{verb}(1)")), "{text}");
    }
}
