//! How values change from step to step: their range, and differences that reveal where they are not smooth.

use lotka_plan::graph::Plan;

use super::{
    Followed, Signals, followed,
    needles::{Comb, FastMode, Needles},
};

/// The largest difference of one order in a base step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// `|divided difference| q! h^q`; 0 if unknown.
    pub size: f64,
    /// The mean distance `h` of its points \[s\].
    pub h: f64,
    /// The communication point at its center, counted from the start.
    pub at: u32,
}

/// The record of one value in a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueTrace {
    /// The least value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// Per base step: differences of order 2 and of order 4.
    pub differences: [Vec<Difference>; 2],
}

/// The records of all followed values in a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// Communication points \[s\].
    pub times: Vec<f64>,
    /// In the order of [`followed`](fn@super::followed).
    pub value_traces: Vec<ValueTrace>,
    /// Base steps in which signals restart for a known reason, and whether they jump there at times that differ from run to run.
    pub restarts: Vec<(usize, bool)>,
    /// Modes that are over within steps, if the run looked for them.
    pub fast_modes: Vec<FastMode>,
}

/// Maximum number of points in a difference.
pub const POINTS: usize = 5;

/// Number of steps for which memory is reserved at the start; that of longer runs grows with them.
const MOST_RESERVED: usize = 1 << 16;

/// Points closer than this share of their mean distance produce differences of rounding errors.
const NEAR: f64 = 1e-3;

impl ValueTrace {
    fn new(value: f64) -> Self {
        Self { low: value, high: value, differences: [Vec::new(), Vec::new()] }
    }

    /// Largest absolute value.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The difference of the two.
    #[must_use]
    pub fn range(&self) -> f64 {
        self.high - self.low
    }

    fn take(&mut self, value: f64) {
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
    }

    /// Records a difference of order `2 (which + 1)` in a base step.
    fn note(&mut self, which: usize, step: usize, difference: Difference) {
        let largest = &mut self.differences[which];
        if largest.len() <= step {
            largest.resize(step + 1, Difference::default());
        }
        if difference.size > largest[step].size {
            largest[step] = difference;
        }
    }
}

/// Follows values from step to step.
///
/// With steps of size h, differences of order q of smooth signals fall with `h^q`, and those of signals with kinks fall with h.
/// Those of signals that jump do not fall. No difference spans a point where signals are known not to be smooth.
///
/// The instance that a coupling scheme leaves behind has different errors in the middle of steps: its values in the middle are
/// used, and the one where signals start.
#[derive(Debug)]
pub struct Tracer {
    followed: Vec<Followed>,
    late: Option<usize>,
    /// Values of the lagging instance in the middle of the present step.
    middle: Vec<f64>,
    /// The last points of all values but those of the lagging instance, which are in the middle of steps.
    at_ends: Points,
    in_middle: Points,
    /// The divided differences of each value that end at its last point, by their order.
    divided: Vec<[f64; POINTS]>,
    /// The differences that end at the last point, until they are counted.
    newest: Newest,
    needles: Option<Needles>,
    base: usize,
    trace: Trace,
}

/// The last points of values that are known at the same times.
#[derive(Debug, Clone, Copy, Default)]
struct Points {
    /// Times \[s\], the newest one last.
    times: [f64; POINTS],
    places: [MeshPoint; POINTS],
    /// Number of points since the signals restarted.
    count: usize,
    /// Distances of the newest point from those before \[s\].
    distances: [f64; POINTS - 1],
}

/// Where a point is in a run.
#[derive(Debug, Clone, Copy, Default)]
struct MeshPoint {
    /// Counted from the start.
    number: u32,
    /// The base step that begins here, or contains this point.
    step: usize,
    is_base: bool,
}

/// Differences of order 2 and of order 4.
#[derive(Debug)]
struct Newest {
    at_ends: [Option<Span>; 2],
    in_middle: [Option<Span>; 2],
    /// Their sizes, for each value.
    sizes: Vec<[f64; 2]>,
}

/// The points of a difference.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// The mean distance `h` of its points \[s\], and `q! h^q`.
    h: f64,
    factor: f64,
    center: MeshPoint,
}

impl Points {
    fn push(&mut self, time: f64, place: MeshPoint) {
        self.times.copy_within(1.., 0);
        self.places.copy_within(1.., 0);
        (self.times[POINTS - 1], self.places[POINTS - 1]) = (time, place);
        self.count += 1;
        for (distance, earlier) in self.distances.iter_mut().zip(self.times.iter().rev().skip(1)) {
            *distance = time - earlier;
        }
    }

    /// The differences that end at the newest point.
    fn spans(&self) -> [Option<Span>; 2] {
        [self.span(2), self.span(POINTS - 1)]
    }

    /// The difference of this order that ends at the newest point, if there are enough points.
    #[inline(always)]
    fn span(&self, order: usize) -> Option<Span> {
        if self.count <= order {
            return None;
        }
        let h = self.distances[order - 1] / order as f64;
        let times = &self.times[POINTS - 1 - order..];
        if times.windows(2).any(|pair| pair[1] - pair[0] < NEAR * h) {
            return None;
        }
        let factor = (1..=order).map(|level| level as f64 * h).product();
        Some(Span { h, factor, center: self.places[POINTS - 1 - order / 2] })
    }

    /// Restarts the signals.
    fn clear(&mut self) {
        self.count = 0;
    }
}

impl Newest {
    fn forget(&mut self) {
        (self.at_ends, self.in_middle) = ([None; 2], [None; 2]);
    }
}

impl Tracer {
    /// Starts from the values at time `t` \[s\] of a run of about so many base steps and steps. `late` is the instance that the
    /// coupling scheme leaves behind by half a step where outputs are not due, if there is one.
    #[must_use]
    pub fn new(plan: &Plan, start: &Signals, t: f64, late: Option<usize>, (base_steps, steps): (usize, u64)) -> Self {
        let mut tracer = Self::of(followed(plan), start, t, late);
        tracer.trace.times.reserve(usize::try_from(steps).map_or(MOST_RESERVED, |steps| steps.min(MOST_RESERVED)));
        let differences = tracer.trace.value_traces.iter_mut().flat_map(|value_trace| &mut value_trace.differences);
        differences.for_each(|differences| differences.reserve_exact((base_steps + 1).min(MOST_RESERVED)));
        tracer
    }

    /// Looks for fast modes in steps that grow, or in a comb.
    #[must_use]
    pub fn with_needles(mut self, start: &Signals, comb: Option<Comb>) -> Self {
        self.needles = Some(Needles::new(comb, values(&self.followed, start)));
        self
    }

    fn of(followed: Vec<Followed>, start: &Signals, t: f64, late: Option<usize>) -> Self {
        let value_trace = |followed: &Followed| ValueTrace::new(followed.value.of(start));
        let value_traces = followed.iter().map(value_trace).collect();
        let mut tracer = Self {
            trace: Trace { times: vec![t], value_traces, ..Trace::default() },
            middle: vec![0.0; followed.len()],
            at_ends: Points::default(),
            in_middle: Points::default(),
            divided: vec![[0.0; POINTS]; followed.len()],
            newest: Newest { at_ends: [None; 2], in_middle: [None; 2], sizes: vec![[0.0; 2]; followed.len()] },
            needles: None,
            followed,
            late,
            base: 0,
        };
        tracer.begin(start);
        tracer
    }

    /// Records values of the lagging instance in the middle of a step at whose end outputs are due.
    pub(crate) fn pass_middle(&mut self, newest: &Signals) {
        for (middle, followed) in self.middle.iter_mut().zip(&self.followed).filter(|(_, of)| self.late == Some(of.instance)) {
            *middle = followed.value.of(newest);
        }
    }

    /// Records the values at the end of a step of size `h` that ends at `t` \[s\]. `due` is as in
    /// [`Sweep::pass`](super::Sweep::pass); `is_base` marks the end of a base step.
    pub fn follow(&mut self, newest: &Signals, (t, h): (f64, f64), due: bool, is_base: bool) {
        self.count_newest();
        let step = self.base;
        self.base += usize::from(is_base);
        let number = self.trace.times.len() as u32;
        self.trace.times.push(t);
        self.at_ends.push(t, MeshPoint { number, step: self.base, is_base });
        self.newest.at_ends = self.at_ends.spans();
        if self.late.is_some() {
            self.in_middle.push(t - 0.5 * h, MeshPoint { number, step, is_base: false });
            self.newest.in_middle = self.in_middle.spans();
        }
        if let Some(needles) = &mut self.needles {
            needles.follow(values(&self.followed, newest), (t, h));
        }
        let all = self.followed.iter().zip(&self.middle).zip(&mut self.divided).zip(&mut self.trace.value_traces);
        for ((((followed, middle), divided), value_trace), sizes) in all.zip(&mut self.newest.sizes) {
            let is_late = self.late == Some(followed.instance);
            let value = followed.value.of(newest);
            value_trace.take(value);
            let (points, spans) = match is_late {
                true => (&self.in_middle, &self.newest.in_middle),
                false => (&self.at_ends, &self.newest.at_ends),
            };
            divide(divided, if is_late && due { *middle } else { value }, &points.distances);
            *sizes = [(spans[0], divided[2]), (spans[1], divided[POINTS - 1])]
                .map(|(span, divided)| span.map_or(0.0, |span| (divided * span.factor).abs()));
        }
    }

    /// Counts the differences that end at the last point.
    fn count_newest(&mut self) {
        let Newest { at_ends, in_middle, sizes } = &self.newest;
        for ((followed, sizes), value_trace) in self.followed.iter().zip(sizes).zip(&mut self.trace.value_traces) {
            let spans = if self.late == Some(followed.instance) { in_middle } else { at_ends };
            for (which, (span, &size)) in spans.iter().zip(sizes).enumerate() {
                let Some(Span { h, center: MeshPoint { number, step, is_base }, .. }) = *span else { continue };
                let difference = Difference { size, h, at: number };
                value_trace.note(which, step, difference);
                if is_base && step > 0 {
                    value_trace.note(which, step - 1, difference);
                }
            }
        }
        self.newest.forget();
    }

    /// Restarts the differences at a point where values are known not to be smooth. If the values may have jumped already, as at
    /// a located event, differences that end here are discarded. Known jumps at base points are at the same time in all runs:
    /// differences after them are comparable.
    pub(crate) fn restart(&mut self, newest: &Signals, jumps: bool, may_have_jumped: bool) {
        if may_have_jumped {
            self.newest.forget();
        }
        let is_at_base = self.at_ends.count > 0 && self.at_ends.places[POINTS - 1].is_base;
        self.trace.restarts.push((self.base, jumps && (may_have_jumped || !is_at_base)));
        if let Some(needles) = &mut self.needles {
            needles.restart(values(&self.followed, newest));
        }
        self.begin(newest);
    }

    fn begin(&mut self, newest: &Signals) {
        let number = self.trace.times.len().saturating_sub(1) as u32;
        let time = self.trace.times.last().copied().unwrap_or_default();
        self.at_ends.clear();
        self.in_middle.clear();
        let place = MeshPoint { number, step: self.base, is_base: true };
        self.at_ends.push(time, place);
        self.in_middle.push(time, place);
        for (followed, divided) in self.followed.iter().zip(&mut self.divided) {
            let points = if self.late == Some(followed.instance) { &self.in_middle } else { &self.at_ends };
            divide(divided, followed.value.of(newest), &points.distances);
        }
    }

    /// Returns the records of a finished run with `steps` base steps.
    pub fn finish(mut self, steps: usize) -> Trace {
        self.count_newest();
        for differences in self.trace.value_traces.iter_mut().flat_map(|value_trace| &mut value_trace.differences) {
            differences.resize(steps, Difference::default());
        }
        self.trace.fast_modes = self.needles.map_or_else(Vec::new, Needles::finish);
        self.trace
    }
}

/// The values that are followed.
fn values<'f>(followed: &'f [Followed], signals: &'f Signals) -> impl Iterator<Item = f64> {
    followed.iter().map(|followed| followed.value.of(signals))
}

/// Computes the divided differences that end at a new value from those that end at the last one, with its distances from earlier
/// points \[s\]. They mean nothing where they reach back beyond a restart.
#[inline(always)]
fn divide(divided: &mut [f64; POINTS], value: f64, distances: &[f64; POINTS - 1]) {
    let mut newest = value;
    for (order, distance) in distances.iter().enumerate() {
        let before = std::mem::replace(&mut divided[order], newest);
        newest = (newest - before) / distance;
    }
    divided[POINTS - 1] = newest;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Exchanged;

    /// The divided difference of these points, by its sum (Hildebrand, 1956, Introduction to Numerical Analysis, section 2.2).
    fn sum(points: &[(f64, f64)]) -> f64 {
        let weight =
            |time: f64| points.iter().filter(|(other, _)| *other != time).map(|(other, _)| time - other).product::<f64>();
        points.iter().map(|(time, value)| value / weight(*time)).sum()
    }

    #[test]
    fn differences_are_updated_from_those_of_the_last_point() {
        let (mut points, mut divided) = (Points::default(), [0.0; POINTS]);
        let mut all = Vec::new();
        for number in 0..20 {
            let time = f64::from(number) * 0.1 + 0.03 * f64::from(number).sin();
            if number == 9 {
                points.clear();
                all.clear();
            }
            all.push((time, (3.0 * time).cos()));
            points.push(time, MeshPoint { number, ..MeshPoint::default() });
            divide(&mut divided, all[all.len() - 1].1, &points.distances);
            for (span, order) in points.spans().iter().zip([2, 4]) {
                let Some(span) = span else {
                    assert!(all.len() <= order, "{number}");
                    continue;
                };
                let last = &all[all.len() - 1 - order..];
                let h = (time - last[0].0) / order as f64;
                assert!((divided[order] / sum(last) - 1.0).abs() < 1e-9, "order {order}: {} for {}", divided[order], sum(last));
                assert!((span.factor / (h.powi(order as i32) * if order == 2 { 2.0 } else { 24.0 }) - 1.0).abs() < 1e-12);
                assert_eq!(span.center.number as usize, number as usize - order / 2);
            }
        }
    }

    /// A tracer of one value of an instance, which may be the one that lags.
    fn tracer(value: f64, late: Option<usize>) -> Tracer {
        let followed = Followed { value: Exchanged::Real(0), instance: 0, is_free: false, is_lasting: true };
        Tracer::of(vec![followed], &signals(value), 0.0, late)
    }

    fn signals(value: f64) -> Signals {
        Signals { reals: vec![value], ..Signals::default() }
    }

    /// A mode that is over within the first step leaves a trace there alone.
    #[test]
    fn start_values_count_even_of_the_instance_that_lags() {
        for late in [None, Some(0)] {
            let mut tracer = tracer(1.0, late);
            for step in 1..=4 {
                tracer.follow(&signals(0.0), (f64::from(step), 1.0), false, true);
            }
            let trace = tracer.finish(4);
            assert!(trace.value_traces[0].differences[0][0].size > 0.5, "{late:?}: {trace:?}");
        }
    }

    /// Differences after a jump compare runs in which it is at the same time.
    #[test]
    fn known_jumps_at_base_points_are_comparable() {
        for (is_base, may_have_jumped, jumps) in [(true, false, false), (false, false, true), (true, true, true)] {
            let mut tracer = tracer(1.0, None);
            tracer.follow(&signals(1.0), (1.0, 1.0), true, is_base);
            tracer.restart(&signals(2.0), true, may_have_jumped);
            assert_eq!(tracer.finish(2).restarts, [(usize::from(is_base), jumps)]);
        }
    }

    #[test]
    fn points_that_nearly_coincide_have_no_differences() {
        let mut points = Points::default();
        for time in [0.0, 0.1, 0.1 + 1e-6, 0.2] {
            points.push(time, MeshPoint::default());
        }
        assert!(points.spans()[0].is_none());
    }
}
