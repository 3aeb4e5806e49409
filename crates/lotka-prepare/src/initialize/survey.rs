//! Information for the user about the loops of direct feedthrough: other solutions, and loops without a unique one.

use lotka_message::{Code, Warning};
use lotka_plan::{
    graph::{self, Graph},
    linear::SparseMatrix,
};
use lotka_step::{Error, algorithm::Coupled, renewal::SetUp};

use super::{
    feedthrough_loop::{FeedthroughLoop, Solved},
    newton::{Accuracy, Ended},
    start::{begin, exchange},
    starting_points::starting_points,
};

/// Loops with more unknowns than this are not searched for other solutions.
const LARGEST_SEARCHED: usize = 50;

/// Number of starting points at which the derivative is compared with that at the solution.
const SAMPLES: usize = 4;

/// Relative difference up to which derivatives count as equal: more than the error of finite differences.
const SAME_DERIVATIVE: f64 = 1e-6;

/// Relative difference up to which values count as the same solution.
const SAME_SOLUTION: f64 = 1e-6;

/// Residuals above this share of their terms are worth a warning.
const NOISY: f64 = 1e-9;

/// Maximum effect of noise on the values of a loop, in units of its standard deviation, and on finite differences, in units of
/// their relative error.
const NOISE_IN_VALUES: f64 = 1e3;
const NOISE_IN_DERIVATIVES: f64 = 30.0;

/// Whether the graph of `count` instances has loops for [`survey`].
pub fn has_loops(graph: &Graph, count: usize) -> bool {
    graph::components_along(count, &graph.initial).iter().any(|component| component.is_loop)
}

/// Initializes the instances and examines each loop of direct feedthrough: whether other starting points lead to another solution
/// (a bounded number of them; not if the loop is linear or large), whether a loop has infinitely many solutions, and, unless
/// `is_iterated`, that its values are solved for at the start only. Afterwards the instances must be initialized again.
///
/// # Errors
/// As for [`super::initialize`]. If an FMU refuses to continue a search for other solutions, the search ends without an error.
pub fn survey(coupled: &mut Coupled, set_up: &[SetUp], graph: &Graph, is_iterated: bool) -> Result<Vec<Warning>, Box<Error>> {
    let components = graph::components_along(set_up.len(), &graph.initial);
    let mut warnings = Vec::new();
    begin(coupled, set_up, &components)?;
    for component in &components {
        if !component.is_loop {
            exchange(coupled, component.members[0])?;
            continue;
        }
        let inner = FeedthroughLoop::new(&component.members, coupled);
        let Solved::Newton { ended, from_elsewhere, accuracy } = inner.solve(coupled, set_up)? else { continue };
        let described =
            Described { inner: &inner, names: inner.names(coupled).join(" -> "), unknowns: inner.unknowns(coupled), accuracy };
        warnings.extend((!is_iterated).then(|| described.is_delayed()));
        warnings.extend(
            (ended.largest() > NOISY && (accuracy.noise > 0.0 || accuracy.given > 0.0)).then(|| described.is_noisy(&ended)),
        );
        warnings.extend(from_elsewhere.then(|| described.came_from_elsewhere(&ended)));
        if ended.is_singular() {
            warnings.push(described.is_singular(&ended));
            continue;
        }
        let kept = coupled.newest.clone();
        match described.another(coupled, &ended) {
            Ok(other) => warnings.extend(other.map(|other| described.has_another(&ended, &other))),
            Err(error) if error.ended_process() => return Err(error),
            Err(_) => return Ok(warnings),
        }
        coupled.newest.copy_from(&kept);
        inner.follow(coupled)?;
    }
    Ok(warnings)
}

/// A loop with the names of its instances and unknowns.
struct Described<'a> {
    inner: &'a FeedthroughLoop,
    names: String,
    unknowns: Vec<String>,
    accuracy: Accuracy,
}

impl Described<'_> {
    /// Another solution, if one of the starting points leads to one.
    fn another(&self, coupled: &mut Coupled, solution: &Ended) -> Result<Option<Ended>, Box<Error>> {
        if solution.x.len() > LARGEST_SEARCHED || self.is_linear(coupled, solution)? {
            return Ok(None);
        }
        for point in starting_points(&solution.x) {
            let ended = self.inner.solve_from(coupled, point, self.accuracy)?;
            if ended.is_solution && differs(&ended.x, &solution.x, self.accuracy) {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// Whether the derivative is equal at several points, which rules out another solution.
    fn is_linear(&self, coupled: &mut Coupled, solution: &Ended) -> Result<bool, Box<Error>> {
        for point in starting_points(&solution.x).take(SAMPLES) {
            let there = self.inner.derivative_at(coupled, &point, self.accuracy)?;
            if !solution.jacobian.as_ref().is_some_and(|here| is_same(&there, here, self.accuracy)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn values(&self, of: &Ended) -> String {
        let each = self.unknowns.iter().zip(&of.x).map(|(name, value)| format!("{name} = {value}"));
        each.collect::<Vec<_>>().join(", ")
    }

    fn has_another(&self, taken: &Ended, other: &Ended) -> Warning {
        Warning::new(
            Code::SeveralSolutions,
            format!(
                "the algebraic loop {} has several solutions; Lotka uses {}, found from the start values; another one is {}; \
             set start values of the connected inputs close to the solution you want",
                self.names,
                self.values(taken),
                self.values(other)
            ),
        )
    }

    fn came_from_elsewhere(&self, taken: &Ended) -> Warning {
        Warning::new(
            Code::SolutionElsewhere,
            format!(
                "no solution found for the algebraic loop {} from the start values; Lotka uses a solution found from another \
             starting point: {}; set start values of the connected inputs close to the solution you want",
                self.names,
                self.values(taken)
            ),
        )
    }

    fn is_singular(&self, taken: &Ended) -> Warning {
        Warning::new(
            Code::UndeterminedValues,
            format!(
                "the equations of the algebraic loop {} do not determine its values; Lotka uses {}; set start values of the \
             connected inputs to select other values",
                self.names,
                self.values(taken)
            ),
        )
    }

    fn is_noisy(&self, taken: &Ended) -> Warning {
        let noise = match self.accuracy.noise {
            0.0 => "`loop-tolerance` accepts this".to_owned(),
            noise => format!("the outputs have a relative noise of {noise:.1e}"),
        };
        let (share, worst) = (taken.largest(), taken.worst());
        Warning::new(
            Code::NoisyLoop,
            format!(
                "initialization solves the algebraic loop {} only to a relative residual of {share:.1e}, largest for `{}` \
                 (residual {:.1e}): {noise}",
                self.names, self.unknowns[worst], taken.residual[worst]
            ),
        )
    }

    fn is_delayed(&self) -> Warning {
        Warning::new(
            Code::DelayedLoop,
            format!(
                "Lotka solves the algebraic loop {} at initialization but not in each step, where its values lag by one step; \
             set iterations = 50 and acceleration = \"newton\"",
                self.names
            ),
        )
    }
}

fn differs(one: &[f64], other: &[f64], accuracy: Accuracy) -> bool {
    let share = SAME_SOLUTION.max(NOISE_IN_VALUES * accuracy.noise).max(accuracy.given);
    let largest = one.iter().chain(other).fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let differs = |(a, b): (&f64, &f64)| (a - b).abs() > share * a.abs().max(b.abs()).max(share * largest);
    one.iter().zip(other).any(differs)
}

/// Whether two matrices with entries at the same places have about the same rows.
fn is_same(one: &SparseMatrix, other: &SparseMatrix, accuracy: Accuracy) -> bool {
    let share = SAME_DERIVATIVE.max(if accuracy.noise > 0.0 { NOISE_IN_DERIVATIVES * accuracy.change() } else { 0.0 });
    let mut rows = vec![(0.0_f64, 0.0_f64); other.size()];
    for ((row, _, one), other) in one.iter().zip(other.values()) {
        let (difference, size) = (one - other, other.abs());
        rows[row] = (rows[row].0.max(difference.abs()), rows[row].1.max(size));
    }
    rows.into_iter().all(|(difference, size)| difference <= share * size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_that_differ_by_rounding_are_the_same() {
        let differs = |one: &[f64], other: &[f64]| differs(one, other, Accuracy::default());
        assert!(!differs(&[1.0, 1e-16], &[1.0 + 1e-9, 0.0]));
        assert!(differs(&[1.0, 2.0], &[1.0, -2.0]));
        assert!(differs(&[1e-9, 1.0], &[2e-9, 1.0]));
    }
}
