//! The page of a study: what its runs have in common, and plots of what was kept of them over the parameters.

use std::collections::BTreeMap;

use lotka::SweepRecords;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::{EXPORT, FRAME, LOOK, POLICY, Page, STYLE, document};
use crate::{
    colors, plots,
    table::{Column, Data},
};

const SCRIPT: &str = include_str!("../../assets/study.js");

/// Maximum number of values in the file (8 bytes each).
const MOST_VALUES: usize = 1_000_000;

/// Maximum number of runs that are named.
const MOST_NAMED: usize = 8;

/// Where the columns are that say how a run ended, after the parameters; what was kept follows them.
const OUTCOMES: [&str; 5] = ["status", "reached", "error", "time", "calls"];

/// Returns a page with the records of a study, and with these notes: one HTML file that loads nothing.
#[must_use]
pub fn study_html(name: &str, records: &SweepRecords, more: &[String]) -> String {
    let study = Study::new(records);
    let rows = shown(study.runs.len(), MOST_VALUES / study.columns.len().max(1));
    let numbers: Vec<f64> = study.runs.iter().map(|run| *run as f64).collect();
    let data = json!({
        "colors": { "light": colors::LIGHT, "dark": colors::DARK },
        "runs": plots::packed(&numbers, &rows),
        "columns": study.columns.iter().enumerate().map(|(place, column)| study.packed(place, column, &rows)).collect::<Value>(),
    });
    let body = html! {
        header { h1 { (name) } (study.headline()) }
        main {
            @for note in notes(records, rows.len()).iter().chain(more) { p.warning { (note) } }
            (plots_section())
            (study.statuses())
            (study.extremes())
            (study.parameters())
        }
    };
    document(&Page { title: name, policy: POLICY, styles: &[STYLE], data: &data, scripts: &[LOOK, EXPORT, FRAME, SCRIPT] }, &body)
}

/// Returns at most `most` of all rows: one of each block, at a place that has nothing to do with the order of the runs in a grid.
fn shown(rows: usize, most: usize) -> Vec<usize> {
    let every = rows.div_ceil(most.max(1)).max(1);
    let place = |from: usize| {
        // Fibonacci hashing (Knuth, 1998, The Art of Computer Programming 3, section 6.4).
        let hash = (from as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        from + (hash % every.min(rows - from) as u64) as usize
    };
    (0..rows).step_by(every).map(place).collect()
}

/// What is missing on the page.
fn notes(records: &SweepRecords, shown: usize) -> Vec<String> {
    let (missing, of) = &records.missing;
    let rows = records.runs().len();
    let list: Vec<_> = missing.iter().map(usize::to_string).collect();
    let shards = (!missing.is_empty()).then(|| format!("Missing shards (of {of}): {}.", list.join(", ")));
    let of_study = records.n_runs.filter(|all| rows < *all);
    let made = of_study.map(|all| format!("The page has {rows} of the {all} runs of the study."));
    let thinned = (shown < rows).then(|| format!("The plots show {shown} of {rows} runs; the tables are about all runs."));
    shards.into_iter().chain(made).chain(thinned).collect()
}

/// The records, as the page shows them.
struct Study {
    runs: Vec<usize>,
    /// All columns but the numbers of the runs.
    columns: Vec<Column>,
    n_parameters: usize,
}

impl Study {
    fn new(records: &SweepRecords) -> Self {
        let about = records.about.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok()).unwrap_or_default();
        Self {
            runs: records.runs(),
            columns: records.columns.iter().skip(1).map(|column| Column::of_file(column, None, &about["columns"])).collect(),
            n_parameters: records.n_parameters(),
        }
    }

    fn varied(&self) -> &[Column] {
        &self.columns[..self.n_parameters]
    }

    fn kept(&self) -> &[Column] {
        self.columns.get(self.n_parameters + OUTCOMES.len()..).unwrap_or_default()
    }

    fn column(&self, name: &str) -> Option<&Column> {
        let place = OUTCOMES.iter().position(|outcome| *outcome == name)?;
        self.columns.get(self.n_parameters + place)
    }

    /// The finite numbers of a column, with the rows of their runs.
    fn numbers<'a>(&self, column: &'a Column) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let values = column.values.numbers().unwrap_or_default();
        values.iter().copied().enumerate().filter(|(_, value)| value.is_finite())
    }

    /// A column for the script: numbers, or the places of texts in a list.
    fn packed(&self, place: usize, column: &Column, rows: &[usize]) -> Value {
        let role = match place.checked_sub(self.n_parameters) {
            None => "parameter",
            Some(outcome) if outcome < OUTCOMES.len() => "outcome",
            Some(_) => "kept",
        };
        let (values, labels) = match &column.values {
            Data::Text(texts) => places(texts),
            Data::Boolean(values) => (values.clone(), vec!["false".to_owned(), "true".to_owned()]),
            Data::Real(values) | Data::Whole(values) => (values.clone(), Vec::new()),
        };
        json!({ "name": column.name, "unit": column.unit, "about": column.description, "role": role, "values": plots::packed(&values, rows), "labels": labels })
    }

    /// The numbers of runs by how they ended: those that are not what was wanted, then the others; the most frequent one first.
    fn tally(&self) -> Vec<(&str, Vec<usize>)> {
        let Some(Data::Text(texts)) = self.column("status").map(|column| &column.values) else { return Vec::new() };
        let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        texts.iter().enumerate().for_each(|(row, status)| rows.entry(status).or_default().push(row));
        let mut all: Vec<_> = rows.into_iter().collect();
        all.sort_by_key(|(status, rows)| (*status == "ok", std::cmp::Reverse(rows.len())));
        all
    }

    fn is_all_ok(&self) -> bool {
        self.tally().iter().all(|(status, _)| *status == "ok")
    }

    fn headline(&self) -> Markup {
        let tally = self.tally();
        let each: Vec<_> = tally.iter().map(|(status, rows)| format!("{} {status}", rows.len())).collect();
        let errors = self.column("error").map(|column| self.numbers(column).map(|(_, error)| error).fold(f64::NAN, f64::max));
        let calls = self.column("calls").map(|column| self.numbers(column).map(|(_, calls)| calls).sum::<f64>());
        html! {
            p.verdict.good[self.is_all_ok()].bad[!self.is_all_ok()] { (self.runs.len()) " runs: " (each.join(", ")) }
            dl.facts {
                @if let Some(error) = errors.filter(|error| !error.is_nan()) { dt { "Largest estimated error" } dd { (format!("{error:.1e}")) } }
                @if let Some(calls) = calls { dt { "Steps of single instances" } dd { (calls) } }
            }
        }
    }

    /// How runs ended, and with which parameters, if there is more than one outcome.
    fn statuses(&self) -> Markup {
        let tally = self.tally();
        html! {
            @if !self.is_all_ok() {
                section id="outcomes" {
                    h2 { "Outcomes" }
                    table {
                        tr { th { "status" } th { "runs" } th { "first runs" } @for column in self.varied() { th { (column.name) } } }
                        @for (status, rows) in &tally {
                            tr { td { (status) } td { (rows.len()) } td { (self.named(rows)) } @for column in self.varied() { td { (range(column, rows)) } } }
                        }
                    }
                }
            }
        }
    }

    fn named(&self, rows: &[usize]) -> String {
        let first: Vec<_> = rows.iter().take(MOST_NAMED).map(|row| self.runs[*row].to_string()).collect();
        first.join(", ") + if rows.len() > MOST_NAMED { ", …" } else { "" }
    }

    /// The smallest and the largest value of everything that was kept, and the runs that have them.
    fn extremes(&self) -> Markup {
        let found = self.kept().iter().filter_map(|column| {
            let by = |a: &(usize, f64), b: &(usize, f64)| a.1.total_cmp(&b.1);
            let (least, largest) = (self.numbers(column).min_by(by)?, self.numbers(column).max_by(by)?);
            Some((column, [least, largest]))
        });
        let found: Vec<_> = found.collect();
        let status = self.column("status").filter(|_| !self.is_all_ok());
        html! {
            @if !found.is_empty() {
                section id="extremes" {
                    h2 { "Smallest and largest values" }
                    table {
                        tr { th { "value" } th {} th { "run" } @if status.is_some() { th { "status" } } @for column in self.varied() { th { (column.name) } } }
                        @for (column, ends) in &found {
                            @for ((row, value), place) in ends.iter().zip(["smallest", "largest"]) {
                                tr {
                                    td { @if place == "smallest" { (column.name) } }
                                    td { (place) " " (digits(*value)) " " (unit(column)) }
                                    td { (self.runs[*row]) }
                                    @if let Some(status) = status { td { (text(status, *row)) } }
                                    @for parameter in self.varied() { td { (text(parameter, *row)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn parameters(&self) -> Markup {
        let rows: Vec<usize> = (0..self.runs.len()).collect();
        html! {
            section id="parameters" {
                h2 { "Parameters" }
                table {
                    @for column in self.varied() {
                        tr { th { (column.name) } td { (range(column, &rows)) " " (unit(column)) } td { (column.description.as_deref().unwrap_or_default()) } }
                    }
                }
            }
        }
    }
}

/// The plots, which the script draws.
fn plots_section() -> Markup {
    html! {
        section id="plots" {
            h2 { "Plots" }
            p.tools {
                label { "Over " select #study-x {} }
                label { "Colors " select #study-color {} }
                label { input #study-log type="checkbox"; " logarithmic" }
                label { "Show " input #filter type="search" placeholder="part of a name"; }
            }
            p.hint { "Point at a run to read its values. Marks at the bottom of a plot are runs without a value." }
            noscript { p.warning { "The plots need JavaScript." } }
            p.hint #study-legend {}
            p.hint #study-point aria-live="polite" {}
            div.study #study-plots {}
        }
    }
}

/// The different texts in the order in which they occur first, and the place of each text among them.
fn places(texts: &[String]) -> (Vec<f64>, Vec<String>) {
    let (mut known, mut labels, mut places) = (BTreeMap::new(), Vec::new(), Vec::new());
    for text in texts {
        let place = *known.entry(text.as_str()).or_insert(labels.len());
        if place == labels.len() {
            labels.push(text.clone());
        }
        places.push(place as f64);
    }
    (places, labels)
}

/// The value of a run as text.
fn text(column: &Column, row: usize) -> String {
    match &column.values {
        Data::Text(values) => values[row].clone(),
        Data::Boolean(values) => (values[row] != 0.0).to_string(),
        Data::Real(values) | Data::Whole(values) => digits(values[row]),
    }
}

/// A number with at most six digits, shorter if that is exact.
fn digits(value: f64) -> String {
    let short = format!("{value:.5e}").parse::<f64>().unwrap_or(value);
    if value == 0.0 || (1e-4..1e7).contains(&value.abs()) { short.to_string() } else { format!("{short:e}") }
}

/// The unit of a column, if it says something.
fn unit(column: &Column) -> &str {
    column.unit.as_deref().filter(|unit| *unit != "1").unwrap_or_default()
}

/// The values of some runs: the smallest and the largest one, or the different texts.
fn range(column: &Column, rows: &[usize]) -> String {
    let mut all: Vec<usize> = rows.to_vec();
    let is_number = matches!(column.values, Data::Real(_) | Data::Whole(_));
    match &column.values {
        Data::Text(texts) => {
            all.sort_by_key(|row| &texts[*row]);
            all.dedup_by_key(|row| &texts[*row]);
        }
        Data::Real(values) | Data::Whole(values) | Data::Boolean(values) => {
            all.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
            all.dedup_by_key(|row| values[*row].to_bits());
        }
    }
    let shown = |row: &usize| text(column, *row);
    match &all[..] {
        [] => String::new(),
        [only] => shown(only),
        [first, .., last] if is_number => {
            format!("{} to {} ({} values)", shown(first), shown(last), all.len())
        }
        several => {
            let list: Vec<_> = several.iter().take(MOST_NAMED).map(shown).collect();
            list.join(", ") + if several.len() > MOST_NAMED { ", …" } else { "" }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use lotka::{Column, ParquetTable, SweepRecords, Value, ValueType};

    use super::*;

    /// Records of runs with one parameter, named as it pleases, and one text.
    fn records(name: &str, texts: &[&str]) -> SweepRecords {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let path = folder.path().join("records.parquet");
        let columns =
            [("run", ValueType::Integer), (name, ValueType::Real), ("status", ValueType::Text), ("reached", ValueType::Boolean)];
        let others = [
            ("error", ValueType::Real),
            ("time", ValueType::Real),
            ("calls", ValueType::Integer),
            ("final(a.t)", ValueType::Text),
        ];
        let columns = columns.into_iter().chain(others).map(|(name, value_type)| Column::new(name, value_type)).collect();
        let mut file = Cursor::new(Vec::new());
        let mut table = ParquetTable::with_note(&mut file, columns, "study 0123, runs 7, shard 1/2".to_owned());
        for (run, text) in (0_i32..).zip(texts) {
            let status = if run == 1 { "step-failed" } else { "ok" };
            let outcome =
                [Value::Text(status), Value::Boolean(run != 1), Value::Real(f64::NAN), Value::Real(1.0), Value::Integer(10)];
            table.push(
                [Value::Integer((2 * run).into()), Value::Real(f64::from(run))]
                    .into_iter()
                    .chain(outcome)
                    .chain([Value::Text(text)]),
            );
        }
        table.finish().unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(&path, file.into_inner()).unwrap_or_else(|error| panic!("{error}"));
        SweepRecords::read(&[path]).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_page_has_the_outcomes_and_what_is_missing() {
        let page = study_html("study.toml", &records("a.p", &["x", "", "y"]), &["Not all.".to_owned()]);
        for part in [
            "3 runs: 1 step-failed, 2 ok",
            "Missing shards (of 2): 2.",
            "Not all.",
            "The page has 3 of the 7 runs of the study.",
            "<tr><td>step-failed</td><td>1</td><td>2</td><td>1</td></tr>",
            "<tr><td>ok</td><td>2</td><td>0, 4</td><td>0 to 2 (2 values)</td></tr>",
        ] {
            assert!(page.contains(part), "{part} is not in {}", &page[page.find("<body").unwrap_or_default()..][..1500]);
        }
        assert!(page.contains(POLICY) && !page.contains("src=\"http"));
    }

    #[test]
    fn names_cannot_become_markup() {
        let evil = "</script><script>alert(1)</script><img src=x>";
        let page = study_html(evil, &records(evil, &[evil]), &[evil.to_owned()]);
        assert!(!page.contains("<img src=x") && !page.contains("<script>alert"));
    }

    #[test]
    fn the_runs_of_large_studies_that_are_shown_have_all_values_of_a_grid() {
        assert_eq!(shown(5, 10), [0, 1, 2, 3, 4]);
        let rows = shown(999_999, 333_333);
        assert!(rows.len() == 333_333 && rows.is_sorted() && rows[rows.len() - 1] < 999_999);
        for last in 0..3 {
            let count = rows.iter().filter(|row| *row % 3 == last).count();
            assert!((count as f64 / 111_111.0 - 1.0).abs() < 0.02, "{last}: {count}");
        }
        assert_eq!(shown(0, 10), [0; 0]);
    }

    #[test]
    fn ranges_count_what_differs() {
        let values = vec![0.1, 0.1 + 1e-12, 0.2, 0.2];
        let column = |values| crate::table::Column {
            name: String::new(),
            unit: None,
            description: None,
            values,
            items: Vec::new(),
            errors: None,
        };
        assert_eq!(range(&column(Data::Real(values)), &[0, 1, 2, 3]), "0.1 to 0.2 (3 values)");
        assert_eq!(range(&column(Data::Boolean(vec![1.0, 0.0, 1.0])), &[0, 1, 2]), "false, true");
        assert_eq!(range(&column(Data::Text(vec!["b".to_owned(), "a".to_owned()])), &[0]), "b");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.1 + 0.2, 12_345_678.0, 1e-9 / 3.0, 0.0, f64::NAN].map(digits),
            ["0.3", "1.23457e7", "3.33333e-10", "0", "NaN"]
        );
    }
}
