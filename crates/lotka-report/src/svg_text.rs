//! Text of known width in SVG pictures.

use lotka::printable_line;

/// Color of texts.
pub(crate) const INK: &str = "#222222";

/// Fonts whose letters all have the same width.
pub(crate) const FONT: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";

/// Width of a letter, relative to the font size.
const LETTER: f64 = 0.61;

/// First character of those that are twice as wide.
const WIDE: char = '\u{1100}';

/// Returns the width of a text in a font of this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let letters: usize = text.chars().map(|letter| if letter < WIDE { 1 } else { 2 }).sum();
    letters as f64 * LETTER * size
}

/// Place and style of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Left end, and vertical middle.
    pub(crate) at: (f64, f64),
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) color: &'static str,
}

impl Style {
    pub(crate) fn plain(x: f64, y: f64) -> Self {
        Self { at: (x, y), size: 12.0, bold: false, color: INK }
    }
}

/// Returns a text element; the text has the width that [`width`] returns, regardless of the font.
pub(crate) fn element(text: &str, style: Style) -> String {
    if text.is_empty() {
        return String::new();
    }
    let Style { at: (x, y), size, bold, color } = style;
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let (baseline, length) = (y + 0.35 * size, width(text, size));
    format!(
        "<text x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"{size}\"{weight} fill=\"{color}\" textLength=\"{length:.1}\" \
         lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>\n",
        escaped(text)
    )
}

/// Escapes a text for XML, without control characters, which XML does not allow.
pub(crate) fn escaped(text: &str) -> String {
    let mut result = String::new();
    for letter in printable_line(text).chars() {
        match letter {
            '&' => result += "&amp;",
            '<' => result += "&lt;",
            '>' => result += "&gt;",
            '"' => result += "&quot;",
            _ => result.push(letter),
        }
    }
    result
}
