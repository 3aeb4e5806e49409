//! Steps in which an instance changes nothing: those between the points of its internal time grid.

use lotka_plan::graph::Plan;

use super::Signals;

/// How a step changed the outputs of an instance; that of the clearest one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// No change, to the last bit.
    None,
    /// A change so small that it may be rounding.
    Slight,
    /// It changed as usual.
    Clear,
}

/// Changes below this share of a value may be rounding.
const SLIGHT: f64 = 1.5e-11;

/// Changes below this share of the largest value so far may be rounding too: remainders of differences of large numbers.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Smaller values are close to underflow. Far from any activity, as at the end of a long chain, they change by underflow alone.
const UNDERFLOW: f64 = 1e-290;

impl Change {
    /// Compares values before and after.
    pub fn of(values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        values.into_iter().fold(Self::None, |change, (before, after)| change.max(Self::between(before, after, 0.0)))
    }

    /// Compares a value before and after, relative to the largest absolute value so far.
    #[inline(always)]
    fn between(before: f64, after: f64, largest: f64) -> Self {
        if before.to_bits() == after.to_bits() {
            return Self::None;
        }
        let size = before.abs().max(after.abs());
        let is_clear = size >= UNDERFLOW && (after - before).abs() > (SLIGHT * size).max(ROUNDING * largest);
        if is_clear { Self::Clear } else { Self::Slight }
    }
}

/// Returns the instances that read Real inputs, with their continuous Real outputs; all others may pause.
#[must_use]
pub fn watched(plan: &Plan) -> Vec<(usize, Vec<usize>)> {
    let instances = plan.instances[..plan.n_stepping].iter().enumerate();
    let reading = instances.filter(|(_, instance_plan)| !instance_plan.input_references.is_empty() && !instance_plan.is_reactor);
    let continuous = reading
        .map(|(index, instance_plan)| (index, instance_plan.outputs.clone().filter(|signal| !plan.is_held[*signal]).collect()));
    continuous.filter(|(_, signals): &(usize, Vec<usize>)| !signals.is_empty()).collect()
}

/// Changes at equal intervals, with pauses in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regular {
    pub(crate) instance: usize,
    /// Bounds of the interval \[s\].
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Time of the first change \[s\].
    pub from: f64,
    count: u32,
}

/// Follows the outputs of all instances from step to step.
#[derive(Debug)]
pub struct Pauses {
    followed: Vec<Followed>,
    /// Number of steps still to follow.
    left: u64,
}

#[derive(Debug)]
pub struct Followed {
    pub instance: usize,
    outputs: Vec<Output>,
    /// Time of the last change \[s\], and the steps since.
    changed: f64,
    pauses: u32,
    series: Series,
    /// The largest step so far \[s\].
    largest_step: f64,
    longest: Option<Regular>,
}

#[derive(Debug)]
struct Output {
    signal: usize,
    last: f64,
    /// The value before the last change: an instance whose values return to these switches back and forth.
    before: f64,
    /// The largest absolute value so far.
    size: f64,
}

/// A series of changes.
#[derive(Debug, Clone, Copy)]
struct Series {
    /// Time of the first change \[s\].
    from: f64,
    count: u32,
    /// Number of steps without a change.
    pauses: u32,
    /// The shortest and the longest interval between two changes \[s\].
    shortest: f64,
    longest: f64,
    /// The largest step \[s\].
    step: f64,
}

impl Series {
    fn new(from: f64) -> Self {
        Self { from, count: 0, pauses: 0, shortest: f64::INFINITY, longest: 0.0, step: 0.0 }
    }

    /// Whether the intervals differ by no more than the steps that observe them allow. Where a coupling scheme leaves an instance
    /// behind, that is half a step more.
    fn is_regular(&self) -> bool {
        self.longest - self.shortest <= 1.5 * self.step * (1.0 + 1e-6)
    }

    fn shows_grid(&self) -> bool {
        let share = f64::from(self.pauses) / f64::from(self.count);
        self.count >= ENOUGH.0 && share >= PAUSES.0 || self.count >= ENOUGH.1 && self.pauses >= FEWEST && share >= PAUSES.1
    }
}

/// Number of changes in a series that prove a grid: with as many pauses per change as in a short series, and with fewer.
const ENOUGH: (u32, u32) = (3, 8);

/// Pauses after each change in a short series, and the share of changes followed by a pause in a longer series.
const PAUSES: (f64, f64) = (2.0, 0.1);

/// Minimum number of pauses in a longer series: an instance that leaves a state of rest shows one or two.
const FEWEST: u32 = 3;

/// Steps below this share of the largest step are ignored.
const TINY: f64 = 1e-6;

impl Pauses {
    /// Follows `steps` steps from the values at `start` \[s\].
    #[must_use]
    pub fn new(plan: &Plan, values: &Signals, start: f64, steps: u64) -> Self {
        let follow = |(instance, signals)| Followed::new(instance, signals, values, start);
        Self { followed: watched(plan).into_iter().map(follow).collect(), left: steps }
    }

    /// Records the values at the end of a step of size `h` that ends at `t` \[s\].
    #[inline]
    pub fn follow(&mut self, newest: &Signals, t: f64, h: f64) {
        if self.left > 0 {
            self.left -= 1;
            self.followed.iter_mut().for_each(|followed| followed.step(newest, t, h));
        }
    }

    /// The longest series of each instance that has pauses.
    #[must_use]
    pub fn finish(self) -> Vec<Regular> {
        self.followed.into_iter().filter_map(|followed| followed.longest).collect()
    }
}

impl Followed {
    fn new(instance: usize, signals: Vec<usize>, values: &Signals, start: f64) -> Self {
        let output = |signal| {
            let value = values.reals[signal];
            Output { signal, last: value, before: value, size: value.abs() }
        };
        Self {
            instance,
            outputs: signals.into_iter().map(output).collect(),
            changed: start,
            pauses: 0,
            series: Series::new(start),
            largest_step: 0.0,
            longest: None,
        }
    }

    fn step(&mut self, newest: &Signals, t: f64, h: f64) {
        self.series.step = self.series.step.max(h);
        // A very short step, as between a row and an event, may cause changes that a double cannot represent.
        self.largest_step = self.largest_step.max(h);
        if h < TINY * self.largest_step {
            return;
        }
        let (mut change, mut goes_back) = (Change::None, true);
        for output in &mut self.outputs {
            let value = newest.reals[output.signal];
            output.size = output.size.max(value.abs());
            change = change.max(Change::between(output.last, value, output.size));
            goes_back &= output.before == value;
        }
        match change {
            Change::None => {
                self.pauses += 1;
                return;
            }
            Change::Clear if !goes_back => self.extend(t, h),
            Change::Clear | Change::Slight => self.series = Series::new(t),
        }
        for output in &mut self.outputs {
            (output.before, output.last) = (output.last, newest.reals[output.signal]);
        }
        (self.changed, self.pauses) = (t, 0);
    }

    /// Adds a change to this series, or begins a new series if the interval differs.
    fn extend(&mut self, t: f64, h: f64) {
        let distance = t - self.changed;
        let join = |series: Series| Series {
            count: series.count + 1,
            pauses: series.pauses + self.pauses,
            shortest: series.shortest.min(distance),
            longest: series.longest.max(distance),
            step: series.step.max(h),
            ..series
        };
        if self.pauses == 0 && self.series.pauses == 0 {
            // A series begins with the first pause.
            self.series = Series::new(t);
            return;
        }
        let joined = join(self.series);
        self.series = if joined.is_regular() { joined } else { join(Series::new(self.changed)) };
        let Series { from, count, step, .. } = self.series;
        if self.series.shows_grid() && self.longest.is_none_or(|longest| count > longest.count) {
            let (low, high) = ((t - from - step) / f64::from(count), (t - from + step) / f64::from(count));
            self.longest = Some(Regular { instance: self.instance, low, high, from, count });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The series found in an instance whose output is a function of time, in 200 steps of `h`.
    fn found(h: f64, value: impl Fn(f64) -> f64) -> Option<Regular> {
        let mut signals = Signals { reals: vec![value(0.0)], ..Signals::default() };
        let mut followed = Followed::new(0, vec![0], &signals, 0.0);
        for step in 1..=200 {
            let t = f64::from(step) * h;
            signals.reals[0] = value(t);
            followed.step(&signals, t, h);
        }
        followed.longest
    }

    #[test]
    fn pauses_between_the_points_of_a_grid_are_found() {
        for (size, h) in [(0.01, 0.003), (0.01, 0.007), (0.01, 0.0025), (1.0, 0.09)] {
            let grid = |t: f64| (t / size + 1e-9).floor() * size + 1.0;
            let found = found(h, grid).unwrap_or_else(|| panic!("{size} {h}"));
            assert!(found.low <= size && size <= found.high && found.high < 1.2 * size, "{size} {h}: {found:?}");
        }
    }

    #[test]
    fn other_signals_have_none() {
        assert_eq!(found(0.01, f64::sin), None, "smooth");
        assert_eq!(found(0.01, |t| (t / 0.01 + 1e-9).floor()), None, "a change in every step");
        assert_eq!(found(0.01, |_| 1.0), None, "at rest");
        assert_eq!(found(0.01, |t| (t - 0.01).max(0.0).sin()), None, "at rest in the first step");
        assert_eq!(found(0.01, |t| (t / 0.05 + 1e-9).floor() % 2.0), None, "to and fro");
        assert_eq!(found(0.01, |t| 1.0 + 1e-15 * (t / 0.03).floor()), None, "rounding");
        assert_eq!(found(0.01, |t| (t * t).floor()), None, "at other distances each time");
    }

    /// A force of 140 N that later becomes 0, except for differences of large numbers in every fifth step.
    #[test]
    fn rounding_of_values_that_were_large_is_no_change() {
        let force =
            |size: f64| move |t: f64| if t < 1.0 { 140.0 * (1.0 - t) } else { size * f64::from((t / 0.05 + 0.5) as u32 / 5) };
        assert!(found(0.05, force(1e-3)).is_some());
        assert_eq!(found(0.05, force(1e-14)), None);
    }
}
