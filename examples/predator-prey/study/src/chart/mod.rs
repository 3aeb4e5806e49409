//! Charts as SVG: panels in rows, each with title, legend, axes and curves.
//!
//! [`Chart`] and [`Panel`] say what to draw, [`Axis`] where a value lies and which ticks there are, `draw` does it. Coordinates are whole
//! numbers in the drawing library, so everything is drawn [`draw::SCALE`] times larger than it is shown.

mod axis;
mod draw;
mod simplify;

pub(crate) use axis::Axis;
use plotters::style::RGBColor;

/// Colors that stay apart for color-blind readers (Okabe and Ito, 2008).
pub(crate) mod color {
    use plotters::style::RGBColor;

    pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub(crate) const VERMILION: RGBColor = RGBColor(213, 94, 0);
    pub(crate) const GREEN: RGBColor = RGBColor(0, 158, 115);
    pub(crate) const PURPLE: RGBColor = RGBColor(170, 68, 153);
    pub(crate) const BLACK: RGBColor = RGBColor(34, 34, 34);
    /// For a wide line under the others.
    pub(crate) const SHADE: RGBColor = RGBColor(196, 196, 196);
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A line.
    Line,
    /// A wide line, for what others are compared with.
    Wide,
    /// A line with a dot at every point.
    Dotted,
    /// A small circle at every point.
    Circles,
}

/// Points with a name.
pub(crate) struct Curve {
    /// For the legend; empty to stay out of it.
    pub(crate) label: &'static str,
    pub(crate) color: RGBColor,
    pub(crate) mark: Mark,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Curve {
    pub(crate) fn line(label: &'static str, color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { label, color, mark: Mark::Line, points }
    }

    #[must_use]
    pub(crate) fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// Curves over common axes.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) curves: Vec<Curve>,
}

impl Panel {
    /// Curves over time \[s\], all of it.
    pub(crate) fn over_time(title: &'static str, y: Axis, curves: Vec<Curve>) -> Self {
        let x = Axis::linear("time in s").over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0)));
        let y = y.over(curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1)));
        Self { title, x, y, curves }
    }
}

/// A picture.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    /// From top to bottom; in each, panels of equal width.
    pub(crate) rows: Vec<Vec<Panel>>,
}
