//! Messages as a terminal shows them, with the lines of the file: the examples of some codes, in colors that are taken out again.

use crate::messages::{
    example,
    page::{Entry, Page},
};

/// What the first command of an example prints to a terminal.
fn on_terminal(entry: &Entry) -> String {
    let command = format!("{} --color always", entry.commands[0]);
    let printed = example::run(&command, example::folder(entry).path());
    assert!(printed.contains('\u{1b}'), "{printed}");
    let mut plain = String::new();
    for (n, part) in printed.split('\u{1b}').enumerate() {
        plain += if n == 0 { part } else { part.split_once('m').map_or("", |(_, text)| text) };
    }
    plain.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The codes of all ways to show a message: a key, a value, a name, a unit, a place in another line, no place at all, a warning,
/// an error of a run.
const SHOWN: [&str; 12] = [
    "syntax",
    "unknown-key",
    "wrong-type",
    "out-of-range",
    "missing-stop-time",
    "unknown-variable",
    "wrong-causality",
    "incompatible-units",
    "missing-capability",
    "read-as-number",
    "ssp-reference",
    "not-converged",
];

#[test]
fn a_terminal_shows_the_lines_of_the_file() {
    let page = Page::read();
    let shown = SHOWN.map(|code| {
        let entry = page.entries.iter().find(|entry| entry.code == code).unwrap();
        on_terminal(entry)
    });
    insta::assert_snapshot!(shown.join("\n"));
}
