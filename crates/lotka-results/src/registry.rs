//! The table formats, and how a file finds its own.

use std::path::Path;

#[cfg(feature = "arrow")]
use crate::arrow;
#[cfg(feature = "parquet")]
use crate::parquet;
use crate::{delimited, format::Format, mat};

/// The formats. A file that begins like none of the others is text.
pub static FORMATS: [Format; 4] = [
    delimited::FORMAT,
    mat::FORMAT,
    #[cfg(feature = "parquet")]
    parquet::FORMAT,
    #[cfg(not(feature = "parquet"))]
    Format::not_built("parquet", &["parquet", "pq"], |begin| begin.starts_with(b"PAR1")),
    #[cfg(feature = "arrow")]
    arrow::FORMAT,
    #[cfg(not(feature = "arrow"))]
    Format::not_built("arrow", &["arrow", "feather"], |begin| begin.starts_with(b"ARROW1")),
];

impl Format {
    /// Returns the format for the extension of a file, `None` for an unknown extension. A file without extension is text.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<&'static Self> {
        let Some(extension) = path.extension() else { return Some(&FORMATS[0]) };
        let is_known = |format: &&Self| format.extensions.iter().any(|known| extension.eq_ignore_ascii_case(known));
        FORMATS.iter().find(is_known)
    }

    /// Returns the format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the binary format of a file that begins with these bytes; `None` if it is text.
    #[must_use]
    pub fn of_content(begin: &[u8]) -> Option<&'static Self> {
        FORMATS.iter().find(|format| (format.is_in)(begin))
    }

    /// Returns the usual extensions of all formats for which this holds: `.csv, .mat or .parquet`.
    #[must_use]
    pub fn extensions_where(holds: impl Fn(&Self) -> bool) -> String {
        let names: Vec<_> =
            FORMATS.iter().filter(|format| holds(format)).map(|format| format!(".{}", format.extensions[0])).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }
}
