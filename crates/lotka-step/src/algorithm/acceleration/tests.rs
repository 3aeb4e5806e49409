//! Problems with known solutions, and the nonlinear loops of the literature.

use lotka_plan::linear::SparseMatrix;

use super::*;

/// `G(x) = M x + offset`.
pub(super) struct Linear {
    pub(super) matrix: Vec<f64>,
    pub(super) offset: Vec<f64>,
}

impl Linear {
    /// Eigenvalues as given.
    pub(super) fn diagonal(spectrum: &[f64]) -> Self {
        let n = spectrum.len();
        let mut matrix = vec![0.0; n * n];
        spectrum.iter().enumerate().for_each(|(k, value)| matrix[k * n + k] = *value);
        Self { matrix, offset: (0..n).map(|k| 1.0 + 0.1 * k as f64).collect() }
    }

    /// A full matrix whose spectral radius grows with `strength`.
    pub(super) fn coupled(n: usize, strength: f64) -> Self {
        let entry = |k: usize| strength * (1.7 * k as f64 + 0.3 * (k * k) as f64).cos();
        Self { matrix: (0..n * n).map(entry).collect(), offset: (0..n).map(|k| 1.0 - 0.4 * k as f64).collect() }
    }

    pub(super) fn value(&self, x: &[f64]) -> Vec<f64> {
        let rows = self.matrix.chunks_exact(x.len()).zip(&self.offset);
        rows.map(|(row, offset)| offset + row.iter().zip(x).map(|(m, x)| m * x).sum::<f64>()).collect()
    }
}

fn residual_norm(x: &[f64], g: &[f64]) -> f64 {
    x.iter().zip(g).map(|(x, g)| (g - x).abs()).fold(0.0, f64::max)
}

/// Evaluations of `G` after which the proposed value solves the problem to `tolerance`, if `limit` are enough.
pub(super) fn iterations(acceleration: &mut dyn Acceleration, problem: &Linear, tolerance: f64, limit: usize) -> Option<usize> {
    let n = problem.offset.len();
    let (mut x, weights) = (vec![0.0; n], vec![1.0; n]);
    acceleration.begin();
    for iteration in 1..=limit {
        let g = problem.value(&x);
        acceleration.next(&mut x, &g, &weights);
        if residual_norm(&x, &problem.value(&x)) <= tolerance {
            acceleration.converged();
            return Some(iteration);
        }
    }
    None
}

/// Values after `evaluations` of `G` in one step.
pub(super) fn solve(
    acceleration: &mut dyn Acceleration,
    g: impl Fn(&[f64]) -> Vec<f64>,
    start: &[f64],
    weights: &[f64],
    evaluations: usize,
) -> Vec<f64> {
    let mut x = start.to_vec();
    acceleration.begin();
    for _ in 0..evaluations {
        let g = g(&x);
        acceleration.next(&mut x, &g, weights);
    }
    x
}

fn newton(g: impl Fn(&[f64]) -> Vec<f64>, start: &[f64], evaluations: usize) -> Vec<f64> {
    let (mut x, n) = (start.to_vec(), start.len());
    let mut derivative = SparseMatrix::dense(n);
    let mut newton = InterfaceNewton::new(derivative.clone(), &[]);
    for _ in 0..evaluations {
        let value = g(&x);
        for k in 0..n {
            let mut other = x.clone();
            other[k] += 1e-7;
            let change = g(&other);
            (0..n).for_each(|i| derivative.set(i, k, (change[i] - value[i]) / 1e-7));
        }
        assert!(newton.factor(&derivative));
        let mut correction: Vec<f64> = value.iter().zip(&x).map(|(g, x)| g - x).collect();
        assert!(newton.solve(&mut correction));
        x.iter_mut().zip(&correction).for_each(|(x, correction)| *x += correction);
    }
    x
}

fn assert_near(found: &[f64], expected: &[f64]) {
    for (found_value, expected_value) in found.iter().zip(expected) {
        assert!((found_value - expected_value).abs() <= 1e-12, "{found:?} instead of {expected:?}");
    }
}

/// `2 x1^2 + 5 x2 = 42`, `x1 - 6 x2 = 4`, solved for the values so that the plain iteration diverges (derivative -21.9).
fn parabola(x: &[f64]) -> Vec<f64> {
    vec![4.0 + 6.0 * x[1], (42.0 - 2.0 * x[0] * x[0]) / 5.0]
}

/// `a + b + c = 0`, `2a - 3b + 2c = 9`, `a^2 + b^2 + c^2 = 5`.
fn sphere(x: &[f64]) -> Vec<f64> {
    let [a, b, c] = [x[0], x[1], x[2]];
    vec![-b - c, (2.0 * a + 2.0 * c - 9.0) / 3.0, (5.0 - a * a - b * b).max(0.0).sqrt()]
}

#[test]
fn the_parabola_loop_is_solved() {
    let (start, solution) = ([4.0, 0.0], [4.557_174_975_802_686_5, 0.092_862_495_967_114_42]);
    assert_near(&solve(&mut Anderson::new(2, 5, 0), parabola, &start, &[1.0; 2], 12), &solution);
    assert_near(&newton(parabola, &start, 6), &solution);
    assert!(solve(&mut FixedPoint, parabola, &start, &[1.0; 2], 8)[0].abs() > 1e3);
}

#[test]
fn the_sphere_loop_is_solved() {
    let (start, solution) = ([0.5, -1.5, 1.0], [0.635_424_868_893_541_1, -1.8, 1.164_575_131_106_459]);
    assert_near(&solve(&mut Anderson::new(3, 5, 0), sphere, &start, &[1.0; 3], 25), &solution);
    assert_near(&newton(sphere, &start, 8), &solution);
}

fn all(n: usize) -> [Box<dyn Acceleration>; 4] {
    [Box::new(FixedPoint), Box::new(Relaxation::new(0.5)), Box::new(Aitken::new(n, 0.5)), Box::new(Anderson::new(n, 3, 2))]
}

#[test]
fn a_solution_stays_where_it_is() {
    for (k, mut acceleration) in all(3).into_iter().enumerate() {
        let x = solve(&mut *acceleration, |x| x.to_vec(), &[1.0, -2.0, 3.0], &[1.0; 3], 5);
        assert_eq!(x, [1.0, -2.0, 3.0], "acceleration {k}");
    }
}

#[test]
fn contractions_converge_over_several_steps_in_spite_of_values_that_are_not_finite() {
    let problem = Linear::diagonal(&[0.5, -0.4, 0.1]);
    for (k, mut acceleration) in all(3).into_iter().enumerate() {
        for _ in 0..3 {
            let n_calls = std::cell::Cell::new(0);
            let g = |x: &[f64]| {
                assert!(x.iter().all(|x| x.is_finite()));
                n_calls.set(n_calls.get() + 1);
                let mut g = problem.value(x);
                match n_calls.get() {
                    1 | 4 => g[1] = f64::NAN,
                    6 => g[0] = f64::INFINITY,
                    _ => {}
                }
                g
            };
            let x = solve(&mut *acceleration, g, &[0.0; 3], &[1.0; 3], 120);
            assert!(residual_norm(&x, &problem.value(&x)) < 1e-12, "acceleration {k}: {x:?}");
            acceleration.converged();
        }
    }
}

#[test]
fn a_loop_without_values_is_no_problem() {
    for mut acceleration in all(0) {
        solve(&mut *acceleration, |x| x.to_vec(), &[], &[], 2);
    }
    let mut newton = InterfaceNewton::new(SparseMatrix::dense(0), &[]);
    assert!(newton.factor(&SparseMatrix::dense(0)) && newton.solve(&mut []));
}
