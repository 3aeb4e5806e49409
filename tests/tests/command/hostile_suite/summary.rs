//! The table of faults and verdicts for readers: `tests/hostile/README.md`.

use std::fmt::Write;

use super::{
    case::{Case, Mode, Verdict},
    faults,
};

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
    tests::table::check(&tests::hostile::source_dir().join("README.md"), &table(), "command hostile_suite::summary");
}
