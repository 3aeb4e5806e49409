//! Plots without a browser: an SVG picture, or text for a terminal.
//!
//! [`Panels`] determines what to draw, from the same arrangement as in a report; `svg` and `braille` draw it.

mod braille;
mod scale;
mod svg;

use crate::{
    plots::{self, Plot},
    runs::Run,
    table::Column,
};

pub use braille::TextStyle;

/// Room beside the extremes, as a share of their distance.
const ROOM: f64 = 0.04;

/// What to draw of some runs.
#[derive(Debug)]
pub struct Panels<'a> {
    list: Vec<Panel<'a>>,
}

/// Curves that share their axes.
#[derive(Debug)]
struct Panel<'a> {
    title: String,
    is_over_time: bool,
    /// Names of the axes, with units.
    labels: [String; 2],
    curves: Vec<Curve<'a>>,
}

#[derive(Debug)]
struct Curve<'a> {
    name: String,
    x: &'a [f64],
    y: &'a [f64],
    /// Whether a value holds until the next one.
    is_stepped: bool,
    /// Place of its color, and number of its pattern of dashes.
    look: (usize, usize),
}

impl<'a> Panels<'a> {
    /// Arranges the columns of some runs, over time or over the column with the name `x`. A run without this column is left out.
    #[must_use]
    pub fn new(runs: &[Run<'a>], x: Option<&str>) -> Self {
        let panel = |plot: Plot<'a>| match x {
            None => Some(over_time(runs, &plot)),
            Some(x) => over(runs, &plot, x),
        };
        Self { list: plots::arrange(runs).into_iter().filter_map(panel).collect() }
    }

    /// Returns whether there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Draws all plots, one below the other, as an SVG picture.
    #[must_use]
    pub fn svg(&self) -> String {
        svg::draw(&self.list)
    }

    /// Draws all plots as text.
    #[must_use]
    pub fn text(&self, style: TextStyle) -> String {
        self.list.iter().map(|panel| braille::draw(panel, style)).collect::<Vec<_>>().join("\n")
    }
}

fn over_time<'a>(runs: &[Run<'a>], plot: &Plot<'a>) -> Panel<'a> {
    let curve = |(run, place, column): (usize, usize, &'a Column)| Curve {
        name: runs[run].label(&column.name),
        x: &runs[run].table.time,
        y: column.values.numbers().unwrap_or_default(),
        is_stepped: plots::is_stepped(column),
        look: (place, run - plot.run),
    };
    let labels = ["t [s]".to_owned(), unit(plot.columns[0])];
    Panel { title: plot.title(), is_over_time: true, labels, curves: plot.curves(runs).into_iter().map(curve).collect() }
}

/// The plot over another variable; `None` for the plot of this variable alone.
fn over<'a>(runs: &[Run<'a>], plot: &Plot<'a>, x: &str) -> Option<Panel<'a>> {
    let curve = |(run, place, column): (usize, usize, &'a Column)| {
        let (x, y) = (runs[run].numeric(x)?, column.values.numbers()?);
        // Whatever holds from row to row has points, which lie on lines.
        let curve = Curve {
            name: runs[run].label(&column.name),
            x: x.values.numbers()?,
            y,
            is_stepped: false,
            look: (place, run - plot.run),
        };
        (column.name != x.name).then_some(curve)
    };
    let curves: Vec<_> = plot.curves(runs).into_iter().filter_map(curve).collect();
    let column = runs.iter().find_map(|run| run.numeric(x))?;
    let label = format!("{x} {}", unit(column)).trim_end().to_owned();
    let names: Vec<_> = plot.columns.iter().map(|column| column.name.as_str()).filter(|name| *name != x).collect();
    (!curves.is_empty()).then(|| Panel {
        title: format!("{} over {x}", names.join(", ")),
        is_over_time: false,
        labels: [label, unit(plot.columns[0])],
        curves,
    })
}

fn unit(column: &Column) -> String {
    column.unit.as_ref().map(|unit| format!("[{unit}]")).unwrap_or_default()
}

impl<'a> Panel<'a> {
    /// The numbers of all curves.
    fn all(&self) -> Vec<usize> {
        (0..self.curves.len()).collect()
    }

    /// The least and the largest finite value of some curves on each axis, with room beside them where the axis is not time.
    fn bounds(&self, curves: &[usize]) -> [(f64, f64); 2] {
        let bounds = |of: fn(&Curve<'a>) -> &'a [f64]| {
            let values =
                curves.iter().flat_map(|&curve| of(&self.curves[curve]).iter().copied()).filter(|value| value.is_finite());
            let (least, largest) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), value| (least.min(value), largest.max(value)));
            if least <= largest { (least, largest) } else { (0.0, 1.0) }
        };
        let (x, y) = (bounds(|curve| curve.x), bounds(|curve| curve.y));
        [if self.is_over_time { x } else { wider(x) }, wider(y)]
    }
}

/// Bounds with room beside them; numbers near the largest one have none.
fn wider((least, largest): (f64, f64)) -> (f64, f64) {
    let room = Some(ROOM * (largest - least)).filter(|room| (largest + room).is_finite() && (least - room).is_finite());
    (least - room.unwrap_or(0.0), largest + room.unwrap_or(0.0))
}

impl Curve<'_> {
    /// The pieces of the curve without gaps, with the corners of a stepped one.
    fn pieces(&self) -> Vec<Vec<(f64, f64)>> {
        let mut pieces = vec![Vec::new()];
        for (&x, &y) in self.x.iter().zip(self.y) {
            if !(x.is_finite() && y.is_finite()) {
                pieces.push(Vec::new());
            } else if let Some(piece) = pieces.last_mut() {
                if let (Some(&(_, held)), true) = (piece.last(), self.is_stepped) {
                    piece.push((x, held));
                }
                piece.push((x, y));
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Data, Table};

    fn column(name: &str, unit: &str, values: Data) -> Column {
        Column { name: name.to_owned(), unit: Some(unit.to_owned()), description: None, values, items: Vec::new(), errors: None }
    }

    fn table() -> Table {
        let wave = |shift: f64| Data::Real((0..50).map(|row| (0.2 * f64::from(row) + shift).sin()).collect());
        let columns = vec![
            column("a.x", "m", wave(0.0)),
            column("a.v<", "m", wave(1.5)),
            column("a.on", "1", Data::Boolean((0..50).map(|row| f64::from(row / 25)).collect())),
        ];
        Table { time: (0..50).map(|row| 0.2 * f64::from(row)).collect(), columns }
    }

    #[test]
    fn a_picture_has_a_plot_per_unit_and_kind() {
        let (one, other) = (table(), table());
        let runs = [Run { name: "one.csv", table: &one }, Run { name: "other.csv", table: &other }];
        let svg = Panels::new(&runs, None).svg();
        assert_eq!(svg.matches("class=\"curve\"").count(), 6, "{svg}");
        assert_eq!(svg.matches("stroke-dasharray").count(), 3 + 3, "three curves and their samples in the legend: {svg}");
        for part in ["a.x, a.v&lt;", "a.x (one.csv)", "a.on (other.csv)", ">t [s]<", ">[m]<", "<title>"] {
            assert!(svg.contains(part), "no `{part}` in\n{svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn variables_are_drawn_over_each_other() {
        let table = table();
        let panels = Panels::new(&[Run { name: "", table: &table }], Some("a.x"));
        let titles: Vec<_> = panels.list.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["a.v< over a.x", "a.on over a.x"]);
        assert_eq!(panels.list[0].labels, ["a.x [m]", "[m]"]);
        assert!(Panels::new(&[Run { name: "", table: &table }], Some("a.z")).is_empty());
    }

    #[test]
    fn gaps_divide_curves_and_steps_have_corners() {
        let curve = |is_stepped, y| Curve { name: String::new(), x: &[0.0, 1.0, 2.0], y, is_stepped, look: (0, 0) };
        assert_eq!(curve(false, &[1.0, f64::NAN, 2.0]).pieces(), [vec![(0.0, 1.0)], vec![(2.0, 2.0)]]);
        assert_eq!(curve(true, &[1.0, 2.0]).pieces(), [vec![(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)]]);
    }
}
