//! The base mesh, which every run divides, and its refinement.

use lotka_plan::time::Resolution;
use lotka_step::algorithm::Comb;

use super::gradual::Gradual;

/// Maximum ratio of neighboring base steps: larger ratios amplify extrapolated inputs.
const RATIO: f64 = 3.0;

/// Steps below this share of a neighbor are intentional, at times at which signals restart: their neighbors are not balanced
/// against them.
const ON_PURPOSE: f64 = 1e-6;

/// Number of passes over the mesh that is sufficient to balance its steps: each divides steps that are too long by [`RATIO`].
const PASSES: usize = 60;

/// Number of parts of each of the two steps at a place where a signal is not smooth.
const PARTS: u32 = 2;

/// Number of points of a run on each side of such a place that become base points.
const AROUND: usize = 2;

/// Number of steps near the stop time in a mesh between the points of others, each half as long as the one before. A switch just
/// before the stop time has no time to take effect elsewhere.
const END: i32 = 6;

/// Number of steps after a point from which steps grow by [`RATIO`] each, and the least of these in units in the last place of
/// the time.
const GRADES: i32 = 18;
const SHORTEST: f64 = 64.0;

/// A mesh with other points includes only one of this many base points; between these, its steps cross the base points.
const STRIDE: usize = 6;

/// A base mesh: its points in order, from start to stop, some of which are rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Base {
    times: Vec<f64>,
    is_row: Vec<bool>,
    /// The longest distance between rows, or between its points if rows lie between these \[s\].
    distance: f64,
    dues: Dues,
    /// Parts in which steps are not equal, in order.
    gradual: Vec<Gradual>,
}

/// Where runs have all values: an instance that a coupling scheme leaves behind must catch up there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dues {
    /// At base points, which include all rows.
    Base,
    /// At the ends of parts of base steps that the steps of a run match, at most eighths.
    Eighths,
    /// At the ends of all steps. Otherwise FMUs that do not step exactly would have different errors for every number of steps.
    All,
}

/// A point of a mesh that lies between the points of all others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Time of the point \[s\].
    pub time: f64,
    /// Whether it is a point of the base mesh.
    pub is_base: bool,
}

/// The points of a mesh between those of others: points `(i + phase) / density` for all integers `i`, and every sixth base point
/// from `first` on. Base step `j` extends from `j` to `j + 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// Points per base step.
    pub density: f64,
    pub(crate) phase: f64,
    pub(crate) first: usize,
    pub(crate) stride: usize,
    /// Whether instances are tried in a run on it.
    pub has_trials: bool,
    /// Steps that show a fast mode in balance.
    pub comb: Option<Comb>,
}

impl Between {
    /// The first and the second mesh that check a result of a density: their phases follow from the golden ratio.
    #[must_use]
    pub fn check(number: usize, density: u32) -> Self {
        let (phase, first) = if number == 0 { (0.381_966, 0) } else { (0.618_034, STRIDE / 2) };
        Self { density: f64::from(density), phase, first, stride: STRIDE, has_trials: number > 0, comb: None }
    }

    /// The same mesh with a comb.
    #[must_use]
    pub fn with_comb(self, comb: Comb) -> Self {
        Self { comb: Some(comb), has_trials: false, ..self }
    }

    /// Whether steps grow from the start, and from where signals restart: a fast mode may be over within any other step, so that
    /// all other meshes agree without it. Steps that use their inputs in the middle or at the end miss changes at their
    /// beginning, too.
    #[must_use]
    pub fn is_graded(self) -> bool {
        self.first == 0
    }

    /// A mesh for comparison with a finest run without extrapolation; `number` counts such meshes.
    #[must_use]
    pub fn neighbor(number: usize, subdivisions: u32) -> Self {
        let share = if number.is_multiple_of(2) { 0.93 } else { 0.87 };
        let phase = (0.381_966 + 0.618_034 * (number + 1) as f64).fract();
        Self { density: share * f64::from(subdivisions), phase, first: number % 2, stride: 2, has_trials: true, comb: None }
    }
}

/// The points that divide a time interval into equal steps of at most this size \[s\].
pub fn equally_between((from, to): (f64, f64), distance: f64) -> impl Iterator<Item = f64> {
    // Rounding does not add a step.
    let parts = ((to - from) / distance * (1.0 - 1e-9)).ceil().clamp(1.0, 1e6) as u32;
    (1..parts).map(move |part| from + (to - from) * f64::from(part) / f64::from(parts))
}

impl Base {
    /// Creates a mesh from points, each with a flag for rows. The first is the start and the last the stop time, both of which
    /// are rows; rows are at most `row_distance` apart \[s\].
    #[must_use]
    pub fn new(points: Vec<(f64, bool)>, row_distance: f64) -> Self {
        let (times, is_row) = points.into_iter().unzip();
        Self { times, is_row, distance: row_distance, dues: Dues::Base, gradual: Vec::new() }
    }

    /// Creates a base mesh with rows anywhere between its points. The points are at most `distance` apart \[s\], and those
    /// between two of the given times are equidistant, or gradual.
    #[must_use]
    pub fn with_off_mesh_rows(between: &[f64], distance: f64, dues: Dues, is_gradual: bool) -> Self {
        let mut base = Self::new(between.first().map(|start| (*start, false)).into_iter().collect(), distance);
        for pair in between.windows(2) {
            let span = (pair[0], pair[1]);
            if let Some(gradual) = Gradual::new(span, distance, base.n_steps()).filter(|_| is_gradual) {
                base.times.extend(gradual.inside());
                base.gradual.push(gradual);
            } else {
                base.times.extend(equally_between(span, distance));
            }
            base.times.push(pair[1]);
        }
        Self { is_row: vec![false; base.times.len()], dues, ..base }
    }

    /// Creates a mesh of equal steps.
    #[must_use]
    pub fn equal((start, stop): (f64, f64), parts: usize) -> Self {
        Self::with_off_mesh_rows(&[start, stop], (stop - start) / parts as f64, Dues::All, false)
    }

    /// The time at a share of a step \[s\].
    #[must_use]
    pub fn within(&self, step: usize, share: f64) -> f64 {
        let next = self.gradual.partition_point(|gradual| gradual.first <= step);
        let gradual =
            next.checked_sub(1).map(|index| &self.gradual[index]).filter(|gradual| step < gradual.first + gradual.steps);
        if let Some(gradual) = gradual {
            return gradual.time((step - gradual.first) as f64 + share);
        }
        let (from, to) = (self.times[step], self.times[step + 1]);
        from + share * (to - from)
    }

    /// The same base with other points, and equal steps between these.
    fn with(&self, points: Vec<(f64, bool)>) -> Self {
        Self { dues: self.dues, ..Self::new(points, self.distance) }
    }

    /// Whether rows lie between its points.
    #[must_use]
    pub fn has_off_mesh_rows(&self) -> bool {
        self.dues != Dues::Base
    }

    /// Number of parts of each base step at whose ends a run with this number of steps has all values.
    #[must_use]
    pub fn dues(&self, subdivisions: u32) -> u32 {
        match self.dues {
            Dues::Base => 1,
            Dues::Eighths => 1 << subdivisions.trailing_zeros().min(3),
            Dues::All => subdivisions,
        }
    }

    /// Marks the points that are rows; the times are exactly those of the points.
    pub fn mark(&mut self, rows: impl Iterator<Item = f64>) {
        for row in rows {
            if let Some(point) = self.point_at(row) {
                (self.times[point], self.is_row[point]) = (row, true);
            }
        }
    }

    /// Number of steps.
    #[must_use]
    pub fn n_steps(&self) -> usize {
        self.times.len().saturating_sub(1)
    }

    /// Times of the points \[s\].
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The points that are rows \[s\].
    pub fn rows(&self) -> impl Iterator<Item = f64> {
        self.times.iter().zip(&self.is_row).filter(|(_, is_row)| **is_row).map(|(time, _)| *time)
    }

    /// Whether there is a row at a point.
    #[must_use]
    pub fn is_row(&self, point: usize) -> bool {
        self.is_row.get(point) == Some(&true)
    }

    /// The longest distance between rows, or between its points if rows lie between these \[s\].
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.distance
    }

    /// The longest step \[s\].
    pub fn longest(&self) -> f64 {
        self.times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
    }

    /// Divides all steps that are longer than this \[s\] into equal ones.
    pub fn divide(&mut self, longest: f64) {
        let new: Vec<f64> = self.times.windows(2).flat_map(|pair| equally_between((pair[0], pair[1]), longest)).collect();
        self.insert(new);
    }

    /// The first and the last point \[s\].
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        (self.times.first().copied().unwrap_or_default(), self.times.last().copied().unwrap_or_default())
    }

    /// Times that differ by no more than this are equal \[s\].
    #[must_use]
    pub fn slack(&self) -> f64 {
        Resolution::of(self.span()).slack()
    }

    /// The point at a time, if there is one.
    #[must_use]
    pub fn point_at(&self, time: f64) -> Option<usize> {
        let slack = self.slack();
        let next = self.times.partition_point(|point| *point < time - slack);
        self.times.get(next).filter(|point| **point <= time + slack).map(|_| next)
    }

    /// The part of the mesh that ends at a row.
    #[must_use]
    pub fn until(&self, time: f64) -> Self {
        let end = self.point_at(time).unwrap_or(self.n_steps());
        let points = self.times.iter().copied().zip(self.is_row.iter().copied()).take(end + 1);
        self.with(points.collect())
    }

    /// The part of the mesh before a time, which becomes its last point.
    #[must_use]
    pub fn before(&self, time: f64) -> Self {
        let points = self.times.iter().copied().zip(self.is_row.iter().copied());
        let before = points.take_while(|(point, _)| *point < time - self.slack());
        self.with(before.chain([(time, true)]).collect())
    }

    /// Adds points, and balances the steps. Gradual steps then become equal parts, unless nothing is added.
    pub(crate) fn insert(&mut self, points: impl IntoIterator<Item = f64>) {
        let ((start, stop), slack) = (self.span(), self.slack());
        let mut new: Vec<f64> = points.into_iter().filter(|time| *time > start && *time < stop).collect();
        if new.is_empty() && !self.gradual.is_empty() {
            return;
        }
        new.sort_by(f64::total_cmp);
        let mut all: Vec<(f64, bool)> = Vec::with_capacity(self.times.len() + new.len());
        let mut known = self.times.iter().copied().zip(self.is_row.iter().copied()).peekable();
        for time in new {
            all.extend(std::iter::from_fn(|| known.next_if(|(point, _)| *point <= time + slack)));
            let is_new = all.last().is_none_or(|(last, _)| time > last + slack)
                && known.peek().is_none_or(|(next, _)| time < next - slack);
            all.extend(is_new.then_some((time, false)));
        }
        all.extend(known);
        *self = self.with(all);
        self.balance();
    }

    /// Refines the mesh around points of a run with the given times, at the `places` among these where a signal is not smooth.
    pub fn refine(&mut self, places: &[usize], times: &[f64]) {
        let mut points = Vec::new();
        for &place in places {
            let around = place.saturating_sub(AROUND)..=(place + AROUND).min(times.len().saturating_sub(1));
            points.extend_from_slice(times.get(around).unwrap_or_default());
            let sides = [place.checked_sub(1).map(|before| (before, place)), Some((place, place + 1))];
            for (from, to) in sides.into_iter().flatten() {
                let (Some(from), Some(to)) = (times.get(from), times.get(to)) else { continue };
                points.extend((1..PARTS).map(|part| from + (to - from) * f64::from(part) / f64::from(PARTS)));
            }
        }
        self.insert(points);
    }

    /// Makes steps grow after base points, from less than 1e-8 of a base step on.
    pub fn grade(&mut self, points: &[usize]) {
        let graded = |point: usize| {
            let (from, to) = (self.times[point], self.times[point + 1]);
            let shortest = SHORTEST * (from.abs().next_up() - from.abs());
            (1..=GRADES).map(move |grade| from + (to - from) * RATIO.powi(-grade)).filter(move |time| time - from > shortest)
        };
        let new: Vec<f64> = points.iter().filter(|point| **point < self.n_steps()).flat_map(|point| graded(*point)).collect();
        self.insert(new);
    }

    /// Divides steps that are much longer than a neighbor, at the end near it.
    fn balance(&mut self) {
        for _ in 0..PASSES {
            let (mut points, mut has_changed) = (Vec::with_capacity(self.times.len()), false);
            for step in 0..self.n_steps() {
                let (from, to) = (self.times[step], self.times[step + 1]);
                let counts = |h: &f64| *h > ON_PURPOSE * (to - from);
                let before = step.checked_sub(1).map(|before| from - self.times[before]).filter(counts).unwrap_or(f64::INFINITY);
                let after = self.times.get(step + 2).map(|after| after - to).filter(counts).unwrap_or(f64::INFINITY);
                points.push((from, self.is_row[step]));
                if to - from > RATIO * (1.0 + 1e-4) * before.min(after) {
                    let part = (to - from) / RATIO;
                    points.push((if before <= after { from + part } else { to - part }, false));
                    has_changed = true;
                }
            }
            points.extend(self.times.last().copied().zip(self.is_row.last().copied()));
            *self = self.with(points);
            if !has_changed {
                return;
            }
        }
    }

    /// The points of a mesh between those of others, without the start, and without steps that grow.
    #[must_use]
    pub fn between(&self, mesh: Between) -> Vec<Point> {
        let steps = self.n_steps();
        let time = |x: f64| {
            let step = (x.floor() as usize).min(steps.saturating_sub(1));
            self.times[step] + (x - step as f64) * (self.times[step + 1] - self.times[step])
        };
        let is_base =
            |point: usize| point == steps || point > 0 && point >= mesh.first && (point - mesh.first).is_multiple_of(mesh.stride);
        let (mut points, mut number) = (Vec::new(), 0.0);
        for base in 1..=steps {
            if !is_base(base) {
                continue;
            }
            loop {
                let x: f64 = (number + mesh.phase) / mesh.density;
                // A point this close to the base point is replaced by it.
                if x > base as f64 - 1e-6 {
                    number += f64::from(u8::from(x < base as f64 + 1e-6));
                    break;
                }
                number += 1.0;
                points.extend((x > 1e-9).then(|| Point { time: time(x), is_base: false }));
            }
            if base == steps {
                let (from, to) = (points.last().map_or(self.times[0], |last| last.time), self.times[steps]);
                let halves = (1..=END).map(|half| Point { time: to - (to - from) * 0.5_f64.powi(half), is_base: false });
                points.extend(halves);
            }
            points.push(Point { time: self.times[base], is_base: true });
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(times: &[f64]) -> Base {
        Base::new(times.iter().map(|time| (*time, true)).collect(), 1.0)
    }

    fn steps(base: &Base) -> Vec<f64> {
        base.times.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    #[test]
    fn steps_beside_a_refined_place_are_balanced() {
        let mut base = base(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        let times: Vec<f64> = (0..=40).map(|n| f64::from(n) / 10.0).collect();
        base.refine(&[17], &times);
        for place in [1.5, 1.6, 1.65, 1.7, 1.75, 1.8, 1.9] {
            assert!(base.point_at(place).is_some(), "{place}: {:?}", base.times);
        }
        let steps = steps(&base);
        assert!(steps.windows(2).all(|pair| pair[0] <= 3.001 * pair[1] && pair[1] <= 3.001 * pair[0]), "{steps:?}");
        assert!([0.0, 1.0, 2.0, 3.0, 4.0].iter().all(|time| base.is_row(base.point_at(*time).unwrap())));
        assert_eq!((0..=base.n_steps()).filter(|point| base.is_row(*point)).count(), 5, "new points are no rows");
    }

    #[test]
    fn graded_steps_grow_from_a_point_on() {
        let mut base = base(&[0.0, 1.0, 2.0, 3.0]);
        base.grade(&[1]);
        let steps = steps(&base);
        assert_eq!(base.n_steps(), 3 + GRADES as usize);
        assert!(steps[0] == 1.0 && steps[1] < 1e-8 && steps[base.n_steps() - 1] == 1.0, "{steps:?}");
        let growth = steps[2..base.n_steps() - 1].windows(2).map(|pair| pair[1] / pair[0]);
        assert!(growth.into_iter().all(|growth| (growth - RATIO).abs() < 1e-6), "{steps:?}");
        let graded = base.clone();
        base.grade(&[1]);
        assert!(base.n_steps() > graded.n_steps() && graded.n_steps() == 3 + GRADES as usize);
    }

    #[test]
    fn nothing_is_balanced_against_steps_around_known_times() {
        let mut base = base(&[0.0, 1.0, 1.0 + 1e-9, 2.0, 3.0]);
        base.refine(&[25], &(0..=30).map(|n| f64::from(n) / 10.0).collect::<Vec<_>>());
        assert!(base.n_steps() < 20, "{:?}", base.times);
    }

    #[test]
    fn known_points_are_not_added_again() {
        let mut refined = base(&[0.0, 1.0, 2.0]);
        refined.insert([1.0, 1.0 + 1e-14, 0.0, 2.0, -1.0, 3.0]);
        assert_eq!(refined, base(&[0.0, 1.0, 2.0]));
    }

    /// Only every sixth base point of the first mesh is a point of a run that divides base steps; the second mesh straddles
    /// those.
    #[test]
    fn meshes_that_check_have_other_points() {
        let base = base(&(0..=20).map(f64::from).collect::<Vec<_>>());
        for density in [1, 2, 3, 5] {
            let meshes = [0, 1].map(|number| base.between(Between::check(number, density)));
            for (number, mesh) in meshes.iter().enumerate() {
                assert!(mesh.windows(2).all(|pair| pair[0].time < pair[1].time), "{mesh:?}");
                let landed: Vec<_> = mesh.iter().filter(|point| point.is_base).map(|point| point.time).collect();
                assert_eq!(landed, if number == 0 { vec![6.0, 12.0, 18.0, 20.0] } else { vec![3.0, 9.0, 15.0, 20.0] });
                for point in mesh.iter().filter(|point| !point.is_base && point.time < 19.0) {
                    for n in 1..=32 {
                        let x = point.time * f64::from(n);
                        assert!((x - x.round()).abs() > 1e-4, "{number} {density}: {point:?} is a {n}th");
                    }
                }
                let last = mesh.len() - 1;
                assert!(mesh[last].time - mesh[last - 1].time <= 1.0 / 64.0, "steps get shorter towards the stop");
                assert_eq!(Between::check(number, density).is_graded(), number == 0);
            }
        }
    }
}
