//! Levels that are checked at events: whether they are still where they were found.

use lotka_step::{
    Error,
    algorithm::{Coupled, Signals},
    resolved::{Events, IndicatorLevel},
};

use super::{Found, Switch, Threshold, look};

/// An output is at a level if it is within this share of its change when the level was found.
const CROSSED: f64 = 1e-6;

/// Search range for another level beside a declared one, as a multiple of the change of the output in a step, and the maximum
/// number of failed searches.
const AHEAD: f64 = 4.0;
const IN_VAIN: u32 = 2;

/// A level that is checked at its events.
#[derive(Debug, Clone)]
pub struct WatchedLevel {
    switch: Switch,
    /// Number of failed checks since the last success; `None` for switches found by trial steps.
    in_vain: Option<u32>,
}

/// The levels that are checked at events: those found by trial steps and, in a coarse run, those of events that the user
/// declares, if an instance reads the output. Instances are tried in steps of size `h` \[s\].
#[must_use]
pub fn watched(coupled: &Coupled, found: &[Switch], events: &Events, (h, is_coarse): (f64, bool)) -> Vec<WatchedLevel> {
    let movable = found.iter().filter(|switch| !switch.is_fixed);
    let mut watched: Vec<_> = movable.map(|switch| WatchedLevel { switch: switch.clone(), in_vain: None }).collect();
    let plan = &coupled.plan;
    for indicator in events.indicators.iter().filter(|_| is_coarse) {
        let IndicatorLevel::Value(level) = indicator.level else { continue };
        let source = (indicator.instance, indicator.reference);
        let instance_plan = &plan.instances[source.0];
        let Some(place) = instance_plan.output_references.iter().position(|other| *other == source.1) else { continue };
        let signal = instance_plan.outputs.start + place;
        let is_found = |switch: &Switch| switch.source == source && switch.is_at(level);
        if found.iter().any(is_found) {
            continue;
        }
        for reader in (0..plan.n_stepping).filter(|reader| *reader != source.0) {
            let gathers = plan.gathers[plan.instances[reader].gathers.clone()].iter().enumerate();
            let follows = gathers.filter_map(|(input, gather)| match plan.terms[gather.terms.clone()] {
                [term] if term.signal == signal => Some(Threshold { input, value: gather.offset + term.factor * level }),
                _ => None,
            });
            let switch = |threshold| Switch { source, signal, level, reader, threshold, range: 0.0, h, is_fixed: false };
            watched.extend(follows.map(|threshold| WatchedLevel { switch: switch(threshold), in_vain: Some(0) }));
        }
    }
    watched.retain(|watched| coupled.instances[watched.switch.reader].inner.capabilities().save_state);
    watched
}

impl WatchedLevel {
    /// Checks at an event at `end`, at which a step of size `h` ends, whether the level is where it was found; `begin` are the
    /// values before that step. Returns another level, at which no step ends anyway, if one is found.
    ///
    /// # Errors
    /// A call to an instance fails.
    pub fn check(
        &mut self,
        coupled: &mut Coupled,
        (begin, h): (&Signals, f64),
        (end, stop): (f64, f64),
        declared: Option<&Events>,
    ) -> Result<Option<Box<Switch>>, Box<Error>> {
        if !self.is_due(begin, &coupled.newest, h) {
            return Ok(None);
        }
        let switch = &self.switch;
        let found = look(coupled, switch, (end, stop)).map_err(|error| Box::new(Error::Call(error)))?;
        if let Some(count) = &mut self.in_vain {
            *count = if matches!(found, Found::Nowhere) { *count + 1 } else { 0 };
        }
        let Found::Elsewhere(threshold) = found else { return Ok(None) };
        let other = Switch::new(coupled, switch.reader, threshold, (switch.range, switch.h));
        Ok(other.filter(|other| !other.is_among(declared)).map(Box::new))
    }

    /// Prepares a declared level for a check, given the values at the beginning of the step that ends at the event. Returns true
    /// if it is due.
    fn is_due(&mut self, begin: &Signals, end: &Signals, h: f64) -> bool {
        let switch = &mut self.switch;
        let (before, now) = (begin.reals[switch.signal], end.reals[switch.signal]);
        if self.in_vain.is_some() && h > 0.0 {
            switch.range = AHEAD * (now - before).abs() * (switch.h / h).max(1.0);
        }
        (now - switch.level).abs() <= CROSSED * switch.range && self.in_vain.is_none_or(|count| count < IN_VAIN)
    }
}
