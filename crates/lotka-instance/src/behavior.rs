//! What a test run has measured of a model, by the contents of its file.

use serde::{Deserialize, Serialize};

/// What a test run has measured of a model. A property that was not measured is `None`.
///
/// The record changes no result that would be right without it: a run without it finds out the same, later, or not at all. Only
/// instances that disturb each other in one process have other results, those that each has alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BehaviorRecord {
    /// Version of the code that measured it.
    pub version: u32,
    /// Operating system and processor on which it was measured.
    pub platform: String,
    /// Which sizes it refuses because they are off by the rounding of times.
    pub refused_sizes: Option<RefusedSizes>,
    /// Whether it advances in internal steps of fixed size.
    pub own_steps: Option<OwnSteps>,
    /// Whether it returns exactly to its saved states.
    pub rollback: Option<Rollback>,
    /// Whether the same run has the same outputs a second time.
    pub repetition: Option<Comparison>,
    /// Whether two instances in one process have the outputs that each has alone.
    pub together: Option<Comparison>,
    /// What else was found, for people.
    pub restrictions: Vec<Restriction>,
}

/// Which sizes a model refuses because they are off by the rounding of times.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RefusedSizes {
    /// The step size without rounding \[s\]. Nothing is known of other sizes.
    pub step: f64,
    /// The refused sizes.
    pub sizes: RoundedSizes,
}

/// Sizes that are off by the rounding of times, by the side on which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RoundedSizes {
    /// Sizes that are larger.
    pub longer: bool,
    /// Sizes that are smaller.
    pub shorter: bool,
}

/// Whether a model advances in internal steps of fixed size, whatever the communication steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnSteps {
    /// There is no sign of them.
    NotSeen,
    /// They have this size \[s\].
    Fixed(f64),
}

/// Whether a model returns exactly to its saved states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rollback {
    /// Bit for bit.
    Exact,
    /// With a difference, of which this is the first one.
    Inexact(String),
}

/// Whether two runs that should have the same outputs have them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Bit for bit.
    Same,
    /// They differ, first in this.
    Differs(String),
}

/// A restriction that follows from a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// The question of the test.
    pub question: String,
    /// What was seen, in one line.
    pub explanation: String,
    /// What to avoid.
    pub avoid: String,
}

/// Version of the code that measures; records of other versions are made again.
const VERSION: u32 = 2;

impl BehaviorRecord {
    /// A record of this version and platform, in which nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self { version: VERSION, platform: platform(), ..Self::default() }
    }

    /// Whether this version measured it on this platform.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.version == VERSION && self.platform == platform()
    }
}

fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

impl RoundedSizes {
    /// Sizes on both sides.
    pub const BOTH: Self = Self { longer: true, shorter: true };

    /// These and the others.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { longer: self.longer || other.longer, shorter: self.shorter || other.shorter }
    }

    /// Whether some of these are among the others.
    #[must_use]
    pub fn is_any_of(self, others: Self) -> bool {
        self.longer && others.longer || self.shorter && others.shorter
    }

    /// Whether there are any.
    #[must_use]
    pub fn any(self) -> bool {
        self != Self::default()
    }
}
