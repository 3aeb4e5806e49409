//! Plots as one SVG picture, with the colors and fonts of the picture of a system.

use std::fmt::Write;

use super::{Curve, Panel, scale::Scale};
use crate::{
    colors::{LIGHT, dashes},
    svg_text::{FONT, INK, Style, element, escaped, width},
};

const WIDTH: f64 = 900.0;
const PLOT_HEIGHT: f64 = 240.0;

/// Space around a plot.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 24.0;
const TITLE: f64 = 26.0;
const LINE: f64 = 18.0;
const BELOW: f64 = 46.0;

const FAINT: &str = "#666666";
const GRID: &str = "#dddddd";
const SIZE: f64 = 12.0;

/// Distance of points below which nobody sees a difference.
const CLOSE: f64 = 0.2;

/// Draws all plots, one below the other.
pub(super) fn draw(panels: &[Panel<'_>]) -> String {
    let legends: Vec<_> = panels.iter().map(Legend::new).collect();
    let heights = legends.iter().map(|legend| TITLE + legend.height + PLOT_HEIGHT + BELOW);
    let titles: Vec<_> = panels.iter().map(|panel| escaped(&panel.title)).collect();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{:.0}\" font-family=\"{FONT}\" role=\"img\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        heights.clone().sum::<f64>(),
        titles.join("; ")
    );
    let mut top = 0.0;
    for ((number, panel), (legend, height)) in panels.iter().enumerate().zip(legends.iter().zip(heights)) {
        let title = Style { at: (LEFT, top + 0.5 * TITLE), size: 13.0, bold: true, color: INK };
        text += &element(&panel.title, title);
        text += &legend.draw(panel, top + TITLE);
        text += &plot(panel, number, top + TITLE + legend.height);
        top += height;
    }
    text + "</svg>\n"
}

/// Names of curves with samples of their lines.
struct Legend {
    /// Left end and line of each name.
    places: Vec<(f64, usize)>,
    height: f64,
}

impl Legend {
    const SAMPLE: f64 = 26.0;

    fn new(panel: &Panel<'_>) -> Self {
        let (mut at, mut line) = (LEFT, 0);
        let mut places = Vec::new();
        for curve in &panel.curves {
            let needed = Self::SAMPLE + 6.0 + width(&curve.name, SIZE) + 18.0;
            if at > LEFT && at + needed > WIDTH - RIGHT {
                (at, line) = (LEFT, line + 1);
            }
            places.push((at, line));
            at += needed;
        }
        Self { places, height: (line + 1) as f64 * LINE }
    }

    fn draw(&self, panel: &Panel<'_>, top: f64) -> String {
        let mut text = String::new();
        for (curve, (left, line)) in panel.curves.iter().zip(&self.places) {
            let y = top + (*line as f64 + 0.5) * LINE;
            let _ = writeln!(text, "<path d=\"M{left:.1},{y:.1}h{:.1}\" {}/>", Self::SAMPLE, stroke(curve));
            text += &element(&curve.name, Style { at: (left + Self::SAMPLE + 6.0, y), size: SIZE, bold: false, color: INK });
        }
        text
    }
}

fn stroke(curve: &Curve<'_>) -> String {
    let (color, run) = curve.look;
    let dashes = dashes(run).map(|dashes| format!(" stroke-dasharray=\"{dashes}\"")).unwrap_or_default();
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{dashes}", LIGHT[color % LIGHT.len()])
}

fn plot(panel: &Panel<'_>, number: usize, top: f64) -> String {
    let [x_bounds, y_bounds] = panel.bounds(&panel.all());
    let (x, y) = (Scale::new(x_bounds, 8), Scale::new(y_bounds, 5));
    let (wide, bottom) = (WIDTH - LEFT - RIGHT, top + PLOT_HEIGHT);
    let at = |point: (f64, f64)| (LEFT + wide * x.share(point.0), bottom - PLOT_HEIGHT * y.share(point.1));
    let mut text = String::new();
    let label =
        |text: &str, left: f64, middle: f64, color| element(text, Style { at: (left, middle), size: SIZE, bold: false, color });
    for tick in &x.ticks {
        let (left, name) = (at((*tick, y.least)).0, x.label(*tick));
        let _ = writeln!(text, "<path d=\"M{left:.1},{top:.1}V{bottom:.1}\" stroke=\"{GRID}\"/>");
        text += &label(&name, left - 0.5 * width(&name, SIZE), bottom + 12.0, INK);
    }
    for tick in &y.ticks {
        let (middle, name) = (at((x.least, *tick)).1, y.label(*tick));
        let _ = writeln!(text, "<path d=\"M{LEFT:.1},{middle:.1}H{:.1}\" stroke=\"{GRID}\"/>", LEFT + wide);
        text += &label(&name, LEFT - 6.0 - width(&name, SIZE), middle, INK);
    }
    let [x_label, y_label] = &panel.labels;
    text += &label(x_label, LEFT + 0.5 * (wide - width(x_label, SIZE)), bottom + 29.0, FAINT);
    text += &label(y_label, LEFT - 12.0 - width(y_label, SIZE).min(LEFT - 16.0), top - 9.0, FAINT);
    let frame = format!("x=\"{LEFT:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{PLOT_HEIGHT:.1}\"");
    let _ = writeln!(
        text,
        "<rect {frame} fill=\"none\" stroke=\"#888888\"/>\n<clipPath id=\"frame{number}\"><rect {frame}/></clipPath>"
    );
    let _ = writeln!(text, "<g clip-path=\"url(#frame{number})\">");
    for curve in &panel.curves {
        let line: String = curve.pieces().iter().map(|piece| path(piece.iter().map(|point| at(*point)))).collect();
        let _ = writeln!(text, "<path class=\"curve\" d=\"{line}\" {}/>", stroke(curve));
    }
    text + "</g>\n"
}

/// A path through some points, without those that nobody would see.
fn path(points: impl ExactSizeIterator<Item = (f64, f64)>) -> String {
    let last = points.len().saturating_sub(1);
    let mut text = String::new();
    let mut before: Option<(f64, f64)> = None;
    for (number, (x, y)) in points.enumerate() {
        let is_close = before.is_some_and(|before| (x - before.0).abs() < CLOSE && (y - before.1).abs() < CLOSE);
        if is_close && number != last {
            continue;
        }
        let _ = write!(text, "{}{x:.1},{y:.1}", if before.is_none() { 'M' } else { 'L' });
        before = Some((x, y));
    }
    // A single point is a dot.
    if last == 0 && !text.is_empty() { text + "h0.1" } else { text }
}
