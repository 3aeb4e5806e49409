//! Collects problems by byte offset. Lines and columns are computed once, at the end.

use crate::format::Format;
use crate::problem::{Problem, Severity, Strictness};
use lotka_message::limits::PROBLEMS;

/// Problems found so far in a file.
#[derive(Debug)]
pub struct Collector {
    format: Format,
    found: Vec<(usize, Problem)>,
    omitted: usize,
    failed: bool,
}

impl Collector {
    /// Starts without problems.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self { format, found: Vec::new(), omitted: 0, failed: false }
    }

    /// Returns the format of the file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Adds a problem that makes the description unusable.
    pub fn error(&mut self, offset: usize, rule: &'static str, message: String, remedy: &str) {
        let remedy = Some(remedy.to_owned());
        self.add(offset, Problem { severity: Severity::Error, rule, line: 0, column: 0, message, remedy });
    }

    /// Adds a problem that does not affect a run.
    pub fn warn(&mut self, offset: usize, rule: &'static str, message: String, remedy: &str) {
        let remedy = Some(remedy.to_owned());
        self.add(offset, Problem { severity: Severity::Warning, rule, line: 0, column: 0, message, remedy });
    }

    /// Adds a finding that breaks no rule.
    pub fn note(&mut self, offset: usize, rule: &'static str, message: String, remedy: &str) {
        let remedy = Some(remedy.to_owned());
        self.add(offset, Problem { severity: Severity::Note, rule, line: 0, column: 0, message, remedy });
    }

    /// Drops the notes.
    #[must_use]
    pub fn without_notes(mut self) -> Self {
        self.found.retain(|(_, problem)| problem.severity > Severity::Note);
        self
    }

    /// Adds a problem at a byte of the text.
    pub fn add(&mut self, offset: usize, problem: Problem) {
        self.failed |= problem.severity == Severity::Error;
        if self.found.len() < PROBLEMS {
            self.found.push((offset, problem));
        } else {
            self.omitted += 1;
        }
    }

    /// Returns whether there is an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Returns the offsets of the errors, sorted.
    #[must_use]
    pub fn errors(&self) -> Vec<usize> {
        let errors = self.found.iter().filter(|(_, problem)| problem.severity == Severity::Error);
        let mut offsets: Vec<_> = errors.map(|(offset, _)| *offset).collect();
        offsets.sort_unstable();
        offsets
    }

    /// Returns all problems in file order, with line and column, and whether the description is unusable.
    #[must_use]
    pub fn finish(mut self, text: &str, strictness: Strictness) -> (Vec<Problem>, bool) {
        self.found.sort_by_key(|(offset, _)| *offset);
        let failed = self.failed || (strictness == Strictness::Strict && !self.found.is_empty());
        if self.omitted > 0 {
            let severity = if self.failed { Severity::Error } else { Severity::Warning };
            let message = format!("{} more problems are not listed", self.omitted);
            let remedy = Some("correct the listed problems, and check again".to_owned());
            self.found.push((text.len(), Problem { severity, rule: "more", line: 0, column: 0, message, remedy }));
        }
        let mut position = Position::start();
        let mut problems = Vec::with_capacity(self.found.len());
        for (offset, mut problem) in self.found {
            position.advance(text, start_of_character(text, offset));
            (problem.line, problem.column) = (position.line, position.column);
            if strictness == Strictness::Strict {
                problem.severity = Severity::Error;
            }
            problems.push(problem);
        }
        (problems, failed)
    }
}

/// A position in a text as line and column.
struct Position {
    offset: usize,
    line: u32,
    column: u32,
}

impl Position {
    /// Returns the position of the first character.
    fn start() -> Self {
        Self { offset: 0, line: 1, column: 1 }
    }

    /// Advances to a later byte. Line breaks are LF, CR and CR LF.
    fn advance(&mut self, text: &str, offset: usize) {
        let bytes = text.as_bytes();
        for (index, c) in text[self.offset..offset].char_indices() {
            let after = self.offset + index + 1;
            if c == '\n' || (c == '\r' && bytes.get(after) != Some(&b'\n')) {
                self.line += 1;
                self.column = 1;
            } else if c != '\r' {
                self.column += 1;
            }
        }
        self.offset = offset;
    }
}

/// Returns the start of the character that contains this byte; the end of the text for a byte beyond it.
fn start_of_character(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Formats text of a file for a message: on one line and shortened.
#[must_use]
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collector() -> Collector {
        Collector::new(Format { name: "FMI", is_utf8_only: false })
    }

    #[test]
    fn positions_count_characters_and_every_line_break() {
        let text = "aé\r\nb\rc\n\nd";
        let at = |what: char| {
            let mut position = Position::start();
            position.advance(text, text.find(what).expect("is there"));
            (position.line, position.column)
        };
        assert_eq!([at('a'), at('é'), at('b'), at('c'), at('d')], [(1, 1), (1, 2), (2, 1), (3, 1), (5, 1)]);
    }

    #[test]
    fn an_offset_inside_of_a_character_or_behind_the_text_has_a_position() {
        let mut collector = collector();
        collector.warn(2, "inside", String::new(), "");
        collector.warn(99, "behind", String::new(), "");
        let (problems, _) = collector.finish("aé\nb", Strictness::Lenient);
        assert_eq!([(problems[0].line, problems[0].column), (problems[1].line, problems[1].column)], [(1, 2), (2, 2)]);
    }

    #[test]
    fn a_flood_of_problems_is_cut_but_still_fails() {
        let mut collector = collector();
        for _ in 0..PROBLEMS {
            collector.warn(0, "w", String::new(), "");
        }
        collector.error(0, "e", String::new(), "");
        let (problems, failed) = collector.finish("", Strictness::Lenient);
        assert!(failed);
        assert_eq!(problems.len(), PROBLEMS + 1);
        assert_eq!(problems.last().map(|p| p.message.as_str()), Some("1 more problems are not listed"));
    }

    #[test]
    fn quoted_text_is_short_and_on_one_line() {
        assert_eq!(quoted("a\nb"), "\"a b\"");
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), 63);
    }
}
