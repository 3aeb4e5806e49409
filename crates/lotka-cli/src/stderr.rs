//! stderr, where lines for people go: in a child, a copy that FMUs cannot reach.

use std::{
    fs::File,
    io::{self, IsTerminal, Write},
};

use lotka::supervisor::Supervised;

use crate::child;

/// Where messages go, if not to stderr, as it has been taken from FMUs.
fn messages() -> Option<&'static File> {
    child::this_process().and_then(Supervised::messages)
}

/// Whether messages go to a terminal.
pub(crate) fn is_terminal() -> bool {
    messages().map_or_else(|| io::stderr().is_terminal(), File::is_terminal)
}

/// Writes a line to stderr; that it is closed is no reason to fail. What a child cannot write, its parent tells of.
pub(crate) fn write_line(text: &str) {
    let written = match messages() {
        Some(mut messages) => messages.write_all(format!("{text}\n").as_bytes()),
        None => writeln!(io::stderr().lock(), "{text}"),
    };
    if let (Err(_), Some(child)) = (written, child::this_process()) {
        child.leave_unreported();
    }
}
