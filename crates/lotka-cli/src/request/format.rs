//! Formats of results.

use std::{ffi::OsStr, path::Path};

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
pub(crate) enum Format {
    /// Text, RFC 4180
    Csv,
    /// MATLAB 4 file with trajectories, as OpenModelica and Dymola write it
    Mat,
    /// Columns with types and units, for pandas, polars and DuckDB
    Parquet,
}

impl Format {
    /// Returns the format for the extension of a file: CSV without a file or an extension, `None` for an unknown extension.
    pub(crate) fn of(path: Option<&Path>) -> Option<Self> {
        let extension = path.and_then(Path::extension).and_then(OsStr::to_str).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "" | "csv" | "txt" => Some(Self::Csv),
            "mat" => Some(Self::Mat),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// Returns whether the format can go to a pipe, because it never changes what is already written.
    pub(crate) fn is_stream(self) -> bool {
        self == Self::Csv
    }
}
