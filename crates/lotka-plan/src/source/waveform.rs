//! Real signals that change continuously between their time events.

use std::{f64::consts::TAU, sync::Arc};

use super::TimeEvent;

/// A Real signal whose values, slopes and means are known.
#[derive(Debug, Clone, PartialEq)]
pub enum Waveform {
    /// Straight lines between points; constant before the first and after the last one.
    Points(Points),
    /// A sine.
    Sine(Sine),
}

/// Points in order of time; several at the same time are a jump.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    times: Arc<[f64]>,
    values: Box<[f64]>,
}

/// `offset + amplitude sin(2 pi frequency (t - begin) + phase)`; only `offset` before `begin`, if there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sine {
    /// Amplitude.
    pub amplitude: f64,
    /// Frequency \[Hz\].
    pub frequency: f64,
    /// Phase \[rad\].
    pub phase: f64,
    /// Offset.
    pub offset: f64,
    /// Begin \[s\].
    pub begin: Option<f64>,
}

/// A signal over one step: all data from which an input can be approximated.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Piece {
    /// Value just after the beginning of the step.
    pub begin: f64,
    /// Value just before its end.
    pub end: f64,
    /// The exact mean over the step.
    pub mean: f64,
    /// The mean of the slopes at both ends, times the step size.
    pub slope: f64,
    /// The slope at the beginning, times the step size.
    pub begin_slope: f64,
    /// Whether there is a time event inside the step.
    pub is_broken: bool,
}

/// Slopes differ at a kink if extrapolating them yields values that differ by more than this, relative to the largest value.
const STRAIGHT: f64 = 1e-12;

impl Waveform {
    /// Returns the signal over the step from `t` by `h`. A time event no more than `slack` \[s\] from an end counts as there.
    #[must_use]
    pub fn piece(&self, t: f64, h: f64, slack: f64) -> Piece {
        let inside = (t + slack.min(0.25 * h), t + h - slack.min(0.25 * h));
        match self {
            Self::Points(points) => points.piece((t, t + h), inside),
            Self::Sine(sine) => sine.piece((t, t + h), inside),
        }
    }

    /// Returns the value at `t`, or just after a time event no more than `slack` \[s\] away.
    #[must_use]
    pub fn after(&self, t: f64, slack: f64) -> f64 {
        match self {
            Self::Points(points) => points.line(points.segment(t + slack)).at(t),
            Self::Sine(sine) => sine.part(t + slack).at(t),
        }
    }

    /// The period \[s\], if it has one.
    pub(super) fn period(&self) -> Option<f64> {
        match self {
            Self::Points(_) => None,
            Self::Sine(sine) => (sine.amplitude != 0.0 && sine.frequency != 0.0).then(|| 1.0 / sine.frequency.abs()),
        }
    }

    pub(super) fn time_events(&self) -> Vec<TimeEvent> {
        match self {
            Self::Points(points) => points.time_events(),
            Self::Sine(sine) => sine.time_events(),
        }
    }
}

/// `value + slope (t - time)`.
#[derive(Clone, Copy)]
struct Line {
    time: f64,
    value: f64,
    slope: f64,
}

impl Line {
    fn at(self, t: f64) -> f64 {
        self.value + self.slope * (t - self.time)
    }
}

impl Points {
    /// Creates a polyline. `times` \[s\] do not decrease; there is at least one, and a value for each.
    #[must_use]
    pub fn new(times: Arc<[f64]>, values: Vec<f64>) -> Self {
        Self { times, values: values.into() }
    }

    /// Number of points at or before `t`.
    fn segment(&self, t: f64) -> usize {
        self.times.partition_point(|time| *time <= t)
    }

    /// The line after this number of points.
    fn line(&self, segment: usize) -> Line {
        let left = segment.saturating_sub(1);
        let (time, value) = (self.times[left], self.values[left]);
        if segment == 0 || segment == self.times.len() {
            return Line { time, value, slope: 0.0 };
        }
        let slope = (self.values[segment] - value) / (self.times[segment] - time);
        Line { time, value, slope }
    }

    fn piece(&self, (t, end): (f64, f64), inside: (f64, f64)) -> Piece {
        let (first, last) = (self.segment(inside.0), self.segment(inside.1));
        let (from, to) = (self.line(first), self.line(last));
        let h = end - t;
        let (begin_value, end_value) = (from.at(t), to.at(end));
        let is_broken = first != last;
        let mean = if is_broken { self.area((t, end), (first, last)) / h } else { 0.5 * (begin_value + end_value) };
        let (begin_slope, end_slope) = (from.slope * h, to.slope * h);
        Piece { begin: begin_value, end: end_value, mean, slope: 0.5 * (begin_slope + end_slope), begin_slope, is_broken }
    }

    /// The integral over a step with points inside.
    fn area(&self, (t, end): (f64, f64), (first, last): (usize, usize)) -> f64 {
        let trapezoid = |line: Line, from: f64, to: f64| 0.5 * (line.at(from) + line.at(to)) * (to - from);
        let mut sum = trapezoid(self.line(first), t, self.times[first]);
        for segment in first + 1..last {
            let (from, to) = (self.times[segment - 1], self.times[segment]);
            if to > from {
                sum += trapezoid(self.line(segment), from, to);
            }
        }
        sum + trapezoid(self.line(last), self.times[last - 1], end)
    }

    fn time_events(&self) -> Vec<TimeEvent> {
        let scale = self.values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let (mut time_events, mut begin) = (Vec::new(), 0);
        while begin < self.times.len() {
            let (time, end) = (self.times[begin], self.segment(self.times[begin]));
            let (before, after) = (self.line(begin), self.line(end));
            let jumps = begin > 0 && self.values[begin] != self.values[end - 1];
            let reach = |other: Option<&f64>| other.map_or(f64::INFINITY, |other| (other - time).abs());
            let reach = reach(begin.checked_sub(1).and_then(|left| self.times.get(left))).min(reach(self.times.get(end)));
            let bends = (after.slope - before.slope).abs() * reach > STRAIGHT * scale;
            if jumps || bends {
                time_events.push(TimeEvent::new(time, jumps));
            }
            begin = end;
        }
        time_events
    }
}

impl Sine {
    /// The sine, or its offset, just after `t`.
    fn part(&self, t: f64) -> Self {
        let has_begun = self.begin.is_none_or(|begin| t >= begin);
        if has_begun { *self } else { Self { amplitude: 0.0, ..*self } }
    }

    fn angle(&self, t: f64) -> f64 {
        TAU * self.frequency * (t - self.begin.unwrap_or(0.0)) + self.phase
    }

    fn at(&self, t: f64) -> f64 {
        self.offset + self.amplitude * self.angle(t).sin()
    }

    fn slope(&self, t: f64) -> f64 {
        self.amplitude * TAU * self.frequency * self.angle(t).cos()
    }

    /// Mean of a sine: `sin(x) / x` times the value in the middle.
    fn mean(&self, from: f64, to: f64) -> f64 {
        let half = 0.5 * TAU * self.frequency * (to - from);
        let share = if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { half.sin() / half };
        self.offset + self.amplitude * share * self.angle(0.5 * (from + to)).sin()
    }

    fn piece(&self, (t, end): (f64, f64), inside: (f64, f64)) -> Piece {
        let (from, to, h) = (self.part(inside.0), self.part(inside.1), end - t);
        let is_broken = from != to;
        let mean = match self.begin {
            Some(begin) if is_broken => (from.mean(t, begin) * (begin - t) + to.mean(begin, end) * (end - begin)) / h,
            _ => from.mean(t, end),
        };
        let (begin_slope, end_slope) = (from.slope(t) * h, to.slope(end) * h);
        Piece { begin: from.at(t), end: to.at(end), mean, slope: 0.5 * (begin_slope + end_slope), begin_slope, is_broken }
    }

    fn time_events(&self) -> Vec<TimeEvent> {
        let jump = self.begin.map(|begin| (begin, self.phase.sin().abs() > STRAIGHT && self.amplitude != 0.0));
        jump.map(|(time, jumps)| TimeEvent::new(time, jumps)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> Waveform {
        Waveform::Points(Points::new([0.0, 1.0, 1.0, 2.0, 3.0, 5.0].into(), vec![0.0, 2.0, 5.0, 4.0, 3.0, 3.0]))
    }

    #[test]
    fn knots_are_jumps_and_kinks_but_no_points_on_a_line() {
        let time_event = TimeEvent::new;
        assert_eq!(points().time_events(), [time_event(0.0, false), time_event(1.0, true), time_event(3.0, false)]);
        let sine = |phase| Waveform::Sine(Sine { amplitude: 2.0, frequency: 1.0, phase, offset: 1.0, begin: Some(0.5) });
        assert_eq!(sine(0.0).time_events(), [time_event(0.5, false)]);
        assert_eq!(sine(1.0).time_events(), [time_event(0.5, true)]);
    }

    #[test]
    fn a_step_that_ends_at_a_jump_has_the_value_before_it_and_the_next_one_that_after_it() {
        for shift in [-1e-14, 0.0, 1e-14] {
            let (before, after) = (points().piece(0.5, 0.5 + shift, 1e-12), points().piece(1.0 + shift, 0.5, 1e-12));
            assert!((before.end - 2.0).abs() < 1e-12 && !before.is_broken, "{before:?}");
            assert!((after.begin - 5.0).abs() < 1e-12 && !after.is_broken, "{after:?}");
        }
        assert_eq!([0.5, 1.0, 2.5, 7.0, -1.0].map(|t| points().after(t, 0.0)), [1.0, 5.0, 3.5, 3.0, 0.0]);
    }

    /// Compared with a sum of many short steps.
    #[test]
    fn means_are_exact_also_across_points() {
        let sine = Waveform::Sine(Sine { amplitude: 2.0, frequency: 0.3, phase: 0.4, offset: 1.0, begin: Some(1.0) });
        for waveform in [points(), sine] {
            for (t, h) in [(0.25, 0.5), (0.5, 3.0), (1.0, 1.0), (-1.0, 7.0), (2.0, 1e-6)] {
                let parts = 200_000;
                let part = h / f64::from(parts);
                let sum: f64 = (0..parts).map(|n| waveform.after(t + (f64::from(n) + 0.5) * part, 0.0)).sum();
                let (mean, found) = (sum / f64::from(parts), waveform.piece(t, h, 1e-12).mean);
                assert!((mean - found).abs() < 1e-4 * h.max(1e-5), "{t} {h}: {mean} {found}");
            }
        }
    }

    #[test]
    fn slopes_are_those_at_the_ends() {
        let sine = Waveform::Sine(Sine { amplitude: 2.0, frequency: 0.3, phase: 0.4, offset: 1.0, begin: None });
        let (t, h, small) = (0.7, 0.2, 1e-6);
        let slope = |t: f64| (sine.after(t + small, 0.0) - sine.after(t - small, 0.0)) / (2.0 * small) * h;
        let piece = sine.piece(t, h, 1e-12);
        assert!((piece.begin_slope - slope(t)).abs() < 1e-8);
        assert!((piece.slope - 0.5 * (slope(t) + slope(t + h))).abs() < 1e-8);
    }
}
