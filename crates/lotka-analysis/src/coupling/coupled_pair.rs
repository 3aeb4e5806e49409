//! Two coupled linear systems, solved exactly over each step with held inputs: schemes with known growth.

use nalgebra::{DMatrix, DVector};

use super::response::Signal;

/// A summand of an input.
const PERTURBATION: f64 = 0.01;

/// `x' = A x + B u`, `y = C x + D u`.
struct Side {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
}

impl Side {
    fn new(states: usize, inputs: usize, outputs: usize, [a, b, c, d]: [&[f64]; 4]) -> Self {
        Self {
            a: DMatrix::from_row_slice(states, states, a),
            b: DMatrix::from_row_slice(states, inputs, b),
            c: DMatrix::from_row_slice(outputs, states, c),
            d: DMatrix::from_row_slice(outputs, inputs, d),
        }
    }

    /// A mass with a spring and a damper to the wall: force in, position and velocity out.
    fn driven_by_force(mass: f64, spring: f64, damper: f64) -> Self {
        let a = [0.0, 1.0, -spring / mass, -damper / mass];
        Self::new(2, 1, 2, [&a, &[0.0, 1.0 / mass], &[1.0, 0.0, 0.0, 1.0], &[0.0, 0.0]])
    }

    /// The same with a coupling spring and damper at the other end: position and velocity of that end in, force on it out.
    fn driven_by_motion(mass: f64, spring: f64, damper: f64, coupling_spring: f64, coupling_damper: f64) -> Self {
        let a = [0.0, 1.0, -(spring + coupling_spring) / mass, -(damper + coupling_damper) / mass];
        let b = [0.0, 0.0, coupling_spring / mass, coupling_damper / mass];
        Self::new(2, 2, 1, [&a, &b, &[coupling_spring, coupling_damper], &[-coupling_spring, -coupling_damper]])
    }

    /// Exact solution over one step: `x_new = Ad x + Bd u`.
    fn discrete(&self, h: f64) -> (DMatrix<f64>, DMatrix<f64>) {
        let (n, m) = self.b.shape();
        let mut both = DMatrix::zeros(n + m, n + m);
        both.view_mut((0, 0), (n, n)).copy_from(&(&self.a * h));
        both.view_mut((0, n), (n, m)).copy_from(&(&self.b * h));
        let both = both.exp();
        (both.view((0, 0), (n, n)).into_owned(), both.view((0, n), (n, m)).into_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Exchange {
    JacobiStale,
    JacobiFresh,
    GaussSeidel,
}

pub(super) struct Pair {
    one: Side,
    two: Side,
    /// The first unstable step for each of the [`EXCHANGES`].
    pub(super) critical: [f64; 3],
}

pub(super) const EXCHANGES: [Exchange; 3] = [Exchange::JacobiStale, Exchange::JacobiFresh, Exchange::GaussSeidel];

/// The pairs with known critical steps.
pub(super) fn pairs() -> [Pair; 3] {
    [two_mass_oscillator(), quarter_car(), stiff_coupling()]
}

/// From the literature: m = 1, 1; dampers 0.2, 0.5, 0.3; springs 10, 10, 20.
fn two_mass_oscillator() -> Pair {
    let one = Side::driven_by_force(1.0, 10.0, 0.2);
    let two = Side::driven_by_motion(1.0, 20.0, 0.3, 10.0, 0.5);
    Pair { one, two, critical: [0.04353, 0.2254, 0.07766] }
}

/// Schierz, Arnold, Clauß 2012, doi:10.3384/ecp12076205, split into chassis (bare mass) and wheel.
fn quarter_car() -> Pair {
    let one = Side::driven_by_force(400.0, 0.0, 0.0);
    let two = Side::driven_by_motion(40.0, 150_000.0, 0.0, 15_000.0, 1000.0);
    Pair { one, two, critical: [0.03973, 0.1647, 0.1144] }
}

/// Mass–spring–damper: m = 1, 1; springs to the walls 1, 1; dampers to the walls 1, 2; between the masses c = d = 100.
fn stiff_coupling() -> Pair {
    let one = Side::driven_by_force(1.0, 1.0, 1.0);
    let two = Side::driven_by_motion(1.0, 1.0, 2.0, 100.0, 100.0);
    Pair { one, two, critical: [0.8706, 0.01279, 1.670] }
}

impl Pair {
    /// The scheme at step `h`.
    pub(super) fn coupled(&self, exchange: Exchange, h: f64) -> Coupled<'_> {
        Coupled { pair: self, exchange, discrete: [self.one.discrete(h), self.two.discrete(h)] }
    }
}

/// States of both sides, and the latest outputs at a communication point.
#[derive(Clone)]
struct Point {
    states: [DVector<f64>; 2],
    outputs: [DVector<f64>; 2],
}

pub(super) struct Coupled<'a> {
    pair: &'a Pair,
    exchange: Exchange,
    discrete: [(DMatrix<f64>, DMatrix<f64>); 2],
}

impl Coupled<'_> {
    /// Makes one step; `added` has the summands of the inputs of both sides.
    fn step(&self, from: &Point, added: &[DVector<f64>; 2]) -> Point {
        let [(a1, b1), (a2, b2)] = &self.discrete;
        let Pair { one, two, .. } = self.pair;
        let input1 = &from.outputs[1] + &added[0];
        let state1 = a1 * &from.states[0] + b1 * &input1;
        let output1 = &one.c * &state1 + &one.d * &input1;
        let held = if self.exchange == Exchange::GaussSeidel { &output1 } else { &from.outputs[0] };
        let input2 = held + &added[1];
        let state2 = a2 * &from.states[1] + b2 * &input2;
        let seen = if self.exchange == Exchange::JacobiFresh { &output1 } else { &input2 };
        let output2 = &two.c * &state2 + &two.d * seen;
        Point { states: [state1, state2], outputs: [output1, output2] }
    }

    fn rest(&self) -> (Point, [DVector<f64>; 2]) {
        let Pair { one, two, .. } = self.pair;
        let states = [DVector::zeros(one.a.nrows()), DVector::zeros(two.a.nrows())];
        let outputs = [DVector::zeros(one.c.nrows()), DVector::zeros(two.c.nrows())];
        let added = [DVector::zeros(one.b.ncols()), DVector::zeros(two.b.ncols())];
        (Point { states, outputs }, added)
    }

    /// Matrix of the whole step, including states and latest outputs.
    pub(super) fn step_matrix(&self) -> DMatrix<f64> {
        let (rest, none) = self.rest();
        let sizes: Vec<usize> = rest.states.iter().chain(&rest.outputs).map(|part| part.len()).collect();
        let n: usize = sizes.iter().sum();
        let mut columns = Vec::new();
        for unit in 0..n {
            let mut parts = Vec::new();
            let mut start = 0;
            for size in &sizes {
                parts.push(DVector::from_fn(*size, |row, _| if start + row == unit { 1.0 } else { 0.0 }));
                start += size;
            }
            let [s1, s2, y1, y2] = <[_; 4]>::try_from(parts).unwrap();
            let next = self.step(&Point { states: [s1, s2], outputs: [y1, y2] }, &none);
            columns
                .push(DVector::from_iterator(n, next.states.iter().chain(&next.outputs).flat_map(|part| part.iter().copied())));
        }
        DMatrix::from_columns(&columns)
    }

    /// The record of a master: each input perturbed in the first step, and all outputs after every step.
    fn records(&self, steps: usize) -> Vec<Vec<f64>> {
        let (rest, none) = self.rest();
        let inputs: Vec<(usize, usize)> = (0..2).flat_map(|side| (0..none[side].len()).map(move |input| (side, input))).collect();
        let experiment = |&(side, input): &(usize, usize)| {
            let mut added = none.clone();
            added[side][input] = PERTURBATION;
            let mut point = rest.clone();
            let mut record = Vec::new();
            for step in 0..steps {
                point = self.step(&point, if step == 0 { &added } else { &none });
                record.extend(point.outputs.iter().flat_map(|output| output.iter().copied()));
            }
            record
        };
        inputs.iter().map(experiment).collect()
    }

    /// The same with noise on every value, uniform within ± `noise` times the largest response of that signal to a perturbation
    /// in the first steps.
    pub(super) fn noisy_records(&self, steps: usize, noise: f64) -> (Vec<Signal>, Vec<Vec<f64>>) {
        let mut records = self.records(steps);
        let count = self.pair.one.c.nrows() + self.pair.two.c.nrows();
        let mut sizes = vec![0.0_f64; count];
        for row in records.iter().flat_map(|record| record.chunks(count).take(4)) {
            sizes.iter_mut().zip(row).for_each(|(size, value)| *size = size.max(value.abs()));
        }
        let mut state = 1_u64;
        for row in records.iter_mut().flat_map(|record| record.chunks_mut(count)) {
            for (value, size) in row.iter_mut().zip(&sizes) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *value += noise * size * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0);
            }
        }
        (
            sizes.iter().map(|size| Signal { perturbation: PERTURBATION, noise: noise * size, limit: f64::INFINITY }).collect(),
            records,
        )
    }
}
