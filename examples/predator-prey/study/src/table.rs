//! The numbers of the study as Markdown.

use crate::{KNOWN, Known, Outcome, Quantity, SERIES, Study};

/// Returns the whole page: all outcomes, reference numbers, published maxima.
pub(crate) fn markdown(study: &Study) -> String {
    let mut lines = vec!["# Predator–prey: results".to_owned(), String::new()];
    lines.push("Made by `cargo xtask study predator-prey`; [README.md](README.md) says what it means.".to_owned());
    lines.extend(outcomes(study));
    lines.extend(known_numbers(study));
    lines.extend(published(study));
    lines.join("\n") + "\n"
}

fn outcomes(study: &Study) -> Vec<String> {
    let mut lines = heading(
        "Experiments",
        "Populations at t = 100 s; error: largest relative deviation of either species from the exact solution over the run. Section: of Nicolai (2018).",
    );
    lines.push("| method | section | steps | rejected | doStep calls | prey | predators | error |".to_owned());
    lines.push("|---|---|--:|--:|--:|--:|--:|--:|".to_owned());
    lines.extend(study.outcomes.iter().map(outcome));
    lines
}

fn outcome(outcome: &Outcome) -> String {
    let (counters, [prey, predators]) = (&outcome.report.counters, outcome.trajectory.end());
    format!(
        "| {} | {} | {} | {} | {} | {prey:.6} | {predators:.6} | {} |",
        outcome.experiment.method(),
        outcome.experiment.section(),
        counters.n_steps,
        outcome.rejected(),
        counters.n_do_step_calls,
        error(outcome.largest_error()),
    )
}

/// Below this, errors are rounding errors, whose digits are meaningless.
const ROUNDING: f64 = 1e-12;

fn error(value: f64) -> String {
    if value < ROUNDING { format!("< {ROUNDING:.0e}") } else { format!("{value:.2e}") }
}

fn known_numbers(study: &Study) -> Vec<String> {
    let mut lines = heading(
        "Known numbers",
        "The test `tests/tests/systems/study.rs` fails when one of them is missed by more than the tolerance.",
    );
    lines.push("| method | quantity | here | known | tolerance | source |".to_owned());
    lines.push("|---|---|--:|--:|--:|---|".to_owned());
    lines.extend(KNOWN.iter().map(|known| known_number(study.outcome(known.experiment), known)));
    lines
}

fn known_number(outcome: &Outcome, known: &Known) -> String {
    let (name, show): (_, fn(f64) -> String) = match known.quantity {
        Quantity::Steps => ("steps", |value| format!("{value}")),
        Quantity::DoStepCalls => ("doStep calls", |value| format!("{value}")),
        Quantity::Prey => ("prey", |value| format!("{value:.10}")),
        Quantity::Predators => ("predators", |value| format!("{value:.10}")),
        Quantity::LargestError => ("error", |value| format!("{value:.2e}")),
    };
    let tolerance = if known.tolerance == 0.0 { "equal".to_owned() } else { format!("{:e}", known.tolerance) };
    let (here, value) = (show(known.quantity.of(outcome)), show(known.value));
    format!("| {} | {name} | {here} | {value} | {tolerance} | {} |", known.experiment.method(), known.source)
}

fn published(study: &Study) -> Vec<String> {
    let mut lines = heading(
        "Published errors",
        "Largest relative errors under MasterSim's error control at 1e-6, against the raw data of figure 8.",
    );
    lines.push("| series | here | published | difference |".to_owned());
    lines.push("|---|--:|--:|--:|".to_owned());
    let pairs = study.largest_errors().into_iter().zip(study.published.maxima());
    let line = |(name, (here, published)): (&str, (f64, f64))| {
        format!("| {name} | {here:.3e} | {published:.3e} | {:.1} % |", 100.0 * (here / published - 1.0))
    };
    lines.extend(SERIES.into_iter().zip(pairs).map(line));
    lines
}

fn heading(title: &str, text: &str) -> Vec<String> {
    vec![String::new(), format!("## {title}"), String::new(), text.to_owned(), String::new()]
}
