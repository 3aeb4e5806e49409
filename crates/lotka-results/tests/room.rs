//! One room for all tables: random ones are the same in every format and through every door, and spellings of text do not matter.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::path::{Path, PathBuf};

use fmu_sdk::{description, functions};
use lotka::{Column, Fmu, Memory, Notification, Observer, Row, System, ValueType, instance::description::IntegerType};
use lotka_plan::graph::ColumnSource;
use lotka_results::{FORMATS, Format, Request, ResultColumn, Results, Target, Values, Wanted, WriteOptions, whole};
use lotka_step::algorithm::Signals;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn real(&mut self) -> f64 {
        match self.below(4) {
            0 => f64::from_bits(self.bits()),
            1 => self.below(100) as f64 - 50.0,
            2 => self.one(&[0.0, -0.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX, 0.1 + 0.2]),
            _ => (self.bits() as f64 / 1e18).sin(),
        }
    }

    fn text(&mut self) -> String {
        let end = self.below(6);
        (0..end)
            .map(|_| self.one(&['"', ',', ';', '\n', '\r', '\t', ' ', 'é', '1', '=', '🐇']))
            .fold("t".to_owned(), |text, c| text + &c.to_string())
    }
}

/// The first column `plain` is finite; others have names and values of all kinds.
fn table(random: &mut Random) -> Memory {
    let plain = Column::new("plain", ValueType::Real);
    let mut columns = vec![plain];
    for index in 0..random.below(7) {
        let before = random.one(&["a.", " b", "\"c", "é,", "d;", "\te", "'", "\u{a0}"]);
        let after = random.one(&["", " ", "[1]", " [m]", " [-]", "\"", "]", ", x", "\n", "\r\n[s]"]);
        let value_type = random.one(&[ValueType::Real, ValueType::Integer, ValueType::Boolean, ValueType::Text]);
        let mut column = Column::new(format!("{before}{index}{after}"), value_type);
        column.integers = random.one(&[IntegerType::Int32, IntegerType::UInt32, IntegerType::Int64, IntegerType::UInt64]);
        column.unit = [None, Some("m"), Some("µm/s"), Some("1")][random.below(4)].map(str::to_owned);
        columns.push(column);
    }
    let mut memory = Memory::new();
    memory.observe(&Notification::Started { columns: &columns, start: 0.0, stop: 1.0 });
    let mut time = 0.0;
    for row in 0..random.below(30) {
        time += random.one(&[0.0, 0.1, 1.0 / 3.0]);
        let mut signals = Signals { reals: vec![0.1 * row as f64], ..Signals::default() };
        let mut sources = vec![ColumnSource::Real(0)];
        for column in &columns[1..] {
            sources.push(match column.value_type {
                ValueType::Real => {
                    signals.reals.push(random.real());
                    ColumnSource::Real(signals.reals.len() - 1)
                }
                ValueType::Integer => {
                    let (least, most) = column.integers.range();
                    let any = random.bits() >> 33;
                    let value = random.one(&[least, most, 0, 7, any.into()]);
                    signals.integers.push(value.clamp(least, most));
                    ColumnSource::Integer(signals.integers.len() - 1)
                }
                ValueType::Boolean => {
                    signals.booleans.push(random.below(2) == 0);
                    ColumnSource::Boolean(signals.booleans.len() - 1)
                }
                ValueType::Text | ValueType::Binary => {
                    signals.texts.push(random.text());
                    ColumnSource::Text(signals.texts.len() - 1)
                }
            });
        }
        memory.observe(&Notification::Row(Row::new(time, &signals, &sources, &[])));
    }
    memory
}

fn write(memory: &Memory, format: &Format, folder: &Path) -> Option<PathBuf> {
    let path = folder.join("rows").with_extension(format.extensions[0]);
    let file = std::fs::File::create(&path).unwrap();
    let mut sink = format.writer(Target::File(file), &WriteOptions::default()).ok()?;
    memory.send_to(&mut *sink);
    // Such a file has no integers beyond 2^53.
    let result = sink.finish();
    assert!(result.is_ok() || format.name == "mat", "{result:?}");
    result.ok().map(|()| path)
}

/// Everything, with the bits of its numbers.
fn shown(values: &Values) -> String {
    match values {
        Values::Real(values) => {
            let bits = |value: &f64| if value.is_nan() { u64::MAX } else { value.to_bits() };
            format!("{:x?}", values.iter().map(bits).collect::<Vec<_>>())
        }
        values => format!("{values:?}"),
    }
}

fn reals(values: &Values) -> Values {
    Values::Real((0..values.len()).filter_map(|row| values.number(row)).collect())
}

/// What a format keeps of a table.
fn kept(column: &ResultColumn, format: &Format) -> Option<ResultColumn> {
    let mut column = column.clone();
    if format.name == "mat" {
        column.name = column.name.trim_matches([' ', '\0']).to_owned();
        column.values = if let Values::Text(_) = column.values { return None } else { reals(&column.values) };
    }
    if format.is_text {
        column.unit = None;
    }
    Some(column)
}

#[test]
fn random_tables_are_the_same_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..300 {
        let memory = table(&mut Random(seed));
        let expected = Results::from(&memory);
        for format in &FORMATS {
            let Some(path) = write(&memory, format, folder.path()) else { continue };
            let found = Results::open(&path).unwrap_or_else(|error| panic!("{seed} {error}"));
            let what = format!("{seed} {}", format.name);
            assert_eq!(shown(&Values::Real(found.time().to_vec())), shown(&Values::Real(expected.time().to_vec())), "{what}");
            let columns: Vec<_> = expected.columns().iter().filter_map(|column| kept(column, format)).collect();
            assert_eq!(found.columns().len(), columns.len(), "{what}");
            for (found, expected) in found.columns().iter().zip(&columns) {
                assert_eq!((&found.name, &found.unit), (&expected.name, &expected.unit), "{what}");
                // Without rows, a table of text has no types.
                if !expected.values.is_empty() {
                    assert_eq!(shown(&found.values), shown(&expected.values), "{what} {}", found.name);
                }
            }
            let names = |results: &Results| results.columns().iter().map(|column| column.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&Results::open_head(&path, true).unwrap()), names(&found), "{what}");
            assert_eq!(names(&Results::open_any(&path).unwrap())[1..], names(&found), "{what}");
        }
    }
}

#[test]
fn random_tables_have_the_wanted_types_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 1000..1200 {
        let memory = table(&mut Random(seed));
        for format in &FORMATS {
            let Some(path) = write(&memory, format, folder.path()) else { continue };
            for column in memory.columns() {
                let name = if format.name == "mat" { column.name.trim_matches(' ') } else { column.name.as_str() };
                let (least, most) = column.integers.range();
                let type_wanted = match column.value_type {
                    ValueType::Real => Wanted::Reals,
                    ValueType::Integer => Wanted::Integers(least, most),
                    ValueType::Boolean => Wanted::Booleans,
                    ValueType::Text | ValueType::Binary => Wanted::Texts,
                };
                let wanted = |known: &str| if known == name { type_wanted } else { Wanted::Nothing };
                let read = Results::open_as(&path, &Request { is_timed: true, has_rows: true, wanted: &wanted });
                let what = format!("{seed} {} {name}", format.name);
                if column.value_type == ValueType::Text && !format.has_texts {
                    continue;
                }
                let numbers = || memory.real(&column.name).unwrap();
                if type_wanted == Wanted::Reals && numbers().iter().any(|value| !value.is_finite()) {
                    assert!(read.unwrap_err()[0].to_string().contains("expected a number"), "{what}");
                    continue;
                }
                // Beyond 2^53, a number may have been rounded.
                let is_large = |values: &[i128]| values.iter().any(|value| value.unsigned_abs() > 1 << 53);
                if !format.has_texts && memory.integer(&column.name).is_some_and(is_large) {
                    assert!(read.unwrap_err()[0].to_string().contains("expected a whole number"), "{what}");
                    continue;
                }
                let found = read.unwrap_or_else(|errors| panic!("{what}: {errors:?}"));
                match (found.values(name).unwrap(), type_wanted) {
                    (Values::Real(values), Wanted::Reals) => {
                        assert_eq!(shown(&Values::Real(values.clone())), shown(&Values::Real(numbers().to_vec())), "{what}");
                    }
                    (Values::Text(texts), Wanted::Integers(..)) => {
                        let values: Vec<_> = texts.iter().map(|text| whole(text).unwrap()).collect();
                        assert_eq!(values, memory.integer(&column.name).unwrap(), "{what}");
                    }
                    (Values::Boolean(values), _) => {
                        assert_eq!(*values, numbers().iter().map(|value| *value == 1.0).collect::<Vec<_>>(), "{what}");
                    }
                    (Values::Text(texts), _) => assert_eq!(texts, memory.text(&column.name).unwrap(), "{what}"),
                    other => panic!("{what}: {other:?}"),
                }
            }
        }
    }
}

/// A damaged file is a table or an error, and never ends the program.
#[test]
fn damaged_files_are_tables_or_errors() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged");
    let mut random = Random(11);
    for seed in 3000..3030 {
        let memory = table(&mut Random(seed));
        for format in FORMATS.iter().filter(|format| !format.is_text) {
            let Some(path) = write(&memory, format, folder.path()) else { continue };
            let whole = std::fs::read(path).unwrap();
            for _ in 0..40 {
                let mut bytes = whole.clone();
                if random.below(4) == 0 {
                    bytes.truncate(4 + random.below(bytes.len() - 4));
                }
                for _ in 0..1 + random.below(3) {
                    let place = random.below(bytes.len());
                    let any = random.bits() as u8;
                    bytes[place] = random.one(&[0, 1, 0x7f, 0xff, any]);
                }
                std::fs::write(&damaged, bytes).unwrap();
                if let Ok(results) = Results::open(&damaged) {
                    assert!(results.columns().iter().all(|column| column.values.len() == results.time().len()));
                }
            }
        }
    }
}

/// The values of a source at its own times.
fn driven(path: &Path, stop: f64) -> Vec<u64> {
    let prey = Fmu::from_functions(description::<models::Prey>(), functions::<models::Prey>());
    let system = System::new().instance_of("prey", &prey).stop(stop).step(0.25).source_csv("t", path);
    let mut rows = Memory::new();
    let mut simulation =
        system.connect("prey.y", "t.plain").record(&["t.plain"]).build().unwrap_or_else(|error| panic!("{error}"));
    simulation.run(&mut [&mut rows]).unwrap();
    rows.real("t.plain").unwrap().iter().map(|value| value.to_bits()).collect()
}

#[test]
fn sources_are_the_same_from_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for seed in (2000..2200).filter(|seed| table(&mut Random(*seed)).time().last().is_some_and(|last| *last > 1.0)).take(20) {
        let memory = table(&mut Random(seed));
        let mut all: Vec<_> = FORMATS.iter().filter_map(|format| write(&memory, format, folder.path())).collect();
        // The first row is the start.
        if memory.time()[0] > 0.0 {
            continue;
        }
        let rows: Vec<_> = all.drain(..).map(|path| driven(&path, 1.0)).collect();
        assert!(rows.windows(2).all(|pair| pair[0] == pair[1]) && rows[0].len() >= 5, "{seed}");
    }
}

#[test]
fn spellings_of_text_are_the_same_table() {
    let mut random = Random(7);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    for case in 0..300 {
        let rows: Vec<[String; 3]> = (0..1 + random.below(5))
            .map(|row| [format!("{}.5", row), format!("{:?}", random.below(9) as f64 / 8.0), random.text()])
            .collect();
        let quote = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
        let lines: String = rows.iter().map(|[time, x, text]| format!("{time},{x},{}\n", quote(text))).collect();
        std::fs::write(&path, format!("time,plain,\"é, \"\"s\"\"\"\n{lines}")).unwrap();
        let plain = Results::open(&path).unwrap();
        let separator = random.one(&[',', ';', '\t']);
        let end = random.one(&["\n", "\r\n", "\n\n", "\r\n\r\n"]);
        let blank = random.one(&["", " ", "  "]);
        let all_quoted = random.below(2) == 0;
        let field = |name: &str| if all_quoted { quote(name) } else { format!("{blank}{name}{blank}") };
        let time = random.one(&["time", "Time", "time [s]", "TIME [-]"]);
        let name = random.one(&["plain", "plain [m]", "plain [-]", "plain []"]);
        let mut text = random.one(&["", "\u{feff}"]).to_owned();
        let mut line = |fields: [String; 3]| text += &(fields.join(&separator.to_string()) + end);
        line([field(time), field(name), quote("é, \"s\" [-]")]);
        rows.iter().for_each(|[time, x, t]| line([field(time), field(x), quote(t)]));
        std::fs::write(&path, &text).unwrap();
        let found = Results::open(&path).unwrap_or_else(|error| panic!("{case} {error} in {text:?}"));
        assert_eq!(found.time(), plain.time(), "{text:?}");
        for (found, plain) in found.columns().iter().zip(plain.columns()) {
            assert_eq!((&found.name, &found.values), (&plain.name, &plain.values), "{text:?}");
        }
        assert_eq!(found.columns()[0].unit.as_deref(), name.contains("[m]").then_some("m"));
    }
}
