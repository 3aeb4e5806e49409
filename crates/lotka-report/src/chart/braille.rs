//! Plots as text: each character of braille has two by four dots.

use lotka::printable_line;

use super::{Panel, scale::Scale};

/// Height of a plot in lines.
const LINES: usize = 12;

/// Width of a plot for which the axis of time has another number.
const COLUMNS_PER_TICK: usize = 12;

/// Least width of a plot in characters, whatever the terminal.
const NARROWEST: usize = 10;

/// First character of braille; the dots are bits of its number.
const BLANK: u32 = 0x2800;

/// The bits of the dots, by line and column.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Colors of a terminal, in the order of the curves: blue, red, green, magenta, cyan, yellow.
const COLORS: [u8; 6] = [34, 31, 32, 35, 36, 33];

/// How plots are written.
#[derive(Debug, Clone, Copy)]
pub struct TextStyle {
    /// Width of a line in characters.
    pub width: usize,
    /// Whether curves have colors; without them, each curve has a plot of its own.
    pub has_colors: bool,
}

/// Draws a plot, or one for each curve.
pub(super) fn draw(panel: &Panel<'_>, style: TextStyle) -> String {
    if style.has_colors {
        return plot(panel, &panel.all(), style);
    }
    panel.all().into_iter().map(|curve| plot(panel, &[curve], style)).collect::<Vec<_>>().join("\n")
}

fn plot(panel: &Panel<'_>, curves: &[usize], style: TextStyle) -> String {
    let [x_bounds, y_bounds] = panel.bounds(curves);
    let (x, y) = (Scale::new(x_bounds, (style.width / COLUMNS_PER_TICK).max(2)), Scale::new(y_bounds, 4));
    let labels: Vec<(usize, String)> = y.ticks.iter().map(|tick| (line_of(&y, *tick), y.label(*tick))).collect();
    let margin = labels.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let mut canvas = Canvas::new(style.width.saturating_sub(margin + 2).max(NARROWEST), LINES);
    for &number in curves {
        let at = |point: (f64, f64)| {
            let (across, down) = (canvas.width as f64 * 2.0 - 1.0, canvas.height as f64 * 4.0 - 1.0);
            (across * x.share(point.0), down * (1.0 - y.share(point.1)))
        };
        let pieces: Vec<Vec<_>> =
            panel.curves[number].pieces().into_iter().map(|piece| piece.into_iter().map(at).collect()).collect();
        pieces.iter().for_each(|piece| canvas.line(piece, number));
    }
    let mut text = heading(panel, curves, style);
    for line in 0..LINES {
        let label = labels.iter().find(|(at, _)| *at == line).map_or("", |(_, label)| label.as_str());
        let mark = if label.is_empty() { '│' } else { '┤' };
        text += &format!("{label:>margin$} {mark}{}\n", canvas.text(line, style.has_colors));
    }
    text + &axis(&x, &panel.labels[0], margin, canvas.width)
}

/// The line of a plot at which a number lies.
fn line_of(scale: &Scale, number: f64) -> usize {
    ((1.0 - scale.share(number)) * (LINES as f64 - 0.25)).clamp(0.0, LINES as f64 - 1.0) as usize
}

/// The names of the curves, in their colors, and the unit.
fn heading(panel: &Panel<'_>, curves: &[usize], style: TextStyle) -> String {
    let name = |&number: &usize| {
        let name = printable_line(&panel.curves[number].name);
        let color = COLORS[number % COLORS.len()];
        if style.has_colors { format!("\u{1b}[{color}m{name}\u{1b}[0m") } else { name.into_owned() }
    };
    let names: Vec<_> = curves.iter().map(name).collect();
    format!("{} {}", names.join(", "), printable_line(&panel.labels[1])).trim_end().to_owned() + "\n"
}

/// The axis below a plot: a line with the numbers at its ticks, the last of them with the name of the axis.
fn axis(scale: &Scale, label: &str, margin: usize, width: usize) -> String {
    let (mut line, mut numbers) = (vec!['─'; width], String::new());
    for tick in &scale.ticks {
        let column = (scale.share(*tick) * (width as f64 - 1.0)).round() as usize;
        line[column.min(width - 1)] = '┬';
        let name = scale.label(*tick);
        let begin = column.saturating_sub(name.chars().count() / 2).min(width.saturating_sub(name.chars().count()));
        let used = numbers.chars().count();
        if begin >= used + usize::from(used > 0) {
            numbers += &format!("{}{name}", " ".repeat(begin - used));
        }
    }
    let blank = " ".repeat(margin + 1);
    format!("{blank}└{}\n{blank} {numbers}\n{blank} {}\n", line.into_iter().collect::<String>(), printable_line(label))
}

/// Characters with dots, and the curve that drew the last dot in each.
struct Canvas {
    width: usize,
    height: usize,
    cells: Vec<(u32, usize)>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, cells: vec![(0, 0); width * height] }
    }

    fn dot(&mut self, x: f64, y: f64, curve: usize) {
        let (x, y) = (x.round().max(0.0) as usize, y.round().max(0.0) as usize);
        if x < 2 * self.width && y < 4 * self.height {
            let cell = &mut self.cells[y / 4 * self.width + x / 2];
            *cell = (cell.0 | DOTS[y % 4][x % 2], curve);
        }
    }

    /// Draws lines from point to point.
    fn line(&mut self, points: &[(f64, f64)], curve: usize) {
        if let [(x, y)] = *points {
            self.dot(x, y, curve);
        }
        for pair in points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            let steps = (to_x - x).abs().max((to_y - y).abs()).ceil().max(1.0);
            for step in 0..=steps as usize {
                let share = step as f64 / steps;
                self.dot(x + share * (to_x - x), y + share * (to_y - y), curve);
            }
        }
    }

    fn text(&self, line: usize, has_colors: bool) -> String {
        let cells = &self.cells[line * self.width..(line + 1) * self.width];
        let used = cells.iter().rposition(|(dots, _)| *dots != 0).map_or(0, |last| last + 1);
        let mut text = String::new();
        let mut color = None;
        for (dots, curve) in &cells[..used] {
            let wanted = (has_colors && *dots != 0).then_some(COLORS[curve % COLORS.len()]).or(color);
            if wanted != color {
                text += &wanted.map(|color| format!("\u{1b}[{color}m")).unwrap_or_default();
                color = wanted;
            }
            text.push(if *dots == 0 { ' ' } else { char::from_u32(BLANK + dots).unwrap_or(' ') });
        }
        if color.is_some() { text + "\u{1b}[0m" } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Curve;

    fn panel<'a>(curves: &'a [(&'a str, Vec<f64>)], x: &'a [f64]) -> Panel<'a> {
        let curve = |(place, (name, y)): (usize, &'a (&'a str, Vec<f64>))| Curve {
            name: (*name).to_owned(),
            x,
            y,
            is_stepped: false,
            look: (place, 0),
        };
        let labels = ["t [s]".to_owned(), "[m]".to_owned()];
        Panel { title: String::new(), is_over_time: true, labels, curves: curves.iter().enumerate().map(curve).collect() }
    }

    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let curves = [("a.x", vec![0.0, 10.0])];
        let text = draw(&panel(&curves, &[0.0, 1.0]), TextStyle { width: 24, has_colors: false });
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 1 + LINES + 3, "{text}");
        assert_eq!(lines[0], "a.x [m]");
        assert_eq!((lines[1], lines[LINES]), ("10 ┤                   ⡠", " 0 ┤⠊"), "{text}");
        assert!(lines[LINES + 2].contains('0') && lines[LINES + 2].ends_with("1.0"), "{text}");
        assert!(lines[LINES + 3].contains("t [s]"), "{text}");
        assert!(lines.iter().all(|line| line.chars().count() <= 24), "{text}");
    }

    #[test]
    fn curves_have_colors_or_plots_of_their_own() {
        let curves = [("a.x", vec![0.0, 1.0]), ("a.\u{1b}y", vec![1.0, 0.0])];
        let plain = draw(&panel(&curves, &[0.0, 1.0]), TextStyle { width: 40, has_colors: false });
        assert_eq!(plain.matches("t [s]").count(), 2, "{plain}");
        assert!(!plain.contains('\u{1b}'), "{plain}");
        let colored = draw(&panel(&curves, &[0.0, 1.0]), TextStyle { width: 40, has_colors: true });
        assert_eq!(colored.matches("t [s]").count(), 1, "{colored}");
        assert!(colored.contains("\u{1b}[34ma.x\u{1b}[0m, \u{1b}[31ma.␛y\u{1b}[0m"), "{colored}");
    }

    #[test]
    fn whatever_the_values_are_there_is_a_plot() {
        for values in [vec![f64::NAN, 1.0], vec![f64::MIN, f64::MAX], vec![0.0, 0.0], vec![f64::INFINITY; 2]] {
            let curves = [("a.x", values)];
            let text = draw(&panel(&curves, &[0.0, 1.0]), TextStyle { width: 1, has_colors: false });
            assert_eq!(text.lines().count(), 1 + LINES + 3, "{text}");
        }
    }
}
