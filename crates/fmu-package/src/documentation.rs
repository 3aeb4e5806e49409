//! Generates `documentation/index.html` from the model description and the author's text about the equations.

use std::fmt::{self, Display, Write};

use fmi2::description::{Causality, Initial, ModelDescription, ScalarVariable, Variability, VariableKind};

use crate::Library;

/// Returns the page as HTML. `equations` is a trusted HTML fragment from the author; everything else is escaped.
pub(crate) fn index_html(description: &ModelDescription, equations: &str, library: &Library) -> String {
    let title = Escaped(&description.model_name);
    let rows: String = description.variables.iter().map(|variable| row(description, variable)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{STYLE}</head>\n<body>\n\
         <h1>{title}</h1>\n{about}{equations}\n<h2>Variables</h2>\n<table>\n{HEAD}{rows}</table>\n\
         {experiment}<h2>Binary</h2>\n<p>{binary}</p>\n{origin}</body>\n</html>\n",
        about = paragraph(description.description.as_deref()),
        equations = equations.trim_end(),
        experiment = experiment(description),
        binary = Escaped(&binary(library)),
        origin = origin(description),
    )
}

const STYLE: &str = "<style>\n\
    body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; line-height: 1.5 }\n\
    table { border-collapse: collapse }\n\
    th, td { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left }\n\
    </style>\n";

const HEAD: &str =
    "<tr><th>Name</th><th>Type</th><th>Causality</th><th>Variability</th><th>Unit</th><th>Start</th><th>Description</th></tr>\n";

fn row(description: &ModelDescription, variable: &ScalarVariable) -> String {
    let cells = [
        variable.name.as_str(),
        variable.kind.type_name(),
        causality(variable.causality()),
        variability(variable.variability()),
        description.unit_of(variable).unwrap_or_default(),
        &start(variable),
        variable.description.as_deref().unwrap_or_default(),
    ];
    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", Escaped(cell))).collect();
    format!("<tr>{cells}</tr>\n")
}

fn causality(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculated parameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "independent",
    }
}

fn variability(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

/// Returns the start value, or a remark that initialization computes the value.
fn start(variable: &ScalarVariable) -> String {
    let given = match &variable.kind {
        VariableKind::Real(real) => real.start.map(|x| format!("{x:?}")),
        VariableKind::Integer(integer) => integer.start.map(|n| n.to_string()),
        VariableKind::Boolean(boolean) => boolean.start.map(|b| b.to_string()),
        VariableKind::String(string) => string.start.clone(),
        VariableKind::Enumeration(item) => item.start.map(|n| n.to_string()),
    };
    given.unwrap_or_else(|| match variable.initial() {
        Some(Initial::Calculated) => "calculated".into(),
        _ => String::new(),
    })
}

fn experiment(description: &ModelDescription) -> String {
    let Some(experiment) = &description.default_experiment else { return String::new() };
    let facts = [
        ("start", experiment.start_time, " s"),
        ("stop", experiment.stop_time, " s"),
        ("communication step size", experiment.step_size, " s"),
        ("relative tolerance", experiment.tolerance, ""),
    ];
    let facts: Vec<_> = facts.iter().filter_map(|(what, x, unit)| x.map(|x| format!("{what} {x:?}{unit}"))).collect();
    if facts.is_empty() { String::new() } else { format!("<h2>Default experiment</h2>\n<p>{}</p>\n", facts.join(", ")) }
}

fn binary(library: &Library) -> String {
    let glibc = library.glibc.map(|version| format!("; GNU C library {version} or newer")).unwrap_or_default();
    let needed = if library.needed.is_empty() { "no other library".to_owned() } else { library.needed.join(", ") };
    format!("linux64{glibc}; needs {needed}")
}

fn origin(description: &ModelDescription) -> String {
    let facts = [
        ("Version", &description.version),
        ("Author", &description.author),
        ("Copyright", &description.copyright),
        ("License", &description.license),
    ];
    facts.iter().filter_map(|(what, text)| Some(paragraph(Some(&format!("{what}: {}", text.as_deref()?))))).collect()
}

fn paragraph(text: Option<&str>) -> String {
    text.map(|text| format!("<p>{}</p>\n", Escaped(text))).unwrap_or_default()
}

/// Text with HTML special characters escaped.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use fmi2::description::{DefaultExperiment, RealVariable};

    use super::*;

    fn page() -> String {
        let variable = ScalarVariable {
            name: "a<b>".into(),
            value_reference: 0,
            description: Some("growth & \"more\"".into()),
            declared_causality: Some(Causality::Parameter),
            declared_variability: Some(Variability::Fixed),
            declared_initial: None,
            can_handle_multiple_set_per_time_instant: None,
            kind: VariableKind::Real(RealVariable { unit: Some("1/s".into()), start: Some(1e-7), ..Default::default() }),
            annotations: vec![],
        };
        let description = ModelDescription {
            model_name: "Prey".into(),
            default_experiment: Some(DefaultExperiment { stop_time: Some(100.0), ..Default::default() }),
            variables: vec![variable],
            ..Default::default()
        };
        let library = Library {
            exported: vec![],
            needed: vec!["libc.so.6".into()],
            run_paths: vec![],
            undefined: vec![],
            glibc: None,
            glibc_symbols: vec![],
        };
        index_html(&description, "<p>x' = a x</p>", &library)
    }

    #[test]
    fn the_table_shows_every_variable_escaped() {
        let row = "<tr><td>a&lt;b&gt;</td><td>Real</td><td>parameter</td><td>fixed</td><td>1/s</td><td>1e-7</td>\
                   <td>growth &amp; &quot;more&quot;</td></tr>";
        assert!(page().contains(row), "{}", page());
    }

    #[test]
    fn the_fragment_stands_unchanged_and_absent_facts_are_left_out() {
        let page = page();
        assert!(page.contains("\n<p>x' = a x</p>\n"));
        assert!(page.contains("<p>stop 100.0 s</p>"));
        assert!(page.contains("<p>linux64; needs libc.so.6</p>"));
        assert!(!page.contains("Author"));
    }
}
