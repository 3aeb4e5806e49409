//! Text as a terminal may get it. Text of FMUs, files and arguments passes here: a terminal shows its control characters instead
//! of obeying them.

use clap::builder::styling::Style;
use lotka::printable;

/// Text with no control characters but line ends, tabs and the styles of this command.
pub(crate) struct Shown(String);

impl Shown {
    /// Converts text of any origin.
    pub(crate) fn text(text: &str) -> Self {
        Self(printable(text).into_owned())
    }

    /// Converts a message of any origin. Further lines are indented, so that text in it cannot pass for a message of its own.
    pub(crate) fn message(text: &str) -> Self {
        Self(indented(&printable(text)))
    }

    /// Converts a message after a word of this command, which has a style.
    pub(crate) fn marked(word: &'static str, style: Style, text: &str) -> Self {
        Self(format!("{style}{word}{style:#} {}", indented(&printable(text))))
    }

    /// Takes the output of a renderer with styles. Its input was [`printable`], so that all styles are those of the renderer.
    /// Nothing else that terminals obey passes.
    pub(crate) fn rendered(text: &str) -> Self {
        let mut parts = text.split('\u{1b}');
        let mut shown = printable(parts.next().unwrap_or_default()).into_owned();
        for part in parts {
            shown.push(if is_style(part) { '\u{1b}' } else { '␛' });
            shown += &printable(part);
        }
        Self(shown)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether the text after an escape character makes it a sequence that sets colors or other styles.
fn is_style(rest: &str) -> bool {
    let parameters = rest.strip_prefix('[').and_then(|rest| rest.split_once('m'));
    parameters.is_some_and(|(parameters, _)| parameters.chars().all(|c| c.is_ascii_digit() || c == ';'))
}

/// Indents all lines but the first, unless they are already.
fn indented(text: &str) -> String {
    let mut lines = text.split('\n');
    let mut indented = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let is_flush = line.starts_with(|c: char| !c.is_whitespace());
        indented += if is_flush { "\n  " } else { "\n" };
        indented += line;
    }
    indented
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_pass_for_another_message_or_style() {
        let text = "a\u{1b}[31m\nerror: b\n  c\n\nrun complete";
        assert_eq!(Shown::message(text).as_str(), "a␛[31m\n  error: b\n  c\n\n  run complete");
        assert_eq!(Shown::text(text).as_str(), "a␛[31m\nerror: b\n  c\n\nrun complete");
        let bold = Style::new().bold();
        assert_eq!(Shown::marked("error:", bold, "a\u{9b}m\nb").as_str(), "\u{1b}[1merror:\u{1b}[0m a\u{fffd}m\n  b");
    }

    #[test]
    fn a_renderer_sets_styles_only() {
        let styles = "\u{1b}[1;31mx\u{1b}[0m\u{1b}[m\n";
        assert_eq!(Shown::rendered(styles).as_str(), styles);
        assert_eq!(Shown::rendered("\u{1b}[2J\u{1b}]0;m\u{7}\u{1b}[?1m\u{1b}").as_str(), "␛[2J␛]0;m␇␛[?1m␛");
    }
}
