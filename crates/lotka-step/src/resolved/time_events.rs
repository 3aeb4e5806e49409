//! Times that are known before the run.

use std::sync::Arc;

use lotka_plan::{
    source::{Change, TimeEvent},
    time::Resolution,
};

use crate::corner::{Corner, Kind};

/// Points of time that are known before the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownTimes {
    /// Time events within the experiment, in order.
    pub list: Arc<[TimeEvent]>,
    /// Times that differ by no more than this are equal \[s\].
    pub slack: f64,
    /// The shortest period of a source with readers \[s\].
    pub shortest_period: Option<f64>,
    /// Instances that act at known times.
    pub actors: Vec<usize>,
    /// Instances that make steps of their own size, from one of the times in the list to another.
    pub sampled: Vec<Sampling>,
}

/// An instance that is sampled and held: from the start on, its outputs change at the ends of its own steps only, and it gets its
/// inputs there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Its index.
    pub instance: usize,
    /// The size of its steps \[s\].
    pub every: f64,
}

/// Maximum number of times that are treated as events.
pub const MOST_TIMES: f64 = 1e6;

/// Steps around such a time have this share of the distance to the next one, unless that is rounding.
pub const SHARE_OF_DISTANCE: f64 = 1e-9;

/// Smallest tolerance that can be met if instances act with this accuracy.
pub const SMALLEST_TOLERANCE: f64 = 1e-7;

/// Positions at which steps end, relative to the time, in units of such steps. An instance that acts at the end of a step does so
/// in the first of them, with inputs as old as that step. One that acts at the beginning does so in the second. None of them is
/// at the time itself, so that rounding does not matter.
const AROUND: [f64; 3] = [-1.0, 1.0, 2.0];

/// Minimum length of steps, as a multiple of the possible rounding of times. A step of exactly this rounding, divided by whole
/// numbers, would have ends that cannot be distinguished reliably from its own.
const ABOVE_ROUNDING: f64 = 7.3;

/// The length of the step over a jump at a known time, in the same units: it is short, and its middle cannot coincide with its
/// end.
const OVER_JUMP: f64 = 2.3;

/// Returns the time events around the given times, which are `distance` apart \[s\].
pub fn time_events(times: Vec<f64>, distance: f64, span: (f64, f64)) -> impl Iterator<Item = TimeEvent> {
    let step = (SHARE_OF_DISTANCE * distance).max(ABOVE_ROUNDING * Resolution::of(span).slack());
    let around = times.into_iter().flat_map(move |time| AROUND.map(|steps| time + steps * step));
    around.map(|time| TimeEvent { time, change: Change::Sample })
}

/// Returns the times around a jump or kink of a signal of an instance. A jump is passed by a step from before it to after it,
/// with the same distance to both ends.
pub fn time_events_at(corner: &Corner, span: (f64, f64)) -> impl Iterator<Item = TimeEvent> + use<> {
    let half = 0.5 * OVER_JUMP * Resolution::of(span).slack();
    let times = match corner.kind {
        Kind::Jump => vec![corner.time - half, corner.time + half],
        Kind::Kink => vec![corner.time],
    };
    times.into_iter().map(|time| TimeEvent { time, change: Change::Sample })
}

/// Returns the times `offset + k every` from the start to the stop; `None` if there are too many.
#[must_use]
pub fn multiples((every, offset): (f64, f64), (start, stop): (f64, f64)) -> Option<Vec<f64>> {
    let (first, last) = (((start - offset) / every).ceil(), ((stop - offset) / every).floor());
    let count = (last - first).max(0.0);
    (count <= MOST_TIMES).then(|| (0..=count as u32).map(|number| offset + (first + f64::from(number)) * every).collect())
}
