//! The events watched in a run.

use lotka_plan::{graph::Plan, time::ulp};
use lotka_step::{
    algorithm::{Coupled, Signals},
    checkpoint::{Persistent, Transfer, Transferred},
    resolved,
};

use super::{
    Bracket, excursion::LastValues, indicator::Indicator, latest::Latest, response::WatchedResponse, watched::WatchedIndicator,
};

/// Default accuracy of event localization \[s\].
pub const TOLERANCE: f64 = 1e-12;

/// The same in units in the last place of the time.
const ULPS: f64 = 4.0;

/// Events of one cause are simultaneous if they are within this multiple of the finest tolerance, or of the given one.
const AT_ONCE: (f64, f64) = (1000.0, 3.0);

/// Values that change this many times as fast as in the step so far have jumped, unless the change, relative to them, is
/// rounding.
const SUDDEN: f64 = 1000.0;
const ROUNDING: f64 = 1e-9;

/// An instance that discards even the steps that it reported as possible is no longer trusted after this number.
pub const MOST_SHORTER_STEPS: u32 = 10;

/// The events of a run.
pub struct Events {
    watched: Vec<WatchedIndicator>,
    /// Responses of instances, at whose changes steps end.
    pub(crate) responses: Vec<WatchedResponse>,
    /// Instances that discarded a step or returned early, with their latest events.
    discarding: Vec<(usize, Latest)>,
    tolerance: Option<f64>,
    /// Steps must be multiples of it \[s\], because of internal steps of fixed size.
    unit: Option<f64>,
    /// Whether a slope that cannot be read is estimated from the values so far.
    estimates_slopes: bool,
    /// Values just before the present event.
    pub(crate) before: Signals,
    /// Places where indicators reversed near their levels, in order of time; and the one in the present step.
    pub(crate) grazings: Vec<Grazing>,
    grazing: usize,
    /// The event at the end of a step, which is reported after the next one.
    pending: Option<Pending>,
    /// Number of steps discarded from this communication point.
    discards: u32,
}

/// An event that is not yet reported: its description, and the number of repetitions of its cause, if that is chatter.
pub struct Pending {
    pub(crate) what: String,
    pub(crate) result: Result<(), u32>,
}

/// The reason why a step ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Cause {
    /// Indicators changed their side.
    Crossing,
    /// An instance discarded a longer step.
    Discard {
        /// Its index.
        instance: usize,
    },
    /// An instance returned early.
    EarlyReturn {
        /// Its index.
        instance: usize,
    },
    /// An instance stopped for an event that is handled in event mode.
    EventMode {
        /// Its index.
        instance: usize,
    },
}

/// The observations at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    /// No event.
    Nothing,
    /// An indicator is past its level.
    Crossing,
    /// An indicator was temporarily on the other side, around this time after the beginning \[s\].
    Excursion(f64),
    /// An indicator reversed near its level, or past it, around this time after the beginning \[s\].
    Grazing(f64),
}

/// A place where an indicator reversed near its level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grazing {
    /// The signal of the indicator.
    pub signal: usize,
    /// Time \[s\].
    pub time: f64,
    /// Distance from the level, in units of the signal.
    pub distance: f64,
}

impl Events {
    /// Creates the events. With `estimates_slopes`, excursions inside steps are sought even if FMUs provide no slopes, and even
    /// if they are tiny.
    pub(crate) fn new(settings: &resolved::Events, coupled: &Coupled, unit: Option<f64>, estimates_slopes: bool) -> Self {
        let plan = &coupled.plan;
        let watched = settings.indicators.iter().map(|indicator| WatchedIndicator::new(indicator, coupled)).collect();
        let discarding = settings.discards.iter().map(|&instance| (instance, Latest::default())).collect();
        Self {
            watched,
            responses: Vec::new(),
            discarding,
            tolerance: settings.tolerance,
            unit,
            estimates_slopes,
            before: Signals::new(plan),
            grazings: Vec::new(),
            grazing: 0,
            pending: None,
            discards: 0,
        }
    }

    /// Follows the indicators after initialization, or after an accepted step of size `h` \[s\]: crossings count from here.
    pub(crate) fn follow(&mut self, signals: &Signals, h: f64) {
        self.discards = 0;
        self.responses.iter_mut().for_each(WatchedResponse::follow);
        for watched in &mut self.watched {
            watched.indicator.follow(&signals.reals);
            if self.estimates_slopes && watched.slope.is_none() {
                let value = watched.indicator.value(&signals.reals);
                watched.last_values = LastValues { last: value, before: watched.last_values.last, distance: h };
            }
            if let Some(slope) = &mut watched.slope {
                slope.begin = slope.end;
            }
        }
    }

    /// Handles a step discarded with a time up to which it could be made, or ended there early; returns true if that step may be
    /// tried.
    pub(crate) fn may_shorten(&mut self) -> bool {
        self.discards += 1;
        self.discards <= MOST_SHORTER_STEPS
    }

    /// Reads the slopes of indicators from FMUs that provide them.
    pub(crate) fn read_slopes(&mut self, coupled: &mut Coupled) -> lotka_instance::CallResult<()> {
        for slope in self.watched.iter_mut().filter_map(|watched| watched.slope.as_mut()) {
            let instance = &mut coupled.instances[slope.instance].inner;
            instance.get_output_derivatives(&[slope.reference], &[1], std::slice::from_mut(&mut slope.end))?;
            if !slope.end.is_finite() {
                coupled.slope_faults.add(slope.signal, coupled.plan.signal_names.len());
            }
            if coupled.slope_faults.has(slope.signal) {
                slope.end = f64::NAN;
            }
        }
        Ok(())
    }

    /// Whether [`Events::look`] has something to find: an indicator is not before its level, or its slopes tell more.
    #[inline]
    pub(crate) fn may_have_happened(&self, end: &Signals) -> bool {
        let is_before = |watched: &WatchedIndicator| {
            watched.slope.is_none() && watched.indicator.crossing(&end.reals).is_none_or(|value| value < 0.0)
        };
        !self.responses.is_empty() || !self.watched.iter().all(|watched| !self.estimates_slopes && is_before(watched))
    }

    /// Examines the end of a step of size `h`; `begin` are the values at its beginning.
    pub(crate) fn look(&mut self, begin: &Signals, end: &Signals, h: f64) -> Seen {
        if self.side(begin, end) > 0.0 {
            return Seen::Crossing;
        }
        let estimates = self.estimates_slopes;
        let excursions = self.watched.iter().enumerate();
        let excursions = excursions.filter_map(|(index, watched)| Some((index, watched.excursion(begin, end, h, estimates)?)));
        let Some((first, share)) = excursions.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Seen::Nothing };
        self.grazing = first;
        if estimates { Seen::Grazing(share * h) } else { Seen::Excursion(share * h) }
    }

    /// Records a step that ended where an indicator reverses.
    pub(crate) fn record_grazing(&mut self, time: f64, signals: &Signals) {
        let Some(watched) = self.watched.get(self.grazing) else { return };
        let distance = watched.indicator.value(&signals.reals).abs();
        self.grazings.push(Grazing { signal: watched.indicator.signal(), time, distance });
    }

    /// The largest of all indicators: positive past a level or where a response has changed, 0 at a level.
    pub(crate) fn crossing(&self, signals: &Signals) -> f64 {
        let has_changed = self.responses.iter().any(WatchedResponse::has_changed);
        self.largest(signals).max(if has_changed { 1.0 } else { f64::NEG_INFINITY })
    }

    /// The same without responses.
    fn largest(&self, signals: &Signals) -> f64 {
        let values = self.watched.iter().filter_map(|watched| watched.indicator.crossing(&signals.reals));
        values.reduce(f64::max).unwrap_or(if self.responses.is_empty() { f64::NEG_INFINITY } else { -1.0 })
    }

    /// Positive past a level or where one is reached, negative before. Also negative if a step began at the level and is still
    /// there; `begin` are the values at its beginning.
    pub(crate) fn side(&self, begin: &Signals, signals: &Signals) -> f64 {
        match (self.crossing(signals), self.largest(begin) < 0.0) {
            (0.0, true) => f64::MIN_POSITIVE,
            (0.0, false) => -f64::MIN_POSITIVE,
            (value, _) => value,
        }
    }

    /// Whether an instance has reacted between two close times, `low` and `high` after the beginning of the step \[s\], with the
    /// values [`Events::before`] and `signals`. Discrete values differ, or Reals have changed more than they can in so short a
    /// time. The rate of change is taken from the time before `low`, if that is long enough.
    pub(crate) fn reacts(&self, begin: &Signals, signals: &Signals, plan: &Plan, (low, high): (f64, f64)) -> bool {
        let is_known = low >= high - low;
        let share = SUDDEN * (high - low) / low;
        let jumps = |signal: usize| {
            let (before, after) = (self.before.reals[signal], signals.reals[signal]);
            let usual = share * (before - begin.reals[signal]).abs() + ROUNDING * before.abs().max(after.abs());
            (after - before).abs() > usual
        };
        signals.has_other_discrete(&self.before, plan) || is_known && (0..signals.reals.len()).any(jumps)
    }

    /// A bracket of the first crossing in a step from `t` by `h`.
    pub(crate) fn bracket(&self, begin: &Signals, end: &Signals, t: f64, h: f64) -> Bracket {
        let ends = ((0.0, self.largest(begin).min(0.0)), (h, self.side(begin, end)));
        Bracket::new(ends.0, ends.1, self.tolerance(t + h)).in_multiples_of(self.unit)
    }

    /// The distance between steps in a search around `t` \[s\].
    pub(crate) fn resolution(&self, t: f64) -> f64 {
        self.tolerance(t).max(self.unit.unwrap_or(0.0))
    }

    /// Steps of which all must be multiples \[s\], if there are such.
    pub(crate) fn unit(&self) -> Option<f64> {
        self.unit
    }

    /// Accuracy of event localization around `t` \[s\].
    pub(crate) fn tolerance(&self, t: f64) -> f64 {
        tolerance(self.tolerance, t)
    }

    /// Records an event at `time`, with the values after it. Chatter is an error: it returns the description and the number of
    /// events.
    pub(crate) fn happened(&mut self, cause: Cause, time: f64, signals: &Signals) -> Result<(), u32> {
        self.watched.iter_mut().for_each(|watched| watched.last_values = LastValues::UNKNOWN);
        let at_once = (AT_ONCE.0 * tolerance(None, time)).max(AT_ONCE.1 * self.tolerance(time));
        match cause {
            Cause::Crossing => {
                let mut changed = self.responses.iter_mut().filter(|response| response.has_changed());
                changed.try_for_each(|response| response.latest.add(time, at_once))?;
                let largest = self.largest(signals);
                let mut past = self.watched.iter_mut().filter(|watched| watched.is_past(signals, largest));
                past.try_for_each(|watched| {
                    watched.indicator.cross();
                    watched.latest.add(time, at_once)
                })
            }
            Cause::Discard { instance } | Cause::EarlyReturn { instance } | Cause::EventMode { instance } => {
                if !self.discarding.iter().any(|(known, _)| *known == instance) {
                    self.discarding.push((instance, Latest::default()));
                }
                let mut latest = self.discarding.iter_mut().filter(|(known, _)| *known == instance);
                latest.try_for_each(|(_, latest)| latest.add(time, at_once))
            }
        }
    }

    /// Stores an event to be reported later; another one that comes before is a part of it.
    pub(crate) fn postpone(&mut self, event: Pending) {
        match &mut self.pending {
            Some(pending) => {
                pending.what = format!("{}, {}", pending.what, event.what);
                pending.result = pending.result.and(event.result);
            }
            pending => *pending = Some(event),
        }
    }

    /// Whether there is no indicator, and no event is under way.
    pub(crate) fn are_idle(&self) -> bool {
        self.watched.is_empty() && self.responses.is_empty() && self.pending.is_none() && self.discards == 0
    }

    /// Whether an event is still to be reported.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    pub(crate) fn take_pending(&mut self) -> Option<Pending> {
        self.pending.take()
    }

    /// The indicators past their level, or at it if none is past.
    fn past(&self, signals: &Signals) -> impl Iterator<Item = &Indicator> {
        let largest = self.largest(signals);
        self.watched.iter().filter(move |watched| watched.is_past(signals, largest)).map(|watched| &watched.indicator)
    }

    /// Their signals.
    pub(crate) fn crossed(&self, signals: &Signals) -> impl Iterator<Item = usize> {
        self.past(signals).map(Indicator::signal)
    }

    /// Describes the event in words.
    pub(crate) fn describe(&self, cause: Cause, signals: &Signals, names: impl Fn(usize) -> String) -> String {
        match cause {
            Cause::Discard { instance } => format!("`{}` discards a longer step", names(instance)),
            Cause::EarlyReturn { instance } => format!("`{}` stops early", names(instance)),
            Cause::EventMode { instance } => format!("event of `{}`", names(instance)),
            Cause::Crossing => {
                let changed = self.responses.iter().filter(|response| response.has_changed()).map(|response| &response.what);
                self.past(signals).map(|indicator| &indicator.what).chain(changed).cloned().collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The data of the present event is used only until it is reported.
impl Persistent for Events {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        for watched in &mut self.watched {
            watched.indicator.transfer(transfer)?;
            transfer.value(&mut watched.latest)?;
            if let Some(slope) = &mut watched.slope {
                transfer.value(&mut slope.begin)?;
                transfer.value(&mut slope.end)?;
            }
        }
        transfer.value(&mut self.discarding)?;
        transfer.value(&mut self.discards)
    }
}

/// Accuracy of event localization around `t` \[s\], if the user requests one.
#[must_use]
pub fn tolerance(given: Option<f64>, t: f64) -> f64 {
    let rounding = ULPS * ulp(t);
    given.unwrap_or(TOLERANCE).max(rounding)
}

/// A time just after an event at `t` as another run finds it, if its steps have the same errors \[s\]; `given` is the tolerance.
#[must_use]
pub fn just_after(given: Option<f64>, t: f64) -> f64 {
    t + ULPS * tolerance(given, t)
}
