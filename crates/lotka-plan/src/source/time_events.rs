//! Times known before the run at which something is not smooth.

/// A point at which a step must end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEvent {
    /// Its time \[s\].
    pub time: f64,
    /// The change there.
    pub change: Change,
}

/// The change at a [`TimeEvent`], in ascending order of severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Slopes of sources.
    Slope,
    /// The behavior of an instance: its outputs may jump there, or in the following step.
    Sample,
    /// Values of sources, and overrides.
    Value,
}

impl TimeEvent {
    /// Creates a time event at which values jump, or only slopes.
    #[must_use]
    pub fn new(time: f64, jumps: bool) -> Self {
        Self { time, change: if jumps { Change::Value } else { Change::Slope } }
    }

    /// Whether values jump there.
    #[must_use]
    pub fn jumps(&self) -> bool {
        self.change == Change::Value
    }
}

/// Returns the time events between `start` and `stop`, in order; those no more than `slack` \[s\] apart are merged.
#[must_use]
pub fn merged(mut time_events: Vec<TimeEvent>, (start, stop): (f64, f64), slack: f64) -> Vec<TimeEvent> {
    time_events.retain(|time_event| time_event.time > start + slack && time_event.time < stop - slack);
    time_events.sort_by(|a, b| a.time.total_cmp(&b.time));
    time_events.dedup_by(|next, kept| {
        let is_same = next.time - kept.time <= slack;
        if is_same {
            kept.change = kept.change.max(next.change);
        }
        is_same
    });
    time_events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_at_the_same_time_are_one_and_those_at_the_ends_are_none() {
        let time_event = TimeEvent::new;
        let time_events = vec![
            time_event(2.0, false),
            time_event(1.0, true),
            time_event(2.0 + 1e-13, true),
            time_event(0.0, true),
            time_event(3.0, true),
        ];
        assert_eq!(merged(time_events, (0.0, 3.0), 1e-12), [time_event(1.0, true), time_event(2.0, true)]);
    }
}
