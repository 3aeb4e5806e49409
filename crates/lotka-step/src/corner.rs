//! Exact location of jumps and kinks in a signal: the polynomials of both sides determine to which side a value between them
//! belongs.

/// Number of values on each side that are extrapolated.
pub const POINTS: usize = 4;

/// A gap between the sides below this share of the largest value is rounding.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A value belongs to a side if its distance is below this share of the gap; this many values that belong to neither indicate
/// more than a corner.
const NEAR: f64 = 0.25;
const STRANGE: u32 = 3;

/// Powers with which the gap falls with the distance of the sides. It is constant if the value jumps, falls linearly if the slope
/// jumps, and falls faster if the signal is smooth. `FEWEST` is the minimum number of divisions.
const JUMPS: f64 = 0.2;
const BENDS: (f64, f64) = (0.7, 1.4);
const FEWEST: usize = 5;

/// A corner is confirmed by values on both sides at this share of the first distance: the gap must have changed according to its
/// power, up to a factor.
const CLOSE: f64 = 1.0 / 512.0;
const SAME: f64 = 4.0;

/// How the sides of a corner differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Their values differ.
    Jump,
    /// Their slopes differ.
    Kink,
}

/// A corner of a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// How the sides differ.
    pub kind: Kind,
    /// Its time, and the accuracy of that time \[s\].
    pub time: f64,
    /// The accuracy of the time \[s\].
    pub within: f64,
}

/// The last values of a signal before a corner, or the first ones after it; the nearest is last.
#[derive(Debug, Clone, Copy)]
pub struct Side([(f64, f64); POINTS]);

impl Side {
    /// Creates a side from values of `y` at times `t` \[s\], in order of increasing distance from the corner; `None` if there are
    /// too few.
    pub fn new(points: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let mut nearest: Vec<_> = points.take(POINTS).collect();
        nearest.reverse();
        nearest.try_into().ok().map(Self)
    }

    fn nearest(&self) -> (f64, f64) {
        self.0[POINTS - 1]
    }

    fn push(&mut self, point: (f64, f64)) {
        self.0.rotate_left(1);
        self.0[POINTS - 1] = point;
    }

    /// The polynomial through all values (E. H. Neville 1934) at a time \[s\].
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        let mut y = self.0.map(|(_, y)| y);
        for level in 1..POINTS {
            for place in 0..POINTS - level {
                let (from, to) = (self.0[place].0, self.0[place + level].0);
                y[place] = ((t - to) * y[place] + (from - t) * y[place + 1]) / (from - to);
            }
        }
        y[0]
    }
}

/// Finds the corner between two sides, from values at times between them, or just beyond. Returns `None` if there is no sign of
/// one, or if a value is unavailable. Times are distinguished if they are at least `least` apart \[s\].
pub fn locate((mut left, mut right): (Side, Side), least: f64, mut value: impl FnMut(f64) -> Option<f64>) -> Option<Corner> {
    let first_width = right.nearest().0 - left.nearest().0;
    let largest = left.0.iter().chain(&right.0).map(|(_, y)| y.abs()).fold(0.0, f64::max);
    let (mut gaps, mut strange) = (Vec::new(), 0);
    loop {
        let (from, to) = (left.nearest().0, right.nearest().0);
        let (middle, width) = (0.5 * (from + to), to - from);
        let gap = (right.at(from) - left.nearest().1).abs().max((left.at(to) - right.nearest().1).abs());
        if width <= least || gap <= ROUNDING * largest {
            let kind = kind(&gaps)?;
            let time = meeting(&left, &right, kind);
            let is_confirmed = confirms(first_width, time, (kind, gaps[0].1), &mut value)?;
            return is_confirmed.then_some(Corner { kind, time, within: width });
        }
        gaps.push((width, gap));
        let y = value(middle)?;
        let (to_left, to_right) = ((y - left.at(middle)).abs(), (y - right.at(middle)).abs());
        strange += u32::from(to_left.min(to_right) > NEAR * gap);
        if strange > STRANGE || y.is_nan() {
            return None;
        }
        if to_left < to_right { left.push((middle, y)) } else { right.push((middle, y)) }
    }
}

/// The kind indicated by gaps at decreasing distances of the sides.
fn kind(gaps: &[(f64, f64)]) -> Option<Kind> {
    let (first, last) = (gaps.first()?, gaps.last()?);
    let power = (first.1 / last.1).ln() / (first.0 / last.0).ln();
    match power {
        _ if gaps.len() < FEWEST => None,
        _ if power.abs() <= JUMPS => Some(Kind::Jump),
        _ if power >= BENDS.0 && power <= BENDS.1 => Some(Kind::Kink),
        _ => None,
    }
}

/// Whether values near a corner agree with those farther away.
fn confirms(width: f64, time: f64, (kind, gap): (Kind, f64), mut value: impl FnMut(f64) -> Option<f64>) -> Option<bool> {
    let close = CLOSE * width;
    let mut side = |step: f64| {
        let times = (1..=POINTS).map(|place| time + place as f64 * step);
        let points = times.map(|t| Some((t, value(t)?))).collect::<Option<Vec<_>>>()?;
        Side::new(points.into_iter())
    };
    let (left, right) = (side(-close)?, side(close)?);
    let now = (right.at(time - close) - left.nearest().1).abs().max((left.at(time + close) - right.nearest().1).abs());
    let expected = if kind == Kind::Jump { gap } else { gap * CLOSE };
    Some(now <= SAME * expected && expected <= SAME * now)
}

/// The time at which one side meets the other.
fn meeting(left: &Side, right: &Side, kind: Kind) -> f64 {
    let (from, to) = (left.nearest().0, right.nearest().0);
    let (begin, end) = (right.at(from) - left.at(from), right.at(to) - left.at(to));
    match kind {
        Kind::Kink if begin * end < 0.0 => from + (to - from) * begin / (begin - end),
        Kind::Kink => 0.5 * (from + to),
        Kind::Jump => to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corner between 3 and 4 of a signal that is known at whole times, and the number of values requested.
    fn found(value: impl Fn(f64) -> f64) -> (Option<Corner>, u32) {
        let point = |t: i32| (f64::from(t), value(f64::from(t)));
        let sides = (Side::new((0..=3).rev().map(point)).unwrap(), Side::new((4..=7).map(point)).unwrap());
        let mut asked = 0;
        let corner = locate(sides, 1e-15, |t| {
            asked += 1;
            Some(value(t))
        });
        (corner, asked)
    }

    #[test]
    fn jumps_and_kinks_are_located() {
        for corner in [3.0 + 1e-3, 3.21987, 3.5, 3.75, 3.999] {
            for offset in [0.0, 1e5] {
                let jump = |t: f64| offset + (0.1 * t).sin() + if t >= corner { 0.1 } else { 0.0 };
                let (found_jump, asked) = found(jump);
                let found_jump = found_jump.unwrap();
                assert_eq!(found_jump.kind, Kind::Jump);
                assert!((found_jump.time - corner).abs() <= 2e-15 && asked < 70, "{corner} {found_jump:?} {asked}");
                let kink = |t: f64| offset + (0.1 * t).sin() + if t >= corner { 0.5 * (t - corner) } else { 0.0 };
                let (found_kink, asked) = found(kink);
                let found_kink = found_kink.unwrap();
                let exact = if offset == 0.0 { 1e-13 } else { 1e-8 };
                assert_eq!(found_kink.kind, Kind::Kink);
                assert!((found_kink.time - corner).abs() <= exact && asked < 70, "{corner} {found_kink:?} {asked}");
            }
        }
    }

    #[test]
    fn what_is_smooth_has_no_corner() {
        for steep in [0.1, 0.3, 1.0, 2.0, 3.0, 5.0, 10.0, 40.0, 400.0, 4000.0] {
            let (corner, asked) = found(|t: f64| (steep * (t - 3.4)).tanh());
            assert!(corner.is_none() && asked < 70, "{steep} {corner:?} {asked}");
        }
        assert_eq!(found(|t: f64| (0.3 * t).sin()).0, None);
        assert_eq!(found(|t: f64| if t > 3.3 && t < 3.7 { (20.0 * t).sin() } else { 0.0 }).0, None);
    }
}
