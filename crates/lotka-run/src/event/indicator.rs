//! An event indicator and its side of the level.

use lotka_step::{
    checkpoint::{Persistent, Transfer, Transferred},
    resolved::Direction,
};

/// A Real signal that crosses a level.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Indicator {
    signal: usize,
    level: Level,
    direction: Direction,
    /// By how much the level must be passed.
    pub(crate) margin: f64,
    /// Description.
    pub(crate) what: String,
    /// -1 below the level, 1 above; 0 before the signal leaves the level for the first time.
    side: f64,
}

/// The level of an indicator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// A constant for the whole run.
    Value(f64),
    /// The value of a discrete signal at the beginning of the step, because a reaction to a crossing may change the level at
    /// once.
    Held {
        /// The signal.
        signal: usize,
        /// Its value there.
        value: f64,
    },
    /// Another signal.
    Signal(usize),
}

impl Indicator {
    /// Creates an indicator. Names are `instance.variable`, or a number for the level.
    pub(crate) fn new(signal: usize, level: Level, direction: Direction, names: (&str, &str)) -> Self {
        let verb = match direction {
            Direction::Up => "rises through",
            Direction::Down => "falls through",
            Direction::Both => "crosses",
        };
        Self { signal, level, direction, margin: 0.0, what: format!("`{}` {verb} {}", names.0, names.1), side: 0.0 }
    }

    /// The watched signal.
    pub(crate) fn signal(&self) -> usize {
        self.signal
    }

    /// The direction of crossings that count.
    pub(crate) fn direction(&self) -> Direction {
        self.direction
    }

    /// Signal minus level.
    pub(crate) fn value(&self, reals: &[f64]) -> f64 {
        let level = match self.level {
            Level::Value(value) | Level::Held { value, .. } => value,
            Level::Signal(signal) => reals[signal],
        };
        reals[self.signal] - level
    }

    /// Whether the level moves during a step.
    pub(crate) fn level_moves(&self) -> bool {
        matches!(self.level, Level::Signal(_))
    }

    /// Follows the signal after an accepted step.
    pub(crate) fn follow(&mut self, reals: &[f64]) {
        if let Level::Held { signal, value } = &mut self.level {
            *value = reals[*signal];
        }
        let value = self.value(reals);
        if value > self.margin {
            self.side = 1.0;
        } else if value < -self.margin {
            self.side = -1.0;
        }
    }

    /// Records a crossing: the signal is past the level, or at it and an instance has reacted.
    pub(crate) fn cross(&mut self) {
        self.side = -self.side;
    }

    /// Factor that makes the value positive past a crossing that counts, and negative before; `None` if no crossing counts from
    /// this side.
    pub(crate) fn orientation(&self) -> Option<f64> {
        let counts = match self.direction {
            Direction::Up => self.side < 0.0,
            Direction::Down => self.side > 0.0,
            Direction::Both => self.side != 0.0,
        };
        counts.then_some(-self.side)
    }

    /// The value, positive past a crossing that counts; `None` if no crossing counts from this side.
    pub(crate) fn crossing(&self, reals: &[f64]) -> Option<f64> {
        self.orientation().map(|orientation| orientation * self.value(reals) - self.margin)
    }
}

impl Persistent for Indicator {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        if let Level::Held { value, .. } = &mut self.level {
            transfer.value(value)?;
        }
        transfer.value(&mut self.side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn followed(direction: Direction, values: &[f64]) -> Option<f64> {
        let mut indicator = Indicator::new(0, Level::Value(1.0), direction, ("a.y", "1"));
        values.iter().for_each(|value| indicator.follow(&[*value]));
        indicator.crossing(&[3.0])
    }

    #[test]
    fn crossings_count_from_the_side_the_signal_is_on() {
        assert_eq!(followed(Direction::Up, &[0.0]), Some(2.0));
        assert_eq!(followed(Direction::Down, &[0.0]), None);
        assert_eq!(followed(Direction::Down, &[2.0]), Some(-2.0));
        assert_eq!(followed(Direction::Both, &[2.0]), Some(-2.0));
        assert_eq!(followed(Direction::Both, &[0.0]), Some(2.0));
    }

    /// Within the margin, a signal is where it was.
    #[test]
    fn a_level_that_is_known_roughly_is_passed_by_a_margin() {
        let mut indicator = Indicator::new(0, Level::Value(1.0), Direction::Both, ("a.y", "1"));
        indicator.margin = 0.125;
        indicator.follow(&[0.5]);
        indicator.follow(&[1.0625]);
        assert_eq!((indicator.crossing(&[1.0625]), indicator.crossing(&[1.25])), (Some(-0.0625), Some(0.125)));
        indicator.cross();
        indicator.follow(&[1.0625]);
        assert_eq!((indicator.crossing(&[1.0]), indicator.crossing(&[0.75])), (Some(-0.125), Some(0.125)));
    }

    #[test]
    fn a_signal_that_starts_on_the_level_is_on_no_side() {
        assert_eq!(followed(Direction::Both, &[1.0]), None);
        assert_eq!(followed(Direction::Up, &[1.0, 0.0]), Some(2.0));
    }

    #[test]
    fn after_a_crossing_only_the_way_back_counts() {
        let mut indicator = Indicator::new(0, Level::Value(0.0), Direction::Both, ("a.y", "0"));
        indicator.follow(&[-1.0]);
        assert_eq!(indicator.crossing(&[0.0]), Some(0.0));
        indicator.cross();
        indicator.follow(&[0.0]);
        assert_eq!((indicator.crossing(&[2.0]), indicator.crossing(&[-2.0])), (Some(-2.0), Some(2.0)));
    }
}
