//! Charts as SVG: panels in rows, each with title, legend, axes and curves. The studies use them, too.
//!
//! [`Chart`] and [`Panel`] define what to draw, and [`Axis`] maps values and chooses ticks. `draw` draws, and `legend` places
//! the names. The drawing library uses integer coordinates, so everything is drawn at a larger scale than it is displayed.

mod axis;
mod draw;
mod legend;
mod simplify;

use std::io;

use plotters::drawing::DrawingAreaErrorKind;

pub use axis::Axis;
pub use plotters::style::RGBColor;

/// Colors that color-blind readers can distinguish (Okabe and Ito, 2008).
#[allow(missing_docs, reason = "the names say it")]
pub mod color {
    use plotters::style::RGBColor;

    pub const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub const VERMILION: RGBColor = RGBColor(213, 94, 0);
    pub const GREEN: RGBColor = RGBColor(0, 158, 115);
    pub const PURPLE: RGBColor = RGBColor(170, 68, 153);
    pub const ORANGE: RGBColor = RGBColor(230, 159, 0);
    pub const SKY: RGBColor = RGBColor(86, 180, 233);
    pub const OLIVE: RGBColor = RGBColor(120, 120, 30);
    pub const BLACK: RGBColor = RGBColor(34, 34, 34);
    /// Color of a wide line under the others.
    pub const SHADE: RGBColor = RGBColor(196, 196, 196);
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line.
    Line,
    /// A wide line, for a reference.
    Wide,
    /// A line with a dot at every point.
    Dotted,
    /// A wide line with a dot at every point.
    Bold,
    /// A line with a small circle at every point.
    Ringed,
    /// A small circle at every point.
    Circles,
    /// A small cross at every point.
    Crosses,
}

/// A named sequence of points.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Name in the legend; an empty name is not shown.
    pub label: String,
    /// Color of line and marks.
    pub color: RGBColor,
    /// How it is drawn.
    pub mark: Mark,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Creates a curve of points joined by a line.
    pub fn line(label: impl Into<String>, color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.into(), color, mark: Mark::Line, points }
    }

    /// Returns the curve with another mark.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// Curves over shared axes.
#[derive(Debug, Clone)]
pub struct Panel {
    title: String,
    height: u32,
    x: Axis,
    y: Axis,
    curves: Vec<Curve>,
}

/// Default height of a panel.
const HEIGHT: u32 = 330;

impl Panel {
    /// Creates a panel with axes that cover all curves.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        let x = x.over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)));
        let y = y.over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)));
        Self { title: title.into(), height: HEIGHT, x, y, curves }
    }

    /// Creates a panel of curves over time \[s\].
    pub fn over_time(title: impl Into<String>, y: Axis, curves: Vec<Curve>) -> Self {
        Self::new(title, Axis::linear("time in s"), y, curves)
    }

    /// Sets the height in display units, title and axis included; the default is 330.
    #[must_use]
    pub fn high(self, height: u32) -> Self {
        Self { height, ..self }
    }
}

/// A picture.
#[derive(Debug, Clone)]
pub struct Chart {
    title: String,
    rows: Vec<Vec<Panel>>,
}

impl Chart {
    /// Creates a chart: a title, then rows from top to bottom, each with panels of equal width.
    pub fn new(title: impl Into<String>, rows: Vec<Vec<Panel>>) -> Self {
        Self { title: title.into(), rows }
    }
}

/// Error while drawing a chart.
#[derive(Debug, thiserror::Error)]
#[error("a figure cannot be drawn: {0}")]
pub struct DrawError(#[from] DrawingAreaErrorKind<io::Error>);
