//! Lines with their words.

use std::ops::Range;

/// A word, or a quoted text, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// A line other than a comment: a keyword and the rest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) keyword: Word,
    /// Everything after the keyword.
    pub(super) rest: Word,
    pub(super) words: Vec<Word>,
}

pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.extend(parse(line, start));
        start += line.len();
    }
    lines
}

fn parse(line: &str, start: usize) -> Option<Line> {
    let trimmed = line.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return None;
    }
    let begin = start + (line.len() - line.trim_start().len());
    let length = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
    let (keyword, behind) = trimmed.split_at(length);
    let rest_begin = begin + length + (behind.len() - behind.trim_start().len());
    let rest = behind.trim_start();
    let word = |text: &str, at: usize| Word { text: text.to_owned(), span: at..at + text.len() };
    Some(Line { keyword: word(keyword, begin), rest: word(rest, rest_begin), words: words(rest, rest_begin) })
}

/// Words between blanks; a quote at the beginning of a word ends with the next quote.
fn words(text: &str, start: usize) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find(|c: char| !c.is_whitespace()).map(|offset| at + offset) {
        let quoted = text[begin..].strip_prefix('"');
        let (word, end) = match quoted.and_then(|inner| inner.find('"').map(|length| (inner, length))) {
            Some((inner, length)) => (&inner[..length], begin + length + 2),
            None => {
                let length = text[begin..].find(char::is_whitespace).unwrap_or(text.len() - begin);
                (&text[begin..begin + length], begin + length)
            }
        };
        words.push(Word { text: word.to_owned(), span: start + begin..start + end });
        at = end;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_left_out_and_quotes_keep_blanks() {
        let text = "# a\n\n  hMax  30 min\r\nsimulator 0 \"a b.fmu\" c\n";
        let found = lines(text);
        let words: Vec<Vec<_>> = found.iter().map(|line| line.words.iter().map(|word| word.text.as_str()).collect()).collect();
        assert_eq!(words, [vec!["30", "min"], vec!["0", "a b.fmu", "c"]]);
        assert_eq!(&text[found[0].keyword.span.clone()], "hMax");
        assert_eq!(&text[found[0].rest.span.clone()], "30 min");
        assert_eq!(&text[found[1].words[1].span.clone()], "\"a b.fmu\"");
    }
}
