//! The numbers of the study as Markdown.

use crate::{Line, Measurement, Method, Results, Study, figures::MASTER_SIM, summary::Exception};

/// Error levels at which the methods are compared.
const LEVELS: [f64; 3] = [1e-3, 1e-6, 1e-9];

/// Returns the whole page: work for given errors, exceptions, all runs.
pub(crate) fn markdown(study: &Study) -> String {
    let mut lines = vec!["# Accuracy: results".to_owned(), String::new()];
    lines.push("Made by `cargo xtask study accuracy`; [README.md](README.md) says what it means.".to_owned());
    for level in LEVELS {
        lines.extend(work(study, level));
    }
    lines.extend(exceptions(study));
    study.results.iter().for_each(|results| lines.extend(runs(results)));
    lines.join("\n") + "\n"
}

/// Returns a table with systems as rows and methods as columns.
fn work(study: &Study, level: f64) -> Vec<String> {
    let text = "Fewest doStep calls of all FMUs and all runs among those below; – if no run was as accurate.";
    let mut lines = heading(&format!("Calls for an error of {level:.0e}"), text);
    let names: Vec<_> = study.results.iter().map(|results| results.case.title()).collect();
    lines.push(format!("| method | {} |", names.join(" | ")));
    lines.push(format!("|---|{}", "--:|".repeat(names.len())));
    for method in Method::ALL {
        let cell = |results: &Results| {
            let calls = results.line(method).and_then(|line| line.calls_for(level));
            calls.map_or_else(|| "–".to_owned(), |calls| calls.to_string())
        };
        let cells: Vec<_> = study.results.iter().map(cell).collect();
        lines.push(format!("| {} | {} |", method.name(), cells.join(" | ")));
    }
    lines
}

fn exceptions(study: &Study) -> Vec<String> {
    let text = "Fixed steps of first or second order that are more accurate than a verified run whose error is below 1e-6 and that takes as \
                many calls, by interpolation between the runs below.";
    let mut lines = heading("Where fixed steps are more accurate", text);
    let line =
        |results: &Results| results.exceptions().iter().map(|exception| exception_line(results, exception)).collect::<Vec<_>>();
    let found: Vec<_> = study.results.iter().flat_map(line).collect();
    if found.is_empty() {
        lines.push("No such run.".to_owned());
    } else {
        lines.push("| system | tolerance | calls | error | fixed steps | their error |".to_owned());
        lines.push("|---|--:|--:|--:|---|--:|".to_owned());
        lines.extend(found);
    }
    lines
}

fn exception_line(results: &Results, exception: &Exception) -> String {
    let Exception { method, tolerance, calls, error, fixed } = exception;
    format!("| {} | {tolerance:.0e} | {calls} | {error:.1e} | {} | {fixed:.1e} |", results.case.title(), method.name())
}

fn runs(results: &Results) -> Vec<String> {
    let text = format!(
        "Rows every {} s. Error: the largest at the times at which the exact answer is known, relative to max(|y|, 0.001 max |y|).",
        results.case.interval()
    );
    let mut lines = heading(results.case.title(), &text);
    lines.push("| method | h in s, or tolerance | calls | error | estimate |".to_owned());
    lines.push("|---|--:|--:|--:|--:|".to_owned());
    lines.extend(results.lines.iter().flat_map(measurements));
    if results.case == MASTER_SIM.case {
        let line = |(name, calls, error)| format!("| {name} | 1e-6 | {calls} | {error:.1e} | |");
        lines.extend(MASTER_SIM.runs.into_iter().map(line));
    }
    lines
}

fn measurements(line: &Line) -> impl Iterator<Item = String> {
    line.measurements.iter().map(|run| {
        let Measurement { setting, calls, .. } = run;
        format!("| {} | {setting} | {calls} | {} | {} |", line.method.name(), error(run), estimate(run))
    })
}

/// Below this, errors are rounding errors, whose digits are meaningless.
const ROUNDING: f64 = 1e-12;

fn error(run: &Measurement) -> String {
    match run.error {
        None => "failed".to_owned(),
        Some(error) if error < ROUNDING => format!("< {ROUNDING:.0e}"),
        Some(error) if error.is_infinite() => "overflow".to_owned(),
        Some(error) => format!("{error:.1e}"),
    }
}

fn estimate(run: &Measurement) -> String {
    match run.estimate {
        None => String::new(),
        Some((estimate, true)) => format!("{estimate:.0e}"),
        Some((estimate, false)) => format!("{estimate:.0e}, not reached"),
    }
}

fn heading(title: &str, text: &str) -> Vec<String> {
    vec![String::new(), format!("## {title}"), String::new(), text.to_owned(), String::new()]
}
