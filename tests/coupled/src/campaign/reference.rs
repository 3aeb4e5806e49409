//! Reference solutions from an independent integrator, piecewise between the points where a system is not smooth.
//!
//! Extrapolation of the modified midpoint rule (W. B. Gragg 1965; R. Bulirsch and J. Stoer 1966, doi 10.1007/BF02165234).
//! Steps are halved until two successive columns of the table agree.

/// Relative error tolerance of a step. States below this fraction of the largest state are scaled by that fraction: rounding
/// errors of 0 have no relative error.
const TOLERANCE: f64 = 1e-14;
const FLOOR: f64 = 1e-4;

/// Number of substeps for each row of the table.
const SUBSTEPS: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

/// Lower bound of the last difference, as a fraction of the previous one.
const LUCKY: f64 = 1e-6;

/// Fraction of the remaining time below which a step is accepted in any case.
const SMALLEST: f64 = 1e-12;

/// Number of steps in which to detect a switch, per interval between two rows.
const LOOKS: usize = 64;

/// Derivative of the state at a time, in a mode.
pub type Rate = Box<dyn Fn(f64, &[f64], i32) -> Vec<f64> + Send + Sync>;

/// The mode that follows from a state at a time, given the current mode.
pub type Switch = Box<dyn Fn(f64, &[f64], i32) -> i32 + Send + Sync>;

/// The state after a time, from the state before it.
pub type Flow = Box<dyn Fn(f64, &[f64]) -> Vec<f64> + Send + Sync>;

/// Change of the state at a time.
pub type Jump = Box<dyn Fn(f64, &mut Vec<f64>) + Send + Sync>;

/// A system of ordinary differential equations with modes.
pub struct Equations {
    /// Initial state.
    pub start: Vec<f64>,
    /// Derivative of the state at a time, in a mode.
    pub derivative: Rate,
    /// The exact solution, if it is known, in place of the derivative; its modes are states.
    pub flow: Option<Flow>,
    /// Returns the initial mode, or the new mode for a state; `None` if the mode never changes.
    pub mode: Option<Switch>,
    /// Times at which the derivative is not smooth, in order \[s\].
    pub knots: Vec<f64>,
    /// Change of the state at each of these times.
    pub jump: Option<Jump>,
}

impl Equations {
    /// Creates smooth equations.
    pub fn smooth(start: Vec<f64>, derivative: impl Fn(f64, &[f64]) -> Vec<f64> + Send + Sync + 'static) -> Self {
        Self {
            start,
            derivative: Box::new(move |t, x, _| derivative(t, x)),
            flow: None,
            mode: None,
            knots: Vec::new(),
            jump: None,
        }
    }

    /// Creates equations with a known solution.
    pub fn exact(start: Vec<f64>, flow: Flow) -> Self {
        Self { flow: Some(flow), ..Self::smooth(start, |_, _| Vec::new()) }
    }

    /// Returns the states at ordered times; the first time is the start.
    pub fn solve(&self, times: &[f64]) -> Vec<Vec<f64>> {
        let mut state = State::new(self.start.clone());
        let (mut t, mut knots) = (times[0], self.knots.iter().copied().filter(|knot| *knot > times[0]).peekable());
        let mut mode = self.mode.as_ref().map_or(0, |mode| mode(t, &state.x, 0));
        let mut states = vec![state.x.clone()];
        for &end in &times[1..] {
            while let Some(knot) = knots.next_if(|knot| *knot <= end) {
                (state, mode) = self.advance(t, knot, state, mode);
                t = knot;
                if let Some(jump) = &self.jump {
                    let mut after = state.x.clone();
                    jump(t, &mut after);
                    state.jump(after);
                }
            }
            (state, mode) = self.advance(t, end, state, mode);
            t = end;
            states.push(state.x.clone());
        }
        states
    }

    /// Returns the state at `end`, with all switches before it.
    fn advance(&self, mut t: f64, end: f64, mut state: State, mut mode: i32) -> (State, i32) {
        let Some(wanted) = &self.mode else { return (self.integrate(t, end, &state, mode), mode) };
        let h = (end - t) / LOOKS as f64;
        while t < end {
            // Reach `end` exactly, because errors in time would add up.
            let to = if end - t > 1.5 * h { t + h } else { end };
            let next = self.integrate(t, to, &state, mode);
            let new = wanted(to, &next.x, mode);
            if new == mode {
                (t, state) = (to, next);
                continue;
            }
            let (mut low, mut high) = (0.0, to - t);
            while high - low > 1e-15 * to.abs() {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high {
                    break;
                }
                let there = self.integrate(t, t + middle, &state, mode);
                if wanted(t + middle, &there.x, mode) == mode { low = middle } else { high = middle }
            }
            state = self.integrate(t, t + high, &state, mode);
            t += high;
            mode = wanted(t, &state.x, mode);
        }
        (state, mode)
    }

    fn integrate(&self, from: f64, to: f64, state: &State, mode: i32) -> State {
        let (mut t, mut h, mut state) = (from, to - from, state.clone());
        if let Some(flow) = &self.flow {
            return State::new(flow(h, &state.x));
        }
        while t < to && t + h > t {
            let is_last = h >= to - t;
            h = h.min(to - t);
            let (change, error) = self.step(t, h, &state.x, mode);
            if error <= 1.0 || h <= SMALLEST * (to - from) {
                t = if is_last { to } else { t + h };
                state.add(&change);
                h *= if error < 1e-2 { 2.0 } else { 1.0 };
            } else {
                h *= 0.5;
            }
        }
        state
    }

    /// Returns the change in one extrapolated step, and its error relative to the tolerance. Two successive differences must be
    /// small, because one alone may be small by chance. For a decay over nine of its time constants, one is exactly zero at the
    /// third row.
    fn step(&self, t: f64, h: f64, state: &[f64], mode: i32) -> (Vec<f64>, f64) {
        let mut table: Vec<Vec<f64>> = Vec::new();
        let floor = FLOOR * state.iter().fold(1e-300, |largest: f64, x| largest.max(x.abs()));
        let (mut error, mut difference) = (f64::INFINITY, f64::INFINITY);
        for (row, &substeps) in SUBSTEPS.iter().enumerate() {
            let mut last = self.midpoint(t, h, state, mode, substeps);
            let mut rows = vec![last.clone()];
            for column in 1..=row {
                let ratio = (substeps as f64 / SUBSTEPS[row - column] as f64).powi(2);
                let next: Vec<f64> =
                    last.iter().zip(&table[column - 1]).map(|(fine, coarse)| fine + (fine - coarse) / (ratio - 1.0)).collect();
                rows.push(next.clone());
                last = next;
            }
            if row > 0 {
                let before = &rows[row - 1];
                let relative = |((new, old), start): ((&f64, &f64), &f64)| {
                    (new - old).abs() / (TOLERANCE * (start + new).abs().max(start.abs()).max(floor))
                };
                let earlier =
                    std::mem::replace(&mut difference, last.iter().zip(before).zip(state).map(relative).fold(0.0, f64::max));
                error = difference.max(LUCKY * earlier);
            }
            table = rows;
            if error <= 1.0 {
                break;
            }
        }
        let best = table.pop().unwrap_or_default();
        let is_finite = best.iter().all(|value| value.is_finite());
        (best, if is_finite { error } else { f64::INFINITY })
    }

    /// Returns the change in a step of the rule, rather than the new state, so that rounding errors of small changes are small.
    fn midpoint(&self, t: f64, h: f64, state: &[f64], mode: i32, substeps: usize) -> Vec<f64> {
        let part = h / substeps as f64;
        let slope = |t: f64, change: &[f64]| {
            let x: Vec<f64> = state.iter().zip(change).map(|(x, change)| x + change).collect();
            (self.derivative)(t, &x, mode)
        };
        let mut before = vec![0.0; state.len()];
        let mut now: Vec<f64> = slope(t, &before).iter().map(|s| part * s).collect();
        for step in 1..substeps {
            let slopes = slope(t + step as f64 * part, &now);
            let next: Vec<f64> = before.iter().zip(slopes).map(|(x, s)| x + 2.0 * part * s).collect();
            before = std::mem::replace(&mut now, next);
        }
        let slopes = slope(t + h, &now);
        now.iter().zip(&before).zip(slopes).map(|((now, before), s)| 0.5 * (now + before + part * s)).collect()
    }
}

/// A state with compensated summation: the rounding error of each small change is kept for the next one (W. Kahan 1965, doi
/// 10.1145/363707.363723).
#[derive(Debug, Clone)]
struct State {
    x: Vec<f64>,
    rest: Vec<f64>,
}

impl State {
    fn new(x: Vec<f64>) -> Self {
        Self { rest: vec![0.0; x.len()], x }
    }

    fn add(&mut self, change: &[f64]) {
        for ((x, rest), change) in self.x.iter_mut().zip(&mut self.rest).zip(change) {
            let change = change + *rest;
            let sum = *x + change;
            // Exact for |x| >= |change|, otherwise accurate to a rounding of the change.
            *rest = change - (sum - *x);
            *x = sum;
        }
    }

    /// Replaces the values that differ.
    fn jump(&mut self, after: Vec<f64>) {
        for ((x, rest), after) in self.x.iter_mut().zip(&mut self.rest).zip(after) {
            if after != *x {
                (*x, *rest) = (after, 0.0);
            }
        }
    }
}
