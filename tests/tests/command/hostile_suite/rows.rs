//! The rows of a run, as a user's tool reads them.

use std::path::Path;

/// A CSV file.
#[derive(Debug, PartialEq)]
pub struct Rows {
    names: Vec<String>,
    records: Vec<Vec<String>>,
}

impl Rows {
    /// Reads the file; `Err` says what no reader would understand.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        Self::parse(&String::from_utf8(bytes).map_err(|error| error.to_string())?)
    }

    /// Whole records of numbers (the texts of `a.text` and `b.text` aside), all as long as the header.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut records = records(text)?;
        if records.is_empty() {
            return Ok(Self { names: Vec::new(), records });
        }
        let names = records.remove(0);
        if names[0] != "time" {
            return Err(format!("the first column is `{}`", names[0]));
        }
        let rows = Self { names, records };
        match rows.records.iter().position(|record| record.len() != rows.names.len()) {
            Some(row) => Err(format!("row {row} has {} fields, not {}", rows.records[row].len(), rows.names.len())),
            None => rows.column("time").map(|_| rows),
        }
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The numbers of a column.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, String> {
        let index = self.names.iter().position(|other| other == name).ok_or_else(|| format!("there is no column `{name}`"))?;
        let number =
            |record: &Vec<String>| record[index].parse().map_err(|_| format!("expected a number, found `{}`", record[index]));
        self.records.iter().map(number).collect()
    }

    /// Says in which of these columns the rows differ from others, by more than rounding.
    pub fn difference(&self, other: &Self, names: &[&str]) -> Result<(), String> {
        for name in names {
            let (ours, theirs) = (self.column(name)?, other.column(name)?);
            let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
            if ours.len() != theirs.len() || !ours.iter().zip(&theirs).all(is_close) {
                return Err(format!("`{name}` is {ours:?}, but {theirs:?} with a sound FMU"));
            }
        }
        Ok(())
    }
}

/// Records of RFC 4180.
fn records(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut records, mut record, mut field, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().filter(|c| *c != '\r').peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => record.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            other => field.push(other),
        }
    }
    if record.is_empty() && field.is_empty() && !is_quoted {
        Ok(records)
    } else {
        Err(format!("the file ends in the middle of a record: {record:?} {field:?}"))
    }
}

#[test]
fn records_may_hold_what_is_quoted_and_must_be_whole() {
    let rows = Rows::parse("time,a.text\n0.0,\"a \"\"b\"\", c\nd\"\n1.0,e\n").unwrap();
    assert_eq!(rows.records[0][1], "a \"b\", c\nd");
    assert_eq!(rows.column("time").unwrap(), [0.0, 1.0]);
    for cut in ["time,y\n0.0,1", "time,y\n0.0\n", "time,a.text\n0.0,\"a\n", "y\n1\n", "time\nx\n"] {
        assert!(Rows::parse(cut).is_err(), "{cut}");
    }
}
