//! The history of step sizes and error estimates.

use super::{Event, Observer};
use crate::error_control::Estimates;

/// Keeps time, size and estimates of every accepted step.
#[derive(Debug, Clone, Default)]
pub struct StepSizes {
    /// Time at the end of each step \[s\].
    pub time: Vec<f64>,
    /// Size of each step \[s\].
    pub step: Vec<f64>,
    /// Error estimates of each step, in units of the tolerance; empty without error control.
    pub estimates: Vec<Estimates>,
}

impl StepSizes {
    /// An empty history.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Observer for StepSizes {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { .. } => *self = Self::default(),
            Event::StepAccepted { time, step, estimates } => {
                self.time.push(*time);
                self.step.push(*step);
                self.estimates.extend(*estimates);
            }
            _ => {}
        }
    }
}
