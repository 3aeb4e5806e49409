//! No text has words that only the project knows; `private_words.txt` lists them with what to write instead.

use crate::guide::page::{self, Page};

/// Entries of the list: phrase and replacement.
fn entries() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("private_words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" = ").unwrap_or_else(|| panic!("private_words.txt: no replacement: {line}"))).collect()
}

/// The pages that users read: the guide with all messages, the READMEs, the changes.
fn pages() -> Vec<Page> {
    let beside = ["CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "docs/messages.md"].map(Page::read);
    let examples = page::markdown_below("examples").into_iter().map(|name| Page::read(&name));
    page::all().into_iter().chain(beside).chain(examples).collect()
}

/// A page with blanks in place of names in backquotes, and of the ends of lines: phrases go over them. Bytes stay where they are.
fn words(text: &str) -> String {
    let mut is_block = false;
    let mut words = String::new();
    for line in text.lines() {
        is_block ^= line.starts_with("```");
        for (index, part) in line.split('`').enumerate() {
            let is_name = index % 2 == 1 && !is_block;
            words += if index > 0 { "`" } else { "" };
            words += &if is_name { " ".repeat(part.len()) } else { part.to_owned() };
        }
        words.push(' ');
    }
    words
}

/// Lines, counted from 1, on which a phrase begins.
fn lines_with(text: &str, phrase: &str) -> Vec<usize> {
    let words = if phrase.starts_with(char::is_uppercase) { words(text) } else { words(text).to_ascii_lowercase() };
    let is_end = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let starts = words.match_indices(phrase).map(|(start, _)| start);
    let whole = starts
        .filter(|start| is_end(words[..*start].chars().next_back()) && is_end(words[start + phrase.len()..].chars().next()));
    whole.map(|start| text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count() + 1).collect()
}

#[test]
fn no_page_has_private_words() {
    let mut found = Vec::new();
    for page in pages() {
        for (phrase, replacement) in entries() {
            let lines = lines_with(&page.text, phrase);
            found.extend(lines.iter().map(|line| format!("{}:{line}: instead of `{phrase}`: {replacement}", page.name)));
        }
    }
    assert!(found.is_empty(), "\n{}\n\nThe list is tests/tests/command/guide/private_words.txt.", found.join("\n"));
}

#[test]
fn the_list_is_sorted_and_has_every_phrase_once() {
    let phrases: Vec<_> = entries().into_iter().map(|(phrase, _)| phrase).collect();
    assert!(phrases.is_sorted_by(|one, next| one < next), "{phrases:?}");
    assert!(entries().iter().all(|(_, replacement)| !replacement.trim().is_empty()));
}

#[test]
fn phrases_are_found_where_they_are() {
    let text = "A file is\nthere already. `is told`, Keepers\n```text\nIt `is told`. Keeper\n```\nkeeper, this told\n";
    assert_eq!(lines_with(text, "is there already"), [1]);
    assert_eq!(lines_with(text, "is told"), [4]);
    assert_eq!(lines_with(text, "Keeper"), [4]);
}
