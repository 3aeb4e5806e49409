//! The table of faults and verdicts for readers: `tests/hostile/README.md`.

use std::{fmt::Write, fs};

use super::{
    case::{Case, Mode, Verdict},
    faults,
};

const BEGIN: &str = "<!-- table: begin -->\n";
const END: &str = "<!-- table: end -->\n";

/// All groups as Markdown.
fn table() -> String {
    let mut text = String::new();
    for group in faults::groups() {
        let _ = write!(text, "\n## {}\n\n| fault | `lotka run` | isolated | `lotka check` |\n|---|---|---|---|\n", group.title);
        (group.faults)().iter().for_each(|case| text.push_str(&line(case)));
    }
    text.push('\n');
    text
}

fn line(case: &Case) -> String {
    let cells = Mode::ALL.map(|mode| case.verdict(mode).map_or_else(|| "–".to_owned(), cell));
    let [run, isolated, check] = &cells;
    let isolated = if run == isolated { "the same" } else { isolated };
    let check = if run == check { "the same" } else { check };
    format!("| {} | {run} | {isolated} | {check} |\n", case.name)
}

fn cell(verdict: &Verdict) -> String {
    let texts: Vec<String> = verdict.texts.iter().map(|text| text.trim().replace('|', "\\|").replace('\n', " ")).collect();
    format!("**{}** {}", verdict.code, texts.join(" … ")).trim_end().to_owned()
}

#[test]
fn the_readme_lists_what_is_tested() {
    let path = tests::hostile::source_dir().join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(BEGIN).unwrap();
    let (listed, tail) = rest.split_once(END).unwrap();
    let table = table();
    if std::env::var_os("LOTKA_UPDATE").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{table}{END}{tail}")).unwrap();
    } else {
        assert!(listed == table, "run `LOTKA_UPDATE=1 cargo test -p tests --test hostile_suite readme`");
    }
}
