//! Generates `documentation/index.html` from the model description and the author's text about the equations.

use std::fmt::{self, Display, Write};

use lotka_instance::description::{DefaultExperiment, Initial, Variability};

use crate::{Library, PackedDescription};

mod fmi2;
mod fmi3;

/// What the page shows of a model description of either version.
struct Page<'a> {
    title: &'a str,
    about: Option<&'a str>,
    rows: Vec<Row<'a>>,
    experiment: Option<DefaultExperiment>,
    /// Version, author, copyright and license.
    origin: [Option<&'a str>; 4],
}

/// One variable.
struct Row<'a> {
    name: &'a str,
    kind: String,
    causality: &'static str,
    variability: Variability,
    unit: Option<&'a str>,
    /// The start value; `None` without one.
    start: Option<String>,
    initial: Option<Initial>,
    description: Option<&'a str>,
}

/// Returns the page as HTML. `equations` is a trusted HTML fragment from the author; everything else is escaped.
pub(crate) fn index_html(description: &PackedDescription, platform: &str, equations: &str, library: &Library) -> String {
    let page = match description {
        PackedDescription::Fmi2(description) => fmi2::page(description),
        PackedDescription::Fmi3(description) => fmi3::page(description),
    };
    let title = Escaped(page.title);
    let rows: String = page.rows.iter().map(row).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{STYLE}</head>\n<body>\n\
         <h1>{title}</h1>\n{about}{equations}\n<h2>Variables</h2>\n<table>\n{HEAD}{rows}</table>\n\
         {experiment}<h2>Binary</h2>\n<p>{binary}</p>\n{origin}</body>\n</html>\n",
        about = paragraph(page.about),
        equations = equations.trim_end(),
        experiment = experiment(page.experiment),
        binary = Escaped(&binary(platform, library)),
        origin = origin(page.origin),
    )
}

const STYLE: &str = "<style>\n\
    body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; line-height: 1.5 }\n\
    table { border-collapse: collapse }\n\
    th, td { border: 1px solid #bbb; padding: 0.2em 0.6em; text-align: left }\n\
    </style>\n";

const HEAD: &str =
    "<tr><th>Name</th><th>Type</th><th>Causality</th><th>Variability</th><th>Unit</th><th>Start</th><th>Description</th></tr>\n";

fn row(row: &Row) -> String {
    let start = row.start.clone().unwrap_or_else(|| match row.initial {
        Some(Initial::Calculated) => "calculated".into(),
        _ => String::new(),
    });
    let cells = [
        row.name,
        &row.kind,
        row.causality,
        variability(row.variability),
        row.unit.unwrap_or_default(),
        &start,
        row.description.unwrap_or_default(),
    ];
    let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", Escaped(cell))).collect();
    format!("<tr>{cells}</tr>\n")
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

fn experiment(experiment: Option<DefaultExperiment>) -> String {
    let Some(experiment) = experiment else { return String::new() };
    let facts = [
        ("start", experiment.start_time, " s"),
        ("stop", experiment.stop_time, " s"),
        ("communication step size", experiment.step_size, " s"),
        ("relative tolerance", experiment.tolerance, ""),
    ];
    let facts: Vec<_> = facts.iter().filter_map(|(what, x, unit)| x.map(|x| format!("{what} {x:?}{unit}"))).collect();
    if facts.is_empty() { String::new() } else { format!("<h2>Default experiment</h2>\n<p>{}</p>\n", facts.join(", ")) }
}

fn binary(platform: &str, library: &Library) -> String {
    let glibc = library.glibc.map(|version| format!("; GNU C library {version} or newer")).unwrap_or_default();
    let needed = if library.needed.is_empty() { "no other library".to_owned() } else { library.needed.join(", ") };
    format!("{platform}{glibc}; needs {needed}")
}

fn origin(facts: [Option<&str>; 4]) -> String {
    let named = ["Version", "Author", "Copyright", "License"].into_iter().zip(facts);
    named.filter_map(|(what, text)| Some(paragraph(Some(&format!("{what}: {}", text?))))).collect()
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

/// Returns a causality, by its name in the standards, in words.
fn causality(name: &'static str) -> &'static str {
    match name {
        "calculatedParameter" => "calculated parameter",
        "structuralParameter" => "structural parameter",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use ::fmi2::description::{Causality, ModelDescription, RealVariable, ScalarVariable, VariableKind};
    use ::fmi3::description::{self as of_3, Dimension, FloatVariable};

    use super::*;

    fn library() -> Library {
        Library {
            exported: vec![],
            needed: vec!["libc.so.6".into()],
            run_paths: vec![],
            undefined: vec![],
            glibc: None,
            glibc_symbols: vec![],
        }
    }

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
        index_html(&PackedDescription::Fmi2(description), "linux64", "<p>x' = a x</p>", &library())
    }

    #[test]
    fn arrays_of_fmi_3_have_their_sizes_and_all_start_values() {
        let variable = of_3::Variable {
            name: "w".into(),
            value_reference: 1,
            description: None,
            declared_causality: Some(of_3::Causality::StructuralParameter),
            declared_variability: None,
            can_handle_multiple_set_per_time_instant: None,
            clocks: None,
            intermediate_update: None,
            previous: None,
            declared_initial: None,
            kind: of_3::VariableKind::Float64(FloatVariable { start: Some(vec![1.0, 2.5]), ..Default::default() }),
            dimensions: vec![Dimension::Fixed(2), Dimension::Variable(1)],
            aliases: vec![],
            annotations: vec![],
        };
        let description = of_3::ModelDescription { variables: vec![variable], ..Default::default() };
        let page = index_html(&PackedDescription::Fmi3(description), "x86_64-linux", "", &library());
        let row = "<tr><td>w</td><td>Float64[2,w]</td><td>structural parameter</td><td>fixed</td><td></td><td>1.0 2.5</td><td></td></tr>";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("<p>x86_64-linux; needs libc.so.6</p>"));
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
