//! Text of FMUs and files that a terminal shows instead of obeying it.

use std::borrow::Cow;

/// What takes the place of a character that has no picture.
const REPLACEMENT: char = '\u{fffd}';

/// Replaces characters that a terminal obeys or that reorder or hide text, each by one visible character: C0 control characters
/// and DEL by their pictures (`␛`), all others by `�`. Line ends and tabs stay.
///
/// Names, descriptions and log lines of an FMU, and texts of files, can contain any of them. Print such text through this
/// function.
///
/// ```
/// use lotka_message::printable;
///
/// assert_eq!(printable("\u{1b}]0;title\u{7}"), "␛]0;title␇");
/// assert_eq!(printable("a.x\u{202e}\n"), "a.x�\n");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, |c, next| matches!((c, next), ('\n' | '\t', _) | ('\r', Some('\n'))))
}

/// Like [`printable`], for text that is one line: line ends and tabs are replaced, too.
#[must_use]
pub fn printable_line(text: &str) -> Cow<'_, str> {
    replaced(text, |_, _| false)
}

/// Replaces all characters but those that may stay, which depends on the next one.
fn replaced(text: &str, stays: impl Fn(char, Option<char>) -> bool) -> Cow<'_, str> {
    if text.chars().all(|c| picture(c).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut following = text.chars().skip(1);
    text.chars()
        .map(|c| (c, following.next()))
        .map(|(c, next)| if stays(c, next) { c } else { picture(c).unwrap_or(c) })
        .collect()
}

/// Returns what is shown for a character that must not reach a terminal.
fn picture(c: char) -> Option<char> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        // C1 control characters, marks and overrides of the direction, line ends of Unicode, zero-width characters without a use
        // in a script, tags.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some(REPLACEMENT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_takes_the_place_of_each() {
        assert_eq!(printable("\u{1b}[2J\u{9b}31m \0\u{8}\u{7f}"), "␛[2J�31m ␀␈␡");
        assert_eq!(printable("\u{1b}]8;;http://a\u{1b}\\b\u{1b}]8;;\u{7}"), "␛]8;;http://a␛\\b␛]8;;␇");
        for c in
            "\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{feff}\u{fffa}\u{e0041}"
                .chars()
        {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
        let all: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        assert_eq!(printable(&all).chars().count(), all.chars().count());
        assert!(!printable_line(&all).contains(char::is_control));
    }

    #[test]
    fn text_in_any_script_stays() {
        for text in ["", "größe [°C]", "温度", "שלום", "العربية", "\u{1f469}\u{200d}\u{1f52c}", "می\u{200c}خواهم", "a\tb\nc\r\nd"]
        {
            assert_eq!(printable(text), text);
        }
    }

    #[test]
    fn only_whole_line_ends_stay_and_none_in_a_line() {
        assert_eq!(printable("100 %\r0 %\r\nend\r"), "100 %␍0 %\r\nend␍");
        assert_eq!(printable_line("a\nerror: b\tc\r\n"), "a␊error: b␉c␍␊");
    }
}
