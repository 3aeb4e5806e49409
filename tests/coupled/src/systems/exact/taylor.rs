//! The van der Pol oscillator.

/// Longest step \[s\].
const STEP: f64 = 0.05;
const TERMS: usize = 24;

/// Returns position and velocity at `t` from (2, 0) at 0, by Taylor series.
pub(super) fn van_der_pol(t: f64) -> [f64; 2] {
    let steps = (t / STEP).ceil().max(1.0);
    (0..steps as u32).fold([2.0, 0.0], |state, _| step(state, t / steps))
}

fn step([x0, v0]: [f64; 2], h: f64) -> [f64; 2] {
    let (mut x, mut v, mut square) = ([0.0; TERMS], [0.0; TERMS], [0.0; TERMS]);
    (x[0], v[0]) = (x0, v0);
    for n in 0..TERMS - 1 {
        let product = |a: &[f64], b: &[f64]| (0..=n).map(|i| a[i] * b[n - i]).sum::<f64>();
        square[n] = product(&x, &x);
        let next = (n + 1) as f64;
        x[n + 1] = v[n] / next;
        v[n + 1] = (v[n] - product(&square, &v) - x[n]) / next;
    }
    [x, v].map(|series| series.iter().rev().fold(0.0, |sum, coefficient| sum * h + coefficient))
}
