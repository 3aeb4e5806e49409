//! Coupling analysis of a system: effects of exchanging values only at communication points.

use std::path::Path;

use lotka::{
    Error, System, Warning,
    analysis::{Coupling, Sensitivity},
};
use serde_json::{Map, Value, json};

use super::description::{Description, codes, section, texts, warning_section};
use crate::table::{self, row};

/// Sensitivities below this value, in terms of nominal values, are not shown to people.
const NEGLIGIBLE: f64 = 1e-6;

/// Loads the FMUs and makes trial steps. `step` \[s\] replaces the step size of the experiment.
pub(super) fn describe(path: &Path, step: Option<f64>) -> Result<Description, Error> {
    let mut simulation = System::from_file(path)?.build_to_examine()?;
    let coupling = simulation.analyze_coupling(step)?;
    let warnings = simulation.warnings();
    Ok(Description { text: text(path, &coupling, warnings), json: json(path, &coupling, warnings) })
}

fn text(path: &Path, coupling: &Coupling, warnings: &[Warning]) -> String {
    let step = coupling.step;
    let lines = |texts: Vec<String>| texts.into_iter().map(|text| format!("  {text}\n")).collect::<String>();
    [
        format!("{}\n", path.display()),
        section(&format!("sensitivities of outputs to inputs over a step of {step} s"), &sensitivities(coupling)),
        section(&format!("contraction per iteration of a step of {step} s"), &contraction(coupling)),
        section("step sizes from which coupling without iteration adds growth", &critical_steps(coupling)),
        section("outputs that are stale after a step", &lines(coupling.stale.clone())),
        section("advice", &lines(coupling.advice.iter().map(ToString::to_string).collect())),
        warning_section(warnings),
    ]
    .concat()
}

fn sensitivities(coupling: &Coupling) -> String {
    let matters = |sensitivity: &&Sensitivity| sensitivity.relative.abs() >= NEGLIGIBLE;
    let line = |found: &Sensitivity| {
        row([&found.output, &found.input, &format!("{:.3e}", found.derivative), &format!("{:.3e}", found.relative)])
    };
    let lines: Vec<_> = coupling.sensitivities.iter().filter(matters).map(line).collect();
    if lines.is_empty() {
        return "  none\n".to_owned();
    }
    let header = row(["output", "input", "derivative", "by nominal values"]);
    table::columns("  ", &std::iter::once(header).chain(lines).collect::<Vec<_>>())
}

fn contraction(coupling: &Coupling) -> String {
    let Some(found) = coupling.contraction else { return "  not determined: eigenvalues did not converge\n".to_owned() };
    let line = |name: &str, factor: f64| row([name, &format!("{factor:.3e}")]);
    table::columns("  ", &[line("jacobi", found.jacobi), line("gauss-seidel", found.gauss_seidel)])
}

fn critical_steps(coupling: &Coupling) -> String {
    let lines: Vec<_> =
        coupling.critical_steps.iter().map(|(scheme, found)| row([&scheme.to_string(), &found.to_string()])).collect();
    table::columns("  ", &lines)
}

fn json(path: &Path, coupling: &Coupling, warnings: &[Warning]) -> Value {
    let mut object = Map::from_iter([("kind".to_owned(), json!("coupling")), ("path".to_owned(), json!(path))]);
    if let Value::Object(entries) = lotka_report::coupling(coupling) {
        object.extend(entries);
    }
    object.insert("warnings".to_owned(), json!(texts(warnings)));
    object.insert("warning_codes".to_owned(), json!(codes(warnings)));
    object.into()
}
