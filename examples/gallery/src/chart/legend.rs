//! Positions of title and curve names above a plot. All lengths are in display units.

use super::Curve;

/// Text size of titles.
pub(super) const TITLE: f64 = 14.0;
/// Text size of names.
pub(super) const NAME: f64 = 13.0;
/// Length of the sample line of a curve.
pub(super) const SAMPLE: u32 = 24;

/// Mean width of a character relative to the text size.
const CHARACTER: f64 = 0.52;
/// Distance from the left end of a sample to its name.
const INDENT: f64 = 30.0;
/// Space after a title.
const AFTER_TITLE: f64 = 20.0;
/// Space after a name.
const AFTER_NAME: f64 = 18.0;
/// Vertical center of the first line.
const FIRST: f64 = 19.0;
/// Distance between lines.
const LINE: f64 = 22.0;
/// Height of a one-line legend.
const HEIGHT: u32 = 30;

/// Left ends and vertical centers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Legend {
    pub(super) title: (f64, f64),
    /// Positions of sample and name of each named curve.
    pub(super) names: Vec<((f64, f64), (f64, f64))>,
    pub(super) height: u32,
}

/// Places title and names starting at `left`, and wraps to a new line at `right`.
pub(super) fn place(title: &str, curves: &[Curve], left: f64, right: f64) -> Legend {
    let (mut x, mut line) = (left, 0);
    if !title.is_empty() {
        x += width(title, TITLE + 1.0) + AFTER_TITLE;
    }
    let mut names = Vec::new();
    for curve in curves.iter().filter(|curve| !curve.label.is_empty()) {
        let end = INDENT + width(&curve.label, NAME);
        if x + end > right && x > left {
            (x, line) = (left, line + 1);
        }
        let y = FIRST + LINE * f64::from(line);
        names.push(((x, y), (x + INDENT, y)));
        x += end + AFTER_NAME;
    }
    Legend { title: (left, FIRST), names, height: HEIGHT + (LINE as u32) * line }
}

/// Returns the approximate width of a text.
fn width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * CHARACTER
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::color;

    #[test]
    fn names_that_do_not_fit_go_to_the_next_line() {
        let curves = ["one curve", "", "another curve", "a third one"].map(|label| Curve::line(label, color::BLACK, Vec::new()));
        let lines = |right| {
            let legend = place("Title", &curves, 10.0, right);
            let lines: Vec<_> = legend.names.iter().map(|(sample, _)| ((sample.1 - FIRST) / LINE) as u32).collect();
            (lines, legend.height)
        };
        assert_eq!(lines(1000.0), (vec![0, 0, 0], 30));
        assert_eq!(lines(350.0), (vec![0, 0, 1], 52));
        assert_eq!(lines(60.0), (vec![1, 2, 3], 96));
    }
}
