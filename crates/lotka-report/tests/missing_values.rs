//! Tables with missing values, numbers that are not finite, texts among numbers and columns without values: whatever is read is
//! drawn and compared.

use std::io::Cursor;

use lotka::{Comparison, ComparisonSettings, Results, compare};
use lotka_report::{Panels, Run, Subject, Table, TextStyle, html_over, plots_html};
use proptest::prelude::*;
use serde_json::Value;

const FIELDS: [&str; 14] = ["", "", " ", "NaN", "nan", "inf", "-inf", "0", "-3", "1.5", "1e308", "-1e308", "true", "word"];
const NAMES: [&str; 6] = ["a", "a (error)", "b", "b (error)", "c (error)", "d"];

/// A table as CSV: each column takes its fields from a few.
fn csv() -> impl Strategy<Value = String> {
    let column = |rows: usize| {
        let few = prop::sample::subsequence(FIELDS.to_vec(), 1..4);
        few.prop_flat_map(move |few| prop::collection::vec(prop::sample::select(few), rows))
    };
    let table = (0_usize..6).prop_flat_map(move |rows| {
        let columns = prop::collection::vec(column(rows), NAMES.len());
        (columns, prop::collection::vec(0_u8..3, rows), prop::bool::ANY)
    });
    table.prop_map(|(columns, steps, has_end)| {
        let mut text = format!("time,{}", NAMES.join(","));
        let mut time = 0;
        for (row, step) in steps.into_iter().enumerate() {
            time += u32::from(step);
            let fields: Vec<_> = columns.iter().map(|column| column[row]).collect();
            text += &format!("\n{time},{}", fields.join(","));
        }
        if has_end { text + "\n" } else { text }
    })
}

fn read(text: &str) -> Results {
    Results::read(Cursor::new(text.to_owned())).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Draws everything that there is to draw.
fn drawn(tables: [&Table; 2]) {
    let runs = tables.map(|table| Run { name: "run", table });
    let subject = Subject { table: None, ..Subject::default() };
    assert!(html_over(&subject, &runs).ends_with("</html>"));
    for x in [None, Some("a"), Some("d")] {
        assert!(plots_html("plots", &runs, x).ends_with("</html>"));
        let panels = Panels::new(&runs, x);
        let svg = panels.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let texts = [false, true].map(|has_colors| panels.text(TextStyle { width: 40, has_colors }));
        assert!(texts.iter().all(|text| text.is_empty() == panels.is_empty()));
    }
}

fn column<'a>(found: &'a Comparison, name: &str) -> &'a lotka::VariableComparison {
    found.variables.iter().find(|variable| variable.name == name).unwrap_or_else(|| panic!("no {name}"))
}

proptest! {
    #[test]
    fn random_tables_are_drawn_and_compared(first in csv(), second in csv()) {
        let results = [read(&first), read(&second)];
        let tables = [&results[0], &results[1]].map(|results| Table::of_results(results, &Value::Null));
        for table in &tables {
            for column in &table.columns {
                prop_assert!(column.values.numbers().is_none_or(|numbers| numbers.len() == table.time.len()));
                prop_assert!(column.errors.as_ref().is_none_or(|errors| errors.len() == table.time.len()));
            }
        }
        drawn([&tables[0], &tables[1]]);
        let settings = ComparisonSettings::default();
        prop_assert!(compare(&results[0], &results[0], &settings).is_equal());
        let [there, back] = [compare(&results[0], &results[1], &settings), compare(&results[1], &results[0], &settings)];
        if results[0].time().len() != results[1].time().len() {
            for variable in &there.variables {
                let [first, second] = variable.missing;
                prop_assert_eq!([second, first], column(&back, &variable.name).missing, "{}", &variable.name);
            }
        }
    }
}
