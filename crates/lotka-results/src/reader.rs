//! Reads tables from files of any format.

use std::{
    fs::File,
    io::{Read, Seek},
    path::Path,
};

use crate::{
    FORMATS, Format, Request, Results, ResultsError, ResultsProblem, Wanted,
    format::{ReadSeek, Source},
};

/// Values of any type, with the time.
const RESULTS: Request<'_> = Request { is_timed: true, has_rows: true, wanted: &|_| Wanted::Any };

impl Results {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read or is inconsistent; the error names line and column.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ResultsError> {
        first(Self::open_as(path.as_ref(), &RESULTS))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// See [`Results::open`].
    pub fn read(mut source: impl Read + Seek) -> Result<Self, ResultsError> {
        first(of(&mut source, &RESULTS))
    }

    /// Reads what is wanted of a file.
    ///
    /// ```no_run
    /// use lotka_results::{Request, Results, Wanted};
    ///
    /// let request = Request { is_timed: true, has_rows: true, wanted: &|name| if name == "x" { Wanted::Reals } else { Wanted::Nothing } };
    /// let columns = Results::open_as("rows.csv".as_ref(), &request).map(Results::into_columns);
    /// ```
    ///
    /// # Errors
    /// All problems of the file.
    pub fn open_as(path: &Path, request: &Request<'_>) -> Result<Self, Vec<ResultsError>> {
        let opened = File::open(path).map_err(|error| vec![ResultsProblem::Io(error).into()]);
        let read = opened.and_then(|mut file| of(&mut file, request));
        read.map_err(|errors| errors.into_iter().map(|error| error.of_file(path)).collect())
    }

    /// Reads a table whose first column need not be the time, with its description and its note.
    ///
    /// # Errors
    /// See [`Results::open`].
    pub fn open_any(path: &Path) -> Result<Self, ResultsError> {
        first(Self::open_as(path, &Request { is_timed: false, ..RESULTS }))
    }

    /// Reads names and units of the columns, without the time, and the note.
    ///
    /// # Errors
    /// See [`Results::open`].
    pub fn open_head(path: &Path, is_timed: bool) -> Result<Self, ResultsError> {
        first(Self::open_as(path, &Request { is_timed, has_rows: false, ..RESULTS }))
    }
}

/// Reads a table in the format that its first bytes show.
fn of(source: &mut dyn ReadSeek, request: &Request<'_>) -> Result<Results, Vec<ResultsError>> {
    let mut source = Source::new(source).map_err(|error| vec![ResultsProblem::Io(error).into()])?;
    let format = Format::of_content(source.begin()).unwrap_or(&FORMATS[0]);
    (format.read)(&mut source, request)
}

/// The first of all problems.
fn first(read: Result<Results, Vec<ResultsError>>) -> Result<Results, ResultsError> {
    read.map_err(|errors| errors.into_iter().next().unwrap_or_else(|| ResultsProblem::Empty.into()))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::{Csv, UnfinishedLine, Values};
    use lotka_plan::{
        column::{Column, ValueType},
        graph::ColumnSource,
    };
    use lotka_run::record::{Memory, Notification, Observer, Row};
    use lotka_step::algorithm::Signals;

    fn read(text: impl AsRef<[u8]>) -> Result<Results, ResultsError> {
        Results::read(io::Cursor::new(text.as_ref().to_vec()))
    }

    #[test]
    fn what_other_masters_write_is_read() {
        let results = read("\u{feff}\"time\",\"a.x\"\r\n0, 1\r\n\r\n1e-1,2.5").unwrap();
        assert_eq!((results.time(), results.values("a.x")), (&[0.0, 0.1] as &[f64], Some(&Values::Real(vec![1.0, 2.5]))));
    }

    #[test]
    fn text_that_begins_like_numbers_is_read_as_it_is() {
        let results = read("time,a.s,a.x\n0,1e0,1\n1,\"one, \"\"two\"\"\",2\n2,true,3\n").unwrap();
        let texts = ["1e0", "one, \"two\"", "true"].map(str::to_owned).to_vec();
        assert_eq!(results.values("a.s"), Some(&Values::Text(texts)));
        assert_eq!(results.values("a.x"), Some(&Values::Integer(vec![1, 2, 3])));
    }

    /// A killed process leaves such a file.
    #[test]
    fn a_file_that_was_cut_anywhere_has_its_whole_rows() {
        let text = "time,a.x,a.b\n0.0,-1.5e-3,true\n0.125,-2.5e-3,false\n";
        let (whole, rows) = (read(text).unwrap(), |text: &str| text.lines().count() - 1);
        assert_eq!(whole.unfinished(), None);
        for end in text.find('\n').unwrap() + 1..text.len() {
            let results = read(&text[..end]).unwrap();
            let complete = rows(&text[..text[..end].rfind('\n').unwrap()]);
            let is_kept = results.unfinished().map(|last| last.is_kept);
            assert_eq!(results.time().len(), complete + usize::from(is_kept == Some(true)), "{end}: {results:?}");
            assert_eq!(is_kept.is_none(), text[..end].ends_with('\n'), "{end}");
            assert_eq!(results.time()[..complete], whole.time()[..complete]);
            if complete == 1 && is_kept == Some(true) {
                assert_eq!(&text[..end], text.trim_end(), "no other value of a row after the first one is taken for a whole one");
            }
        }
    }

    #[test]
    fn a_number_without_line_end_counts_and_is_reported() {
        let results = read("time,a.x\n0,1.25\n\n1,1.").unwrap();
        assert_eq!(results.values("a.x"), Some(&Values::Real(vec![1.25, 1.0])));
        let unfinished = results.unfinished().unwrap();
        assert_eq!(unfinished, UnfinishedLine { line: 4, is_kept: true });
        assert_eq!(unfinished.to_string(), "line 4 has no line end: if the file is truncated, its last field is wrong");
        for cut in ["1", "1,", "1,1e-", "1,\u{e9}", "1,2,3", "-", "-1,2"] {
            let results = read(format!("time,a.x\n0,1.25\n{cut}")).unwrap();
            assert_eq!(results.values("a.x"), Some(&Values::Real(vec![1.25])), "{cut}");
            assert_eq!(results.unfinished().unwrap().to_string(), "line 3 has no line end: Lotka ignores this incomplete row");
        }
        assert_eq!(read(b"time,a.s\n0,\xc3\xa9\n1,\xc3").unwrap().time(), [0.0]);
        assert!(read("time,a.x").unwrap().unfinished().is_some());
        assert_eq!(read("time,a.x\r0,1\r").unwrap().unfinished(), None);
    }

    /// Otherwise an unmatched quote would end the table without an error.
    #[test]
    fn a_quote_that_is_not_closed_is_an_error_also_without_line_end() {
        let error = read("time,a.x\n0,1\n\"1,2\n3,4\n5,6").unwrap_err().to_string();
        assert!(error.starts_with("results:3: expected 2 fields in the row, found 1"), "{error}");
    }

    /// As blanks and units are no part of names, and times are in seconds.
    #[test]
    fn the_separator_the_blanks_and_the_unit_of_time_do_not_matter() {
        let plain = read("time,x,y z\n0.0,1,a\n60.0,2,b\n").unwrap();
        for text in [
            "time [min]; x ;\"y z\"\n0.0;1;a\n1.0;2;b\n",
            "Time [h]\tx [-]\t y z\r\n\r\n0\t1\ta\r\n0.016666666666666666\t2\tb\r\n",
        ] {
            assert_eq!(read(text).unwrap(), plain, "{text}");
        }
    }

    /// What Lotka writes has points in its times, and strings of an FMU may be anything.
    #[test]
    fn text_with_commas_beside_decimal_points_stays_text() {
        let results = read("time,a.s\n0.0,\"1,5\"\n1.0,\"2,5\"\n").unwrap();
        assert_eq!(results.values("a.s"), Some(&Values::Text(vec!["1,5".into(), "2,5".into()])));
        let results = read("time;a.s\n0;1,5\n1;a\n").unwrap();
        assert_eq!(results.values("a.s"), Some(&Values::Text(vec!["1,5".into(), "a".into()])));
    }

    #[test]
    fn a_table_without_rows_has_columns() {
        let results = read("time,a.x\n").unwrap();
        assert_eq!((results.time().len(), results.columns().len()), (0, 1));
        assert!(results.values("a.x").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_said_with_line_and_column() {
        let cases: [(&[u8], &str); 19] = [
            (b"", "results: the file is empty"),
            (b"t,a.x\n", "results:1: expected `time` as the first column, found `t`"),
            (b"time [year],a.x\n", "results:1: column `time`: unknown unit of time `year`; available: `s`"),
            (b"time,x, x [m]\n", "results:1: column `x`: two columns have this name"),
            (b"time,a.x,\n0,1,\n", "results:1: the line ends with a comma, so that column 3 has no content; remove the comma"),
            (b"time;a.x\n0;1;\n", "results:2: the line ends with a semicolon, so that column 3 has no content"),
            (b"time;a.x\n0;0,5\n1;1,2\n", "results:2: column `a.x`: expected a decimal point, found the decimal comma of `0,5`"),
            (b"time;a.x\n0;3\n0,5;4\n", "results:3: column `time`: expected a decimal point, found the decimal comma of `0,5`"),
            (
                b"time,a.x\n0,4\n1,\"0,5\"\n",
                "results:3: column `a.x`: expected a decimal point, found the decimal comma of `0,5`",
            ),
            (b"time,a.x\n0,0,0,5\n", "results:2: expected a decimal point, found the decimal comma of `0,0`"),
            (b"time,a.x\n0,1,\n", "results:2: the line ends with a comma, so that column 3 has no content"),
            (b"time,a.x,a.x\n", "results:1: column `a.x`: two columns have this name"),
            (b"time,a.x\n0,1\n1\n", "results:3: expected 2 fields in the row, found 1"),
            (b"time,a.x\n0,1\n\"1,2\n3,4\n", "results:3: expected 2 fields in the row, found 1"),
            (b"time,a.x\n0,1\n\nx,2\n", "results:4: column `time`: expected a time in seconds, found `x`"),
            (b"time,a.x\r\n0,1\r\nx,2\r\n", "results:3: column `time`: expected a time in seconds, found `x`"),
            (b"time,a.x\ninf,1\n", "results:2: column `time`: expected a time in seconds, found `inf`"),
            (b"time,a.x\n0,1\n2,1\n1,1\n", "results:4: column `time`: the time 1 s follows 2 s"),
            (b"time,a.x\n0,\xff\n", "results:2: the row is not valid UTF-8"),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let error = Results::open("nowhere.csv").unwrap_err().to_string();
        assert!(error.starts_with("nowhere.csv: cannot be read: "), "{error}");
    }

    #[test]
    fn what_is_written_or_left_in_memory_reads_back_bit_for_bit() {
        let column = |name: &str, value_type| Column::new(name, value_type);
        let types = [ValueType::Real, ValueType::Integer, ValueType::Boolean, ValueType::Text];
        let columns: Vec<_> = ["a.x", "n, \"n\"", "a.b", "a.s"].into_iter().zip(types).map(|(n, t)| column(n, t)).collect();
        let sources = [ColumnSource::Real(0), ColumnSource::Integer(0), ColumnSource::Boolean(0), ColumnSource::Text(0)];
        let (mut out, mut rows) = (Vec::new(), Vec::new());
        let (mut csv, mut memory) = (Csv::new(&mut out), Memory::new());
        csv.observe(&Notification::Started { columns: &columns, start: 0.0, stop: 1.0 });
        memory.observe(&Notification::Started { columns: &columns, start: 0.0, stop: 1.0 });
        for index in 0..2000_u64 {
            // The multiplier of SplitMix64 spreads the bits.
            let bits = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let text: String =
                (0..index % 7).map(|k| ['"', ',', '\n', '\r', ' ', 'é', '1'][(bits >> (4 * k)) as usize % 7]).collect();
            let signals = Signals {
                reals: vec![f64::from_bits(bits)],
                integers: vec![(bits as i64).into()],
                booleans: vec![bits & 1 == 0],
                texts: vec![format!("t{text}")],
                ..Signals::default()
            };
            let row = Row::new(0.1 * index as f64, &signals, &sources, &[]);
            csv.observe(&Notification::Row(row));
            memory.observe(&Notification::Row(row));
            rows.push(signals);
        }
        csv.finish().unwrap();
        for results in [read(out).unwrap(), Results::from(&memory)] {
            let [Values::Real(reals), Values::Integer(integers), Values::Boolean(booleans), Values::Text(texts)] =
                ["a.x", "n, \"n\"", "a.b", "a.s"].map(|name| results.values(name).unwrap())
            else {
                panic!("other types")
            };
            for (index, row) in rows.iter().enumerate() {
                assert_eq!(results.time()[index].to_bits(), (0.1 * index as f64).to_bits());
                let (written, read) = (row.reals[0], reals[index]);
                assert!(written.to_bits() == read.to_bits() || written.is_nan() && read.is_nan(), "{written:e} {read:e}");
                assert_eq!((integers[index], booleans[index]), (i64::try_from(row.integers[0]).unwrap(), row.booleans[0]));
                assert_eq!(texts[index], row.texts[0]);
            }
        }
    }
}
