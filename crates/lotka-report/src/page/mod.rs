//! The HTML file. It contains all text as HTML, so that it can be read, searched and printed; a script draws the plots. It loads
//! nothing from anywhere.

mod live;
mod settings;
mod study;
mod summary;
mod work;

use base64::{Engine, engine::general_purpose::STANDARD};
use lotka::printable;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::{
    Subject, colors, plots,
    runs::Run,
    step_plots,
    table::{Column, Data, Table},
};

/// The plotting library; see `assets/README.md`.
const PLOTS: &str = include_str!("../../assets/uplot/uPlot.iife.min.js");
const PLOTS_STYLE: &str = include_str!("../../assets/uplot/uPlot.min.css");
const LOOK: &str = include_str!("../../assets/look.js");
const FRAME: &str = include_str!("../../assets/frame.js");
const EXPORT: &str = include_str!("../../assets/export.js");
const SCRIPTS: [&str; 8] = [
    PLOTS,
    LOOK,
    include_str!("../../assets/curves.js"),
    EXPORT,
    include_str!("../../assets/report.js"),
    FRAME,
    include_str!("../../assets/xy.js"),
    include_str!("../../assets/diagram.js"),
];
const STYLE: &str = include_str!("../../assets/report.css");

/// Content security policy: the browser may use only what is in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:";

pub use live::live_html;
pub use study::study_html;

/// Maximum number of listed changes of a text.
const MOST_CHANGES: usize = 200;

/// Maximum number of constants whose list is open at first.
const MOST_OPEN: usize = 12;

/// Returns the whole page: one HTML file that loads nothing.
#[must_use]
pub fn html(subject: &Subject) -> String {
    html_over(subject, &[])
}

/// Returns the whole page, with the rows of other runs drawn over those of the subject, in dashed lines.
#[must_use]
pub fn html_over(subject: &Subject, others: &[Run<'_>]) -> String {
    let own = subject.table.as_ref().map(|table| Run { name: "", table });
    page(subject, &own.into_iter().chain(others.iter().copied()).collect::<Vec<_>>(), None)
}

/// Returns a page with the plots of some runs alone. With `x`, a plot shows the other variables over this one.
#[must_use]
pub fn plots_html(name: &str, runs: &[Run<'_>], x: Option<&str>) -> String {
    page(&Subject { document: json!({ "name": name }), ..Subject::default() }, runs, x)
}

fn page(subject: &Subject, runs: &[Run<'_>], x: Option<&str>) -> String {
    let name = subject.document["name"].as_str().unwrap_or("run");
    let rows = plots::of_rows(runs);
    let table = runs.first().map(|run| run.table);
    let can_cross = runs.iter().any(|run| !run.table.time.is_empty()) && curves(&rows) > 1;
    let has_errors = rows.iter().any(|plot| plot["place"] == "errors");
    let accuracy = summary::accuracy(&subject.document, has_errors);
    let steps = step_plots::plots(&subject.document["steps"]);
    let course = work::steps(&subject.document, !steps.is_empty());
    let data = json!({
        "name": name,
        "events": table.map(plots::events).unwrap_or_default(),
        "colors": { "light": colors::LIGHT, "dark": colors::DARK },
        "dashes": colors::DASHES,
        "x": x,
        "plots": rows.into_iter().chain(steps).collect::<Value>(),
    });
    let body = html! {
        header { h1 { (name) } (summary::headline(&subject.document)) (contents(subject, &[(table.is_some(), "results", "Results"), (can_cross, "xy", "x–y"), (accuracy.is_some(), "accuracy", "Accuracy"), (course.is_some(), "steps", "Steps")])) }
        main {
            (summary::warnings(&subject.document, &subject.notes))
            @if let Some(table) = table { (results(table)) }
            @if can_cross { (crossed()) }
            @if let Some(accuracy) = &accuracy { (accuracy) }
            @if let Some(course) = &course { (course) }
            (work::calls(&subject.document))
            @if let Some(picture) = subject.document["picture"].as_str() { (system(picture)) }
            (settings::section(&subject.document))
        }
    };
    document(&Page { title: name, policy: POLICY, styles: &[PLOTS_STYLE, STYLE], data: &data, scripts: &SCRIPTS }, &body)
}

/// A page, but for what is to read on it.
struct Page<'a> {
    title: &'a str,
    /// Content security policy: what the browser may use.
    policy: &'a str,
    styles: &'a [&'a str],
    /// What the scripts read.
    data: &'a Value,
    scripts: &'a [&'a str],
}

/// Returns an HTML document. No text in it is reordered or hidden by characters that do this.
fn document(page: &Page<'_>, body: &Markup) -> String {
    let Page { title, policy, styles, data, scripts } = page;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="generator" content={ "lotka " (env!("CARGO_PKG_VERSION")) };
                title { (title) }
                style { @for style in *styles { (PreEscaped(style)) } }
            }
            body {
                (body)
                script type="application/json" id="data" { (PreEscaped(embedded(data))) }
                @for script in *scripts { script { (PreEscaped(script)) } }
            }
        }
    };
    printable(&page.into_string()).into_owned()
}

/// Formats JSON for a script element, so that nothing in it can end the element.
fn embedded(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

/// Embeds the picture of the system in a way that prevents scripts from running.
fn system(picture: &str) -> Markup {
    let source = format!("data:image/svg+xml;base64,{}", STANDARD.encode(picture));
    html! {
        section id="system" { h2 { "System" } p.hint { "Point at a connection to see its ends." } div.diagram { img src=(source) alt="the system: instances, connections, loops, order of evaluation"; } }
    }
}

/// Number of curves that can be drawn over each other.
fn curves(plots: &[Value]) -> usize {
    let rows = plots.iter().filter(|plot| plot["place"] == "rows");
    rows.filter_map(|plot| plot["curves"].as_array()).flatten().filter(|curve| curve["run"] == 0).count()
}

/// The plot of a variable over another one.
fn crossed() -> Markup {
    html! {
        section id="xy" {
            h2 { "x–y plot" }
            p.tools {
                label { "x " select #xy-x {} }
                label { "y " select #xy-y {} }
                button #xy-svg { "SVG" }
            }
            p.hint { "The plot shows the time range of the plots above." }
            div #xy-plot {}
            p.hint #xy-point aria-live="polite" {}
        }
    }
}

/// Links to the parts of the page.
fn contents(subject: &Subject, first: &[(bool, &str, &str)]) -> Markup {
    let others = [
        (subject.document["outcome"]["instances"].as_object().is_some_and(|instances| !instances.is_empty()), "work", "Work"),
        (subject.document["picture"].is_string(), "system", "System"),
        (subject.document["command"].is_array(), "manifest", "Manifest"),
    ];
    html! {
        nav aria-label="Parts of the report" { @for (_, place, title) in first.iter().chain(&others).filter(|(is_there, ..)| *is_there) { a href={ "#" (place) } { (title) } } }
    }
}

fn results(table: &Table) -> Markup {
    if table.time.is_empty() {
        return html! { section id="results" { h2 { "Results" } p { "There are no rows." } } };
    }
    let constants: Vec<_> = table.columns.iter().filter(|column| column.values.is_constant()).collect();
    let texts = table.columns.iter().filter_map(|column| match &column.values {
        Data::Text(values) if !column.values.is_constant() => Some((&column.name, values)),
        _ => None,
    });
    html! {
        section id="results" {
            h2 { "Results" }
            p.hint {
                "Drag across to zoom in time, up or down to zoom in values; the wheel zooms, too, with Shift in values. Double-click to show all. "
                "Click a name to hide its curve. Shaded: estimated errors."
            }
            p.tools {
                label { "Show " input #filter type="search" placeholder="part of a name"; }
                label { input #together type="checkbox" checked; " all plots show the same time" }
            }
            noscript { p.warning { "The plots need JavaScript." } }
            div.plots #plots-rows {}
            @for (name, values) in texts { (changes(name, &table.time, values)) }
            @if !constants.is_empty() {
                details open[constants.len() <= MOST_OPEN] {
                    summary { "Constant values (" (constants.len()) ")" }
                    table {
                        @for column in constants {
                            tr {
                                th { (column.name) }
                                td { (first(column)) " " (column.unit.as_deref().unwrap_or_default()) }
                                td { (column.description.as_deref().unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Lists the times at which a text changes.
fn changes(name: &str, time: &[f64], values: &[String]) -> Markup {
    let is_new = |row: &usize| *row == 0 || values[*row] != values[*row - 1];
    let rows: Vec<_> = (0..values.len()).filter(is_new).collect();
    html! {
        details open {
            summary { (name) }
            table {
                @for &row in rows.iter().take(MOST_CHANGES) { tr { td { (time[row]) " s" } td { (values[row]) } } }
                @if rows.len() > MOST_CHANGES { tr { td { "…" } td { (rows.len() - MOST_CHANGES) " more" } } }
            }
        }
    }
}

/// Returns the first value; for an item of an enumeration, its name.
fn first(column: &Column) -> String {
    let item = |value: &f64| column.items.iter().find(|(number, _)| number == value).map(|(_, name)| name.clone());
    match &column.values {
        Data::Text(values) => values.first().cloned().unwrap_or_default(),
        Data::Boolean(values) => values.first().map(|value| (*value != 0.0).to_string()).unwrap_or_default(),
        Data::Real(values) | Data::Whole(values) => {
            values.first().map(|value| item(value).unwrap_or_else(|| value.to_string())).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_texts_of_fmus_cannot_become_markup() {
        let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
        let csv = format!("time,\"{evil}\",t\n0,1,\"{evil}\"\n1,2,x\n");
        let results = lotka::Results::read(std::io::Cursor::new(csv)).unwrap_or_else(|error| panic!("{error}"));
        let document = json!({
            "name": evil, "command": [evil], "settings": { "a": evil },
            "picture": format!("<svg><script>alert(1)</script>{evil}</svg>"),
            "outcome": { "end": "failed", "error": evil, "warnings": [evil], "instances": { evil: { "do_step": 1 } } },
            "steps": { "start": 0.0, "end": [1.0], "largest": [1.0], "smallest": [1.0], "limiting": [0], "limits": { evil: { "accepted": 1, "rejected": 0 } } },
        });
        let table = Some(Table::of_results(&results, &Value::Null));
        let page = html(&Subject { document, table, notes: vec![evil.to_owned()] });
        assert!(!page.contains("<img src=x") && !page.contains("<script>alert"), "markup of others got into the page");
        assert_eq!(page.matches("</script>").count(), 1 + SCRIPTS.len(), "the data and the scripts");
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = html(&Subject::default());
        for part in ["src=\"http", "href=\"http", "@import", "url(http", "fetch("] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains(POLICY));
    }
}
