//! Points of time at which something that is known before the run is not smooth.

/// A point at which a step must end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knot {
    /// When \[s\].
    pub time: f64,
    /// What changes there.
    pub change: Change,
}

/// What changes at a [`Knot`], from the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Slopes of sources.
    Slope,
    /// What an instance does: its outputs may jump there, or in the step that follows.
    Sample,
    /// Values of sources, and what is overridden.
    Value,
}

impl Knot {
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

/// The knots between `start` and `stop`, in order; those that are not farther apart than `slack` \[s\] are one.
#[must_use]
pub fn merged(mut knots: Vec<Knot>, (start, stop): (f64, f64), slack: f64) -> Vec<Knot> {
    knots.retain(|knot| knot.time > start + slack && knot.time < stop - slack);
    knots.sort_by(|a, b| a.time.total_cmp(&b.time));
    knots.dedup_by(|next, kept| {
        let is_same = next.time - kept.time <= slack;
        if is_same {
            kept.change = kept.change.max(next.change);
        }
        is_same
    });
    knots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_at_the_same_time_are_one_and_those_at_the_ends_are_none() {
        let knot = Knot::new;
        let knots = vec![knot(2.0, false), knot(1.0, true), knot(2.0 + 1e-13, true), knot(0.0, true), knot(3.0, true)];
        assert_eq!(merged(knots, (0.0, 3.0), 1e-12), [knot(1.0, true), knot(2.0, true)]);
    }
}
