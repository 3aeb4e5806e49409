//! Lines of a draft, with comments behind them.

use lotka_message::printable_line;

/// A line of the file, and the comment behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    code: String,
    comment: String,
}

impl Line {
    pub(super) fn new(code: String, comment: impl Into<String>) -> Self {
        Self { code, comment: plain(&comment.into()) }
    }

    /// A setting that is commented out.
    pub(super) fn suggestion(code: String, comment: impl Into<String>) -> Self {
        Self::new(format!("# {code}"), comment)
    }

    /// A comment.
    pub(super) fn comment(text: impl AsRef<str>) -> Self {
        Self { code: format!("# {}", plain(text.as_ref())), comment: String::new() }
    }
}

/// The lines, with aligned comments.
pub(super) fn block(lines: &[Line]) -> String {
    const WIDEST: usize = 60;
    let widths = lines.iter().filter(|line| !line.comment.is_empty()).map(|line| line.code.chars().count());
    let width = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let text = |line: &Line| match line.comment.as_str() {
        "" => format!("{}\n", line.code),
        comment => format!("{:width$}  # {comment}\n", line.code),
    };
    lines.iter().map(text).collect()
}

/// Text for a comment, in a single line, because comments of TOML permit no control characters.
fn plain(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable_line(spaced.trim_end()).into_owned()
}
