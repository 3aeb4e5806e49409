//! Expected times of events in the runs.

use lotka_prepare::mesh::Base;
use lotka_run::event::just_after;

use super::runs::{Finished, Runs};
use crate::global::{ErrorExpansion, Expected};

/// Maximum deviation of an event from its expected time, as a share of a step, and maximum number of repetitions of a run with
/// larger deviations.
const PUNCTUAL: f64 = 0.01;
const REPETITIONS: u32 = 2;

impl Runs<'_> {
    /// Whether steps end at events, whose times then are results, too.
    pub(super) fn has_events(&self) -> bool {
        self.system.resolved.events.is_some()
    }

    /// The user's tolerance for events, if there is one and steps end at events \[s\].
    pub(super) fn event_tolerance(&self) -> Option<f64> {
        self.system.resolved.events.as_ref().and_then(|events| events.tolerance)
    }

    /// Starts with runs whose errors have these powers.
    pub(super) fn expect_powers(&mut self, expansion: ErrorExpansion) {
        self.expected = Expected::new(expansion);
    }

    /// Expected times of events in a run, or just after them \[s\].
    pub(super) fn expected_events(&self, subdivisions: u32) -> Vec<f64> {
        let tolerance = self.event_tolerance();
        self.expected.times(subdivisions).into_iter().map(|time| just_after(tolerance, time)).collect()
    }

    /// Records the events of a run. Returns true if they came so early or late that the run must be repeated. Steps that do not
    /// divide the time up to an event equally have errors without an order.
    pub(super) fn expect(&mut self, base: &Base, finished: &Finished) -> bool {
        let (run, rows) = (&finished.run, &finished.rows);
        let times: Vec<f64> = rows.events().into_iter().map(|row| run.times[row]).collect();
        let slack = PUNCTUAL * base.distance() / f64::from(run.subdivisions);
        let known = self.known.get(&run.id).map_or(&[][..], Vec::as_slice);
        let is_off = known.len() != times.len() || known.iter().zip(&times).any(|(known, time)| (known - time).abs() > slack);
        let repeats = is_off && !times.is_empty() && self.n_repeated < REPETITIONS;
        self.n_repeated = if repeats { self.n_repeated + 1 } else { 0 };
        self.expected.add(run.subdivisions, times);
        repeats
    }
}
