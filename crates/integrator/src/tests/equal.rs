//! Equal steps, also of methods that would choose others.

use super::known::Known;
use crate::{
    AbsoluteTolerance, Method, Problem, Settings, Work,
    controlled::{AcceptedStep, Dense, Embedded},
    method::Kind,
};

/// Error below which Newton's iterations end.
const SCALE: f64 = 1e-10;

fn settings(internal_step: f64) -> Settings<'static> {
    Settings { internal_step, relative_tolerance: 0.0, absolute_tolerance: AbsoluteTolerance::All(SCALE), ..Settings::default() }
}

fn embedded(method: &Method, n: usize) -> Option<Box<dyn Embedded>> {
    match method.kind {
        Kind::Fixed(_) => None,
        Kind::Controlled(new) => Some(new(n)),
        Kind::Dense(new) => Some(new(n)),
    }
}

/// What `use_problem` returns for a problem as methods see it: a step of `h` seconds from 10 s.
fn with<T>(known: &mut dyn Known, [h, internal_step]: [f64; 2], use_problem: impl FnOnce(&mut Problem) -> T) -> T {
    let mut right_hand_side = |time, x: &[f64], dx: &mut [f64]| known.derivatives(time, x, dx);
    let mut work = Work::default();
    use_problem(&mut Problem::new(&mut right_hand_side, 10.0, h, settings(internal_step), &mut work))
}

/// States after `n` steps that make up `length` seconds. `None`: one of them is impossible.
pub(super) fn steps(method: &Method, known: &mut dyn Known, length: f64, n: u32) -> Option<Vec<f64>> {
    let (mut x, h) = (known.exact(0.0), length / f64::from(n));
    with(known, [length, h], |problem| match embedded(method, x.len()) {
        None => method.integrate(problem, &mut x).ok().map(|()| x),
        Some(mut embedded) => {
            let mut next = x.clone();
            embedded.start(problem, &x).ok()?;
            for i in 0..n {
                embedded.attempt(problem, f64::from(i) * h, h, &x, &mut next).ok()?;
                embedded.proceed(problem, f64::from(i + 1) * h, &next).ok()?;
                std::mem::swap(&mut x, &mut next);
            }
            Some(x)
        }
    })
}

/// Estimate of the error of the first step, as a root mean square, and the states after it.
pub(super) fn estimate(method: &Method, known: &mut dyn Known, h: f64) -> (f64, Vec<f64>) {
    let x = known.exact(0.0);
    with(known, [h, h], |problem| {
        let mut embedded = embedded(method, x.len()).unwrap();
        embedded.start(problem, &x).unwrap();
        let mut next = x.clone();
        let norm = embedded.attempt(problem, 0.0, h, &x, &mut next).unwrap();
        (norm * SCALE, next)
    })
}

/// States within the first step, at these parts of it.
pub(super) fn within(new: fn(usize) -> Box<dyn Dense>, known: &mut dyn Known, h: f64, parts: &[f64]) -> Vec<Vec<f64>> {
    let x = known.exact(0.0);
    with(known, [h, h], |problem| {
        let mut dense = new(x.len());
        dense.start(problem, &x).unwrap();
        let mut next = x.clone();
        dense.attempt(problem, 0.0, h, &x, &mut next).unwrap();
        let at = |theta: &f64| {
            let mut between = x.clone();
            dense.interpolate(&AcceptedStep { h, x: &x, next: &next }, *theta, &mut between);
            between
        };
        parts.iter().map(at).collect()
    })
}
