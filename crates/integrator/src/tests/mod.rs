//! Tests of all methods at once: orders of convergence, work, references, refusals.

mod dense;
mod equal;
mod estimators;
mod known;
mod orders;
mod references;
mod refusals;
mod roots;
mod switching;
mod work;

use crate::{AbsoluteTolerance, Failure, Method, Problem, RightHandSide, Settings, Work};

/// Tolerances in the proportion that the kit has.
fn tolerance(relative_tolerance: f64) -> Settings<'static> {
    let absolute_tolerance = AbsoluteTolerance::All(1e-3 * relative_tolerance);
    Settings { relative_tolerance, absolute_tolerance, ..Settings::default() }
}

/// Advances `x` over `n` steps of `h` seconds, each with a fresh start.
fn over(
    name: &str,
    f: &mut dyn RightHandSide,
    [t, h]: [f64; 2],
    n: u32,
    settings: Settings,
    x: &mut [f64],
) -> Result<Work, Failure> {
    let (method, mut work) = (Method::named(name).unwrap(), Work::default());
    for i in 0..n {
        method.integrate(&mut Problem::new(f, t + f64::from(i) * h, h, settings, &mut work), x)?;
    }
    Ok(work)
}

/// Slope of log(y) over log(x) by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let points: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = points.len() as f64;
    let (mean_x, mean_y) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let (product, square) =
        points.iter().fold((0.0, 0.0), |(p, s), (x, y)| (p + (x - mean_x) * (y - mean_y), s + (x - mean_x).powi(2)));
    product / square
}

/// Largest difference of two vectors.
fn difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
