//! The response of an instance to a small change of its inputs. Where it changes abruptly, an output has a kink.

use super::latest::Latest;

/// A response that is followed from step to step.
pub(crate) struct WatchedResponse {
    /// Description.
    pub(super) what: String,
    /// Changes of the outputs above which a response is another one.
    least: Vec<f64>,
    /// The response at the beginning of the step and the last one that was seen; `None` if it is unknown.
    begin: Option<Vec<f64>>,
    now: Option<Vec<f64>>,
    pub(super) latest: Latest,
}

impl WatchedResponse {
    /// Creates the response of the instance `name`.
    pub(crate) fn new(name: &str, least: Vec<f64>) -> Self {
        Self { what: format!("`{name}` has a kink"), least, begin: None, now: None, latest: Latest::default() }
    }

    /// The response at the beginning of the step, if it is known.
    pub(crate) fn begin(&self) -> Option<&[f64]> {
        self.begin.as_deref()
    }

    /// Takes the response at the end of a step.
    pub(crate) fn see(&mut self, now: Option<Vec<f64>>) {
        self.now = now;
    }

    /// Handles the acceptance of the step.
    pub(super) fn follow(&mut self) {
        if self.now.is_some() {
            self.begin.clone_from(&self.now);
        }
    }

    /// Whether it has changed during the step.
    pub(super) fn has_changed(&self) -> bool {
        let (Some(begin), Some(now)) = (&self.begin, &self.now) else { return false };
        begin.iter().zip(now).zip(&self.least).any(|((begin, now), least)| (now - begin).abs() > *least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_can_change() {
        let mut response = WatchedResponse::new("a", vec![0.1]);
        let mut sees = |now: Option<f64>| {
            response.see(now.map(|now| vec![now]));
            let has_changed = response.has_changed();
            response.follow();
            has_changed
        };
        assert_eq!(
            [Some(1.0), Some(1.05), Some(2.0), None, Some(2.0), Some(1.0)].map(&mut sees),
            [false, false, true, false, false, true]
        );
    }
}
