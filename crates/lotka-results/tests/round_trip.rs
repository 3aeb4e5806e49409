//! Rows that are written read back bit for bit, whatever their names and values are.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::io::Cursor;

use lotka_plan::{
    column::{Column, ValueType},
    graph::ColumnSource,
};
use lotka_results::{Csv, Results, Values};
use lotka_run::record::{Notification, Observer, Row};
use lotka_step::algorithm::Signals;
use proptest::{collection::vec, prelude::*, sample::select};

/// Any double; one in four is at an edge.
fn real() -> impl Strategy<Value = f64> {
    let edges = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, -5e-324, f64::MIN_POSITIVE, f64::MAX, 0.1 + 0.2];
    prop_oneof![3 => any::<u64>().prop_map(f64::from_bits), 1 => select(edges.to_vec())]
}

/// Text that no column of numbers or truth values has.
fn text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![select(vec!['"', ',', ';', '\n', '\r', '\t', ' ', '\'', '=', '\u{feff}', '\0']), any::<char>()];
    vec(letter, 0..8).prop_map(|letters| letters.into_iter().chain(['x']).collect())
}

/// Rows of a Real, an integer, a truth value and a text.
fn rows() -> impl Strategy<Value = Vec<(f64, i64, bool, String)>> {
    vec((real(), any::<i64>(), any::<bool>(), text()), 1..12)
}

fn written(names: &[String], rows: &[(f64, i64, bool, String)], times: &[f64]) -> Vec<u8> {
    let types = [ValueType::Real, ValueType::Integer, ValueType::Boolean, ValueType::Text];
    let columns: Vec<_> = names.iter().zip(types).map(|(name, value_type)| Column::new(name, value_type)).collect();
    let sources = [ColumnSource::Real(0), ColumnSource::Integer(0), ColumnSource::Boolean(0), ColumnSource::Text(0)];
    let mut out = Vec::new();
    let mut csv = Csv::new(&mut out);
    csv.observe(&Notification::Started { columns: &columns, start: 0.0, stop: 1.0 });
    for ((real, integer, boolean, text), time) in rows.iter().zip(times) {
        let signals = Signals {
            reals: vec![*real],
            integers: vec![(*integer).into()],
            booleans: vec![*boolean],
            texts: vec![text.clone()],
            ..Signals::default()
        };
        csv.observe(&Notification::Row(Row::new(*time, &signals, &sources, &[])));
    }
    csv.finish().unwrap();
    out
}

/// Not a number is one value, whatever its bits are.
fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(names in vec(text(), 4), rows in rows(), start in -1e300..1e300_f64) {
        let names: Vec<_> = names.iter().enumerate().map(|(index, name)| format!("{index}{name}")).collect();
        let times: Vec<_> = (0..rows.len()).map(|index| start + index as f64 * start.abs()).collect();
        let out = written(&names, &rows, &times);
        let results = Results::read(Cursor::new(&out)).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(results.unfinished(), None);
        prop_assert!(results.time().iter().zip(&times).all(|(read, time)| read.to_bits() == time.to_bits()));
        prop_assert_eq!(results.columns().iter().map(|column| &column.name).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
        for (index, (real, integer, boolean, text)) in rows.iter().enumerate() {
            let values = &results.columns()[0].values;
            match values {
                // Values such as 1e20 are numbers in any case; all others have a decimal point.
                Values::Real(values) => prop_assert_eq!(bits(values[index]), bits(*real)),
                other => prop_assert!(false, "{:?}", other),
            }
            prop_assert_eq!(results.columns()[1].values.number(index), Some(*integer as f64));
            prop_assert!(matches!(&results.columns()[2].values, Values::Boolean(values) if values[index] == *boolean));
            prop_assert!(matches!(&results.columns()[3].values, Values::Text(values) if &values[index] == text));
        }
    }
}
