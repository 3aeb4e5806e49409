//! Draws charts.

use std::io;

use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{Axis, Chart, Curve, DrawError, Mark, Panel, color, legend, legend::Legend, simplify::simplify};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Axes<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;
type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<io::Error>>;

/// Drawing units per display unit.
const SCALE: u32 = 4;

/// Sizes in display units.
const WIDTH: u32 = 1000;
const HEAD: u32 = 44;
const MARGIN: i32 = 16;
/// Left end of the plots inside their panels.
const Y_LABELS: u32 = 68;

/// Factor by which the drawing library writes text too small.
const TEXT: f64 = 1.24;

impl Chart {
    /// Returns the picture as SVG.
    ///
    /// # Errors
    /// The picture cannot be drawn.
    pub fn svg(&self) -> Result<String, DrawError> {
        let (width, height) = (WIDTH, HEAD + self.heights().sum::<u32>());
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
        let (head, mut body) = area.split_vertically(units(HEAD));
        head.draw_text(&self.title, &text(19.0, FontStyle::Bold), (SCALE as i32 * MARGIN, units(HEAD) / 2))?;
        for (height, panels) in self.heights().zip(&self.rows) {
            let (row, rest) = body.split_vertically(units(height));
            for (area, panel) in row.split_evenly((1, panels.len())).iter().zip(panels) {
                panel.draw(area)?;
            }
            body = rest;
        }
        area.present()
    }

    /// Returns the heights of the rows.
    fn heights(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().map(|panels| panels.iter().map(|panel| panel.height).max().unwrap_or(0))
    }
}

impl Panel {
    fn draw(&self, area: &Area<'_>) -> Drawn {
        let right = area.dim_in_pixel().0 as f64 / f64::from(SCALE);
        let legend = legend::place(&self.title, &self.curves, f64::from(Y_LABELS), right);
        let (head, body) = area.split_vertically(units(legend.height));
        self.draw_legend(&head, &legend)?;
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

    /// Draws the title and the names of the curves above the plot.
    fn draw_legend(&self, head: &Area<'_>, legend: &Legend) -> Drawn {
        if !self.title.is_empty() {
            head.draw_text(&self.title, &text(legend::TITLE, FontStyle::Bold), pixels(legend.title))?;
        }
        for (curve, (sample, name)) in self.curves.iter().filter(|curve| !curve.label.is_empty()).zip(&legend.names) {
            curve.draw_sample(head, pixels(*sample))?;
            head.draw_text(&curve.label, &text(legend::NAME, FontStyle::Normal), pixels(*name))?;
        }
        Ok(())
    }
}

impl Curve {
    fn draw(&self, axes: &mut Axes<'_>) -> Drawn {
        if self.has_line() {
            axes.draw_series(LineSeries::new(self.simplified(axes), self.stroke()))?;
        }
        if let Some((radius, style)) = self.dot() {
            axes.draw_series(self.points.iter().map(|point| Circle::new(*point, radius, style)))?;
        }
        if self.mark == Mark::Crosses {
            axes.draw_series(self.points.iter().map(|point| Cross::new(*point, units(4), self.stroke())))?;
        }
        Ok(())
    }

    /// Draws the sample of a curve in the legend.
    fn draw_sample(&self, head: &Area<'_>, (left, middle): (i32, i32)) -> Drawn {
        let right = left + units(legend::SAMPLE);
        let center = ((left + right) / 2, middle);
        if self.has_line() {
            head.draw(&PathElement::new([(left, middle), (right, middle)], self.stroke()))?;
        }
        if let Some((radius, style)) = self.dot() {
            head.draw(&Circle::new(center, radius, style))?;
        }
        if self.mark == Mark::Crosses {
            head.draw(&Cross::new(center, units(4), self.stroke()))?;
        }
        Ok(())
    }

    /// Returns the points that keep the line within one drawing unit of all points.
    fn simplified(&self, axes: &Axes<'_>) -> Vec<(f64, f64)> {
        let pixels = self.points.iter().map(|point| axes.backend_coord(point));
        let pixels: Vec<_> = pixels.map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        simplify(&pixels, 1.0).into_iter().map(|index| self.points[index]).collect()
    }

    fn has_line(&self) -> bool {
        !matches!(self.mark, Mark::Circles | Mark::Crosses)
    }

    fn stroke(&self) -> ShapeStyle {
        self.color.stroke_width(match self.mark {
            Mark::Wide => 5 * SCALE,
            Mark::Bold => 3 * SCALE,
            _ => 3 * SCALE / 2,
        })
    }

    fn dot(&self) -> Option<(i32, ShapeStyle)> {
        match self.mark {
            Mark::Line | Mark::Wide | Mark::Crosses => None,
            Mark::Bold => Some((units(4), self.color.filled())),
            Mark::Dotted => Some((units(5) / 2, self.color.filled())),
            Mark::Ringed | Mark::Circles => Some((units(5) / 2, self.color.stroke_width(SCALE))),
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

fn pixels((x, y): (f64, f64)) -> (i32, i32) {
    let round = |units: f64| (units * f64::from(SCALE)) as i32;
    (round(x), round(y))
}

fn font(size: f64, style: FontStyle) -> TextStyle<'static> {
    ("sans-serif", TEXT * size * f64::from(SCALE), style).into_font().color(&color::BLACK)
}

/// Returns the style of text that begins at its position, vertically centered.
fn text(size: f64, style: FontStyle) -> TextStyle<'static> {
    font(size, style).pos(Pos::new(HPos::Left, VPos::Center))
}
