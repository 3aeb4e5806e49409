//! The table of quirks and ways to run for readers: `tests/quirks/README.md`.

use std::fmt::Write;

use super::{
    GROUPS,
    case::{Case, Verdict, Way},
};

fn table() -> String {
    let mut text = String::new();
    for (title, cases) in GROUPS {
        let head: String = Way::ALL.iter().map(|way| format!(" {} |", way.title())).collect();
        let _ = write!(text, "\n## {title}\n\n| FMU |{head}\n|---|{}\n", "---|".repeat(Way::ALL.len()));
        cases().iter().for_each(|case| text.push_str(&line(case)));
    }
    text.push('\n');
    text
}

fn line(case: &Case) -> String {
    let cells: String = Way::ALL.iter().map(|way| format!(" {} |", case.verdict(*way).map_or("–".to_owned(), cell))).collect();
    format!("| {} |{cells}\n", case.name)
}

fn cell(verdict: &Verdict) -> String {
    let error = verdict.error.map(|error| format!("{error:e}"));
    let code = (verdict.code != 0).then(|| format!("**{}**", verdict.code));
    let says = (!verdict.says.is_empty()).then(|| verdict.says.join(" … ").replace('|', "\\|").replace('\n', " "));
    let parts: Vec<String> = [code, error, says].into_iter().flatten().collect();
    parts.join(" ")
}

#[test]
fn the_readme_lists_what_is_tested() {
    tests::table::check(&tests::quirks::source_dir().join("README.md"), &table(), "fmus quirks::summary");
}
