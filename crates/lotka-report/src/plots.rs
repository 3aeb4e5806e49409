//! Data of the plots for the script of the page.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    runs::{self, Run},
    table::{Column, Data, Table},
    thinning,
};

/// Maximum number of curves in a plot, limited by the number of distinguishable colors.
const MOST_CURVES: usize = 6;

/// Curves share a plot if their largest values differ at most by this factor.
const SCALES: f64 = 50.0;

/// Maximum number of values in the file (8 bytes each), unless there are so many curves that each would have fewer rows than
/// [`LEAST_ROWS`].
const MOST_VALUES: usize = 3_000_000;

/// Number of rows that a plot always shows, if they exist.
const LEAST_ROWS: usize = 100;

/// Maximum number of marked events.
const MOST_EVENTS: usize = 1_000;

/// Curves of the same unit that share an axis.
#[derive(Debug)]
pub(crate) struct Plot<'a> {
    /// Number of the run that has the columns; those of other runs with the same names are drawn over them.
    pub(crate) run: usize,
    pub(crate) columns: Vec<&'a Column>,
    /// Largest absolute value.
    scale: f64,
}

impl<'a> Plot<'a> {
    fn has_room(&self) -> bool {
        self.columns.len() < MOST_CURVES
    }

    fn fits(&self, run: usize, column: &Column, scale: f64) -> bool {
        let first = self.columns[0];
        let is_alike = first.unit == column.unit && kind(first) == kind(column) && first.items == column.items;
        let ratio = self.scale.max(scale) / self.scale.min(scale);
        // Two scales of zero have no ratio.
        self.run == run && is_alike && (ratio <= SCALES || ratio.is_nan())
    }

    fn add(&mut self, column: &'a Column, scale: f64) {
        self.columns.push(column);
        self.scale = self.scale.max(scale);
    }

    pub(crate) fn title(&self) -> String {
        self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// The curves of all runs: number of the run, place of the column, and the column itself.
    pub(crate) fn curves(&self, runs: &[Run<'a>]) -> Vec<(usize, usize, &'a Column)> {
        let of_run = |run: usize| {
            let columns = self.columns.iter().enumerate();
            columns.filter_map(move |(place, column)| Some((run, place, runs[run].numeric(&column.name)?)))
        };
        (self.run..runs.len()).flat_map(of_run).collect()
    }
}

/// Distinguishes how curves are drawn.
fn kind(column: &Column) -> u8 {
    match column.values {
        Data::Real(_) => 0,
        Data::Whole(_) => 1,
        Data::Boolean(_) => 2,
        Data::Text(_) => 3,
    }
}

/// Returns whether a value holds until the next one.
pub(crate) fn is_stepped(column: &Column) -> bool {
    kind(column) != 0
}

/// Groups the numeric columns that change in some run by unit and scale, in the order of the tables.
pub(crate) fn arrange<'a>(runs: &[Run<'a>]) -> Vec<Plot<'a>> {
    let mut plots: Vec<Plot<'_>> = Vec::new();
    let mut with_room: Vec<usize> = Vec::new();
    for (run, column) in runs::variables(runs) {
        let of_runs: Vec<_> = runs.iter().filter_map(|run| run.numeric(&column.name)).collect();
        let changes = |column: &&Column| !column.values.is_constant();
        if column.values.numbers().is_none() || !of_runs.iter().any(changes) {
            continue;
        }
        let values = of_runs.iter().filter_map(|column| column.values.numbers()).flatten();
        let scale = values.filter(|value| value.is_finite()).fold(0.0_f64, |scale, value| scale.max(value.abs()));
        match with_room.iter().find(|&&plot| plots[plot].fits(run, column, scale)) {
            Some(&plot) => plots[plot].add(column, scale),
            None => {
                with_room.push(plots.len());
                plots.push(Plot { run, columns: vec![column], scale });
            }
        }
        with_room.retain(|&plot| plots[plot].has_room());
    }
    plots
}

/// Returns the plots of the rows, and of their estimated errors.
pub(super) fn of_rows(runs: &[Run<'_>]) -> Vec<Value> {
    let plots = arrange(runs);
    let curves = plots.iter().map(|plot| plot.curves(runs).len()).sum::<usize>();
    // A curve has its values, and possibly its errors twice: in the band and in a separate plot.
    let most = (MOST_VALUES / (3 * curves.max(1))).max(LEAST_ROWS);
    let values = plots.iter().map(|plot| values(runs, plot, most));
    let errors = plots.iter().filter_map(|plot| errors(runs[plot.run].table, plot, most));
    values.chain(errors).collect()
}

/// Returns the times to mark in the plots of rows; none if there are so many that the marks would hide everything else.
pub(super) fn events(table: &Table) -> Vec<f64> {
    let events = table.events();
    if events.len() > MOST_EVENTS { Vec::new() } else { events }
}

/// The rows of a run that a plot shows.
fn shown_rows(table: &Table, columns: &[&Column], most: usize) -> Vec<usize> {
    let numbers: Vec<_> = columns.iter().filter_map(|column| column.values.numbers()).collect();
    thinning::rows(&numbers, table.time.len(), most)
}

fn values(runs: &[Run<'_>], plot: &Plot<'_>, most: usize) -> Value {
    let table = runs[plot.run].table;
    let rows = shown_rows(table, &plot.columns, most);
    let curves = plot.curves(runs).into_iter().map(|(run, place, column)| {
        let labels = column.items.iter().map(|(number, name)| json!([number, name])).collect::<Value>();
        let others = (run != plot.run).then(|| shown_rows(runs[run].table, &[column], most));
        let rows = others.as_ref().unwrap_or(&rows);
        let mut curve = json!({
            "name": runs[run].label(&column.name),
            "about": column.description,
            "values": column.values.numbers().map(|values| packed(values, rows)),
            "errors": column.errors.as_ref().filter(|_| run == plot.run).map(|errors| packed(errors, rows)),
            "stepped": is_stepped(column),
            "labels": labels,
            "variable": column.name,
            "run": run,
        });
        if run != plot.run {
            curve["color"] = place.into();
            curve["dash"] = (run - plot.run).into();
            curve["time"] = packed(&runs[run].table.time, rows).into();
        }
        curve
    });
    json!({
        "place": "rows",
        "title": plot.title(),
        "unit": plot.columns[0].unit,
        "time": packed(&table.time, &rows),
        "note": thinned(rows.len(), table.time.len()),
        "curves": curves.collect::<Value>(),
    })
}

fn errors(table: &Table, plot: &Plot<'_>, most: usize) -> Option<Value> {
    let columns = plot.columns.iter().filter_map(|column| Some((column, column.errors.as_ref()?)));
    // A logarithmic axis cannot show other values.
    let columns: Vec<_> = columns.filter(|(_, errors)| errors.iter().any(|error| *error > 0.0 && error.is_finite())).collect();
    let numbers: Vec<_> = columns.iter().map(|(_, errors)| errors.as_slice()).collect();
    let rows = thinning::rows(&numbers, table.time.len(), most);
    let curve = |(column, errors): &(&&Column, &Vec<f64>)| json!({ "name": column.name, "values": packed(errors, &rows) });
    (!columns.is_empty()).then(|| {
        json!({
            "place": "errors",
            "title": format!("estimated error of {}", plot.title()),
            "unit": plot.columns[0].unit,
            "time": packed(&table.time, &rows),
            "note": thinned(rows.len(), table.time.len()),
            "logarithmic": true,
            "curves": columns.iter().map(curve).collect::<Value>(),
        })
    })
}

/// Returns a note if rows are left out.
fn thinned(kept: usize, rows: usize) -> Option<String> {
    (kept < rows).then(|| format!("the plots show {kept} of {rows} rows, with all peaks; the results file has all rows"))
}

/// Encodes the numbers of some rows: base64 of 64-bit little-endian floating-point numbers.
pub(super) fn packed(values: &[f64], rows: &[usize]) -> String {
    let bytes: Vec<u8> = rows.iter().flat_map(|&row| values[row].to_le_bytes()).collect();
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, unit: Option<&str>, values: Data) -> Column {
        let unit = unit.map(str::to_owned);
        Column { name: name.to_owned(), unit, description: None, values, items: Vec::new(), errors: None }
    }

    fn real(name: &str, unit: &str, last: f64) -> Column {
        column(name, Some(unit), Data::Real(vec![0.0, last]))
    }

    #[test]
    fn curves_of_one_unit_and_scale_share_a_plot() {
        let columns = vec![
            real("a.T", "K", 300.0),
            real("a.p", "Pa", 1e5),
            real("b.T", "K", 280.0),
            real("c.p", "Pa", 10.0),
            column("a.on", None, Data::Boolean(vec![0.0, 1.0])),
            column("a.n", None, Data::Whole(vec![0.0, 1.0])),
            column("a.name", None, Data::Text(vec!["x".into(), "y".into()])),
            column("a.k", None, Data::Real(vec![1.0, 1.0])),
            real("d.p", "Pa", f64::NAN),
        ];
        let table = Table { time: vec![0.0, 1.0], columns };
        let titles: Vec<_> = arrange(&[Run { name: "", table: &table }]).iter().map(Plot::title).collect();
        assert_eq!(titles, ["a.T, b.T", "a.p", "c.p", "a.on", "a.n", "d.p"]);
    }

    #[test]
    fn a_plot_has_no_more_curves_than_colors() {
        let columns = (0..14).map(|number| real(&format!("a.x{number}"), "m", 1.0)).collect();
        let table = Table { time: vec![0.0, 1.0], columns };
        let sizes: Vec<_> = arrange(&[Run { name: "", table: &table }]).iter().map(|plot| plot.columns.len()).collect();
        assert_eq!(sizes, [6, 6, 2]);
    }

    #[test]
    fn errors_have_a_plot_of_their_own() {
        let columns = vec![Column { errors: Some(vec![0.0, 1e-9]), ..real("a.x", "m", 1.0) }, real("a.y", "m", 1.0)];
        let table = Table { time: vec![0.0, 1.0], columns };
        let plots = of_rows(&[Run { name: "", table: &table }]);
        assert_eq!(plots.len(), 2);
        assert_eq!((&plots[0]["curves"][1]["errors"], &plots[1]["curves"][1]), (&Value::Null, &Value::Null));
        assert_eq!(plots[1]["curves"][0]["values"], plots[0]["curves"][0]["errors"]);
        assert_eq!((&plots[1]["place"], &plots[1]["logarithmic"]), (&json!("errors"), &json!(true)));
    }

    #[test]
    fn curves_of_other_runs_lie_over_those_of_the_first() {
        let table = |last: f64, more: &str| Table {
            time: vec![0.0, 1.0],
            columns: vec![real("a.x", "m", last), real("a.y", "m", 1.0), real(more, "m", 1.0)],
        };
        // A constant that changes in another run is drawn, too.
        let (first, other) = (table(0.0, "a.z"), table(2.0, "b.z"));
        let runs = [Run { name: "", table: &first }, Run { name: "b.csv", table: &other }];
        let plots = of_rows(&runs);
        let titles: Vec<_> = plots.iter().map(|plot| plot["title"].as_str()).collect();
        assert_eq!(titles, [Some("a.x, a.y, a.z"), Some("b.z")]);
        let curves = plots[0]["curves"].as_array().map(Vec::as_slice).unwrap_or_default();
        let names: Vec<_> = curves.iter().map(|curve| curve["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, ["a.x", "a.y", "a.z", "a.x (b.csv)", "a.y (b.csv)"]);
        assert_eq!((&curves[4]["color"], &curves[4]["dash"], &curves[1]["color"]), (&json!(1), &json!(1), &Value::Null));
        assert!(curves[4]["time"].is_string() && curves[0]["time"].is_null());
        assert_eq!(plots[1]["curves"][0]["name"], "b.z (b.csv)");
    }

    #[test]
    fn numbers_keep_every_bit() {
        let text = packed(&[1.0, f64::MIN_POSITIVE, 0.1], &[0, 2]);
        let bytes = STANDARD.decode(text).unwrap_or_default();
        assert_eq!(bytes, [1.0_f64.to_le_bytes(), 0.1_f64.to_le_bytes()].concat());
    }
}
