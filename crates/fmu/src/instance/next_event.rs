//! The time of the next event of an instance.

/// Times that differ by this many units in the last place are equal.
const ULPS: f64 = 4.0;

/// The time of the next event that must be handled in event mode: no step goes past it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NextEvent {
    /// Infinite without one \[s\].
    pub(crate) time: f64,
    /// A step that ends here or later reaches it, up to rounding \[s\].
    pub(crate) from: f64,
}

impl NextEvent {
    /// None is known.
    pub(crate) const UNKNOWN: Self = Self { time: f64::INFINITY, from: f64::INFINITY };

    pub(crate) fn at(time: f64) -> Self {
        if !time.is_finite() {
            return Self::UNKNOWN;
        }
        Self { time, from: time - ULPS * (time.abs().next_up() - time.abs()) }
    }

    /// The end of a step that was to end at `end` \[s\]: at the event, if the step reaches it.
    pub(crate) fn end(self, end: f64) -> f64 {
        let is_there = (end - self.time).abs() <= self.time - self.from;
        if is_there { end.max(self.time) } else { end.min(self.time) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_ends_at_an_event_or_just_past_it() {
        let event = NextEvent::at(0.3);
        assert_eq!([0.2, 0.3, 0.4, 0.3f64.next_down(), 0.1 + 0.2].map(|end| event.end(end)), [0.2, 0.3, 0.3, 0.3, 0.1 + 0.2]);
        assert!(0.3f64.next_down() >= event.from && 0.29 < event.from);
        assert_eq!(NextEvent::UNKNOWN.end(1e300), 1e300);
        assert_eq!(NextEvent::at(f64::INFINITY), NextEvent::UNKNOWN);
    }
}
