//! Energy exchanged between two instances over a power bond, as each of the two computes it.
//!
//! Over a bond, one instance outputs an effort e and reads a flow; the other outputs a flow f and reads an effort. Their product
//! is a power. During a step each side uses an approximation of the other side's output, ê and f̂. The difference between the
//! arriving and the leaving power,
//!
//! ```text
//! P_r = ê f - e f̂        residual power [W]
//! E_r = ∫ P_r dt          residual energy of a step [J]
//! ```
//!
//! is energy that the coupling created (Sadjina, Kyllingstad, Skjong, Pedersen 2017, doi 10.1007/s00366-016-0492-8). The inputs
//! delivered to an instance are known exactly. Its outputs in between are approximated by a polynomial through its outputs at the
//! ends of the step and, where inputs are delivered with derivatives, at earlier points. An output that follows an input without
//! delay is taken as the instance computes it. At the beginning of the step it is refreshed; at the end it is computed with the
//! delivered input. With a mean, which stands for the middle of the step, both values are refreshed.

use std::collections::{BTreeSet, HashMap};

use lotka_plan::graph::Plan;

use super::{Signals, saved_states::Level};
use crate::{
    checkpoint::{Persistent, Transfer, Transferred},
    resolved::PowerBond,
    signal::DeliveredInput,
};

/// All bonds of a run.
#[derive(Debug)]
pub struct PowerBonds {
    bonds: Vec<Bond>,
    /// The instances at their ends.
    instances: BTreeSet<usize>,
    /// The state of both sides of every bond, by level.
    saved: [Vec<[State; 2]>; 2],
}

#[derive(Debug)]
struct Bond {
    /// The side that reads the effort, and the one that reads the flow.
    sides: [Side; 2],
    states: [State; 2],
    /// Conversion factor from the units of the outputs to W.
    factor: f64,
    effort: usize,
    /// Energy in and out \[J\] up to the last accepted communication point.
    accepted: [f64; 2],
    time: f64,
    totals: Energies,
    /// Largest mean power of a step so far \[W\].
    largest_power: f64,
}

/// One end of a bond.
#[derive(Debug)]
struct Side {
    instance: usize,
    /// The Real signal of its output.
    gives: usize,
    /// The summand of its input that reads the other side, indexed like [`Plan::terms`].
    reads: usize,
    /// Its output at the beginning of the communication step.
    first: f64,
    /// Its output at the beginning of the instance's step, which may be a part of the communication step.
    begin: f64,
}

/// The part of a side that a rollback restores.
#[derive(Debug, Clone, Copy, Default, serde::Serialize, serde::Deserialize)]
struct State {
    /// Energy so far, in the units of the outputs.
    work: f64,
    /// Its output at the beginning of the last steps, newest first, with their times.
    past: [(f64, f64); 2],
    n_past: usize,
    /// Its output at the end of the last step, and the work of that step.
    end: f64,
    per_end: f64,
    /// Its input at the end of the last step, as it was delivered.
    delivered: f64,
}

/// Energies exchanged over a bond, actual and residual.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Energies {
    /// Sum of the residual energies of all steps \[J\].
    pub residual: f64,
    /// Sum of their absolute values \[J\].
    pub absolute_residual: f64,
    /// Sum of the absolute energies exchanged in each step \[J\].
    pub exchanged: f64,
}

impl PowerBonds {
    /// Bonds without energy.
    #[must_use]
    pub fn new(bonds: &[PowerBond], plan: &Plan) -> Self {
        let signals = plan.signal_names.iter().enumerate().rev().map(|(signal, name)| (name.as_str(), signal)).collect();
        let bonds: Vec<_> = bonds.iter().filter_map(|bond| Bond::new(bond, plan, &signals)).collect();
        let instances = bonds.iter().flat_map(|bond| &bond.sides).map(|side| side.instance).collect();
        let saved = [(); 2].map(|()| vec![[State::default(); 2]; bonds.len()]);
        Self { bonds, instances, saved }
    }

    /// Whether an instance is at an end of a bond.
    #[must_use]
    pub fn involves(&self, instance: usize) -> bool {
        self.instances.contains(&instance)
    }

    /// Clears the past before `t` at the beginning of the run.
    pub fn start(&mut self, t: f64) {
        for bond in &mut self.bonds {
            (bond.states, bond.accepted, bond.time) = ([State::default(); 2], [0.0; 2], t);
            (bond.totals, bond.largest_power) = (Energies::default(), 0.0);
        }
        self.save(Level::Communication);
    }

    /// Marks a point where outputs are not smooth: their past does not predict how they continue.
    pub(super) fn restart(&mut self) {
        self.bonds.iter_mut().flat_map(|bond| &mut bond.states).for_each(|state| state.n_past = 0);
    }

    /// Begins a communication step, or half of one, with these values.
    pub(crate) fn begin_step(&mut self, newest: &Signals) {
        for side in self.bonds.iter_mut().flat_map(|bond| &mut bond.sides) {
            side.first = newest.reals[side.gives];
            side.begin = side.first;
        }
    }

    /// Records that an instance stepped from `t` by `h`; `delivered` returns the delivered input for the signal of a summand.
    pub(super) fn stepped(
        &mut self,
        instance: usize,
        (t, h): (f64, f64),
        newest: &Signals,
        delivered: impl Fn(usize) -> DeliveredInput,
    ) {
        for bond in &mut self.bonds {
            for (side, state) in bond.sides.iter_mut().zip(&mut bond.states).filter(|(side, _)| side.instance == instance) {
                let end = newest.reals[side.gives];
                state.add(delivered(side.reads), (t, side.begin), (t + h, end));
                side.begin = end;
            }
        }
    }

    /// Updates the outputs of an instance that were refreshed after its step.
    pub(super) fn refreshed(&mut self, instance: usize, newest: &Signals) {
        for bond in &mut self.bonds {
            for (side, state) in bond.sides.iter().zip(&mut bond.states).filter(|(side, _)| side.instance == instance) {
                let end = newest.reals[side.gives];
                state.work += state.per_end * (end - state.end);
                state.end = end;
            }
        }
    }

    pub(crate) fn save(&mut self, level: Level) {
        for (bond, saved) in self.bonds.iter().zip(&mut self.saved[level as usize]) {
            *saved = bond.states;
        }
    }

    pub(crate) fn restore(&mut self, level: Level) {
        for (bond, saved) in self.bonds.iter_mut().zip(&self.saved[level as usize]) {
            bond.states = *saved;
        }
    }

    /// Takes back the steps of some instances, which restart from the same values.
    pub(crate) fn restore_instances(&mut self, instances: &[usize], level: Level) {
        for (bond, saved) in self.bonds.iter_mut().zip(&self.saved[level as usize]) {
            for ((side, state), saved) in bond.sides.iter_mut().zip(&mut bond.states).zip(saved) {
                if instances.contains(&side.instance) {
                    *state = *saved;
                    side.begin = side.first;
                }
            }
        }
    }

    /// Accepts the energies since the last accepted point.
    pub fn accept(&mut self, t: f64) {
        for bond in &mut self.bonds {
            let (residual, passed) = bond.since_accepted();
            bond.largest_power = bond.largest_power.max((passed / (t - bond.time)).abs());
            bond.totals.residual += residual;
            bond.totals.absolute_residual += residual.abs();
            bond.totals.exchanged += passed.abs();
            (bond.accepted, bond.time) = (bond.energies(), t);
        }
    }

    /// Per bond: the mean residual power of a step of `h` that is not yet accepted, and the largest power so far \[W\].
    pub(crate) fn mean_powers(&self, h: f64) -> impl Iterator<Item = (f64, f64)> {
        self.bonds.iter().map(move |bond| {
            let (residual, passed) = bond.since_accepted();
            (residual / h, bond.largest_power.max((passed / h).abs()))
        })
    }

    /// Per bond: the difference between arriving and leaving power at the end of the last step \[W\].
    pub(crate) fn end_powers(&self) -> impl Iterator<Item = f64> {
        self.bonds.iter().map(|bond| {
            let [arriving, leaving] = bond.states.map(|state| state.delivered * state.end);
            bond.factor * (arriving - leaving)
        })
    }

    /// Number of bonds.
    pub(crate) fn count(&self) -> usize {
        self.bonds.len()
    }

    /// The Real signals that are efforts and flows.
    pub(crate) fn signals(&self) -> impl Iterator<Item = usize> {
        self.bonds.iter().flat_map(|bond| &bond.sides).map(|side| side.gives)
    }

    /// The Real signal that is the effort of a bond.
    pub(crate) fn effort(&self, bond: usize) -> Option<usize> {
        self.bonds.get(bond).map(|bond| bond.effort)
    }

    /// The energies exchanged during the run, per bond.
    pub fn energies(&self) -> impl Iterator<Item = Energies> {
        self.bonds.iter().map(|bond| bond.totals)
    }
}

impl Persistent for PowerBonds {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.bonds.iter_mut().try_for_each(|bond| {
            transfer.value(&mut bond.states)?;
            transfer.value(&mut bond.accepted)?;
            transfer.value(&mut bond.time)?;
            transfer.value(&mut bond.totals)?;
            transfer.value(&mut bond.largest_power)
        })
    }
}

impl Bond {
    fn new(bond: &PowerBond, plan: &Plan, signals: &HashMap<&str, usize>) -> Option<Self> {
        let signal = |name: &str| signals.get(name).copied();
        let (effort, flow) = (signal(&bond.effort)?, signal(&bond.flow)?);
        let side = |(gives, reads): (usize, usize)| {
            let instance = plan.owner(gives)?;
            let mut terms = plan.gathers[plan.instances[instance].gathers.clone()].iter().flat_map(|gather| gather.terms.clone());
            let reads = terms.find(|&term| plan.terms[term].signal == reads)?;
            Some(Side { instance, gives, reads, first: 0.0, begin: 0.0 })
        };
        let sides = [side((flow, effort))?, side((effort, flow))?];
        let factor = bond.watts * plan.terms[sides[0].reads].factor;
        let states = [State::default(); 2];
        let totals = Energies::default();
        Some(Self { sides, states, factor, effort, accepted: [0.0; 2], time: 0.0, totals, largest_power: 0.0 })
    }

    /// Arriving and leaving energy \[J\].
    fn energies(&self) -> [f64; 2] {
        self.states.map(|state| self.factor * state.work)
    }

    /// Residual energy, and the mean of arriving and leaving energy, since the last accepted point \[J\].
    fn since_accepted(&self) -> (f64, f64) {
        let [arrived, left] = self.energies();
        let (arrived, left) = (arrived - self.accepted[0], left - self.accepted[1]);
        (arrived - left, 0.5 * (arrived + left))
    }
}

impl State {
    /// Adds the work of a step: the integral of the delivered input times the output.
    fn add(&mut self, delivered: DeliveredInput, begin: (f64, f64), end: (f64, f64)) {
        let DeliveredInput { coefficients, is_mean } = delivered;
        // If the delivered input is a polynomial, the output must be known to the same degree.
        let degree = coefficients.iter().rposition(|coefficient| *coefficient != 0.0).unwrap_or(0);
        let n_past = degree.min(self.n_past);
        let points = [end, begin, self.past[0], self.past[1]];
        let given = Newton::through(&points[..2 + n_past]);
        let h = end.0 - begin.0;
        let input = |tau: f64| coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * tau + coefficient);
        for (s, weight) in GAUSS {
            let tau = s * h;
            self.work += h * weight * input(tau) * given.at(begin.0 + tau);
        }
        self.delivered = input(h);
        (self.end, self.per_end) = (end.1, if is_mean { 0.5 * h * coefficients[0] } else { 0.0 });
        self.past = [begin, self.past[0]];
        self.n_past = (self.n_past + 1).min(self.past.len());
    }
}

/// Nodes and weights of the Gauss formula that integrates polynomials of degree 7 from 0 to 1.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// A polynomial through some points, by divided differences.
struct Newton {
    times: [f64; 4],
    differences: [f64; 4],
}

impl Newton {
    /// Through one to four points, given as time and value.
    fn through(points: &[(f64, f64)]) -> Self {
        let (mut times, mut differences) = ([0.0; 4], [0.0; 4]);
        for (n, &(time, value)) in points.iter().enumerate() {
            (times[n], differences[n]) = (time, value);
        }
        for level in 1..points.len() {
            for n in (level..points.len()).rev() {
                differences[n] = (differences[n] - differences[n - 1]) / (times[n] - times[n - level]);
            }
        }
        Self { times, differences }
    }

    fn at(&self, time: f64) -> f64 {
        (0..4).rev().fold(0.0, |sum, n| sum * (time - self.times[n]) + self.differences[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_exact_for_polynomials_that_are_known() {
        // Delivered is 2 + 3 τ, output is t²: with one earlier point, the integral from 1 to 3 is that of (2 + 3 (t - 1)) t².
        let mut state = State { past: [(0.5, 0.25), (0.0, 0.0)], n_past: 1, ..State::default() };
        state.add(DeliveredInput { coefficients: [2.0, 3.0, 0.0, 0.0], is_mean: false }, (1.0, 1.0), (3.0, 9.0));
        assert!((state.work - (-26.0 / 3.0 + 3.0 * 80.0 / 4.0)).abs() < 1e-12, "{}", state.work);
        assert_eq!((state.past, state.n_past), ([(1.0, 1.0), (0.5, 0.25)], 2));
        // An input delivered without derivatives is paired with a linear output.
        let mut state = State { past: [(0.5, 0.25), (0.0, 0.0)], n_past: 2, ..State::default() };
        state.add(DeliveredInput::held(2.0), (1.0, 1.0), (3.0, 9.0));
        assert!((state.work - 20.0).abs() < 1e-12, "{}", state.work);
    }
}
