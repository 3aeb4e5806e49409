//! stdout, which is for data only.

use std::io::{self, IsTerminal, Write};

use lotka::printable;

use crate::{child, failure::Failure, shown::Shown};

/// Prints a text that contains its own line ends, with visible control characters.
///
/// # Errors
/// stdout cannot be written.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_styled(&Shown::text(text))
}

/// Prints a text that has styles.
///
/// # Errors
/// stdout cannot be written.
pub(crate) fn print_styled(text: &Shown) -> Result<(), Failure> {
    write(raw_stdout(), text.as_str())
}

/// Prints a file that programs read, as it is; a terminal gets visible control characters.
///
/// # Errors
/// stdout cannot be written.
pub(crate) fn print_file(text: &str) -> Result<(), Failure> {
    write(stdout(), text)
}

fn write(stdout: io::Result<Box<dyn Write + Send>>, text: &str) -> Result<(), Failure> {
    let write = |mut stdout: Box<dyn Write + Send>| stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    stdout.and_then(write).map_err(|source| Failure::Output { path: None, source })
}

/// Width of a terminal that does not report one.
const USUAL_WIDTH: usize = 80;

/// Returns the width of the terminal that data goes to; `None` if it goes to a pipe or a file.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = match child::this_process() {
        Some(child) => {
            let stream = child.results().ok()?;
            stream.is_terminal().then(|| terminal_size::terminal_size_of(&stream))?
        }
        None => io::stdout().is_terminal().then(|| terminal_size::terminal_size_of(io::stdout()))?,
    };
    Some(size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0)))
}

/// Returns whether the terminal shows characters beyond ASCII, by its kind and the locale; without a locale, it does.
pub(crate) fn has_unicode() -> bool {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let is_text_only = variable("TERM").is_some_and(|terminal| terminal == "dumb" || terminal == "linux");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).map(|locale| locale.to_ascii_lowercase());
    !is_text_only && locale.is_none_or(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}

/// Returns the stream for rows and files. In a process that loads FMUs, they cannot reach this stream: what they print goes to
/// stderr. A terminal gets [`printable`] text.
pub(crate) fn stdout() -> io::Result<Box<dyn Write + Send>> {
    let stdout = raw_stdout()?;
    Ok(if terminal_width().is_some() { Box::new(Printable(stdout)) } else { stdout })
}

fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(match child::this_process() {
        Some(child) => Box::new(child.results()?),
        None => Box::new(io::stdout()),
    })
}

/// Writes to a terminal. Each write has whole characters.
struct Printable(Box<dyn Write + Send>);

impl Write for Printable {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write_all(printable(&String::from_utf8_lossy(text)).as_bytes()).map(|()| text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
