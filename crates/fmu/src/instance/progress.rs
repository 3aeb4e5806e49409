//! The progress of an instance.

use lotka_instance::Phase;

use super::NextEvent;

/// The progress of the instance; saved and restored together with the state of the FMU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    pub(crate) phase: Phase,
    /// Whether `setup_experiment` was called, so that there is a communication point.
    pub(crate) is_set_up: bool,
    /// Communication point \[s\].
    pub(crate) time: f64,
    /// The next event that is handled in event mode.
    pub(crate) next_event: NextEvent,
    /// Whether it requested the end of the simulation when it updated its discrete states.
    pub(crate) requests_end: bool,
}

impl Progress {
    pub(crate) const START: Self =
        Self { phase: Phase::Instantiated, is_set_up: false, time: 0.0, next_event: NextEvent::UNKNOWN, requests_end: false };

    /// Communication point \[s\]; `None` before the experiment is set up.
    pub(super) fn time(&self) -> Option<f64> {
        self.is_set_up.then_some(self.time)
    }
}
