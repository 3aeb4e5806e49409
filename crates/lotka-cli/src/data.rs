//! stdout, which is for data only.

use std::io::{self, Write};

use crate::failure::Failure;

/// Prints a text that ends its own lines.
///
/// # Errors
/// stdout cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|source| Failure::Output { path: None, source })
}
