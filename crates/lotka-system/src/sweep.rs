//! Sweeps: which start values the runs of a study have, and what is kept of each run.

use std::path::PathBuf;

use lotka_message::SourceFile;

use crate::{Located, StartValue};

/// A study: a system, parameters that vary, and what is kept of each run. Read from a file by [`read_sweep`](crate::read_sweep).
#[derive(Debug, Clone, PartialEq)]
pub struct SweepDescription {
    /// The file, for messages; `None` for a study that a program describes.
    pub file: Option<SourceFile>,
    /// The system file, relative to the folder of the study; empty without a file.
    pub system: Located<PathBuf>,
    /// How parameters vary together.
    pub sampling: Sampling,
    /// The parameters, in the order of the file.
    pub parameters: Vec<SweepParameter>,
    /// What is kept of each run.
    pub keep: Keep,
}

/// How the parameters of a sweep vary together.
#[derive(Debug, Clone, PartialEq)]
pub enum Sampling {
    /// All combinations; the last parameter varies fastest.
    Grid,
    /// The first values of all parameters, then the second ones, and so on.
    List,
    /// Independent random numbers.
    Random(Sample),
    /// One random number in each of as many equal intervals as there are runs, in random order (McKay, Beckman and Conover 1979,
    /// doi 10.2307/1268522).
    LatinHypercube(Sample),
    /// The sequence of Sobol' with the direction numbers of Joe and Kuo (2008, doi 10.1137/070709359), scrambled at random.
    Sobol(Sample),
    /// The rows of a table in a CSV file, relative to the folder of the study.
    Table(Located<PathBuf>),
}

/// The number of random runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The number of runs.
    pub runs: usize,
    /// The seed: other seeds make other random numbers.
    pub seed: u64,
}

/// A parameter that varies: a variable with a start value.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepParameter {
    /// `instance.variable`.
    pub name: Located<String>,
    /// Its values.
    pub axis: Axis,
}

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// These values.
    Values(Vec<StartValue>),
    /// Values between two numbers.
    Span {
        /// The first one.
        from: f64,
        /// The last one.
        to: f64,
        /// Their number in a grid or a list.
        count: usize,
        /// Whether their logarithms have equal distances, or are uniform.
        is_logarithmic: bool,
    },
    /// A column of the table.
    Column(String),
}

/// What is kept of each run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Keep {
    /// Names and patterns of the variables, as for `record`; `None` for all recorded ones.
    pub variables: Option<Located<Vec<Located<String>>>>,
    /// Whether the values at the end are kept.
    pub finals: bool,
    /// Whether the smallest values of all rows are kept.
    pub minima: bool,
    /// Whether the largest values of all rows are kept.
    pub maxima: bool,
    /// Times at which values are kept \[s\].
    pub times: Vec<Located<f64>>,
    /// Whether all rows are kept.
    pub rows: bool,
}
