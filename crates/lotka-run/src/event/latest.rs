//! Events of one cause that follow each other at once.

/// This number of simultaneous events of one cause is no behavior of a system, but a reaction that reverses itself.
const CHATTER: u32 = 10;

/// The latest events of one cause.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Latest {
    time: Option<f64>,
    at_once: u32,
}

impl Latest {
    /// Adds an event; returns the number of simultaneous ones if that is chatter.
    pub(super) fn add(&mut self, time: f64, at_once: f64) -> Result<(), u32> {
        let is_at_once = self.time.is_some_and(|last| time - last <= at_once);
        self.at_once = if is_at_once { self.at_once + 1 } else { 1 };
        self.time = Some(time);
        if self.at_once < CHATTER { Ok(()) } else { Err(self.at_once) }
    }
}
