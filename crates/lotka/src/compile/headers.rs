//! Headers of FMI 2.0, for sources that lack them. Headers of the sources take precedence.

use std::{fs, io, path::Path};

const HEADERS: [(&str, &str); 3] = [
    ("fmi2TypesPlatform.h", include_str!("headers/fmi2TypesPlatform.h")),
    ("fmi2FunctionTypes.h", include_str!("headers/fmi2FunctionTypes.h")),
    ("fmi2Functions.h", include_str!("headers/fmi2Functions.h")),
];

/// Writes them into a new folder.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    HEADERS.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}
