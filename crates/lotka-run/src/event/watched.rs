//! One watched indicator: its slopes, its excursions, its latest events.

use lotka_instance::RealRef;
use lotka_step::{
    algorithm::{Coupled, Signals},
    resolved::{self, Direction, IndicatorLevel},
};

use super::{
    excursion::{self, LastValues},
    indicator::{Indicator, Level},
    latest::Latest,
};

/// An indicator that reverses before its level is tried there if it comes this close, as a share of its reversal.
const NEAR: f64 = 0.25;

/// An indicator with what is known of its past.
pub(super) struct WatchedIndicator {
    pub(super) indicator: Indicator,
    /// Where its slope can be read, with the slopes at the beginning and at the end of the step; NaN if unknown.
    pub(super) slope: Option<Slope>,
    pub(super) last_values: LastValues,
    pub(super) latest: Latest,
}

pub(super) struct Slope {
    pub(super) instance: usize,
    pub(super) signal: usize,
    pub(super) reference: RealRef,
    pub(super) begin: f64,
    pub(super) end: f64,
}

impl WatchedIndicator {
    pub(super) fn new(settings: &resolved::Indicator, coupled: &Coupled) -> Self {
        let signal = signal_of(coupled, settings.instance, settings.reference);
        let name = coupled.signal_name(signal);
        let (level, level_name) = match settings.level {
            IndicatorLevel::Value(value) => (Level::Value(value), value.to_string()),
            IndicatorLevel::Output { instance, reference } => {
                let level = signal_of(coupled, instance, reference);
                let is_held = coupled.plan.is_held[level];
                let name = format!("`{}`", coupled.signal_name(level));
                (if is_held { Level::Held { signal: level, value: 0.0 } } else { Level::Signal(level) }, name)
            }
        };
        let gives_slopes = coupled.instances[settings.instance].inner.capabilities().max_output_derivative_order > 0;
        let slope = Slope { instance: settings.instance, signal, reference: settings.reference, begin: f64::NAN, end: f64::NAN };
        let mut indicator = Indicator::new(signal, level, settings.direction, (name, &level_name));
        indicator.margin = settings.margin;
        Self {
            slope: (gives_slopes && !settings.follows_input && !indicator.level_moves()).then_some(slope),
            indicator,
            last_values: LastValues::UNKNOWN,
            latest: Latest::default(),
        }
    }

    /// Whether it is past its level, or at it if none is past; `largest` is the largest of all indicators.
    pub(super) fn is_past(&self, signals: &Signals, largest: f64) -> bool {
        self.indicator.crossing(&signals.reals).is_some_and(|value| value > 0.0 || value == 0.0 && largest == 0.0)
    }

    /// Where in the step, as a share of it, the indicator was on the other side than at both ends, judged by the slopes: past a
    /// crossing that counts, or back on the side from which one counts. If slopes are estimated, it suffices that it comes near.
    pub(super) fn excursion(&self, begin: &Signals, end: &Signals, h: f64, estimates: bool) -> Option<f64> {
        let value = |signals: &Signals| self.indicator.value(&signals.reals);
        let slopes = match &self.slope {
            Some(slope) => (slope.begin, slope.end),
            None if estimates => self.last_values.slopes(value(begin), value(end), h)?,
            None => return None,
        };
        // Positive on the side that is sought.
        let sign = match (self.indicator.orientation(), self.indicator.direction()) {
            (Some(orientation), _) => orientation,
            (None, Direction::Up) => -1.0,
            (None, Direction::Down) => 1.0,
            (None, Direction::Both) => return None,
        };
        let at = |signals: &Signals, slope: f64| (sign * value(signals), sign * slope);
        let (begin, end) = (at(begin, slopes.0), at(end, slopes.1));
        let (share, largest) = excursion::maximum(begin, end, h)?;
        let near = if estimates { NEAR * (2.0 * largest - begin.0 - end.0) } else { 0.0 };
        (largest > -near && end.0 <= 0.0).then_some(share)
    }
}

/// The signal of a Real output; all of them are recorded.
fn signal_of(coupled: &Coupled, instance: usize, reference: RealRef) -> usize {
    let instance_plan = &coupled.plan.instances[instance];
    let position = instance_plan.output_references.iter().position(|other| *other == reference);
    instance_plan.outputs.start + position.unwrap_or_default()
}
