//! Sign changes of event functions within an internal step.

use crate::{EvaluationError, Steps, Time};

/// A search for the first sign change of event functions within the last internal step of [`Steps`].
///
/// A function counts as positive if its value is greater than 0; 0 is not positive. The search compares signs with those that the
/// caller remembers. It therefore does not find an event again at which the integration restarts. States come from the dense
/// output. The ITP method narrows the bracket of a change, with the secant of the function whose zero comes first. It needs at
/// most one evaluation more than bisection, and few if the functions are smooth.
///
/// The search misses two changes of the same function between neighboring times, because they cancel. More `sections` make these
/// times denser.
///
/// Source: I. F. D. Oliveira, R. H. C. Takahashi, An Enhancement of the Bisection Method Average Performance Preserving Minmax
/// Optimality, ACM Transactions on Mathematical Software 47 (2020), doi 10.1145/3423597.
///
/// ```
/// use integrator::{Method, Problem, RootSearch, Settings, Time, Work};
///
/// // A ball falls from 1 m.
/// let mut ball = |_: Time, x: &[f64], dx: &mut [f64]| {
///     (dx[0], dx[1]) = (x[1], -9.81);
///     Ok(())
/// };
/// let mut height = |_: Time, x: &[f64], z: &mut [f64]| {
///     z[0] = x[0];
///     Ok(())
/// };
/// let mut work = Work::default();
/// let mut problem = Problem::new(&mut ball, 0.0, 1.0, Settings::default(), &mut work);
/// let mut steps = Method::named("dopri5")?.steps(&mut problem, &[1.0, 0.0])?.expect("this method has dense output");
/// let search = RootSearch { tolerance: 1e-10, sections: 1 };
/// let root = loop {
///     steps.advance(&mut problem)?;
///     if let Some(root) = search.first(&steps, 0.0, &mut height, &[true])? {
///         break root;
///     }
///     assert!(!steps.is_done());
/// };
/// assert!((root.tau - (2.0_f64 / 9.81).sqrt()).abs() < 1e-8);
/// assert!(root.states[0] <= 0.0 && root.signs == [false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RootSearch {
    /// Width of the bracket in which a search ends \[s\]. It does not become narrower than rounding of the time allows.
    pub tolerance: f64,
    /// Number of equal sections of the internal step at whose ends the functions are evaluated; at least 1.
    pub sections: u32,
}

/// A sign change.
#[derive(Debug, Clone, PartialEq)]
pub struct Root {
    /// End of the bracket, where the sign has changed: time since the start of the step \[s\].
    pub tau: f64,
    /// Start of the bracket, before the sign change \[s\].
    pub before: f64,
    /// States at `tau`.
    pub states: Vec<f64>,
    /// Which functions are positive at `tau`.
    pub signs: Vec<bool>,
}

/// Event functions: `z = g(t, x)`, one element per function, with the same errors as a right-hand side.
pub type EventFunctions<'a> = dyn FnMut(Time, &[f64], &mut [f64]) -> Result<(), EvaluationError> + 'a;

impl RootSearch {
    /// Returns the first sign change within the last internal step of `steps`, or `None`. The whole step starts at simulation
    /// time `t` \[s\]. `signs` states which functions counted as positive before.
    ///
    /// If signs differ at the start of the internal step already, the root lies there and its bracket is empty.
    ///
    /// # Errors
    /// The event functions have no value at a time of the search, or one that is not a number.
    pub fn first(
        &self,
        steps: &Steps,
        t: f64,
        functions: &mut EventFunctions,
        signs: &[bool],
    ) -> Result<Option<Root>, EvaluationError> {
        if signs.is_empty() {
            return Ok(None);
        }
        let [from, to] = steps.span();
        let mut at = |tau: f64| Point::new(steps, t, functions, tau, signs.len());
        let mut left = at(from)?;
        if left.differs(signs) {
            return Ok(Some(left.root(from)));
        }
        let sections = self.sections.max(1);
        for i in 1..=sections {
            let tau = if i == sections { to } else { from + (to - from) * f64::from(i) / f64::from(sections) };
            let right = at(tau)?;
            if right.differs(signs) {
                return self.narrow([left, right], t, signs, &mut at).map(Some);
            }
            left = right;
        }
        Ok(None)
    }

    /// Narrows a bracket down to the tolerance, or to a few roundings of the time.
    fn narrow(&self, bracket: [Point; 2], t: f64, signs: &[bool], at: &mut Evaluation) -> Result<Root, EvaluationError> {
        let [mut left, mut right] = bracket;
        let whole = right.tau - left.tau;
        let tolerance = self.tolerance.max(4.0 * f64::EPSILON * (t + right.tau).abs().max(right.tau));
        // As many evaluations as bisection needs, and one more: `allowance` is half the bracket that they leave.
        let mut allowance = tolerance * (whole / tolerance).log2().ceil().max(0.0).exp2();
        while right.tau - left.tau > tolerance {
            let tau = next([left.tau, right.tau], left.secant(&right, signs), [whole, tolerance, allowance]);
            let point = at(tau)?;
            if point.differs(signs) {
                right = point
            } else {
                left = point
            }
            allowance *= 0.5;
        }
        Ok(right.root(left.tau))
    }
}

/// How far the interpolated time moves towards the middle, relative to the square of the width of the bracket. It moves by at
/// least half the tolerance, so that the next time lies beyond the root if the interpolation is exact.
const TRUNCATION: f64 = 0.2;

/// Returns the next time of the ITP method in the bracket: the interpolated time, truncated towards the middle, and projected to
/// the bracket that bisection would leave.
fn next([left, right]: [f64; 2], secant: f64, [whole, tolerance, allowance]: [f64; 3]) -> f64 {
    let (width, middle) = (right - left, left + 0.5 * (right - left));
    let to_middle = middle - secant;
    let truncation = f64::max(TRUNCATION * width * (width / whole), 0.5 * tolerance);
    let truncated = if truncation <= to_middle.abs() { secant + truncation.copysign(to_middle) } else { middle };
    let projection = (allowance - 0.5 * width).max(0.0);
    if (truncated - middle).abs() <= projection { truncated } else { middle - projection.copysign(to_middle) }
}

/// Event functions as a function of the time since the start of the step.
type Evaluation<'a> = dyn FnMut(f64) -> Result<Point, EvaluationError> + 'a;

/// States and event functions at a time.
struct Point {
    tau: f64,
    states: Vec<f64>,
    values: Vec<f64>,
}

impl Point {
    fn new(steps: &Steps, t: f64, functions: &mut EventFunctions, tau: f64, n: usize) -> Result<Self, EvaluationError> {
        let mut point = Self { tau, states: steps.states().to_vec(), values: vec![0.0; n] };
        steps.interpolate(tau, &mut point.states);
        functions(Time { t: t + tau, tau }, &point.states, &mut point.values)?;
        if point.values.iter().any(|value| value.is_nan()) { Err(EvaluationError::Refused) } else { Ok(point) }
    }

    fn signs(&self) -> impl Iterator<Item = bool> {
        self.values.iter().map(|value| *value > 0.0)
    }

    fn differs(&self, signs: &[bool]) -> bool {
        !self.signs().eq(signs.iter().copied())
    }

    /// Returns the earliest time at which, on the straight line between two points, a function changes its sign.
    fn secant(&self, right: &Self, signs: &[bool]) -> f64 {
        let changed = right.signs().zip(signs).zip(self.values.iter().zip(&right.values)).filter(|((now, then), _)| now != *then);
        let part = changed.map(|(_, (left, right))| left / (left - right)).fold(1.0, f64::min);
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 };
        self.tau + part * (right.tau - self.tau)
    }

    fn root(self, before: f64) -> Root {
        let signs = self.signs().collect();
        Root { tau: self.tau, before, states: self.states, signs }
    }
}
