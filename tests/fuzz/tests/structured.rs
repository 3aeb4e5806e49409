//! Valid files with a few changes of their parts, new ones in each run: no reader panics, hangs, or breaks what its target
//! promises.
//!
//! A failure prints the input in its shortest form; once the fault is mended, the input belongs to the seeds.
#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::time::{Duration, Instant};

use fuzz::{Change, Document, Edit, Encoding, Target, seeds};
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

/// Inputs per target.
const CASES: u32 = 600;

/// An input that takes longer hangs: most take less than a millisecond.
const LIMIT: Duration = Duration::from_secs(20);

/// Values as they stand in a file: numbers at the edge, other types, escapes that are wrong, references, formulas.
const VALUES: [&str; 40] = [
    "",
    "0",
    "-0",
    "1",
    "-1",
    "1e308",
    "1e309",
    "-1e-324",
    "5e-324",
    "NaN",
    "nan",
    "inf",
    "-INF",
    "0x10",
    "1_000",
    "+1",
    "1.",
    ".5",
    "2147483648",
    "18446744073709551616",
    "true",
    "\"\"",
    "\"x\"",
    "'it''s'",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "[]",
    "{}",
    "[[1]]",
    "{ value = 1.0, unit = \"m\" }",
    "&#0;",
    "&lt;",
    "&unknown;",
    "]]>",
    "=1+1",
    "a.u",
    "1979-05-27",
    "0 1 2",
    "..",
    "C:\\x",
];

/// Names that exist elsewhere in the seeds, and odd ones.
const NAMES: [&str; 16] = [
    "",
    " ",
    "a",
    "a.u",
    "b.y",
    "time",
    "name",
    "fmu",
    "start",
    "valueReference",
    "ssd:System",
    "x y",
    "é",
    "\"",
    "a\nb",
    "\u{202e}",
];

fn change() -> impl Strategy<Value = Change> {
    let letter =
        prop_oneof![select(vec!["\0", "\u{1}", "\u{7f}", "\u{85}", "\r", "\n", "\"", "<", "&", "\u{fffe}", "😀"]), Just(" ")];
    let depth = prop_oneof![1..5_usize, 60..70_usize, 250..260_usize];
    prop_oneof![
        2 => Just(Change::Remove),
        2 => Just(Change::Double),
        2 => any::<usize>().prop_map(Change::Move),
        2 => any::<usize>().prop_map(Change::Replace),
        2 => prop_oneof![select(NAMES.to_vec()).prop_map(str::to_owned), "\\PC{0,6}"].prop_map(Change::Rename),
        4 => prop_oneof![select(VALUES.to_vec()).prop_map(str::to_owned), "\\PC{0,8}", any::<f64>().prop_map(|value| value.to_string())]
            .prop_map(Change::Set),
        2 => (any::<usize>(), letter).prop_map(|(at, letter)| Change::Insert(at, letter.to_owned())),
        1 => depth.prop_map(Change::Nest),
    ]
}

fn encoding() -> impl Strategy<Value = Encoding> {
    prop_oneof![
        12 => Just(Encoding::Utf8),
        1 => Just(Encoding::Marked),
        1 => any::<bool>().prop_map(Encoding::Utf16),
        1 => Just(Encoding::Latin1),
        1 => select(vec!["\r\n", "\r"]).prop_map(Encoding::Lines),
        1 => any::<u8>().prop_map(Encoding::Cut),
    ]
}

fn feed(name: &str) {
    let target = Target::of(name).unwrap();
    let documents: Vec<_> = seeds(name).into_iter().filter_map(|(name, bytes)| Document::read(&name, &bytes)).collect();
    let edits = vec((any::<usize>(), change()).prop_map(|(at, change)| Edit { at, change }), 1..5);
    let mut runner = TestRunner::new(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() });
    let fed = runner.run(&(select(documents), edits, encoding()), |(mut document, edits, encoding)| {
        edits.iter().for_each(|edit| document.change(edit));
        let text = document.text();
        let start = Instant::now();
        let outcome = std::panic::catch_unwind(|| (target.run)(&encoding.bytes(&text)));
        prop_assert!(start.elapsed() < LIMIT, "{:?} for {encoding:?} of\n{text}", start.elapsed());
        prop_assert!(outcome.is_ok(), "a panic, printed above, for {encoding:?} of\n{text}");
        Ok(())
    });
    fed.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn descriptions_with_changes_are_read_or_refused() {
    feed("description");
}

#[test]
fn systems_with_changes_are_read_or_refused() {
    feed("system");
}

#[test]
fn studies_with_changes_are_read_or_refused() {
    feed("study");
}

#[test]
fn plans_with_changes_are_made_or_refused() {
    feed("plan");
}

#[test]
fn results_with_changes_are_read_or_refused() {
    feed("results");
}

#[test]
fn tables_with_changes_serve_or_are_reported() {
    feed("table");
}
