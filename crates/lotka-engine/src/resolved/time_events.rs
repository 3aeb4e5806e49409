//! Times that are known before the run.

use crate::{
    error_control::global::corner::{Corner, Kind},
    source::{Change, TimeEvent},
};

/// Times that differ by less than this share of the largest one are the same.
pub const SLACK: f64 = 1e-13;

/// Points of time that are known before the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownTimes {
    /// Inside the experiment, in order.
    pub list: Vec<TimeEvent>,
    /// Times that are not farther apart are the same \[s\].
    pub slack: f64,
    /// The shortest period of a source that somebody reads \[s\].
    pub shortest_period: Option<f64>,
    /// Instances that act at known times.
    pub actors: Vec<usize>,
}

/// More times than that are no events.
pub const MOST_TIMES: f64 = 1e6;

/// Steps around such a time are this share of the distance to the next one, but no rounding.
pub const SHARE_OF_DISTANCE: f64 = 1e-9;

/// Smaller tolerances are not kept where instances act so inexactly.
pub const SMALLEST_TOLERANCE: f64 = 1e-7;

/// Steps end there, in such steps from the time: an instance that acts at the end of a step does so in the first of them, with inputs that are as
/// old as that step; one that acts at the beginning, in the second. None of them is at the time itself, so that rounding is no matter.
const AROUND: [f64; 3] = [-1.0, 1.0, 2.0];

/// Steps are this multiple of what rounding of times may be at least; one that is exactly as long, divided by whole numbers, would have ends of which it is
/// not certain whether they are the same as its own.
const ABOVE_ROUNDING: f64 = 7.3;

/// The step over a jump whose time is known, likewise: the sooner it is over, the better, and the middle is known not to be its end.
const OVER_JUMP: f64 = 2.3;

/// The time events around times that are so far apart \[s\].
pub fn time_events(times: Vec<f64>, distance: f64, (start, stop): (f64, f64)) -> impl Iterator<Item = TimeEvent> {
    let step = (SHARE_OF_DISTANCE * distance).max(ABOVE_ROUNDING * SLACK * start.abs().max(stop.abs()));
    let around = times.into_iter().flat_map(move |time| AROUND.map(|steps| time + steps * step));
    around.map(|time| TimeEvent { time, change: Change::Sample })
}

/// KnownTimes where a signal of an instance jumps or bends: a jump is a step from before it to after it, and as far from both.
pub fn time_events_at(corner: &Corner, (start, stop): (f64, f64)) -> impl Iterator<Item = TimeEvent> + use<> {
    let half = 0.5 * OVER_JUMP * SLACK * start.abs().max(stop.abs());
    let times = match corner.kind {
        Kind::Jump => vec![corner.time - half, corner.time + half],
        Kind::Kink => vec![corner.time],
    };
    times.into_iter().map(|time| TimeEvent { time, change: Change::Sample })
}

/// The times `offset + k every` from the start to the stop; `None` if there are too many.
#[must_use]
pub fn multiples((every, offset): (f64, f64), (start, stop): (f64, f64)) -> Option<Vec<f64>> {
    let (first, last) = (((start - offset) / every).ceil(), ((stop - offset) / every).floor());
    let count = (last - first).max(0.0);
    (count <= MOST_TIMES).then(|| (0..=count as u32).map(|number| offset + (first + f64::from(number)) * every).collect())
}
