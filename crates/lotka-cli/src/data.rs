//! stdout, which is for data only.

use std::io::{self, Write};

use crate::{child, failure::Failure};

/// Prints a text that contains its own line ends.
///
/// # Errors
/// stdout cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let write = |mut stdout: Box<dyn Write + Send>| stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    stdout().and_then(write).map_err(|source| Failure::Output { path: None, source })
}

/// Returns the stream for data. In a process that loads FMUs, they cannot reach this stream: what they print goes to stderr.
pub(crate) fn stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(match child::this_process() {
        Some(child) => Box::new(child.results()?),
        None => Box::new(io::stdout()),
    })
}
