//! Base points required by signals of instances without inputs. These instances step alone, with short steps, before the first
//! run.

use lotka_step::corner::{self, Corner, Side};

use super::{Base, base::equally_between};

/// Points in each base step, and factor for a closer scan of a signal that they do not resolve, up to a total number of points.
const POINTS: usize = 64;
const CLOSER: usize = 4;
const MOST: usize = 30_000;

/// Minimum number of steps of a scan between two base points: a signal that these do not resolve is too fast for any base.
const FINEST: usize = 2;

/// Maximum shift of the points of a base step, as a share of it, so that their distances do not match those of a repetition.
const GRADING: f64 = 0.35;

/// A piece is fine enough if the deviation of the signal from the straight line between its ends is at most this share of its
/// range times the tolerance. It is also fine enough if the deviation is at most the second share of its range, and at most the
/// third share of that in both halves. There it is a quarter if the signal is curved, but does not fall in a ripple.
const STRAIGHT: f64 = 0.25;
const CURVED: f64 = 0.1;
const HALVES: f64 = 0.45;

/// Number of points in a piece whose halves are not conclusive.
const FEW: usize = 4;

/// A signal may jump or have a kink between two points if the extrapolations of both sides differ significantly. The difference
/// must exceed this share of its range times the tolerance, the second share of its values, and the third factor times the
/// extrapolation errors beside the points.
const SIGNIFICANT: f64 = 0.01;
const NOISE: f64 = 1e-12;
const OUTSTANDING: f64 = 10.0;

/// A corner within this share of an interval from its end counts as at the end.
const AT_END: f64 = 0.01;

/// Maximum share of the time in which a signal may be unresolved; at a jump it never is resolved.
pub const SHORT: f64 = 0.02;

/// Pieces of a base step are made equal if at least the first number of points divides it, and if that multiplies the number of
/// pieces by at most the second.
const WAVE: usize = 2;
const EQUAL: usize = 2;

/// The numbers of points in each base step for a scan, and for each closer one.
pub fn densities(base: &Base) -> impl Iterator<Item = usize> {
    let most = MOST / base.n_steps().max(1);
    std::iter::successors(Some(POINTS), |points| Some(CLOSER * points))
        .take_while(move |points| *points == POINTS || *points <= most)
}

/// The points of a scan with `density` points in each base step \[s\].
#[must_use]
pub fn points(base: &Base, density: usize) -> Vec<f64> {
    let times = base.times();
    let mut points: Vec<f64> = times.first().copied().into_iter().collect();
    for (step, pair) in times.windows(2).enumerate() {
        let share = ((step + 1) as f64 * 0.618_033_988_749_894_9 + 0.137).fract();
        let grading = GRADING * (2.0 * share - 1.0);
        points.extend((1..density).map(|point| {
            let s = point as f64 / density as f64;
            pair[0] + (pair[1] - pair[0]) * (s + grading * s * (1.0 - s))
        }));
        points.push(pair[1]);
    }
    points
}

/// Signals of instances without inputs, at the points of a scan.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// Times of the points \[s\].
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

/// A place where a signal may jump or have a kink: between a point of a scan and the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspect {
    /// The signal.
    pub column: usize,
    /// The point before it.
    pub point: usize,
    /// Difference of the extrapolations of both sides.
    gap: f64,
}

impl Scan {
    /// Creates a scan with one column for each signal, with its values at all times.
    #[must_use]
    pub fn new(times: Vec<f64>, columns: Vec<Vec<f64>>) -> Self {
        Self { times, columns }
    }

    /// The same base with more points, so that signals are resolved between them.
    #[must_use]
    pub fn resolved(&self, mut base: Base, tolerance: f64) -> Base {
        base.insert(self.resolve(&base, tolerance));
        base
    }

    /// Points that become base points.
    fn resolve(&self, base: &Base, tolerance: f64) -> Vec<f64> {
        let signals = self.signals();
        let mut found = Vec::new();
        for pair in base.times().windows(2) {
            let (pieces, unresolved) = self.pieces(&signals, (pair[0], pair[1]), tolerance);
            let shortest = pieces.windows(2).map(|piece| piece[1] - piece[0]).fold(f64::INFINITY, f64::min);
            // Waves: in equal steps, errors have an order sooner. Points that repeat with the wave do not reveal what is
            // unresolved.
            let equal: Vec<f64> = equally_between((pair[0], pair[1]), shortest).collect();
            let inner = &pieces[1..pieces.len().max(2) - 1];
            let is_wave = inner.len() >= WAVE && equal.len() < EQUAL * pieces.len();
            found.extend_from_slice(if unresolved == 0.0 && is_wave { &equal } else { inner });
        }
        found
    }

    /// The share of the time in which its points do not resolve the signals.
    #[must_use]
    pub fn unresolved(&self, base: &Base, tolerance: f64) -> f64 {
        let signals = self.signals();
        let (start, stop) = base.span();
        let unresolved = |pair: &[f64]| self.pieces(&signals, (pair[0], pair[1]), tolerance).1;
        base.times().windows(2).map(unresolved).sum::<f64>() / (stop - start)
    }

    fn signals(&self) -> Vec<Signal<'_>> {
        self.columns.iter().filter_map(|values| Signal::new(&self.times, values)).collect()
    }

    /// The ends of pieces of a base step, as long as possible, and the time in pieces that are not fine enough \[s\].
    fn pieces(&self, signals: &[Signal<'_>], (begin, stop): (f64, f64), tolerance: f64) -> (Vec<f64>, f64) {
        let is_fine = |from: usize, to: usize| signals.iter().all(|signal| signal.is_fine(from, to, tolerance));
        let mut from = self.times.partition_point(|time| *time < begin);
        let end = self.times.partition_point(|time| *time <= stop).saturating_sub(1);
        let (mut pieces, mut unresolved) = (vec![begin], 0.0);
        while from < end {
            let mut length = end - from;
            while length > FINEST && !is_fine(from, from + length) {
                length /= 2;
            }
            if length <= FINEST && !is_fine(from, from + length) {
                unresolved += self.times[from + length] - self.times[from];
            }
            from += length;
            pieces.extend((from < end).then(|| self.times[from]));
        }
        pieces.push(stop);
        (pieces, unresolved)
    }

    /// Places where signals may jump or have kinks, in order of time; several signals may share one.
    #[must_use]
    pub fn suspects(&self, tolerance: f64) -> Vec<Suspect> {
        let mut suspects: Vec<Suspect> = (0..self.columns.len()).flat_map(|column| self.suspects_of(column, tolerance)).collect();
        suspects.sort_by_key(|suspect| suspect.point);
        suspects.dedup_by(|next, last| {
            let is_same = next.point <= last.point + 1;
            if is_same && next.gap > last.gap {
                *last = *next;
            }
            is_same
        });
        suspects
    }

    fn suspects_of(&self, column: usize, tolerance: f64) -> Vec<Suspect> {
        let Some(signal) = self.columns.get(column).and_then(|values| Signal::new(&self.times, values)) else {
            return Vec::new();
        };
        let least = (SIGNIFICANT * tolerance * signal.range).max(NOISE * signal.size());
        let suspect = |point: usize| {
            let (left, right) = self.sides(column, point)?;
            let off = |side: &Side, point: usize| (side.at(self.times[point]) - signal.values[point]).abs();
            let gap = off(&left, point + 1).max(off(&right, point));
            let (before, after) = (self.sides(column, point.checked_sub(1)?)?.0, self.sides(column, point + 1)?.1);
            let smooth = off(&before, point).max(off(&after, point + 1));
            (gap > least && gap > OUTSTANDING * smooth).then_some(Suspect { column, point, gap })
        };
        (0..self.times.len()).filter_map(suspect).collect()
    }

    /// Finds the corner at a place, from values at times around it. A corner found at the end of the interval may be beyond it.
    /// Then the adjacent interval is searched, too, and the corner farther inside its interval is used.
    pub fn locate(&self, suspect: &Suspect, least: f64, mut value: impl FnMut(f64) -> Option<f64>) -> Option<Corner> {
        let mut within = |point: usize| {
            let corner = corner::locate(self.sides(suspect.column, point)?, least, &mut value)?;
            let (from, to) = (self.times[point], self.times[point + 1]);
            let (before, after) = ((corner.time - from) / (to - from), (to - corner.time) / (to - from));
            Some((corner, before, after))
        };
        let (corner, before, after) = within(suspect.point)?;
        let beside = if before.min(after) > AT_END {
            None
        } else if before < after {
            suspect.point.checked_sub(1).and_then(&mut within)
        } else {
            within(suspect.point + 1)
        };
        let is_inside = |(_, other, another): &(Corner, f64, f64)| other.min(*another) > before.min(after);
        Some(beside.filter(is_inside).map_or(corner, |(corner, ..)| corner))
    }

    /// The values up to a point, and those from the next one on; `None` if there are too few.
    pub(crate) fn sides(&self, column: usize, point: usize) -> Option<(Side, Side)> {
        let at = |point: usize| (self.times[point], self.columns[column][point]);
        Some((Side::new((0..=point).rev().map(at))?, Side::new((point + 1..self.times.len()).map(at))?))
    }

    /// The time of a point \[s\].
    #[must_use]
    pub fn time(&self, point: usize) -> f64 {
        self.times[point]
    }
}

/// A signal that moves.
struct Signal<'a> {
    times: &'a [f64],
    values: &'a [f64],
    range: f64,
}

impl<'a> Signal<'a> {
    fn new(times: &'a [f64], values: &'a [f64]) -> Option<Self> {
        let bounds = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(*y), high.max(*y)));
        let range = bounds.1 - bounds.0;
        (range > 0.0 && range.is_finite() && values.len() == times.len()).then_some(Self { times, values, range })
    }

    /// Its largest value.
    fn size(&self) -> f64 {
        self.values.iter().fold(0.0, |largest, y| largest.max(y.abs()))
    }

    /// Its deviation from the straight line between two points, relative to its range.
    fn deviation(&self, from: usize, to: usize) -> f64 {
        let slope = (self.values[to] - self.values[from]) / (self.times[to] - self.times[from]);
        let line = |point: usize| self.values[from] + slope * (self.times[point] - self.times[from]);
        (from + 1..to).map(|point| (self.values[point] - line(point)).abs()).fold(0.0, f64::max) / self.range
    }

    fn is_fine(&self, from: usize, to: usize, tolerance: f64) -> bool {
        let deviation = self.deviation(from, to);
        if deviation <= STRAIGHT * tolerance || to - from < FEW {
            return deviation <= CURVED || to - from < 2;
        }
        let middle = (from + to) / 2;
        let halves = self.deviation(from, middle).max(self.deviation(middle, to));
        deviation <= CURVED && halves <= HALVES * deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Base {
        Base::new((0..=10).map(|row| (f64::from(row), true)).collect(), 1.0)
    }

    fn found(value: impl Fn(f64) -> f64) -> Vec<f64> {
        let times = points(&base(), POINTS);
        let values = times.iter().map(|t| value(*t)).collect();
        Scan::new(times, vec![values]).resolve(&base(), 1e-6)
    }

    #[test]
    fn jumps_and_kinks_are_suspected_where_they_are() {
        let times = points(&base(), POINTS);
        let of = |value: &dyn Fn(f64) -> f64| times.iter().map(|t| value(*t)).collect::<Vec<_>>();
        let jump = of(&|t| t.sin() + if t >= 3.3 { 1.0 } else { 0.0 });
        let kink = of(&|t| 1e5 + (0.2 * t).cos() + if t >= 7.7 { t - 7.7 } else { 0.0 });
        let scan = Scan::new(times.clone(), vec![jump, kink, of(&|t| (6.0 * t).sin()), of(&|_| 2.0)]);
        let suspects = scan.suspects(1e-6);
        let places: Vec<_> = suspects.iter().map(|suspect| (suspect.column, times[suspect.point])).collect();
        let [(0, before_jump), (1, before_kink)] = places[..] else { panic!("{suspects:?}") };
        assert!(before_jump < 3.3 && before_jump > 3.2 && before_kink < 7.7 && before_kink > 7.6, "{places:?}");
    }

    /// Just before or after a point of the scan, both adjacent intervals seem to have a corner.
    #[test]
    fn corners_beside_points_of_the_scan_are_located() {
        let times = points(&base(), POINTS);
        for off in [1e-3, 1e-4, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -1e-4, -1e-3] {
            let time = times[200] + off;
            for kind in [corner::Kind::Jump, corner::Kind::Kink] {
                let value = |t: f64| match kind {
                    corner::Kind::Jump => f64::from(u8::from(t >= time)),
                    corner::Kind::Kink => (t - time).abs(),
                };
                let scan = Scan::new(times.clone(), vec![times.iter().map(|t| value(*t)).collect()]);
                let [suspect] = scan.suspects(1e-6)[..] else { panic!("{off}") };
                let found = scan.locate(&suspect, 1e-15, |t| Some(value(t))).unwrap();
                assert!(found.kind == kind && (found.time - time).abs() < 1e-13, "{off}: {found:?}, {time}");
            }
        }
    }

    #[test]
    fn smooth_signals_need_no_points() {
        assert_eq!(found(|t| t), [] as [f64; 0]);
        // Where the curvature is small, halves are hardly conclusive.
        assert!(found(|t| (0.5 * t).sin()).len() <= 2);
        assert_eq!(found(|_| 3.0), [] as [f64; 0]);
    }

    #[test]
    fn what_repeats_from_row_to_row_is_divided() {
        let wave = found(|t| 1.0 + (std::f64::consts::TAU * 6.0 * t).cos());
        assert!(wave.len() >= 200, "{}", wave.len());
        let small = found(|t| 100.0 * t + 0.01 * (std::f64::consts::TAU * 6.0 * t).cos());
        assert!(small.len() >= 80, "a small ripple on a large signal: {}", small.len());
    }

    /// In equal steps, errors have an order immediately.
    #[test]
    fn waves_are_divided_equally() {
        let wave = found(|t| (std::f64::consts::TAU * 0.7 * t).sin());
        for row in 0..10 {
            let (from, to) = (f64::from(row), f64::from(row + 1));
            let inner = wave.iter().copied().filter(|t| *t > from && *t < to);
            let points: Vec<f64> = std::iter::once(from).chain(inner).chain([to]).collect();
            let equal = (to - from) / (points.len() - 1) as f64;
            assert!(points.len() > 3 && points.windows(2).all(|pair| (pair[1] - pair[0] - equal).abs() < 1e-9), "{points:?}");
        }
    }

    #[test]
    fn a_pulse_between_two_rows_is_found() {
        let pulse = found(|t| if (3.4..3.45).contains(&t) { 1.0 } else { 0.0 });
        assert!(!pulse.is_empty() && pulse.iter().all(|t| (3.0..4.0).contains(t)), "{pulse:?}");
    }
}
