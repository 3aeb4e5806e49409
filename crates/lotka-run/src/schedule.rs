//! Times known before the run at which steps end.

use std::sync::Arc;

use lotka_plan::source::{Change, TimeEvent};

use super::{shared_system::SharedSystem, stepping::Proposal};

/// A step with more kinks inside passes over them. Input signals have their exact means there, which preserves order 2, and
/// stopping at each would cost more than it gains. All other time events always end a step.
const MOST_KINKS: usize = 3;

/// The remaining time events.
#[derive(Clone)]
pub(crate) struct Schedule {
    time_events: Arc<[TimeEvent]>,
    next: usize,
    /// Times that differ by no more than this are equal \[s\].
    slack: f64,
    /// Whether steps may end at kinks: all instances must accept steps of any size.
    stops_at_kinks: bool,
    /// Where a step must end, with a row, because a session pauses there \[s\].
    landing: Option<f64>,
    /// The earliest time at which an instance has announced an event, which is handled in event mode \[s\]; infinite if none has.
    announced: f64,
}

impl Schedule {
    /// The time events of a system.
    pub(crate) fn of(system: &SharedSystem) -> Self {
        let time_events = &system.resolved.time_events;
        Self::new(time_events.list.clone(), time_events.slack, !system.same_size)
    }

    fn new(time_events: Arc<[TimeEvent]>, slack: f64, stops_at_kinks: bool) -> Self {
        Self { time_events, next: 0, slack, stops_at_kinks, landing: None, announced: f64::INFINITY }
    }

    /// Sets where a step must end, with a row.
    pub(crate) fn land_at(&mut self, landing: Option<f64>) {
        self.landing = landing;
    }

    /// Sets the earliest time at which an instance has announced an event \[s\]; infinite if none has.
    pub(crate) fn announce(&mut self, time: f64) {
        self.announced = time;
    }

    /// The step that replaces the proposed one from `t`: it ends at the next time event if that comes first.
    #[inline]
    pub(crate) fn cut(&self, t: f64, proposal: Proposal) -> Proposal {
        let proposal = match self.time_events.get(self.next) {
            Some(time_event) if time_event.time <= proposal.end + self.slack => self.cut_at_time_event(t, proposal),
            _ => proposal,
        };
        let proposal = match self.landing {
            Some(landing) if landing <= proposal.end + self.slack => self.cut_at(t, proposal, (landing, true)),
            _ => proposal,
        };
        // An instance may act at the present time too, which takes no step.
        if self.announced > t && self.announced <= proposal.end {
            self.cut_at(t, proposal, (self.announced, false))
        } else {
            proposal
        }
    }

    /// Ends a step at this time, unless it does anyhow up to rounding.
    fn cut_at(&self, t: f64, proposal: Proposal, (end, jumps): (f64, bool)) -> Proposal {
        if (end - proposal.end).abs() <= self.slack {
            return Proposal { jumps: jumps | proposal.jumps, ..proposal };
        }
        Proposal { h: end - t, end, row: false, last: false, lands: false, is_event: false, jumps, ends_base: false }
    }

    fn cut_at_time_event(&self, t: f64, proposal: Proposal) -> Proposal {
        let inside =
            || self.time_events[self.next..].iter().take_while(|time_event| time_event.time <= proposal.end + self.slack);
        let is_smooth =
            !self.stops_at_kinks || inside().take_while(|time_event| time_event.change == Change::Slope).count() > MOST_KINKS;
        let Some(time_event) = inside().find(|time_event| time_event.change > Change::Slope || !is_smooth) else {
            return proposal;
        };
        self.cut_at(t, proposal, (time_event.time, time_event.jumps()))
    }

    /// The latest time that counts as equal to `time` \[s\].
    pub(crate) fn latest(&self, time: f64) -> f64 {
        time + self.slack
    }

    /// Advances the communication point to `time` and returns the time events there, if there are any.
    #[inline]
    pub(crate) fn pass(&mut self, time: f64) -> Option<Passed> {
        let mut passed = None;
        while let Some(time_event) = self.time_events.get(self.next).filter(|time_event| time_event.time <= time + self.slack) {
            let before = passed.unwrap_or(Passed { jump: None, samples: false });
            passed = Some(Passed {
                jump: if time_event.jumps() { Some(time_event.time) } else { before.jump },
                samples: before.samples || time_event.change == Change::Sample,
            });
            self.next += 1;
        }
        passed
    }
}

/// Time events at which a step ended or that it passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passed {
    /// The last jump among them \[s\].
    pub(crate) jump: Option<f64>,
    /// Whether an instance acts at one of them.
    pub(crate) samples: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(end: f64) -> Proposal {
        Proposal { h: end, end, row: true, last: false, lands: true, is_event: false, jumps: false, ends_base: false }
    }

    fn time_events(kinks: &[f64], jumps: &[f64]) -> Vec<TimeEvent> {
        let time_event = |jumps| move |&time: &f64| TimeEvent::new(time, jumps);
        let mut time_events: Vec<_> = kinks.iter().map(time_event(false)).chain(jumps.iter().map(time_event(true))).collect();
        time_events.sort_by(|a, b| a.time.total_cmp(&b.time));
        time_events
    }

    #[test]
    fn steps_end_at_knots_but_go_across_many_kinks() {
        let time_events = time_events(&[0.25, 1.1, 1.2, 1.3, 1.4], &[0.5, 1.5]);
        let mut schedule = Schedule::new(time_events.into(), 1e-12, true);
        let end = |schedule: &Schedule, t, end| schedule.cut(t, proposal(end)).end;
        assert_eq!(end(&schedule, 0.0, 0.2), 0.2);
        assert_eq!(end(&schedule, 0.0, 1.0), 0.25);
        assert_eq!(schedule.pass(0.2), None);
        assert_eq!(schedule.pass(0.25), Some(Passed { jump: None, samples: false }));
        assert_eq!(end(&schedule, 0.25, 1.0), 0.5);
        assert_eq!(schedule.pass(0.5), Some(Passed { jump: Some(0.5), samples: false }));
        assert_eq!(end(&schedule, 0.5, 1.35), 1.1);
        assert_eq!(end(&schedule, 0.5, 1.45), 1.45);
        assert_eq!(end(&schedule, 0.5, 2.0), 1.5);
    }

    #[test]
    fn a_step_that_ends_at_a_knot_up_to_rounding_stays_as_it_is() {
        let time_events = time_events(&[], &[0.3]);
        let schedule = Schedule::new(time_events.into(), 1e-12, true);
        assert_eq!(schedule.cut(0.0, proposal(0.1 + 0.2)), Proposal { jumps: true, ..proposal(0.1 + 0.2) });
    }

    #[test]
    fn kinks_do_not_cut_where_instances_take_one_step_size() {
        let time_events = time_events(&[0.25], &[]);
        assert_eq!(Schedule::new(time_events.into(), 1e-12, false).cut(0.0, proposal(1.0)), proposal(1.0));
    }
}
