//! Points of time at which something that is known before the run is not smooth.

/// A point at which a step must end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeEvent {
    /// When \[s\].
    pub time: f64,
    /// What changes there.
    pub change: Change,
}

/// What changes at a [`TimeEvent`], from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Slopes of sources.
    Slope,
    /// What an instance does: its outputs may jump there, or in the step that follows.
    Sample,
    /// Values of sources, and what is overridden.
    Value,
}

impl TimeEvent {
    /// Values jump there, or slopes do.
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

/// The time events between `start` and `stop`, in order; those that are not farther apart than `slack` \[s\] are one.
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
