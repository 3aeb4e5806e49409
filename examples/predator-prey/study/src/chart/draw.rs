//! Draws charts.

use std::io;

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{Axis, Chart, Curve, Mark, Panel, color, simplify::simplify};
use crate::Error;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Axes<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;
type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<io::Error>>;

/// Units of drawing per unit of display.
pub(super) const SCALE: u32 = 4;

/// Sizes as displayed.
const WIDTH: u32 = 1000;
const ROW: u32 = 330;
const HEAD: u32 = 44;
const PANEL_HEAD: u32 = 30;
const MARGIN: i32 = 16;
/// Left end of the plots within their panels.
const Y_LABELS: u32 = 68;

/// The drawing library writes texts smaller by this factor.
const TEXT: f64 = 1.24;

/// Mean width of a character in units of the text size.
const CHARACTER: f64 = 0.52;

impl Chart {
    /// The picture as SVG.
    pub(crate) fn svg(&self) -> Result<String, Error> {
        let (width, height) = (WIDTH, HEAD + ROW * self.rows.len() as u32);
        let (wide, high) = (SCALE * width, SCALE * height);
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, (wide, high)).into_drawing_area();
        self.draw(&area)?;
        drop(area);
        let (drawn, shown) = (format!("width=\"{wide}\" height=\"{high}\""), format!("width=\"{width}\" height=\"{height}\""));
        Ok(svg.replacen(&drawn, &shown, 1))
    }

    fn draw(&self, area: &Area<'_>) -> Drawn {
        area.fill(&WHITE)?;
        let (head, body) = area.split_vertically(units(HEAD));
        head.draw_text(self.title, &text(19.0, FontStyle::Bold), (SCALE as i32 * MARGIN, units(HEAD) / 2))?;
        for (row, panels) in body.split_evenly((self.rows.len(), 1)).iter().zip(&self.rows) {
            for (area, panel) in row.split_evenly((1, panels.len())).iter().zip(panels) {
                panel.draw(area)?;
            }
        }
        area.present()
    }
}

impl Panel {
    fn draw(&self, area: &Area<'_>) -> Drawn {
        let (head, body) = area.split_vertically(units(PANEL_HEAD));
        self.draw_legend(&head)?;
        let mut axes = ChartBuilder::on(&body)
            .margin_right(units(24))
            .margin_left(units(8))
            .margin_top(units(6))
            .margin_bottom(units(6))
            .x_label_area_size(units(46))
            .y_label_area_size(units(Y_LABELS - 8))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        draw_mesh(&mut axes, &self.x, &self.y)?;
        self.curves.iter().try_for_each(|curve| curve.draw(&mut axes))
    }

    /// Title and names of the curves in one line above the plot.
    fn draw_legend(&self, head: &Area<'_>) -> Drawn {
        let middle = units(PANEL_HEAD) / 2 + units(4);
        let mut left = units(Y_LABELS);
        if !self.title.is_empty() {
            head.draw_text(self.title, &text(14.0, FontStyle::Bold), (left, middle))?;
            left += width(self.title, 15.0) + units(20);
        }
        for curve in self.curves.iter().filter(|curve| !curve.label.is_empty()) {
            curve.draw_sample(head, (left, middle))?;
            left += units(30);
            head.draw_text(curve.label, &text(13.0, FontStyle::Normal), (left, middle))?;
            left += width(curve.label, 13.0) + units(18);
        }
        Ok(())
    }
}

impl Curve {
    fn draw(&self, axes: &mut Axes<'_>) -> Drawn {
        if self.mark != Mark::Circles {
            axes.draw_series(LineSeries::new(self.simplified(axes), self.stroke()))?;
        }
        let style = self.dot();
        if let Some((radius, style)) = style {
            axes.draw_series(self.points.iter().map(|point| Circle::new(*point, radius, style)))?;
        }
        Ok(())
    }

    /// What the legend shows.
    fn draw_sample(&self, head: &Area<'_>, (left, middle): (i32, i32)) -> Drawn {
        let right = left + units(24);
        if self.mark != Mark::Circles {
            head.draw(&PathElement::new([(left, middle), (right, middle)], self.stroke()))?;
        }
        if let Some((radius, style)) = self.dot() {
            head.draw(&Circle::new(((left + right) / 2, middle), radius, style))?;
        }
        Ok(())
    }

    /// The points without which the line would be off by more than a unit of drawing.
    fn simplified(&self, axes: &Axes<'_>) -> Vec<(f64, f64)> {
        let pixels = self.points.iter().map(|point| axes.backend_coord(point));
        let pixels: Vec<_> = pixels.map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        simplify(&pixels, 1.0).into_iter().map(|index| self.points[index]).collect()
    }

    fn stroke(&self) -> ShapeStyle {
        self.color.stroke_width(if self.mark == Mark::Wide { 5 * SCALE } else { 3 * SCALE / 2 })
    }

    fn dot(&self) -> Option<(i32, ShapeStyle)> {
        match self.mark {
            Mark::Line | Mark::Wide => None,
            Mark::Dotted => Some((units(5) / 2, self.color.filled())),
            Mark::Circles => Some((units(5) / 2, self.color.stroke_width(SCALE))),
        }
    }
}

fn draw_mesh(axes: &mut Axes<'_>, x: &Axis, y: &Axis) -> Drawn {
    axes.configure_mesh()
        .x_desc(x.label())
        .y_desc(y.label())
        .axis_desc_style(font(13.0, FontStyle::Normal))
        .label_style(font(12.0, FontStyle::Normal))
        .bold_line_style(RGBColor(222, 222, 222).stroke_width(SCALE))
        .light_line_style(RGBColor(240, 240, 240).stroke_width(SCALE))
        .axis_style(RGBColor(120, 120, 120).stroke_width(SCALE))
        .set_all_tick_mark_size(units(4))
        .draw()
}

fn units(size: u32) -> i32 {
    (size * SCALE) as i32
}

/// About the width of a text in units of drawing.
fn width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * CHARACTER * f64::from(SCALE)) as i32
}

fn font(size: f64, style: FontStyle) -> TextStyle<'static> {
    ("sans-serif", TEXT * size * f64::from(SCALE), style).into_font().color(&color::BLACK)
}

/// Text that begins at its position, centered in height.
fn text(size: f64, style: FontStyle) -> TextStyle<'static> {
    font(size, style).pos(Pos::new(HPos::Left, VPos::Center))
}
