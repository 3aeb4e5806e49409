//! The text of the table, as wide as the terminal.

use clap::builder::styling::{AnsiColor, Style};

use super::{
    sparkline::sparkline,
    tracked::{Shown, Tracked},
};
use crate::table;

/// Widths of a sparkline.
const NARROWEST: usize = 8;
const WIDEST: usize = 40;

/// Least width of a name that is cut.
const SHORTEST_NAME: usize = 4;

/// Space between columns.
const GAP: usize = 2;

/// How the table is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Width of the terminal in characters.
    pub(crate) width: usize,
    /// Whether the terminal shows block characters.
    pub(crate) has_blocks: bool,
    pub(crate) has_colors: bool,
}

/// A column of the table, apart from the name and the sparkline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Unit,
    Start,
    Final,
    Least,
    Largest,
    Error,
}

use Cell::{Error, Final, Largest, Least, Start, Unit};

/// Columns from the most to the fewest: the first selection that fits is taken.
const SELECTIONS: [&[Cell]; 6] = [
    &[Unit, Start, Final, Least, Largest, Error],
    &[Start, Final, Least, Largest, Error],
    &[Start, Final, Least, Largest],
    &[Start, Final],
    &[Final],
    &[],
];

impl Cell {
    fn heading(self) -> &'static str {
        match self {
            Unit => "unit",
            Start => "start",
            Final => "final",
            Least => "min",
            Largest => "max",
            Error => "error",
        }
    }

    fn text(self, tracked: &Tracked) -> String {
        let end = |shown: Option<&Shown>| match shown {
            Some(Shown::Number(number)) => short(*number),
            Some(Shown::Text(text)) => table::shortened(&table::clean(text), Some(12)),
            None => String::new(),
        };
        let is_number = |ends: &&(Shown, Shown)| matches!(ends.0, Shown::Number(_));
        let extremes = tracked.extremes.filter(|_| tracked.ends.as_ref().is_some_and(|ends| is_number(&ends)));
        match self {
            Unit => tracked.column.unit.as_deref().map(table::clean).unwrap_or_default(),
            Start => end(tracked.ends.as_ref().map(|ends| &ends.0)),
            Final => end(tracked.ends.as_ref().map(|ends| &ends.1)),
            Least => extremes.map(|extremes| short(extremes.0)).unwrap_or_default(),
            Largest => extremes.map(|extremes| short(extremes.1)).unwrap_or_default(),
            Error => tracked.error.map(|error| format!("{error:.1e}")).unwrap_or_default(),
        }
    }
}

/// Returns the table for rows of these variables. `reached` is the share of the experiment up to the last row.
pub(super) fn table(rows: &[&Tracked], (start, end): (f64, f64), reached: f64, look: Look) -> String {
    let names: Vec<_> = rows.iter().map(|tracked| table::clean(&tracked.column.name)).collect();
    let name_width = names.iter().map(|name| table::width(name)).chain(["variable".len()]).max().unwrap_or(0);
    let filled = |cell: &&Cell| rows.iter().any(|tracked| !cell.text(tracked).is_empty());
    let columns = |cells: &[Cell]| cells.iter().filter(filled).map(|cell| Column::of(*cell, rows)).collect::<Vec<_>>();
    let needed = |columns: &[Column]| columns.iter().map(|column| GAP + column.width).sum::<usize>();
    let least_line = if look.has_blocks { GAP + NARROWEST } else { 0 };
    let fits = |columns: &Vec<Column>| name_width + needed(columns) + least_line <= look.width;
    let fitting = SELECTIONS.iter().map(|cells| columns(cells)).find(fits);
    // Not even the names fit: they are cut, without any other column but the last values.
    let columns = fitting.unwrap_or_else(|| columns(&[Final]));
    let name_width = name_width.min(look.width.saturating_sub(needed(&columns)).max(SHORTEST_NAME));
    let room = look.width.saturating_sub(name_width + needed(&columns) + GAP).min(WIDEST);
    let has_lines = look.has_blocks && room >= NARROWEST;
    let span = if has_lines {
        table::shortened(&format!("t = {} … {} s", short(start), short(end)), Some(room))
    } else {
        String::new()
    };
    let painted = |style: Style, text: &str| {
        let style = if look.has_colors && !text.is_empty() { style } else { Style::new() };
        format!("{style}{text}{style:#}")
    };
    let mut text = String::new();
    let line = |name: &str, cells: &mut dyn Iterator<Item = String>, last: &str| {
        let mut line = table::padded(&table::shortened(name, Some(name_width)), name_width);
        for (cell, column) in cells.zip(&columns) {
            line += "  ";
            line += &column.aligned(&cell);
        }
        line = if last.is_empty() { line.trim_end().to_owned() } else { format!("{line}  {last}") };
        line
    };
    let heading = line("variable", &mut columns.iter().map(|column| column.cell.heading().to_owned()), &span);
    text += &painted(Style::new().bold(), &heading);
    text.push('\n');
    for (tracked, name) in rows.iter().zip(&names) {
        let curve = if has_lines { sparkline(&tracked.means(room, reached)) } else { String::new() };
        let curve = painted(AnsiColor::Cyan.on_default(), curve.trim_end());
        text += &line(name, &mut columns.iter().map(|column| column.cell.text(tracked)), &curve);
        text.push('\n');
    }
    text
}

struct Column {
    cell: Cell,
    width: usize,
}

impl Column {
    fn of(cell: Cell, rows: &[&Tracked]) -> Self {
        let texts = rows.iter().map(|tracked| table::width(&cell.text(tracked)));
        Self { cell, width: texts.chain([cell.heading().len()]).max().unwrap_or(0) }
    }

    /// Numbers end at the right.
    fn aligned(&self, text: &str) -> String {
        match self.cell {
            Unit => table::padded(text, self.width),
            _ => format!("{}{text}", " ".repeat(self.width.saturating_sub(table::width(text)))),
        }
    }
}

/// Formats a number with five digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let digits = format!("{number:.4e}");
    if (1e-4..1e6).contains(&size) {
        // The rounded number, in as many digits as it takes.
        return digits.parse::<f64>().map_or(digits, |rounded| rounded.to_string());
    }
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    format!("{mantissa}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka::{Value, ValueType};

    fn tracked(name: &str, unit: Option<&str>, value_type: ValueType, values: &[Value<'_>], error: Option<f64>) -> Tracked {
        let mut column = lotka::Column::new(name, value_type);
        column.unit = unit.map(str::to_owned);
        let mut tracked = Tracked::new(&column);
        for (row, value) in values.iter().enumerate() {
            tracked.add(row as f64 / (values.len() - 1) as f64, *value, error);
        }
        tracked
    }

    fn shown(width: usize, has_blocks: bool) -> String {
        let line = [0.0, 1.0, 2.0, 3.0].map(Value::Real);
        let rows = [
            tracked("mass.velocity", Some("m/s"), ValueType::Real, &line, Some(2.5e-7)),
            tracked("größe.温度", None, ValueType::Real, &[Value::Real(1e-9), Value::Real(123_456.7)], None),
            tracked("switch.on", None, ValueType::Boolean, &[Value::Boolean(false), Value::Boolean(true)], None),
            tracked("log.text", None, ValueType::Text, &[Value::Text("\u{1b}[31m a long text"), Value::Text("b")], None),
        ];
        table(&rows.iter().collect::<Vec<_>>(), (0.0, 10.0), 1.0, Look { width, has_blocks, has_colors: false })
    }

    #[test]
    fn a_wide_terminal_has_all_columns() {
        let text = shown(80, true);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "variable       unit         start   final   min     max   error  t = 0 … 10 s",
                "mass.velocity  m/s              0       3     0       3  2.5e-7  ▁▁▂▂▃▃▄▄▅▅▆▇▇██",
                "größe.温度                   1e-9  123460  1e-9  123460          ▁▁▂▂▃▃▄▅▅▆▆▇▇██",
                "switch.on                   false    true                        ▁▁▁▁▁▁▁▁▁▁▁▁▁▁█",
                "log.text             ␛[31m a lon…       b",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [10, 20, 24, 30, 40, 50, 60, 70, 80, 120, 300] {
            for has_blocks in [false, true] {
                let text = shown(width, has_blocks);
                for line in text.lines() {
                    assert!(table::width(line) <= width.max(12), "{width}: `{line}` in\n{text}");
                }
                assert_eq!(text.lines().count(), 5);
                assert!(has_blocks || !text.contains('█'), "{text}");
            }
        }
        assert!(shown(30, true).contains('█') && !shown(30, true).contains("min"), "{}", shown(30, true));
    }

    #[test]
    fn numbers_have_five_digits() {
        let of = [0.0, -1.0, 1.0 / 3.0, 123_456.0, 999_999.9, 1e6, -1.234_567e-5, 2e-300, f64::NAN].map(short);
        assert_eq!(of, ["0", "-1", "0.33333", "123460", "1000000", "1e6", "-1.2346e-5", "2e-300", "NaN"]);
    }
}
