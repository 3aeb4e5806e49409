//! Steps in which an instance does nothing: those between the points of a grid that it has inside.

use super::Signals;
use crate::graph::Plan;

/// What a step did to the outputs of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing, to the last bit.
    None,
    /// So little that it may be rounding.
    Slight,
    Clear,
}

/// Changes below this share of a value may be rounding.
const SLIGHT: f64 = 1.5e-11;

/// Changes below this share of the largest value that there was so far may be rounding, too: differences of large numbers are left.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Values below that are hardly numbers any more: far from what moves, as at the end of a long chain, they stay and change by underflow.
const UNDERFLOW: f64 = 1e-290;

impl Change {
    /// From values before and after.
    pub(crate) fn of(values: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::beside(values.into_iter().map(|(before, after)| (before, after, 0.0)))
    }

    /// From values before and after, and the largest absolute values so far.
    fn beside(values: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        values.into_iter().fold(Self::None, |change, (before, after, largest)| match change {
            Self::Clear => Self::Clear,
            _ if before.to_bits() == after.to_bits() => change,
            _ if before.abs().max(after.abs()) < UNDERFLOW => Self::Slight,
            _ if (after - before).abs() > (SLIGHT * before.abs().max(after.abs())).max(ROUNDING * largest) => Self::Clear,
            _ => Self::Slight,
        })
    }
}

/// The instances that read Real inputs, with their Real outputs that are continuous: the others may pause.
pub(crate) fn watched(plan: &Plan) -> Vec<(usize, Vec<usize>)> {
    let units = plan.units[..plan.instances].iter().enumerate();
    let reading = units.filter(|(_, unit)| !unit.input_references.is_empty() && !unit.is_reactor);
    let continuous = reading.map(|(index, unit)| (index, unit.outputs.clone().filter(|signal| !plan.is_held[*signal]).collect()));
    continuous.filter(|(_, signals): &(usize, Vec<usize>)| !signals.is_empty()).collect()
}

/// Changes at equal distances, with pauses in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Regular {
    pub(crate) instance: usize,
    /// Bounds of the distance \[s\].
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The first change \[s\].
    pub(crate) from: f64,
    count: u32,
}

/// Follows all instances from step to step.
#[derive(Debug)]
pub(crate) struct Pauses {
    followed: Vec<Followed>,
    /// Steps that are still followed.
    left: u64,
}

#[derive(Debug)]
struct Followed {
    instance: usize,
    signals: Vec<usize>,
    last: Vec<f64>,
    /// Values before the last change: who goes back to these switches to and fro.
    before: Vec<f64>,
    /// The largest absolute values so far.
    sizes: Vec<f64>,
    /// The last change \[s\], and the steps since.
    changed: f64,
    pauses: u32,
    series: Series,
    /// The largest step so far \[s\].
    largest_step: f64,
    longest: Option<Regular>,
}

/// Changes one after the other.
#[derive(Debug, Clone, Copy)]
struct Series {
    /// The first one \[s\].
    from: f64,
    count: u32,
    /// Steps without any.
    pauses: u32,
    /// The shortest and the longest time between two \[s\].
    shortest: f64,
    longest: f64,
    /// The largest step \[s\].
    step: f64,
}

impl Series {
    fn new(from: f64) -> Self {
        Self { from, count: 0, pauses: 0, shortest: f64::INFINITY, longest: 0.0, step: 0.0 }
    }

    /// Whether times between changes differ by no more than it takes to notice them; where a sweep leaves an instance behind, that is half a step
    /// more.
    fn is_regular(&self) -> bool {
        self.longest - self.shortest <= 1.5 * self.step * (1.0 + 1e-6)
    }

    fn shows_grid(&self) -> bool {
        let share = f64::from(self.pauses) / f64::from(self.count);
        self.count >= ENOUGH.0 && share >= PAUSES.0 || self.count >= ENOUGH.1 && self.pauses >= FEWEST && share >= PAUSES.1
    }
}

/// Changes in a series that show a grid, if there are as many pauses after each, and if there are fewer.
const ENOUGH: (u32, u32) = (3, 8);

/// Pauses after each change in a short series, and the share of the changes after which there is one in a longer series.
const PAUSES: (f64, f64) = (2.0, 0.1);

/// Pauses in a longer series: one or two are there where an instance leaves a state of rest.
const FEWEST: u32 = 3;

/// Steps below this share of the others say nothing.
const TINY: f64 = 1e-6;

impl Pauses {
    /// From the values at `start` \[s\], for so many steps.
    pub(crate) fn new(plan: &Plan, values: &Signals, start: f64, steps: u64) -> Self {
        let follow = |(instance, signals): (usize, Vec<usize>)| {
            let last: Vec<_> = signals.iter().map(|&signal| values.reals[signal]).collect();
            Followed::new(instance, signals, last, start)
        };
        Self { followed: watched(plan).into_iter().map(follow).collect(), left: steps }
    }

    /// Takes the values at the end of a step of size `h` that ends at `t` \[s\].
    #[inline]
    pub(crate) fn follow(&mut self, newest: &Signals, t: f64, h: f64) {
        if self.left > 0 {
            self.left -= 1;
            self.followed.iter_mut().for_each(|followed| followed.step(newest, t, h));
        }
    }

    /// The longest series of each instance, where one has pauses.
    pub(crate) fn finish(self) -> Vec<Regular> {
        self.followed.into_iter().filter_map(|followed| followed.longest).collect()
    }
}

impl Followed {
    fn new(instance: usize, signals: Vec<usize>, last: Vec<f64>, start: f64) -> Self {
        Self {
            instance,
            signals,
            before: last.clone(),
            sizes: last.iter().map(|value| value.abs()).collect(),
            last,
            changed: start,
            pauses: 0,
            series: Series::new(start),
            largest_step: 0.0,
            longest: None,
        }
    }

    fn step(&mut self, newest: &Signals, t: f64, h: f64) {
        self.series.step = self.series.step.max(h);
        let values = self.signals.iter().map(|&signal| newest.reals[signal]);
        // What is so short, as between a row and an event, may change nothing that a double can hold.
        self.largest_step = self.largest_step.max(h);
        if h < TINY * self.largest_step {
            return;
        }
        self.sizes.iter_mut().zip(values.clone()).for_each(|(size, value)| *size = size.max(value.abs()));
        let compared = self.last.iter().zip(values.clone()).zip(&self.sizes).map(|((last, value), size)| (*last, value, *size));
        let change = Change::beside(compared);
        let goes_back = self.before.iter().copied().eq(values);
        match change {
            Change::None => {
                self.pauses += 1;
                return;
            }
            Change::Clear if !goes_back => self.extend(t, h),
            Change::Clear | Change::Slight => self.series = Series::new(t),
        }
        for (&signal, (last, before)) in self.signals.iter().zip(self.last.iter_mut().zip(&mut self.before)) {
            (*before, *last) = (*last, newest.reals[signal]);
        }
        (self.changed, self.pauses) = (t, 0);
    }

    /// Another change, in this series or, if the distance is another one, in a new one.
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

    /// What is found in an instance whose output is a function of time, in 200 steps of `h`.
    fn found(h: f64, value: impl Fn(f64) -> f64) -> Option<Regular> {
        let mut signals = Signals { reals: vec![value(0.0)], ..Signals::default() };
        let last = signals.reals.clone();
        let mut followed = Followed::new(0, vec![0], last, 0.0);
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

    /// A force of 140 N that is 0 later, up to differences of large numbers that come every fifth step.
    #[test]
    fn rounding_of_values_that_were_large_is_no_change() {
        let force =
            |size: f64| move |t: f64| if t < 1.0 { 140.0 * (1.0 - t) } else { size * f64::from((t / 0.05 + 0.5) as u32 / 5) };
        assert!(found(0.05, force(1e-3)).is_some());
        assert_eq!(found(0.05, force(1e-14)), None);
    }
}
