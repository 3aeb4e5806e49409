//! Names of variables, and the grammar of structured ones (FMI 2.0.5, section 2.2.9; FMI 3.0.2, section 2.4.7.5.1).

use std::collections::HashSet;

use crate::finding::Findings;
use crate::place::Place;

/// Characters allowed inside a quoted name, besides letters, digits and `_`.
const QUOTED: &str = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";

/// Characters allowed after a backslash in a quoted name.
const ESCAPED: &str = "'\"?\\abfnrtv";

impl Findings {
    /// Checks that the names of variables exist, differ and stand on one line.
    pub fn variable_names<'a>(&mut self, names: impl Iterator<Item = (Place, &'a str)>) {
        let mut seen = HashSet::new();
        for (place, name) in names {
            if !seen.insert(name) {
                self.error(place, "duplicate-name", format!("there are two variables \"{name}\""), "rename one");
            }
            if name.is_empty() {
                self.error(place, "missing-name", "a variable has no name".to_owned(), "add it");
            } else if name.contains(['\t', '\n', '\r']) {
                let message = format!("the name {name:?} has a tab or a line break");
                self.warn(place, "name-character", message, "write the name on one line, without tabs");
            }
        }
    }

    /// Checks a name against the grammar. `real` is the type that a derivative must have, and `is_real` whether the variable has
    /// it.
    pub fn structured_name(&mut self, place: Place, name: &str, real: &str, is_real: bool) {
        if !is_structured(name) {
            let message = format!("\"{name}\" is not a structured name");
            let remedy = "write it like a.b[1,2] or der(a.b), put parts with other characters in '…', \
                          or set variableNamingConvention to flat";
            self.warn(place, "structured-name", message, remedy);
        } else if name.starts_with("der(") && !is_real {
            let message = format!("\"{name}\" has the name of a derivative but is not {real}");
            self.warn(place, "structured-name", message, &format!("rename it, or make it {real}"));
        }
    }
}

/// Returns whether a name has the form `identifier`, `der(identifier)` or `der(identifier,order)`.
fn is_structured(name: &str) -> bool {
    let Some(derivative) = name.strip_prefix("der(") else { return identifier(name) == Some("") };
    let order = identifier(derivative).and_then(|rest| rest.strip_suffix(')'));
    order.is_some_and(|order| order.is_empty() || order.strip_prefix(',').is_some_and(is_number))
}

/// Parses names joined by dots, each with optional indices, and returns the remaining text.
fn identifier(mut text: &str) -> Option<&str> {
    loop {
        let rest = indices(part(text)?)?;
        match rest.strip_prefix('.') {
            Some(next) => text = next,
            None => return Some(rest),
        }
    }
}

/// Parses a plain or quoted name and returns the remaining text.
fn part(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('\'') {
        return quoted_part(quoted);
    }
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter).then(|| text.trim_start_matches(|c: char| is_letter(c) || c.is_ascii_digit()))
}

/// Parses a quoted name, starting after its first quote, and returns the remaining text.
fn quoted_part(text: &str) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((offset, c)) = characters.next() {
        match c {
            '\'' => return (offset > 0).then(|| &text[offset + 1..]),
            '\\' => characters.next().filter(|(_, escaped)| ESCAPED.contains(*escaped)).map(|_| ())?,
            c if c.is_ascii_alphanumeric() || c == '_' || QUOTED.contains(c) => {}
            _ => return None,
        }
    }
    None
}

/// Parses optional indices and returns the remaining text.
fn indices(text: &str) -> Option<&str> {
    let Some(inside) = text.strip_prefix('[') else { return Some(text) };
    let (list, rest) = inside.split_once(']')?;
    list.split(',').all(is_number).then_some(rest)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structured_names_follow_the_grammar() {
        for name in [
            "x",
            "_x1",
            "a.b.c",
            "a[1].b[2,30]",
            "der(x)",
            "der(a[1,2].b)",
            "der(x,2)",
            "'a b'.c",
            r"'\''",
            "'#123'",
            "der('a)')",
        ] {
            assert!(is_structured(name), "{name}");
        }
        for name in [
            "",
            "1x",
            "a b",
            "a.",
            ".a",
            "a[",
            "a[]",
            "a[1,]",
            "a[-1]",
            "a-b",
            "ä",
            "''",
            "'a",
            r"'\x'",
            "der(x",
            "der('a)'",
            "der()",
            "der(x,)",
            "der(x,y)",
            "der(der(x))",
            "der(x2)3",
            "a[1][2]",
            "der(x 2)",
        ] {
            assert!(!is_structured(name), "{name}");
        }
    }
}
