//! The page, taken apart.

use std::{fs, ops::Range, path::PathBuf};

/// `docs/messages.md`.
pub struct Page {
    lines: Vec<String>,
    pub entries: Vec<Entry>,
}

/// A code with its example.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    pub code: String,
    /// FMUs with their faults: `<!-- a.fmu: reply fmi2DoStep=3; define FAULT_AT=0.45 -->`.
    pub faults: Vec<(String, String)>,
    /// Files by their names.
    pub files: Vec<(String, String)>,
    /// Command lines for a shell.
    pub commands: Vec<String>,
    /// Lines of the page with the commands and what they print.
    shown: Range<usize>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/messages.md")
}

impl Page {
    pub fn read() -> Self {
        let lines: Vec<String> = fs::read_to_string(path()).unwrap().lines().map(str::to_owned).collect();
        let entries = entries(&lines);
        Self { lines, entries }
    }

    /// What the page has for the commands of an entry.
    pub fn shown(&self, entry: &Entry) -> String {
        self.lines[entry.shown.clone()].join("\n")
    }

    /// Writes the page anew with what the commands print.
    pub fn update(&mut self, printed: &[String]) {
        for (entry, printed) in self.entries.iter().zip(printed).rev().filter(|(entry, _)| !entry.commands.is_empty()) {
            self.lines.splice(entry.shown.clone(), printed.lines().map(str::to_owned));
        }
        fs::write(path(), format!("{}\n", self.lines.join("\n"))).unwrap();
        *self = Self::read();
    }
}

fn entries(lines: &[String]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if let Some(code) = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`')) {
            entries.push(Entry { code: code.to_owned(), ..Entry::default() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        if let Some((fmu, faults)) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")?.split_once(": ")) {
            entry.faults.push((fmu.to_owned(), faults.to_owned()));
        }
        if let Some(kind) = line.strip_prefix("```") {
            let end = at + lines[at..].iter().position(|line| line == "```").unwrap();
            let block = &lines[at..end];
            match kind.split_once(' ') {
                Some((_, name)) => entry.files.push((name.to_owned(), block.join("\n") + "\n")),
                None => {
                    assert_eq!((kind, entry.commands.len()), ("console", 0), "{}", entry.code);
                    entry.commands = block.iter().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect();
                    entry.shown = at..end;
                }
            }
            at = end + 1;
        }
    }
    entries
}
