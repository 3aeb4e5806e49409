//! Parquet: types, what is read back, and files that were not finished.

use std::io::{Cursor, ErrorKind, Seek, SeekFrom, Write};

use lotka::{Memory, Parquet, Results, ResultsError, System, Values};
use tests::{predator_prey, systems::machines};

fn written(system: &System) -> (Vec<u8>, Memory) {
    let (mut file, mut rows) = (Cursor::new(Vec::new()), Memory::new());
    let mut parquet = Parquet::new(&mut file);
    system.build().unwrap().run(&mut [&mut parquet, &mut rows]).unwrap();
    let length = parquet.bytes();
    parquet.finish().unwrap();
    assert_eq!(file.get_ref().len() as u64, length);
    (file.into_inner(), rows)
}

fn read(bytes: &[u8]) -> Result<Results, ResultsError> {
    Results::read(Cursor::new(bytes))
}

#[test]
fn what_is_read_back_is_what_was_recorded_with_its_types() {
    let (bytes, rows) = written(&machines().step(0.1).record(&["*"]));
    let results = read(&bytes).unwrap();
    assert_eq!(results.time(), rows.time());
    assert_eq!(results.columns().len(), rows.columns().len());
    for column in rows.columns() {
        let name = column.name.as_str();
        let whole = || rows.real(name).unwrap().iter().map(|value| *value as i64).collect();
        let expected = match results.values(name).unwrap() {
            Values::Real(_) => Values::Real(rows.real(name).unwrap().to_vec()),
            Values::Integer(_) => Values::Integer(whole()),
            Values::Boolean(_) => Values::Boolean(rows.real(name).unwrap().iter().map(|value| *value == 1.0).collect()),
            Values::Text(_) => Values::Text(rows.text(name).unwrap().to_vec()),
        };
        assert_eq!(results.values(name), Some(&expected), "{name}");
    }
    let kind = |name: &str| std::mem::discriminant(results.values(name).unwrap());
    assert_eq!(kind("first.mode"), std::mem::discriminant(&Values::Integer(Vec::new())));
    assert_eq!(kind("first.on"), std::mem::discriminant(&Values::Boolean(Vec::new())));
    assert_eq!(kind("first.speed"), std::mem::discriminant(&Values::Real(Vec::new())));
    assert_eq!(kind("first.label"), std::mem::discriminant(&Values::Text(Vec::new())));
}

#[test]
fn the_metadata_tell_what_columns_are() {
    let (bytes, _) = written(&machines().step(0.5).record(&["first.speed", "first.mode", "first.gain"]));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let speed = r#""first.speed":{"type":"Real","unit":"rad/s","description":"angular velocity","constant":false,"fmu":"machine","items":null}"#;
    let mode = r#""first.mode":{"type":"Enumeration","unit":null,"description":"what it does","constant":false,"fmu":"machine","items":{"1":"idle","2":"running"}}"#;
    for part in [
        speed,
        mode,
        r#""first.gain":{"type":"Real","unit":"rad/s2","description":"acceleration","constant":true"#,
        r#""time":{"type":"Real","unit":"s""#,
    ] {
        assert!(text.contains(part), "no {part}");
    }
}

#[test]
fn error_bars_are_columns() {
    let mut file = Cursor::new(Vec::new());
    let mut parquet = Parquet::with_error_bars(&mut file);
    let report = predator_prey().tolerance(1e-6).build().unwrap().run(&mut [&mut parquet]).unwrap();
    parquet.finish().unwrap();
    let results = read(file.get_ref()).unwrap();
    let names: Vec<_> = results.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["prey.x", "predator.y", "prey.x (error)", "predator.y (error)"]);
    let bars = results.values("prey.x (error)").unwrap();
    let largest = (0..bars.len()).filter_map(|row| bars.number(row)).fold(0.0, f64::max);
    assert_eq!(largest, report.global_error.unwrap().outputs[0].absolute);
}

#[test]
fn large_results_have_few_groups_and_the_same_values() {
    // 33 values in 50001 rows are a full group and a half.
    let (bytes, rows) = written(&machines().step(2e-5).record(&["*"]));
    let results = read(&bytes).unwrap();
    assert!(results.time() == rows.time());
    assert_eq!((results.time().len(), results.columns().len()), (50_001, 34));
    let speed = rows.real("second.speed").unwrap().to_vec();
    assert!(results.values("second.speed") == Some(&Values::Real(speed)));
}

/// Bytes of the file per row, with all of its metadata.
#[test]
fn rows_of_a_smooth_solution_are_small_and_exact() {
    let (bytes, rows) = written(&predator_prey().step(0.01).stop(1000.0));
    let results = read(&bytes).unwrap();
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert!(bits(results.time()) == bits(rows.time()));
    for name in ["prey.x", "predator.y"] {
        let Some(Values::Real(values)) = results.values(name) else { panic!("{name} is a Real") };
        assert!(bits(values) == bits(rows.real(name).unwrap()), "{name}");
    }
    let per_row = bytes.len() as f64 / rows.time().len() as f64;
    assert!(per_row < 12.0, "{per_row} bytes");
}

/// Hands rows on as often as possible, and keeps the lengths of the file.
struct Impatient<W: Write + Seek>(Parquet<W>, Vec<u64>);

impl<W: Write + Seek> lotka::Observer for Impatient<W> {
    fn observe(&mut self, notification: &lotka::Notification<'_>) {
        self.0.observe(notification);
        if let lotka::Notification::Row(_) = notification {
            self.0.flush_if_worthwhile();
            self.1.push(self.0.bytes());
        }
    }
}

#[test]
fn groups_grow_with_the_file_however_often_rows_are_handed_on() {
    let mut file = Cursor::new(Vec::new());
    let mut impatient = Impatient(Parquet::new(&mut file), Vec::new());
    predator_prey().step(0.01).build().unwrap().run(&mut [&mut impatient]).unwrap();
    let Impatient(parquet, mut lengths) = impatient;
    parquet.finish().unwrap();
    lengths.dedup();
    assert!((20..100).contains(&lengths.len()), "{} groups", lengths.len());
    assert_eq!(read(file.get_ref()).unwrap().time().len(), 10_001);
}

#[test]
fn after_a_write_error_the_groups_before_are_a_file() {
    /// Takes so many bytes and no more, but lets what is there be written again, as a disk that is full.
    struct Full {
        file: Cursor<Vec<u8>>,
        room: usize,
    }
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let left = self.room.saturating_sub(self.file.position() as usize).min(bytes.len());
            if left == 0 { Err(ErrorKind::StorageFull.into()) } else { self.file.write(&bytes[..left]) }
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl Seek for Full {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.file.seek(to)
        }
    }
    let mut full = Full { file: Cursor::new(Vec::new()), room: 100_000 };
    let mut impatient = Impatient(Parquet::new(&mut full), Vec::new());
    predator_prey().step(0.01).build().unwrap().run(&mut [&mut impatient]).unwrap();
    let length = impatient.0.bytes() as usize;
    assert_eq!(impatient.0.finish().unwrap_err().kind(), ErrorKind::StorageFull);
    // Who knows the file cuts off what is behind its end.
    let rows = read(&full.file.get_ref()[..length]).unwrap().time().len();
    assert!((1000..10_000).contains(&rows), "{rows}");
}

#[test]
fn a_file_without_rows_and_one_without_its_end() {
    let mut file = Cursor::new(Vec::new());
    let mut parquet = Parquet::new(&mut file);
    // Rows of a run with a tolerance come at the end; this one is canceled before.
    let mut simulation = predator_prey().tolerance(1e-6).build().unwrap();
    simulation.cancel_token().cancel();
    simulation.run(&mut [&mut parquet]).unwrap();
    parquet.finish().unwrap();
    let results = read(file.get_ref()).unwrap();
    assert_eq!((results.time().len(), results.columns().len()), (0, 2));
    let (whole, _) = written(&predator_prey().step(1.0));
    for length in [4, 5, 100, whole.len() - 1] {
        let error = read(&whole[..length]).unwrap_err().to_string();
        assert!(error.contains("cannot read the Parquet file"), "{error}");
    }
}
