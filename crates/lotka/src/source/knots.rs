//! Points of time at which something that is known before the run is not smooth.

/// A point at which a step must end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    /// When \[s\].
    pub(crate) time: f64,
    /// Values jump there; otherwise only their slopes do.
    pub(crate) jumps: bool,
}

/// The knots between `start` and `stop`, in order; those that are not farther apart than `slack` \[s\] are one.
pub(crate) fn merged(mut knots: Vec<Knot>, (start, stop): (f64, f64), slack: f64) -> Vec<Knot> {
    knots.retain(|knot| knot.time > start + slack && knot.time < stop - slack);
    knots.sort_by(|a, b| a.time.total_cmp(&b.time));
    knots.dedup_by(|next, kept| {
        let is_same = next.time - kept.time <= slack;
        kept.jumps |= is_same && next.jumps;
        is_same
    });
    knots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_at_the_same_time_are_one_and_those_at_the_ends_are_none() {
        let knot = |time, jumps| Knot { time, jumps };
        let knots = vec![knot(2.0, false), knot(1.0, true), knot(2.0 + 1e-13, true), knot(0.0, true), knot(3.0, true)];
        assert_eq!(merged(knots, (0.0, 3.0), 1e-12), [knot(1.0, true), knot(2.0, true)]);
    }
}
