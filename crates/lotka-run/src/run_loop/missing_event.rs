//! Events that an instance in event mode announces, and then does not report.
//!
//! An instance stops inside a step before an event. The step is repeated and ends at the time of the event, and there, or just
//! after it, the instance should report the event. With the inputs of the shorter step, the event may also have moved to a
//! slightly later time. If no step reports it, the instance has passed its event without a reaction, and its values are wrong
//! from there on.

/// An event counts as lost when it is not reported within so many sizes of the step in which it was announced.
const WITHIN: f64 = 2.0;

/// An event that was announced, and has not been reported yet.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(super) struct MissingEvent {
    pub(super) instance: usize,
    /// The announced time \[s\].
    pub(super) time: f64,
    /// When it is lost \[s\].
    until: f64,
}

impl MissingEvent {
    /// An event that was announced for this time in a step of size `h` \[s\].
    pub(super) fn new(instance: usize, time: f64, h: f64) -> Self {
        Self { instance, time, until: time + WITHIN * h }
    }

    /// Whether it is lost where a step without it ends at this time \[s\], which may be the last step.
    pub(super) fn is_lost(&self, end: f64, is_last: bool) -> bool {
        end >= self.until || is_last && end > self.time
    }
}
