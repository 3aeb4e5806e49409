//! Whether a single pass over the loops is enough: at some steps under local error control, passes are repeated with their own
//! results.
//!
//! Without iteration, a step ends with the values of its first pass. Where the contraction of the passes is near 1, these are far
//! from the values that suit each other, however small the local error: a shorter step is wrong in the same way.

use lotka_message::{Code, Warning};
use lotka_step::{
    algorithm::{Attempt, Calls, Coupled, Level, Method, Signals, Step},
    checkpoint::{Persistent, Transfer, Transferred},
    error_control::Tolerances,
};

/// The first attempt at which passes are repeated, and the factor from each of these attempts to the next one.
const FIRST: u64 = 4;
const SPACING: u64 = 4;

/// Passes per measurement: the changes from each to the next show the contraction, after the first ones have left the slowest
/// error.
const PASSES: usize = 4;

/// Contraction from which the values of a single pass are not trusted.
const POOR: f64 = 0.5;

/// Changes below this share of the tolerance may be rounding.
const ROUNDING: f64 = 1e-3;

/// Repeats passes now and then, and remembers the step at which that changed most.
#[derive(Debug)]
pub(super) struct ContractionCheck {
    tolerances: Tolerances,
    /// The outputs of instances in loops.
    signals: Vec<usize>,
    /// The values after each pass.
    passes: [Vec<f64>; PASSES],
    attempts: u64,
    next: u64,
    /// Calls before a measurement, and the number of steps in all of them.
    calls: Vec<Calls>,
    n_steps: u64,
    worst: Option<PoorContraction>,
}

/// A step whose values are not those that suit each other.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
struct PoorContraction {
    /// Begin and size of the step \[s\].
    t: f64,
    h: f64,
    /// Ratio of the changes in successive passes.
    contraction: f64,
    /// Distance to the limit of the passes, in tolerances.
    distance: f64,
}

impl ContractionCheck {
    /// Returns `None` if there are no loops, if they are iterated, or if an instance cannot be rolled back.
    pub(super) fn new(coupled: &Coupled, method: &Method, tolerances: Tolerances) -> Option<Self> {
        let is_single = !method.needs_rollback() && method.late().is_none();
        let rolls_back = coupled.instances.iter().all(|instance| instance.inner.capabilities().save_state);
        let loops = coupled.plan.components.iter().filter(|component| component.is_loop);
        let outputs = |&member: &usize| coupled.plan.instances[member].outputs.clone();
        let signals: Vec<usize> = loops.flat_map(|component| component.members.iter().flat_map(outputs)).collect();
        let passes = [const { Vec::new() }; PASSES].map(|_: Vec<f64>| vec![0.0; signals.len()]);
        let calls = coupled.calls().collect();
        let check = Self { tolerances, signals, passes, attempts: 0, next: FIRST, calls, n_steps: 0, worst: None };
        (is_single && rolls_back && !check.signals.is_empty()).then_some(check)
    }

    /// Counts an attempt, and measures the contraction at some of them. The communication point has been saved; everything
    /// returns to it.
    #[inline]
    pub(super) fn follow(&mut self, method: &mut Method, coupled: &mut Coupled, step: Step) -> Attempt<()> {
        self.attempts += 1;
        if self.attempts < self.next { Attempt::Continue(()) } else { self.measure(method, coupled, step) }
    }

    #[cold]
    fn measure(&mut self, method: &mut Method, coupled: &mut Coupled, step: Step) -> Attempt<()> {
        self.next *= SPACING;
        let mut made = 0;
        let Self { signals, passes, calls, .. } = self;
        calls.iter_mut().zip(coupled.calls()).for_each(|(kept, now)| *kept = now);
        let n_rollbacks = coupled.n_rollbacks;
        let keep = |newest: &Signals| {
            passes[made].iter_mut().zip(signals.iter()).for_each(|(value, &signal)| *value = newest.reals[signal]);
            made += 1;
        };
        let is_made = method.repeat(coupled, step, Level::Communication, PASSES, keep)?;
        self.n_steps += coupled.forget_calls(&self.calls, n_rollbacks);
        if !is_made {
            return Attempt::Continue(());
        }
        let change = |pass: usize| {
            let pairs = self.passes[pass].iter().zip(&self.passes[pass + 1]);
            self.tolerances.norm(pairs.map(|(before, after)| (after - before, *after)))
        };
        let (first, last) = (change(0), change(PASSES - 2));
        let contraction = if first < ROUNDING { 0.0 } else { (last / first).powf(1.0 / (PASSES - 2) as f64) };
        let distance = if contraction < 1.0 { first / (1.0 - contraction) } else { f64::INFINITY };
        let is_worst = self.worst.is_none_or(|worst| distance > worst.distance);
        if contraction >= POOR && distance > 1.0 && is_worst {
            self.worst = Some(PoorContraction { t: step.t, h: step.h, contraction, distance });
        }
        Attempt::Continue(())
    }

    /// The number of doStep calls in all measurements.
    pub(super) fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// Returns a warning about the step whose values changed most.
    pub(super) fn warning(&self) -> Option<Warning> {
        let PoorContraction { t, h, contraction, .. } = self.worst?;
        Some(Warning::new(
            Code::BeyondLocalTolerance,
            format!(
                "the results may be far less accurate than `local-tolerance`: the step of {h:.2e} s at t = {t:.3} s, repeated with its own results, \
                 still changes by {:.0} % as much, and the local error does not show that; use `tolerance`, or iterate the loops",
                100.0 * contraction
            ),
        ))
    }
}

impl Persistent for ContractionCheck {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.attempts)?;
        transfer.value(&mut self.next)?;
        transfer.value(&mut self.n_steps)?;
        transfer.value(&mut self.worst)
    }
}
