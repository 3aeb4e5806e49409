//! The layout of a file: five matrices that describe it, followed by the trajectories.

use std::iter;

use lotka_plan::column::Column;

/// Rows of the matrix `Aclass`: the kind of file, the version, an empty row, and that matrices are transposed, with one column
/// per variable or time.
const CLASS: [&str; 4] = ["Atrajectory", "1.1", "", "binTrans"];

/// Types of matrices: 8-bit characters, 32-bit integers, 64-bit numbers, all little-endian.
const TEXT: u32 = 51;
const INTEGER: u32 = 20;
const REAL: u32 = 0;

/// Size of a header without the name \[byte\].
const HEADER: usize = 20;

/// Offset of the number of columns in a header.
const COLUMNS: usize = 8;

/// Name of the matrix of trajectories.
const TRAJECTORIES: &str = "data_2";

/// The places of the variables.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The matrices before `data_1`.
    head: Vec<u8>,
    /// Positions of the columns in `data_1` and `data_2`; both begin with the time.
    pub(super) constants: Vec<usize>,
    pub(super) trajectories: Vec<usize>,
    /// Rows of `data_2`: time, trajectories and error bars.
    values: usize,
}

impl Layout {
    /// Creates the layout of `columns`, followed by their error bars. Texts and binaries are omitted.
    pub(super) fn new(columns: &[Column], bars: &[Column]) -> Self {
        let with = |is_constant| {
            let fits = move |column: &&Column| column.is_constant == is_constant && column.value_type.is_number();
            (0..columns.len()).filter(move |&index| fits(&&columns[index])).collect::<Vec<_>>()
        };
        let (constants, trajectories) = (with(true), with(false));
        let mut entries = vec![Entry { name: "time", description: "time [s]".to_owned(), info: [0, 1, 0, -1] }];
        let (mut constant, mut trajectory) = (1, 1);
        for column in columns.iter().filter(|column| column.value_type.is_number()).chain(bars) {
            let (matrix, index) = if column.is_constant { (1, &mut constant) } else { (2, &mut trajectory) };
            *index += 1;
            // A constant keeps its value outside the time range; other variables have none there.
            let info = [matrix, *index, 0, if column.is_constant { 0 } else { -1 }];
            entries.push(Entry { name: &column.name, description: description(column), info });
        }
        Self { head: head(&entries), values: 1 + trajectories.len() + bars.len(), constants, trajectories }
    }

    /// Returns the size of a row \[byte\].
    pub(super) fn row_length(&self) -> u64 {
        8 * self.values as u64
    }

    /// Returns the number of bytes before the first row.
    pub(super) fn rows_begin(&self) -> u64 {
        (self.count_place() + HEADER - COLUMNS + TRAJECTORIES.len() + 1) as u64
    }

    /// Returns the length of the file with this number of rows.
    pub(super) fn end(&self, rows: u64) -> u64 {
        self.rows_begin() + rows * self.row_length()
    }

    /// Returns the offset of the number of rows.
    pub(super) fn count_place(&self) -> usize {
        let constants = HEADER + "data_1".len() + 1 + 16 * (1 + self.constants.len());
        self.head.len() + constants + COLUMNS
    }

    /// Returns everything before the first row, for a file without rows. `constants` hold for the whole time from start to stop.
    pub(super) fn begin(&self, (start, stop): (f64, f64), constants: &[f64]) -> Vec<u8> {
        let mut bytes = self.head.clone();
        matrix(&mut bytes, "data_1", REAL, 1 + constants.len(), 2);
        for time in [start, stop] {
            iter::once(&time).chain(constants).for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
        }
        matrix(&mut bytes, TRAJECTORIES, REAL, self.values, 0);
        bytes
    }
}

/// The description of a variable: its matrix, its index there, linear interpolation, and its value outside the time range.
struct Entry<'a> {
    name: &'a str,
    description: String,
    info: [i32; 4],
}

/// Formats the description, with the unit in brackets at the end; empty brackets mean dimensionless.
fn description(column: &Column) -> String {
    let text = column.description.as_deref().unwrap_or_default();
    match &column.unit {
        Some(unit) if text.is_empty() => format!("[{unit}]"),
        Some(unit) => format!("{text} [{unit}]"),
        None => text.to_owned(),
    }
}

fn head(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    matrix(&mut bytes, "Aclass", TEXT, CLASS.len(), CLASS[0].len());
    for column in 0..CLASS[0].len() {
        bytes.extend(CLASS.iter().map(|row| row.as_bytes().get(column).copied().unwrap_or_default()));
    }
    texts(&mut bytes, "name", entries.iter().map(|entry| entry.name));
    texts(&mut bytes, "description", entries.iter().map(|entry| entry.description.as_str()));
    matrix(&mut bytes, "dataInfo", INTEGER, 4, entries.len());
    entries.iter().flat_map(|entry| entry.info).for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    bytes
}

/// Writes a matrix with one text per column, padded with zeros.
fn texts<'a>(bytes: &mut Vec<u8>, name: &str, texts: impl ExactSizeIterator<Item = &'a str> + Clone) {
    let length = texts.clone().map(str::len).max().unwrap_or_default();
    matrix(bytes, name, TEXT, length, texts.len());
    for text in texts {
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend(iter::repeat_n(0, length - text.len()));
    }
}

/// Writes the header of a matrix.
fn matrix(bytes: &mut Vec<u8>, name: &str, of: u32, rows: usize, columns: usize) {
    for number in [of, rows as u32, columns as u32, 0, name.len() as u32 + 1] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
}
