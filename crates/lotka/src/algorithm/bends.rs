//! How far exchanged values leave the line through their last two: jumps show in it.

use std::ops::Range;

use super::Signals;
use crate::graph::{DiscreteSource, Plan};

/// The largest bend of an exchanged value during a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Bend {
    /// In units of the value.
    pub(crate) largest: f64,
    /// Largest absolute value.
    pub(crate) size: f64,
}

/// A value that some instance reads from another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Exchanged {
    Real(usize),
    Discrete(DiscreteSource),
}

/// Follows all exchanged numbers from step to step.
///
/// A bend is the deviation of a value from the line through the last two. With steps of size h, bends of smooth signals fall with h^2, those
/// of signals with kinks with h; those of signals that jump do not fall.
#[derive(Debug)]
pub(crate) struct Bends {
    values: Vec<Exchanged>,
    last: Vec<f64>,
    /// Changes per second over the step before; none before the first step.
    slopes: Vec<f64>,
    has_slopes: bool,
    /// Values of the instance that a sweep may leave behind by half a step, and by how much it did \[s\].
    late: Range<usize>,
    behind: f64,
    bends: Vec<Bend>,
}

impl Bends {
    /// From the values at the start; `late` is the instance that a sweep leaves behind by half a step where outputs are not due.
    pub(crate) fn new(plan: &Plan, start: &Signals, late: Option<usize>) -> Self {
        let values = exchanged(plan);
        let last: Vec<_> = values.iter().map(|value| value.of(start)).collect();
        let n = last.len();
        let late = late.map_or(0..0, |late| positions(plan, &values, late));
        Self { values, last, slopes: vec![0.0; n], has_slopes: false, late, behind: 0.0, bends: vec![Bend::default(); n] }
    }

    /// Takes the values at the end of a step of size `h`; `due` as in [`Sweep::pass`](super::Sweep::pass).
    pub(crate) fn follow(&mut self, newest: &Signals, h: f64, due: bool) {
        let behind = if due { 0.0 } else { 0.5 * h };
        let of_late = h + self.behind - behind;
        let state = self.last.iter_mut().zip(&mut self.slopes).zip(&mut self.bends);
        for (position, (value, ((last, slope), bend))) in self.values.iter().zip(state).enumerate() {
            let value = value.of(newest);
            let h = if self.late.contains(&position) { of_late } else { h };
            if self.has_slopes {
                bend.largest = bend.largest.max((value - *last - *slope * h).abs());
            }
            bend.size = bend.size.max(value.abs());
            (*slope, *last) = ((value - *last) / h, value);
        }
        self.has_slopes = true;
        self.behind = behind;
    }

    /// Values jump here for a reason that is known, and lines begin anew.
    pub(crate) fn restart(&mut self, newest: &Signals) {
        for (value, last) in self.values.iter().zip(&mut self.last) {
            *last = value.of(newest);
        }
        self.has_slopes = false;
        self.behind = 0.0;
    }

    /// The bends of a finished run, in the order of [`exchanged`].
    pub(crate) fn finish(self) -> Vec<Bend> {
        self.bends
    }
}

impl Exchanged {
    fn of(self, signals: &Signals) -> f64 {
        match self {
            Self::Real(signal) => signals.reals[signal],
            Self::Discrete(source) => f64::from(signals.whole(source)),
        }
    }
}

/// Where the Real outputs of an instance lie among these values.
fn positions(plan: &Plan, values: &[Exchanged], instance: usize) -> Range<usize> {
    let connected = plan.units[instance].connected();
    let is_own = |value: &&Exchanged| matches!(value, Exchanged::Real(signal) if connected.contains(signal));
    let start = values.iter().position(|value| is_own(&value)).unwrap_or_default();
    start..start + values.iter().filter(is_own).count()
}

/// All numbers that instances read from others. Those that react to events read their inputs at the end of a step: what these did before is
/// nothing to them.
pub(crate) fn exchanged(plan: &Plan) -> Vec<Exchanged> {
    let mut is_followed = vec![false; plan.signal_names.len()];
    for unit in plan.units.iter().filter(|unit| !unit.is_reactor) {
        let terms = plan.gathers[unit.gathers.clone()].iter().flat_map(|gather| &plan.terms[gather.terms.clone()]);
        terms.for_each(|term| is_followed[term.signal] = true);
    }
    // What sources do is known, and their jumps end steps.
    let units = &plan.units[..plan.instances];
    let connected = units.iter().flat_map(|unit| unit.connected());
    let mut values: Vec<_> = connected.filter(|signal| is_followed[*signal]).map(Exchanged::Real).collect();
    for discrete in units.iter().filter_map(|unit| unit.discrete.as_ref()) {
        values.extend(discrete.converted.iter().map(|(signal, _)| Exchanged::Real(*signal)));
        values.extend(discrete.integer_inputs.iter().map(|(_, source)| Exchanged::Discrete(*source)));
        values.extend(discrete.boolean_inputs.iter().map(|(_, source)| Exchanged::Discrete(*source)));
    }
    values
}
