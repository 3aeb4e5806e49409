//! Exact flows of linear systems with parts that are faster than any integrator can follow.
//!
//! With slow states `s` and fast states `f`, `s' = A s + B f` and `f' = C s + D f` have a slow manifold `f = L s`, and the
//! distance `e = f - L s` from it decays by itself: `e' = (D - L B) e`. What it leaves in the slow states, `s = z + H e`, is
//! removed likewise: `z' = (A + B L) z` (P. Kokotović, H. K. Khalil and J. O'Reilly 1986, Singular Perturbation Methods in
//! Control, section 2.2). Each part is then solved by itself, so that large rates do not cost digits of the small ones.

use nalgebra::{DMatrix, DVector};

use super::reference::Flow;

/// Number of iterations for `L` and `H`, each of which multiplies their errors by about the ratio of slow to fast rates.
const ITERATIONS: usize = 400;

/// Longest time step of the slow part as a multiple of its fastest time constant.
const SLOW: f64 = 0.5;

/// Returns the flow of linear equations `x' = derivative(x)`, some of whose states are fast.
pub fn flow(states: usize, is_fast: &[usize], derivative: impl Fn(&[f64]) -> Vec<f64>) -> Flow {
    let unit = |index: usize| (0..states).map(|other| f64::from(u8::from(other == index))).collect::<Vec<_>>();
    let matrix = DMatrix::from_columns(&(0..states).map(|index| DVector::from_vec(derivative(&unit(index)))).collect::<Vec<_>>());
    let fast = is_fast.to_vec();
    let slow: Vec<usize> = (0..states).filter(|index| !fast.contains(index)).collect();
    let part = |rows: &[usize], columns: &[usize]| matrix.select_rows(rows).select_columns(columns);
    let [a, b, c, d] = [part(&slow, &slow), part(&slow, &fast), part(&fast, &slow), part(&fast, &fast)];
    let inverse = d.clone().try_inverse().unwrap();
    let mut manifold = DMatrix::zeros(fast.len(), slow.len());
    for _ in 0..ITERATIONS {
        manifold = &inverse * (&manifold * (&a + &b * &manifold) - &c);
    }
    let (slow_rates, fast_rates) = (&a + &b * &manifold, &d - &manifold * &b);
    let inverse = fast_rates.clone().try_inverse().unwrap();
    let mut left = DMatrix::zeros(slow.len(), fast.len());
    for _ in 0..ITERATIONS {
        left = (&slow_rates * &left + &b) * &inverse;
    }
    Box::new(move |h, x| {
        let take = |places: &[usize]| DVector::from_iterator(places.len(), places.iter().map(|place| x[*place]));
        let s = take(&slow);
        let distance = take(&fast) - &manifold * &s;
        let mut z = s - &left * &distance;
        let parts = (h * slow_rates.norm() / SLOW).ceil().max(1.0);
        let step = (&slow_rates * (h / parts)).exp();
        (0..parts as usize).for_each(|_| z = &step * &z);
        let distance = (&fast_rates * h).exp() * distance;
        let s = z + &left * &distance;
        let f = distance + &manifold * &s;
        let mut after = vec![0.0; states];
        slow.iter().zip(s.iter()).chain(fast.iter().zip(f.iter())).for_each(|(place, value)| after[*place] = *value);
        after
    })
}
