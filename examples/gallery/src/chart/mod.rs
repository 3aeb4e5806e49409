//! Charts as SVG: panels in rows, each with title, legend, axes and curves. The studies draw with it, too.
//!
//! [`Chart`] and [`Panel`] say what to draw, [`Axis`] where a value lies and which ticks there are, `draw` does it, `legend` says where
//! names stand. Coordinates are whole numbers in the drawing library, so everything is drawn larger by a factor than it is shown.

mod axis;
mod draw;
mod legend;
mod simplify;

use std::io;

use plotters::drawing::DrawingAreaErrorKind;

pub use axis::Axis;
pub use plotters::style::RGBColor;

/// Colors that stay apart for color-blind readers (Okabe and Ito, 2008).
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
    /// For a wide line under the others.
    pub const SHADE: RGBColor = RGBColor(196, 196, 196);
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line.
    Line,
    /// A wide line, for what others are compared with.
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

/// Points with a name.
#[derive(Debug, Clone)]
pub struct Curve {
    /// For the legend; empty to stay out of it.
    pub label: String,
    /// Of line and marks.
    pub color: RGBColor,
    /// How it is drawn.
    pub mark: Mark,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Points joined by a line.
    pub fn line(label: impl Into<String>, color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.into(), color, mark: Mark::Line, points }
    }

    /// The same, drawn differently.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// Curves over common axes.
#[derive(Debug, Clone)]
pub struct Panel {
    title: String,
    height: u32,
    x: Axis,
    y: Axis,
    curves: Vec<Curve>,
}

/// Height of a panel, unless it says otherwise.
const HEIGHT: u32 = 330;

impl Panel {
    /// Curves over axes that cover all of them.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        let x = x.over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)));
        let y = y.over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)));
        Self { title: title.into(), height: HEIGHT, x, y, curves }
    }

    /// Curves over time \[s\], all of it.
    pub fn over_time(title: impl Into<String>, y: Axis, curves: Vec<Curve>) -> Self {
        Self::new(title, Axis::linear("time in s"), y, curves)
    }

    /// The same with another height, in units of display with title and axis; the default is 330.
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
    /// Below a title, rows from top to bottom; in each, panels of equal width.
    pub fn new(title: impl Into<String>, rows: Vec<Vec<Panel>>) -> Self {
        Self { title: title.into(), rows }
    }
}

/// A chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a figure cannot be drawn: {0}")]
pub struct DrawError(#[from] DrawingAreaErrorKind<io::Error>);
