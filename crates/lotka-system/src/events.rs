//! `[events]`: where steps end.

use lotka_step::resolved::Direction;
use serde::Serialize;

use super::Located;

/// `[events]`: points of time at which a step must end, because the behavior of an instance changes.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct EventSettings {
    /// Outputs whose crossing of a level is an event.
    pub indicators: Vec<IndicatorSettings>,
    /// Instances that locate their events themselves, and report them by discarding a step with a last successful time.
    pub discards: Vec<Located<String>>,
    /// Instances whose events are handled in event mode (FMI 3.0): a step ends at each of them.
    pub event_mode: Vec<Located<String>>,
    /// Instances that act at known times: sampled controllers, switches with a clock.
    pub times: Vec<TimeEvents>,
}

/// Times at which an instance acts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TimeEvents {
    /// Name of the instance.
    pub instance: Located<String>,
    /// The times.
    pub times: Times,
}

/// Points of time, periodic or listed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", untagged)]
pub enum Times {
    /// At `offset` and whole periods before and after it.
    Every {
        /// The period \[s\].
        every: Located<f64>,
        /// One of the times \[s\], default 0.
        offset: Option<Located<f64>>,
    },
    /// At the listed times \[s\].
    At(Vec<Located<f64>>),
}

/// Event indicator: an output, and the level that it crosses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct IndicatorSettings {
    /// `instance.variable` of the output.
    pub output: Located<String>,
    /// The level, default 0.
    pub level: EventLevel,
    /// Directions of crossings that count, default both.
    pub direction: Direction,
}

/// EventLevel of an event indicator.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum EventLevel {
    /// A number, in the unit of the output.
    Value(f64),
    /// Another output, `instance.variable`; a discrete output counts with its value at the beginning of the step.
    Output(Located<String>),
}

impl From<f64> for EventLevel {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

impl From<&str> for EventLevel {
    fn from(output: &str) -> Self {
        Self::Output(output.to_owned().into())
    }
}
