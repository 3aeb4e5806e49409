//! Values at past communication points.

use crate::{
    algorithm::Signals,
    checkpoint::{Mismatch, Persistent, Transfer, Transferred},
};

/// Number of stored points: four for a polynomial of degree 3, and two that a rollback removes.
const DEPTH: usize = 6;

#[derive(Debug, Clone, Default)]
struct Node {
    time: f64,
    reals: Vec<f64>,
    slopes: Vec<f64>,
    /// Whether slopes are known; they are not at the start of a run.
    has_slopes: bool,
}

/// Values and slopes of all signals at the last communication points, newest first.
#[derive(Debug, Clone)]
pub(crate) struct History {
    nodes: [Node; DEPTH],
    newest: usize,
    len: usize,
}

impl History {
    pub(crate) fn new(signals: &Signals) -> Self {
        let node = || Node {
            time: 0.0,
            reals: vec![0.0; signals.reals.len()],
            slopes: vec![0.0; signals.slopes.len()],
            has_slopes: false,
        };
        Self { nodes: std::array::from_fn(|_| node()), newest: 0, len: 0 }
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Clears the history: signals are not smooth across this point.
    pub(crate) fn restart(&mut self) {
        self.len = 0;
    }

    /// Begins a step at `t`; removes points at or after `t`, which belong to attempts that were rolled back.
    pub(crate) fn begin(&mut self, t: f64, signals: &Signals) {
        while self.len > 0 && self.nodes[self.newest].time >= t {
            self.newest = (self.newest + DEPTH - 1) % DEPTH;
            self.len -= 1;
        }
        self.newest = (self.newest + 1) % DEPTH;
        self.len = (self.len + 1).min(DEPTH);
        let node = &mut self.nodes[self.newest];
        node.time = t;
        node.reals.copy_from_slice(&signals.reals);
        node.slopes.copy_from_slice(&signals.slopes);
        node.has_slopes = !signals.slopes.iter().any(|slope| slope.is_nan());
    }

    fn node(&self, age: usize) -> &Node {
        &self.nodes[(self.newest + DEPTH - age) % DEPTH]
    }

    /// Time of the point `age` points before the newest \[s\].
    pub(crate) fn time(&self, age: usize) -> f64 {
        self.node(age).time
    }

    /// Value of a signal at that point.
    pub(crate) fn value(&self, age: usize, signal: usize) -> f64 {
        self.node(age).reals[signal]
    }

    /// Whether slopes are known at that point.
    pub(crate) fn has_slopes(&self, age: usize) -> bool {
        self.node(age).has_slopes
    }

    /// Slope of a signal at that point \[1/s\].
    pub(crate) fn slope(&self, age: usize, slope: usize) -> f64 {
        self.node(age).slopes[slope]
    }
}

impl Persistent for History {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        for node in &mut self.nodes {
            transfer.value(&mut node.time)?;
            transfer.slice(&mut node.reals)?;
            transfer.slice(&mut node.slopes)?;
            transfer.value(&mut node.has_slopes)?;
        }
        transfer.value(&mut self.newest)?;
        transfer.value(&mut self.len)?;
        if self.newest < DEPTH && self.len <= DEPTH { Ok(()) } else { Err(Mismatch) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(value: f64) -> Signals {
        Signals { reals: vec![value], ..Signals::default() }
    }

    #[test]
    fn a_rollback_takes_points_back_and_old_ones_stay() {
        let mut history = History::new(&signals(0.0));
        for n in 0..8 {
            history.begin(f64::from(n), &signals(f64::from(10 * n)));
        }
        assert_eq!((history.len(), history.time(0), history.value(3, 0)), (6, 7.0, 40.0));
        history.begin(7.5, &signals(75.0));
        history.begin(7.0, &signals(71.0));
        assert_eq!((history.value(0, 0), history.value(1, 0), history.value(3, 0)), (71.0, 60.0, 40.0));
        history.restart();
        assert_eq!(history.len(), 0);
    }
}
