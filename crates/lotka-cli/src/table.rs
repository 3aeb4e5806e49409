//! Text in columns.

use lotka::printable_line;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Aligns the cells of `rows` in columns; the last cell of a row is not padded. Each row is one line, whatever its cells contain.
pub(crate) fn columns(indent: &str, rows: &[Vec<String>]) -> String {
    let printable = |row: &Vec<String>| row.iter().map(|cell| printable_line(cell).into_owned()).collect();
    let rows: Vec<Vec<_>> = rows.iter().map(printable).collect();
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = self::width(cell).max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
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

/// Makes text of a file safe for a line on a terminal: line ends become blanks, and control characters, which a terminal may
/// obey, visible.
pub(crate) fn clean(text: &str) -> String {
    let words: Vec<_> = text.split(['\n', '\r', '\t', ' ']).filter(|word| !word.is_empty()).collect();
    printable_line(&words.join(" ")).into_owned()
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
        assert_eq!(clean("a\u{1b}[31m\r\n  b\u{9b}"), "a␛[31m b�");
        assert_eq!(columns("", &[row(["a\u{1b}\nb", "x"]), row(["温", "y"])]), "a␛␊b  x\n温    y\n");
        assert_eq!([None, Some(4), Some(3), Some(0)].map(|most| shortened("äbcd", most)), ["äbcd", "äbcd", "äb…", "…"]);
        assert_eq!([4, 3, 2].map(|most| shortened("温度x", Some(most))), ["温…", "温…", "…"]);
        assert_eq!(columns("", &[row(["温", "x"]), row(["ab", "y"])]), "温  x\nab  y\n");
    }
}
