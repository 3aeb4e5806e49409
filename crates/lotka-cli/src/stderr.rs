//! stderr for people; in a child, a copy of it that FMUs cannot reach.

use std::{
    fs::File,
    io::{self, IsTerminal, Write},
};

use lotka::supervisor::Supervised;

use crate::{child, shown::Shown};

/// Returns the stream for messages in a child whose stderr is left to the FMUs.
fn messages() -> Option<&'static File> {
    child::this_process().and_then(Supervised::messages)
}

/// Returns whether messages go to a terminal.
pub(crate) fn is_terminal() -> bool {
    messages().map_or_else(|| io::stderr().is_terminal(), File::is_terminal)
}

/// Writes a line to stderr; a closed stderr is not an error. If a child cannot write the line, its parent reports that.
pub(crate) fn write_line(text: &Shown) {
    let text = text.as_str();
    let written = match messages() {
        Some(mut messages) => messages.write_all(format!("{text}\n").as_bytes()),
        None => writeln!(io::stderr().lock(), "{text}"),
    };
    if let (Err(_), Some(child)) = (written, child::this_process()) {
        child.leave_unreported();
    }
}
