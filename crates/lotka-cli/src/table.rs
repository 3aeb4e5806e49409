//! Text in columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Aligns the cells of `rows` in columns; the last cell of a row is not padded.
pub(crate) fn columns(indent: &str, rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = self::width(cell).max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: String = row.iter().zip(&widths).map(|(cell, width)| padded(cell, *width) + "  ").collect();
        text += indent;
        text += cells.trim_end();
        text.push('\n');
    }
    text
}

/// Returns the number of places that a text takes on a terminal; Chinese characters take two.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Fills a text with blanks up to a width.
pub(crate) fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(self::width(text))))
}

/// Creates a row of cells.
pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Makes text of a file safe for a line on a terminal: control characters, which a terminal may obey, and line ends become blanks.
pub(crate) fn clean(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Cuts a text to a width of `most`, if there is a limit.
pub(crate) fn shortened(text: &str, most: Option<usize>) -> String {
    match most {
        Some(most) if width(text) > most => {
            let mut room = most.saturating_sub(1);
            let fits = |c: &char| room.checked_sub(c.width().unwrap_or(0)).inspect(|rest| room = *rest).is_some();
            text.chars().take_while(fits).collect::<String>() + "…"
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [row(["a", "é", "x"]), row(["long", "b"])];
        assert_eq!(columns("  ", &rows), "  a     é  x\n  long  b\n");
    }

    #[test]
    fn texts_of_files_are_harmless_and_as_long_as_there_is_room() {
        assert_eq!(clean("a\u{1b}[31m\r\n  b\u{9b}"), "a [31m b");
        assert_eq!([None, Some(4), Some(3), Some(0)].map(|most| shortened("äbcd", most)), ["äbcd", "äbcd", "äb…", "…"]);
        assert_eq!([4, 3, 2].map(|most| shortened("温度x", Some(most))), ["温…", "温…", "…"]);
        assert_eq!(columns("", &[row(["温", "x"]), row(["ab", "y"])]), "温  x\nab  y\n");
    }
}
