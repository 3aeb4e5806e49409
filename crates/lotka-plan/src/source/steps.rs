//! Values that are held from one time to the next.

use std::sync::Arc;

use super::TimeEvent;

/// A piecewise constant value, given at several times.
#[derive(Debug, Clone, PartialEq)]
pub struct Steps<T> {
    times: Arc<[f64]>,
    values: Box<[T]>,
}

impl<T: PartialEq> Steps<T> {
    /// Creates the value. `times` \[s\] do not decrease; there is at least one, and a value for each. Of several values at the
    /// same time the last one counts.
    #[must_use]
    pub fn new(times: Arc<[f64]>, values: Vec<T>) -> Self {
        Self { times, values: values.into() }
    }

    /// Returns the value just after `t`; before the first time, the first value.
    #[must_use]
    pub fn after(&self, t: f64) -> &T {
        &self.values[self.times.partition_point(|time| *time <= t).saturating_sub(1)]
    }

    /// The values.
    pub(super) fn values(&self) -> &[T] {
        &self.values
    }

    /// The times at which the value changes.
    pub(super) fn time_events(&self) -> Vec<TimeEvent> {
        let mut time_events = Vec::new();
        let (mut held, mut index) = (0, 0);
        while index < self.times.len() {
            let last = self.times.partition_point(|time| *time <= self.times[index]) - 1;
            if index > 0 && self.values[last] != self.values[held] {
                time_events.push(TimeEvent::new(self.times[index], true));
            }
            (held, index) = (last, last + 1);
        }
        time_events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_and_the_last_of_one_time_counts() {
        let steps = Steps::new([0.0, 1.0, 1.0, 2.0, 3.0, 3.0].into(), vec![1, 2, 3, 3, 4, 3]);
        let at = |t| *steps.after(t);
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.5, 3.0, 9.0].map(at), [1, 1, 1, 3, 3, 3, 3]);
        assert_eq!(steps.time_events(), [TimeEvent::new(1.0, true)]);
    }
}
