//! Reads trajectories in files of MATLAB's version 4, as OpenModelica, Dymola and [`crate::Mat`] write them.
//!
//! Supports version 1.1 of the trajectories in both orientations (`binTrans`, `binNormal`), little-endian. All values are
//! numbers.

use std::io::{Read, Take};

use lotka_message::limits::MATRIX_NAME;

use crate::{Format, Request, Results, ResultsError, ResultsProblem, Values, assembly::Outline, header::Head};

pub(crate) const FORMAT: Format = Format {
    name: "mat",
    extensions: &["mat"],
    about: "MATLAB 4 file with trajectories, as OpenModelica and Dymola write it",
    kind: "a file of MATLAB",
    is_text: false,
    is_resumable: true,
    has_texts: false,
    // The first number is the type of a matrix of characters; no text has three zeros there.
    is_in: |begin| matches!(begin, [1..=99, 0, 0, 0, ..]),
    read: |source, request| table(source).map_err(|error| vec![error])?.results(request),
    #[cfg(feature = "mat")]
    write: Some(|target, options| {
        let file = target.file()?;
        Ok(Box::new(if options.error_bars { crate::Mat::with_error_bars(file) } else { crate::Mat::new(file) }))
    }),
    #[cfg(not(feature = "mat"))]
    write: None,
};

/// Size of the header of a matrix without its name \[byte\].
const HEADER: usize = 20;

/// Reads the matrices of a file.
fn table(source: impl Read) -> Result<Table, ResultsError> {
    let mut matrices = Matrices { source };
    let class = matrices.next("Aclass")?;
    let is_transposed = match class.text_of_row(3).as_str() {
        "binTrans" => true,
        "binNormal" => false,
        _ => return Err(wrong("its class is neither binTrans nor binNormal").into()),
    };
    let mut next = |name| matrices.next(name).map(|matrix| if is_transposed { matrix } else { matrix.transposed() });
    let (names, descriptions, info) = (next("name")?, next("description")?, next("dataInfo")?);
    let (constants, trajectories) = (next("data_1")?, next("data_2")?);
    if info.rows < 2 || info.columns != names.columns {
        return Err(wrong("dataInfo does not locate every variable").into());
    }
    if trajectories.rows == 0 {
        return Err(wrong("data_2 has no times").into());
    }
    Ok(Table { names, descriptions, info, constants, trajectories })
}

/// The matrices of a file, with one column per variable (`names`, `info`) or time.
struct Table {
    names: Matrix,
    descriptions: Matrix,
    info: Matrix,
    constants: Matrix,
    trajectories: Matrix,
}

impl Table {
    fn results(&self, request: &Request<'_>) -> Result<Results, Vec<ResultsError>> {
        // The time is the first trajectory, whatever its name.
        let (mut heads, mut places) = (vec![Head { name: "time".to_owned(), unit: None }], vec![(2.0, 1.0)]);
        for variable in 0..self.names.columns {
            let (matrix, index) = (self.info.at(0, variable), self.info.at(1, variable));
            if index != 1.0 {
                heads.push(Head { name: self.names.text_of_column(variable), unit: self.unit(variable) });
                places.push((matrix, index));
            }
        }
        let outline = Outline { heads, rows: self.trajectories.columns, about: None, note: None };
        outline.table(request, |column, _| {
            let (matrix, index) = places[column];
            self.values(matrix, index).map(Values::Real).ok_or_else(|| wrong("dataInfo refers to missing data"))
        })
    }

    /// Returns the unit of a variable: in brackets at the end of its description. Dymola adds the displayed unit.
    fn unit(&self, variable: usize) -> Option<String> {
        let description = (variable < self.descriptions.columns).then(|| self.descriptions.text_of_column(variable))?;
        let (_, unit) = description.strip_suffix(']')?.rsplit_once('[')?;
        let unit = unit.split_once('|').map_or(unit, |(unit, _)| unit).trim();
        (!unit.is_empty()).then(|| unit.to_owned())
    }

    /// Returns the values of a variable. A constant holds in every row; a negative index stands for the opposite sign.
    fn values(&self, matrix: f64, index: f64) -> Option<Vec<f64>> {
        let row = (index.abs() >= 1.0).then(|| index.abs() as usize - 1)?;
        match matrix {
            1.0 if row < self.constants.rows && self.constants.columns > 0 => {
                Some(vec![self.constants.at(row, 0) * index.signum(); self.trajectories.columns])
            }
            0.0 | 2.0 if row < self.trajectories.rows => Some(self.row(&self.trajectories, row, index.signum())),
            _ => None,
        }
    }

    fn row(&self, matrix: &Matrix, row: usize, sign: f64) -> Vec<f64> {
        (0..matrix.columns).map(|column| sign * matrix.at(row, column)).collect()
    }
}

/// A matrix, column by column.
struct Matrix {
    rows: usize,
    columns: usize,
    values: Elements,
}

enum Elements {
    Numbers(Vec<f64>),
    Characters(Vec<u8>),
}

impl Matrix {
    fn at(&self, row: usize, column: usize) -> f64 {
        let place = column * self.rows + row;
        match &self.values {
            Elements::Numbers(values) => values[place],
            Elements::Characters(values) => values[place].into(),
        }
    }

    fn transposed(self) -> Self {
        let places = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| column * self.rows + row));
        let values = match &self.values {
            Elements::Numbers(values) => Elements::Numbers(places.map(|place| values[place]).collect()),
            Elements::Characters(values) => Elements::Characters(places.map(|place| values[place]).collect()),
        };
        Self { rows: self.columns, columns: self.rows, values }
    }

    fn text_of_column(&self, column: usize) -> String {
        self.text((0..self.rows).map(|row| self.at(row, column)))
    }

    fn text_of_row(&self, row: usize) -> String {
        if row >= self.rows {
            return String::new();
        }
        self.text((0..self.columns).map(|column| self.at(row, column)))
    }

    /// Converts characters to text without the zeros and blanks that pad it.
    fn text(&self, characters: impl Iterator<Item = f64>) -> String {
        let bytes: Vec<u8> = characters.map(|character| character as u8).collect();
        String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ']).to_owned()
    }
}

struct Matrices<R> {
    source: R,
}

impl<R: Read> Matrices<R> {
    /// Reads the next matrix, which must have this name.
    fn next(&mut self, name: &'static str) -> Result<Matrix, ResultsError> {
        let header = self.bytes(HEADER as u64)?;
        let number = |index: usize| {
            header.chunks(4).nth(index).map_or(0, |bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
        };
        let [kind, rows, columns, imaginary, length] = [0, 1, 2, 3, 4].map(number);
        if length > MATRIX_NAME || imaginary != 0 {
            return Err(wrong("a matrix has a name that is too long, or complex numbers").into());
        }
        let found = self.bytes(length.into())?;
        if found.strip_suffix(&[0]) != Some(name.as_bytes()) {
            return Err(ResultsProblem::NoMatrix { name }.into());
        }
        let size = match kind / 10 {
            0 => 8,
            1 | 2 => 4,
            3 | 4 => 2,
            5 => 1,
            _ => return Err(wrong("its number format is unsupported (big-endian or unknown)").into()),
        };
        let bytes = self.bytes(u64::from(rows).saturating_mul(columns.into()).saturating_mul(size))?;
        Ok(Matrix { rows: rows as usize, columns: columns as usize, values: elements(kind / 10, bytes) })
    }

    /// Reads this number of bytes. Memory is allocated only for bytes that exist.
    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, ResultsError> {
        let mut bytes = Vec::new();
        let mut source: Take<&mut R> = self.source.by_ref().take(count);
        source.read_to_end(&mut bytes).map_err(ResultsProblem::Io)?;
        if bytes.len() as u64 == count { Ok(bytes) } else { Err(wrong("it ends inside its last matrix").into()) }
    }
}

fn elements(kind: u32, bytes: Vec<u8>) -> Elements {
    fn numbers<const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> f64) -> Elements {
        Elements::Numbers(bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect())
    }
    match kind {
        0 => numbers(&bytes, f64::from_le_bytes),
        1 => numbers(&bytes, |bytes| f32::from_le_bytes(bytes).into()),
        2 => numbers(&bytes, |bytes| i32::from_le_bytes(bytes).into()),
        3 => numbers(&bytes, |bytes| i16::from_le_bytes(bytes).into()),
        4 => numbers(&bytes, |bytes| u16::from_le_bytes(bytes).into()),
        _ => Elements::Characters(bytes),
    }
}

fn wrong(what: &'static str) -> ResultsProblem {
    ResultsProblem::NotTrajectories { what }
}
