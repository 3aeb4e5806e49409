//! All kinks of a function that is linear between them.

/// Number of parts of the range that are examined first, and the shares of a part at which values show whether it is straight.
const PARTS: usize = 64;
const INSIDE: [f64; 2] = [0.381_966_011_250_105_1, 0.618_033_988_749_894_9];

/// Deviations from a straight line below this share of the largest change in a part of that size, and below this multiple of
/// rounding, do not count.
const STRAIGHT: f64 = 1e-9;
const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// Shares of a part beside its ends, and beside a kink, between which its sides are straight lines if it has one kink only.
const ENDS: f64 = 1.0 / 16.0;
const BESIDE: f64 = 1.0 / 1024.0;

/// Maximum number of kinks.
const MOST: usize = 256;

/// A value of the function.
pub type Point = (f64, f64);

/// All kinks between two values; `None` if the function is not linear between them, has too many, or a value is refused.
pub(super) fn kinks(value: impl FnMut(f64) -> Option<f64>, (low, high): (f64, f64)) -> Option<Vec<f64>> {
    let mut search = Search { value, steepest: 0.0, largest: 0.0, found: Vec::new() };
    // Points that match no repetition.
    let at = |part: usize| low + (part as f64 + 0.5 * (INSIDE[1] * part as f64).fract()) / PARTS as f64 * (high - low);
    let points: Vec<Point> = (0..=PARTS).map(|part| search.at(at(part).min(high))).collect::<Option<_>>()?;
    for pair in points.windows(2) {
        search.steepest = search.steepest.max(((pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0)).abs());
        search.largest = search.largest.max(pair[0].1.abs()).max(pair[1].1.abs());
    }
    points.windows(2).try_for_each(|pair| search.divide(pair[0], pair[1]))?;
    Some(search.found)
}

struct Search<F> {
    value: F,
    /// The largest slope and value.
    steepest: f64,
    largest: f64,
    found: Vec<f64>,
}

impl<F: FnMut(f64) -> Option<f64>> Search<F> {
    fn at(&mut self, u: f64) -> Option<Point> {
        Some((u, (self.value)(u)?))
    }

    /// Whether a point lies on a line, in a part of this width.
    fn is_on(&self, point: Point, line: (Point, f64), width: f64) -> bool {
        let ((u, y), slope) = line;
        (point.1 - y - slope * (point.0 - u)).abs() <= STRAIGHT * self.steepest * width + ROUNDING * self.largest
    }

    /// Finds all kinks in a part.
    fn divide(&mut self, low: Point, high: Point) -> Option<()> {
        let width = high.0 - low.0;
        let chord = (low, slope(low, high));
        let inside = INSIDE.map(|share| self.at(low.0 + share * width));
        let [Some(first), Some(second)] = inside else { return None };
        if [first, second].iter().all(|point| self.is_on(*point, chord, width)) {
            return Some(());
        }
        let is_narrow = STRAIGHT * self.steepest * width <= ROUNDING * self.largest;
        if let Some(kink) = self.only(low, high)? {
            self.found.push(kink);
        } else if is_narrow {
            return None;
        } else {
            for (from, to) in [(low, first), (first, second), (second, high)] {
                self.divide(from, to)?;
            }
        }
        (self.found.len() <= MOST).then_some(())
    }

    /// The kink of a part in which there is only one: the straight lines from both ends meet there.
    #[expect(clippy::option_option, reason = "a refused value ends the search")]
    fn only(&mut self, low: Point, high: Point) -> Option<Option<f64>> {
        let width = high.0 - low.0;
        let (mut left, mut right) = (self.at(low.0 + ENDS * width)?, self.at(high.0 - ENDS * width)?);
        for share in [BESIDE, 0.0] {
            let [rising, falling] = [slope(low, left), slope(right, high)];
            let kink = low.0 + (high.1 - low.1 - falling * width) / (rising - falling);
            if !(left.0 < kink && kink < right.0) {
                return Some(None);
            }
            let point = self.at(kink)?;
            if !self.is_on(point, (low, rising), width) || !self.is_on(point, (high, falling), width) {
                return Some(None);
            }
            if share == 0.0 {
                return Some(Some(kink));
            }
            (left, right) = (self.at(kink - share * width)?, self.at(kink + share * width)?);
            if !self.is_on(left, (low, rising), width) || !self.is_on(right, (high, falling), width) {
                return Some(None);
            }
        }
        Some(None)
    }
}

fn slope(from: Point, to: Point) -> f64 {
    (to.1 - from.1) / (to.0 - from.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(value: impl Fn(f64) -> f64, range: (f64, f64)) -> (Option<Vec<f64>>, u32) {
        let mut asked = 0;
        let kinks = kinks(
            |u| {
                asked += 1;
                Some(value(u))
            },
            range,
        );
        (kinks, asked)
    }

    #[test]
    fn all_kinks_of_a_table_are_found() {
        let point = |number: f64| (2.4 * number + 1.0).sin() + 0.5 * number;
        for spacing in [0.03, 0.3, 1.7] {
            let table = |u: f64| {
                let number = (u / spacing).floor();
                point(number) + (point(number + 1.0) - point(number)) * (u / spacing - number)
            };
            let (kinks, asked) = found(table, (-0.95, 2.05));
            let kinks = kinks.unwrap();
            let expected: Vec<f64> =
                (-100..100).map(|number| spacing * f64::from(number)).filter(|u| (-0.95..2.05).contains(u)).collect();
            assert!(kinks.len() == expected.len() && asked < 130 + 30 * kinks.len() as u32 + 64, "{} {asked}", kinks.len());
            assert!(kinks.iter().zip(&expected).all(|(kink, exact)| (kink - exact).abs() < 1e-12), "{kinks:?}");
        }
    }

    #[test]
    fn what_is_straight_has_none_and_what_is_curved_or_jumps_is_not_usable() {
        assert_eq!(found(|u| 1e5 + 3.0 * u, (-1.0, 2.0)).0, Some(Vec::new()));
        assert_eq!(found(f64::sin, (-1.0, 2.0)).0, None);
        assert_eq!(found(|u| u.floor(), (-1.1, 2.3)).0, None);
    }
}
