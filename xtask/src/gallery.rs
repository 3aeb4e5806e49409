//! `cargo xtask demo --all`: runs every example and writes one page with all pictures, as Markdown and as HTML.

use std::{
    fs,
    path::{Path, PathBuf},
};

use ::gallery::{Error, Example, Page, Shown};

use crate::{TaskResult, examples, write};

/// Runs all examples with the FMUs of a folder and writes the page. With `--update`, also writes the pictures into the example
/// folders.
///
/// # Errors
/// A file cannot be read or written. After everything is written: a number is out of tolerance, or a run failed.
pub fn run(fmus: &Path, output: &Path, update: bool) -> TaskResult {
    let mut page = Page::default();
    for example in Example::all(&examples())? {
        let shown = shown(example, fmus)?;
        print(&shown);
        page.examples.push(shown);
    }
    fs::create_dir_all(output).map_err(|error| format!("{}: {error}", output.display()))?;
    for shown in &page.examples {
        let Some(svg) = &shown.picture else { continue };
        write(&output.join(shown.picture_file()), svg)?;
        if update {
            write(&shown.example.path("picture.svg"), svg)?;
        }
    }
    let [markdown, html]: [PathBuf; 2] = ["index.md", "index.html"].map(|name| output.join(name));
    write(&markdown, &page.markdown())?;
    write(&html, &page.html())?;
    println!("\n{}\n{}", markdown.display(), html.display());
    let missed = page.missed();
    if missed.is_empty() { Ok(()) } else { Err(format!("not as expected:\n  {}", missed.join("\n  ")).into()) }
}

fn shown(example: Example, fmus: &Path) -> Result<Shown, Error> {
    let outcomes = example.run(fmus)?;
    Shown::new(example, outcomes)
}

/// Prints a line per system.
fn print(shown: &Shown) {
    for outcome in &shown.outcomes {
        let name = format!("{}/{}", shown.example.name, outcome.system);
        let calls = outcome.run.as_ref().map_or(0, |ran| ran.report.counters.n_do_step_calls);
        let (met, all) = (outcome.checks.iter().filter(|check| check.is_met()).count(), outcome.checks.len());
        let verdict = if outcome.is_as_expected() { "as expected" } else { "NOT AS EXPECTED" };
        println!("{name:<44} {calls:>8} doStep calls   {met:>3} of {all:>3} numbers   {verdict}");
    }
}
