//! Text in columns.

/// Aligns the cells of `rows`; the last cell of a row is not padded.
pub(crate) fn columns(indent: &str, rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: String = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        text += indent;
        text += cells.trim_end();
        text.push('\n');
    }
    text
}

/// A row of cells.
pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [row(["a", "é", "x"]), row(["long", "b"])];
        assert_eq!(columns("  ", &rows), "  a     é  x\n  long  b\n");
    }
}
