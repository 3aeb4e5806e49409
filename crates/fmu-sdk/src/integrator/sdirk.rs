//! Singly diagonally implicit Runge–Kutta methods, for stiff equations, by the library diffsol.

use std::cell::RefCell;

use diffsol::{
    DiffsolError, NalgebraContext, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquations, OdeEquationsImplicit,
    OdeSolverMethod, OdeSolverProblem, OdeSolverStopReason, Op, Sdirk, Tableau, VectorHost,
};

use super::{failure::Failure, grid::MAX_STEPS, method::Method, problem::Problem, step_control::SMALLEST};

type Matrix = NalgebraMat<f64>;
type Vector = NalgebraVec<f64>;
type LinearSolver = NalgebraLU<f64>;

/// An implicit method with step control by its Butcher tableau, whose diagonal is constant from the second stage on and whose last stage is
/// the result. Each stage is solved by Newton's method; the Jacobian matrix df/dx is made of forward differences, and kept while
/// it serves. Of all that diffsol offers only such one-step methods suit, which have no memory of past steps.
///
/// Time is scaled to the communication step: `dx/ds = h f(t + s h, x, u)` for `s` in 0 … 1.
///
/// Source: M. Robinson, diffsol, a Rust library for ordinary differential equations, <https://github.com/martinjrobins/diffsol>; E. Hairer,
/// G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.8, doi 10.1007/978-3-642-05221-7.
pub(super) struct DiagonallyImplicit {
    pub tableau: fn(NalgebraContext) -> Tableau<Matrix>,
}

impl Method for DiagonallyImplicit {
    fn integrate(&self, problem: &mut Problem, x: &mut [f64]) -> Result<(), Failure> {
        let at_start = |source| Failure::Solver { tau: 0.0, source };
        let (problem, start) = (RefCell::new(problem), x.to_vec());
        let scaled = scaled(&problem, &start).map_err(at_start)?;
        let outcome = self.solver(&scaled).map_err(at_start).and_then(|solver| run(solver, &problem, x));
        let n_jacobians = scaled.eqn.rhs().statistics().number_of_matrix_evals;
        add(&mut problem.borrow_mut().work.n_jacobians, n_jacobians);
        outcome
    }
}

impl DiagonallyImplicit {
    fn solver<'a, E: Equations>(&self, problem: &'a OdeSolverProblem<E>) -> Result<Sdirk<'a, E, LinearSolver>, DiffsolError> {
        let tableau = (self.tableau)(*problem.context());
        let state = problem.rk_state_and_consistent::<LinearSolver, _>(&tableau)?;
        let mut solver = problem.sdirk_solver(state, tableau)?;
        solver.set_stop_time(1.0)?;
        Ok(solver)
    }
}

/// Equations with the types used here.
trait Equations: OdeEquationsImplicit<T = f64, V = Vector, M = Matrix, C = NalgebraContext> {}
impl<E: OdeEquationsImplicit<T = f64, V = Vector, M = Matrix, C = NalgebraContext>> Equations for E {}

/// The problem in scaled time, from the states `start`.
fn scaled<'a>(
    problem: &'a RefCell<&'a mut Problem<'_>>,
    start: &'a [f64],
) -> Result<OdeSolverProblem<impl Equations>, DiffsolError> {
    let (h, settings) = (problem.borrow().h, problem.borrow().settings);
    let least = settings.absolute_tolerance / settings.relative_tolerance;
    let slope = move |x: &Vector, s: f64, dx: &mut Vector| {
        problem.borrow_mut().derivatives(s * h, x.as_slice(), dx.as_mut_slice());
        dx.as_mut_slice().iter_mut().for_each(|dx| *dx *= h);
    };
    let mut scaled = OdeBuilder::<Matrix>::new()
        .rtol(settings.relative_tolerance)
        .atol([settings.absolute_tolerance])
        .rhs_implicit(
            move |x, _, s, dx| slope(x, s, dx),
            move |x, _, s, v, product| directional_derivative(|x, dx| slope(x, s, dx), least, x, v, product),
        )
        .init(|_, _, x| x.as_mut_slice().copy_from_slice(start), start.len())
        .build()?;
    scaled.ode_options.min_timestep = SMALLEST;
    Ok(scaled)
}

/// Integrates over the communication step and counts the work.
fn run<E: Equations>(mut solver: Sdirk<E, LinearSolver>, problem: &RefCell<&mut Problem>, x: &mut [f64]) -> Result<(), Failure> {
    let outcome = take_steps(&mut solver, problem, x);
    let statistics = solver.get_statistics();
    let work = &mut *problem.borrow_mut().work;
    add(&mut work.n_rejected, statistics.number_of_error_test_failures + statistics.number_of_nonlinear_solver_fails);
    add(&mut work.n_factorizations, statistics.number_of_linear_solver_setups);
    outcome
}

fn take_steps<E: Equations>(
    solver: &mut Sdirk<E, LinearSolver>,
    problem: &RefCell<&mut Problem>,
    x: &mut [f64],
) -> Result<(), Failure> {
    let h = problem.borrow().h;
    for _ in 0..MAX_STEPS {
        let tau = solver.state().t * h;
        let reason = solver.step().map_err(|source| Failure::Solver { tau, source })?;
        problem.borrow_mut().took_step(tau, solver.state().y.as_slice())?;
        if !matches!(reason, OdeSolverStopReason::InternalTimestep) {
            x.copy_from_slice(solver.state().y.as_slice());
            return Ok(());
        }
    }
    Err(Failure::TooManySteps { tau: solver.state().t * h, limit: MAX_STEPS })
}

/// Derivative of `f` at `x` in the direction `v` by a forward difference that changes `x` by about the root of the precision, relative to the
/// part of `x` along `v`, or to `least` where that is small.
fn directional_derivative(f: impl Fn(&Vector, &mut Vector), least: f64, x: &Vector, v: &Vector, product: &mut Vector) {
    let (x_slice, v_slice) = (x.as_slice(), v.as_slice());
    let square: f64 = v_slice.iter().map(|v| v * v).sum();
    let along: f64 = x_slice.iter().zip(v_slice).map(|(x, v)| x * v).sum::<f64>().abs();
    let size = f64::max(along, least * square.sqrt());
    let increment = f64::EPSILON.sqrt() * size / square;
    let mut beside = x.clone();
    beside.as_mut_slice().iter_mut().zip(v_slice).for_each(|(x, v)| *x += increment * v);
    let mut here = x.clone();
    f(x, &mut here);
    f(&beside, product);
    product.as_mut_slice().iter_mut().zip(here.as_slice()).for_each(|(product, here)| *product = (*product - here) / increment);
}

fn add(count: &mut i32, more: usize) {
    *count = count.saturating_add(i32::try_from(more).unwrap_or(i32::MAX));
}
