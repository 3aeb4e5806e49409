//! Newton's method with a line search, for systems of equations whose evaluation is expensive or may fail.

use lotka_plan::linear::{Factors, SparseMatrix};
use lotka_step::Error;
use nalgebra::{DMatrix, DVector};

/// Maximum number of iterations.
const MOST_ITERATIONS: usize = 60;

/// Relative change of every unknown below which a full correction is the last one.
const CONVERGED: f64 = 1e-12;

/// Rounding errors of a residual, in units of the rounding errors of its terms.
const ROUNDINGS: f64 = 4.0;

/// A residual that no step reduces counts as noise of the equations below this share of its terms.
const NOISE: f64 = 1e-9;

/// Noise of a residual, in units of its standard deviation: the usual maximum, and the absolute maximum.
const NOISE_REACHED: f64 = 4.0;
const NOISE_TAKEN: f64 = 20.0;

/// Maximum size of systems for which the shortest of several corrections is computed, from the singular values of the whole
/// matrix.
const MOST_SINGULAR: usize = 500;

/// Maximum number of halvings of a correction.
const HALVINGS: i32 = 12;

/// Decrease of the residual that a step must achieve, as a share of the decrease predicted by the linear model.
const DECREASE: f64 = 1e-4;

/// Equations `r(x) = 0`, as many as there are unknowns.
pub(super) trait Equations {
    /// Computes `r`; entries that are not finite indicate that `x` is outside the domain.
    ///
    /// # Errors
    /// The equations can no longer be evaluated, whatever `x`.
    fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), Box<Error>>;

    /// Returns a matrix with places for all entries of `dr/dx` that may differ from zero.
    fn places(&self) -> SparseMatrix;

    /// Computes `dr/dx` at `x`, the point of the last residual `r`, and the sizes of the terms of each residual. The matrix has
    /// the [`Equations::places`].
    ///
    /// # Errors
    /// As for [`Equations::residual`].
    fn jacobian(&mut self, x: &[f64], r: &[f64], jacobian: &mut SparseMatrix, sizes: &mut [f64]) -> Result<(), Box<Error>>;
}

/// The attainable and the required accuracy of equations, relative to the size of their terms.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Accuracy {
    /// Standard deviation of the noise of the equations.
    pub(super) noise: f64,
    /// Residuals that the user accepts if none are smaller; 0 if unspecified.
    pub(super) given: f64,
}

impl Accuracy {
    /// Residuals that cannot be reduced: rounding errors of `n` equations, or noise.
    fn reached(self, n: usize) -> f64 {
        (ROUNDINGS * n as f64 * f64::EPSILON).max(NOISE_REACHED * self.noise)
    }

    /// Residuals that are accepted if no step reduces them.
    fn taken(self) -> f64 {
        NOISE.max(NOISE_TAKEN * self.noise).max(self.given)
    }

    /// Relative change of an unknown for a finite difference, which balances the errors due to noise and curvature.
    pub(super) fn change(self) -> f64 {
        self.noise.max(f64::EPSILON).sqrt()
    }
}

/// Where the method ended.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    pub(super) x: Vec<f64>,
    pub(super) residual: Vec<f64>,
    /// The last derivative; `None` if none was computed.
    pub(super) jacobian: Option<SparseMatrix>,
    /// Sizes of the terms of each residual.
    pub(super) sizes: Vec<f64>,
    pub(super) is_solution: bool,
    pub(super) iterations: usize,
}

impl Ended {
    /// The equation with the largest residual, relative to the size of its terms.
    pub(super) fn worst(&self) -> usize {
        let relative = |&row: &usize| relative(self.residual[row], self.sizes.get(row).copied().unwrap_or(1.0));
        (0..self.residual.len()).max_by(|a, b| relative(a).total_cmp(&relative(b))).unwrap_or(0)
    }

    /// Sets the size of a residual whose terms are all zero to its change.
    fn give_sizes(&mut self) {
        if !self.sizes.contains(&0.0) {
            return;
        }
        let scales: Vec<f64> = scales(&self.x).collect();
        let mut changes: Vec<f64> = self.residual.iter().map(|r| r.abs()).collect();
        for (row, column, entry) in self.jacobian.iter().flat_map(SparseMatrix::iter) {
            changes[row] = changes[row].max((entry * scales[column]).abs());
        }
        for (size, change) in self.sizes.iter_mut().zip(changes).filter(|(size, _)| **size == 0.0) {
            *size = if change > 0.0 { change } else { 1.0 };
        }
    }

    /// The largest residual relative to the size of its terms.
    pub(super) fn largest(&self) -> f64 {
        self.residual.iter().zip(&self.sizes).map(|(r, size)| relative(*r, *size)).fold(0.0, f64::max)
    }

    /// Whether the derivative at the end is singular to rounding: the solution is not unique, or not well determined.
    pub(super) fn is_singular(&self) -> bool {
        let is_singular = |jacobian| Factors::new(&balanced(jacobian, &self.sizes, &self.x)).is_none();
        self.jacobian.as_ref().is_some_and(is_singular)
    }
}

/// A residual in units of the size of its terms; a value that is not finite is infinitely large.
fn relative(residual: f64, size: f64) -> f64 {
    match residual.abs() / size {
        _ if residual == 0.0 => 0.0,
        share if share.is_nan() => f64::INFINITY,
        share => share,
    }
}

/// Solves `r(x) = 0` from `x` by
///
/// ```text
/// J(x) dx = -r(x),   x <- x + s dx
/// ```
///
/// with `s` = 1, 1/2, 1/4 … until the residual, relative to the size of its terms, decreases; a residual that is not finite
/// counts as larger than every other. If `J` is singular to rounding, `dx` is the shortest least-squares solution. Convergence is
/// quadratic near a simple root. The method has converged when a full correction changes no unknown by more than 1e-12 of itself,
/// or when all residuals are rounding errors. If no step reduces the residual, one below 1e-9 of its terms is accepted as well,
/// because equations may be noisy. So is one of the size of a known noise, or of the residual that the user accepts.
///
/// Failure: `is_solution` is false, and `x` is the point at which the residual could not be reduced further.
///
/// Reference: Kelley, *Solving Nonlinear Equations with Newton's Method*, 2003, doi 10.1137/1.9780898718898.
///
/// # Errors
/// As for the equations.
pub(super) fn solve(equations: &mut impl Equations, x: Vec<f64>, accuracy: Accuracy) -> Result<Ended, Box<Error>> {
    let n = x.len();
    let mut is_stuck = false;
    let (residual, sizes) = (vec![0.0; n], vec![1.0; n]);
    let mut now = Ended { x, residual, jacobian: None, sizes, is_solution: false, iterations: 0 };
    equations.residual(&now.x, &mut now.residual)?;
    while now.iterations < MOST_ITERATIONS && now.residual.iter().all(|r| r.is_finite()) {
        now.iterations += 1;
        let jacobian = now.jacobian.get_or_insert_with(|| equations.places());
        equations.jacobian(&now.x, &now.residual, jacobian, &mut now.sizes)?;
        now.give_sizes();
        if now.largest() <= accuracy.reached(n) {
            now.is_solution = true;
            break;
        }
        let Some(step) = correction(&now) else { break };
        let last = is_small(&step, &now.x);
        if !descend(equations, &mut now, &step)? {
            is_stuck = true;
            break;
        }
        if last {
            now.is_solution = true;
            break;
        }
    }
    // Noise may reduce a residual slightly again and again.
    is_stuck |= accuracy.taken() > NOISE;
    now.is_solution |= is_stuck && now.largest() <= accuracy.taken() && !now.is_singular();
    Ok(now)
}

/// The correction of all unknowns; `None` if there is no finite one.
fn correction(now: &Ended) -> Option<DVector<f64>> {
    let rhs = DVector::from_iterator(now.residual.len(), now.residual.iter().zip(&now.sizes).map(|(r, size)| -r / size));
    let scaled = balanced(now.jacobian.as_ref()?, &now.sizes, &now.x);
    if scaled.values().iter().chain(&rhs).any(|value| !value.is_finite()) {
        return None;
    }
    let mut step = match Factors::new(&scaled) {
        Some(mut factors) => {
            let mut step = rhs;
            factors.solve(step.as_mut_slice());
            step
        }
        None => shortest(&scaled, &rhs)?,
    };
    step.iter_mut().zip(scales(&now.x)).for_each(|(step, scale)| *step *= scale);
    step.iter().all(|value| value.is_finite()).then_some(step)
}

/// The shortest least-squares solution; `None` for large systems.
pub fn shortest(sparse: &SparseMatrix, rhs: &DVector<f64>) -> Option<DVector<f64>> {
    let n = sparse.size();
    if n > MOST_SINGULAR {
        return None;
    }
    let mut matrix = DMatrix::zeros(n, n);
    sparse.iter().for_each(|(row, column, entry)| matrix[(row, column)] = entry);
    let size = matrix.amax();
    matrix.svd(true, true).solve(rhs, size * f64::EPSILON.sqrt()).ok()
}

/// Moves along the correction, or a part of it, to a smaller residual. Returns false without such a point.
fn descend(equations: &mut impl Equations, now: &mut Ended, step: &DVector<f64>) -> Result<bool, Box<Error>> {
    let norm = |residual: &[f64], sizes: &[f64]| {
        let squares = residual.iter().zip(sizes).map(|(r, size)| relative(*r, *size).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let before = norm(&now.residual, &now.sizes);
    let mut next = now.clone();
    for halving in 0..=HALVINGS {
        let share = 0.5_f64.powi(halving);
        for ((x, now), step) in next.x.iter_mut().zip(&now.x).zip(step) {
            *x = now + share * step;
        }
        equations.residual(&next.x, &mut next.residual)?;
        if norm(&next.residual, &now.sizes) <= (1.0 - DECREASE * share) * before {
            *now = next;
            return Ok(true);
        }
    }
    // Evaluates the equations at the last point again.
    equations.residual(&now.x, &mut now.residual)?;
    Ok(false)
}

fn is_small(step: &DVector<f64>, x: &[f64]) -> bool {
    step.iter().zip(x).all(|(step, x)| step.abs() <= CONVERGED * x.abs())
}

/// Sizes of the unknowns; one that is zero, or not finite, has the average size of the others.
pub(super) fn scales(x: &[f64]) -> impl Iterator<Item = f64> {
    let size = |x: &f64| if x.is_finite() { x.abs() } else { 0.0 };
    let sum: f64 = x.iter().map(size).sum();
    let mean = if sum > 0.0 { sum / x.len() as f64 } else { 1.0 };
    x.iter().map(size).map(move |size| if size == 0.0 { mean } else { size })
}

/// The derivative in units of the terms of each equation and the size of each unknown.
fn balanced(jacobian: &SparseMatrix, sizes: &[f64], x: &[f64]) -> SparseMatrix {
    let scales: Vec<f64> = scales(x).collect();
    let mut scaled = jacobian.clone();
    scaled.iter_mut().for_each(|(row, column, entry)| *entry = *entry / sizes[row] * scales[column]);
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equations given as closures, with differences or the exact derivative.
    struct Given<const N: usize>(fn([f64; N]) -> [f64; N]);

    impl<const N: usize> Equations for Given<N> {
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), Box<Error>> {
            r.copy_from_slice(&(self.0)(x.try_into().unwrap()));
            Ok(())
        }

        fn places(&self) -> SparseMatrix {
            SparseMatrix::dense(N)
        }

        fn jacobian(&mut self, x: &[f64], r: &[f64], jacobian: &mut SparseMatrix, sizes: &mut [f64]) -> Result<(), Box<Error>> {
            let x: [f64; N] = x.try_into().unwrap();
            for column in 0..N {
                let mut moved = x;
                moved[column] += 1e-7 * x[column].abs().max(1e-3);
                let step = moved[column] - x[column];
                let there = (self.0)(moved);
                for row in 0..N {
                    jacobian.set(row, column, (there[row] - r[row]) / step);
                }
            }
            for row in 0..N {
                sizes[row] = r[row].abs();
            }
            for (row, column, entry) in jacobian.iter() {
                sizes[row] += (entry * x[column]).abs();
            }
            Ok(())
        }
    }

    fn solve_given<const N: usize>(equations: fn([f64; N]) -> [f64; N], x: [f64; N]) -> Ended {
        solve(&mut Given(equations), x.to_vec(), Accuracy::default()).unwrap()
    }

    #[track_caller]
    fn assert_solved<const N: usize>(equations: fn([f64; N]) -> [f64; N], from: [f64; N], root: [f64; N]) {
        let ended = solve_given(equations, from);
        assert!(ended.is_solution, "{ended:?}");
        for (x, root) in ended.x.iter().zip(root) {
            assert!((x - root).abs() <= 1e-12 * root.abs().max(1e-3), "{ended:?}");
        }
    }

    #[test]
    fn roots_are_found_from_where_full_steps_diverge() {
        assert_solved(|[x]: [f64; 1]| [x.atan()], [3.0], [0.0]);
        assert_solved(|[x]: [f64; 1]| [x.ln()], [10.0], [1.0]);
        assert_solved(
            |[x, y]: [f64; 2]| [2.0 * x * x + 5.0 * y - 42.0, x - 6.0 * y - 4.0],
            [0.1, 0.0],
            [4.5571749758026865, 0.09286249596711442],
        );
    }

    #[test]
    fn units_do_not_matter() {
        assert_solved(|[x, y]: [f64; 2]| [1e12 * x * y - 6e3, 1e9 * x + y - 5.0], [4e-9, 1.0], [3e-9, 2.0]);
        assert_solved(
            |[x, y]: [f64; 2]| [1e12 * x * y - 6.0, 1e9 * x + y - 5.0],
            [1e-9, 9.0],
            [(5.0 - (25.0_f64 - 0.024).sqrt()) / 2e9, (5.0 + (25.0_f64 - 0.024).sqrt()) / 2.0],
        );
    }

    #[test]
    fn zeros_everywhere_are_a_start_like_every_other() {
        assert_solved(|[x, y]: [f64; 2]| [3.0 * x + 2.0 * y - 1.0, x + y], [0.0, 0.0], [1.0, -1.0]);
    }

    #[test]
    fn without_a_root_the_smallest_residual_is_reported() {
        let ended = solve_given(|[x]: [f64; 1]| [x * x - x + 1.0], [3.0]);
        assert!(!ended.is_solution);
        assert!((ended.residual[0] - 0.75).abs() < 0.05 && (ended.x[0] - 0.5).abs() < 0.2, "{ended:?}");
    }

    #[test]
    fn what_is_not_finite_at_the_start_ends_at_once() {
        let ended = solve_given(|[x]: [f64; 1]| [x.sqrt()], [-1.0]);
        assert!(!ended.is_solution && ended.iterations == 0 && ended.largest() == f64::INFINITY);
    }

    #[test]
    fn noise_of_the_equations_is_no_obstacle() {
        let ended = solve_given(|[x]: [f64; 1]| [((x * x - 2.0) * 1e10).round() * 1e-10], [1.0]);
        assert!(ended.is_solution && (ended.x[0] - 2.0_f64.sqrt()).abs() < 1e-9, "{ended:?}");
    }

    #[test]
    fn what_the_user_takes_is_a_solution_where_none_is_better() {
        // It jumps across zero.
        let jumps = |[x]: [f64; 1]| [x * x - 2.0 + 5e-4 * (x * x - 2.0).signum()];
        let solve = |given| solve(&mut Given(jumps), vec![1.0], Accuracy { noise: 0.0, given }).unwrap();
        assert!(!solve(0.0).is_solution);
        let ended = solve(1e-3);
        assert!(ended.is_solution && (ended.x[0] - 2.0_f64.sqrt()).abs() < 1e-3, "{ended:?}");
    }

    #[test]
    fn lines_of_solutions_are_singular() {
        let ended = solve_given(|[x, y]: [f64; 2]| [x + y - 1.0, 2.0 * x + 2.0 * y - 2.0], [3.0, 1.0]);
        assert!(ended.is_solution && ended.is_singular(), "{ended:?}");
    }
}
