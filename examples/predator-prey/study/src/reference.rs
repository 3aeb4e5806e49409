//! The exact solution at any time, and the error of results.

use crate::{Error, Trajectory, published::numbers};

/// Spacing of the table's rows \[s\].
const SPACING: f64 = 0.1;

/// Rates a, b, c, d \[1/s\] of the system.
const RATES: [f64; 4] = [0.1, 0.02, 0.4, 0.02];

/// Prey and predators with their first and second derivatives.
type Node = [[f64; 2]; 3];

/// The exact solution from 10 and 10 on [0, 100] s.
///
/// `tests/reference/lotka_volterra.csv` contains it every 0.1 s, with all digits correct. Between two rows it is interpolated
/// by a polynomial of degree 5 through values and first two derivatives at both ends. The derivatives follow from the
/// differential equations (quintic Hermite interpolation; error at most max |x⁽⁶⁾| 0.1⁶ / 46080, here below 1e-11 relative).
#[derive(Debug, Clone)]
pub struct Reference {
    nodes: Vec<Node>,
}

impl Reference {
    /// Reads the table, which is embedded in the program.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn read() -> Result<Self, Error> {
        let rows = numbers::<3>("lotka_volterra.csv", include_str!("../../../../tests/reference/lotka_volterra.csv"), ',')?;
        Ok(Self { nodes: rows.into_iter().map(|[_, x, y]| with_derivatives(x, y)).collect() })
    }

    /// Returns prey and predators at a time \[s\], clamped to [0, 100] s.
    pub fn at(&self, time: f64) -> [f64; 2] {
        let last = self.nodes.len() - 2;
        let index = ((time / SPACING) as usize).min(last);
        let s = (time / SPACING - index as f64).clamp(0.0, 1.0);
        let (left, right) = (&self.nodes[index], &self.nodes[index + 1]);
        let (from_left, from_right) = (hermite(s, SPACING), hermite(1.0 - s, -SPACING));
        [0, 1].map(|species| {
            let sum = |node: &Node, weights: [f64; 3]| (0..3).map(|order| weights[order] * node[order][species]).sum::<f64>();
            sum(left, from_left) + sum(right, from_right)
        })
    }

    /// Returns the rows of the table.
    pub fn trajectory(&self) -> Trajectory {
        Trajectory {
            time: (0..self.nodes.len()).map(|index| index as f64 * SPACING).collect(),
            populations: self.nodes.iter().map(|node| node[0]).collect(),
        }
    }

    /// Returns results minus exact solution in every row, for prey and predators.
    pub fn differences(&self, results: &Trajectory) -> Vec<[f64; 2]> {
        let rows = results.time.iter().zip(&results.populations);
        rows.map(|(&time, [x, y])| {
            let exact = self.at(time);
            [x - exact[0], y - exact[1]]
        })
        .collect()
    }

    /// Returns the absolute differences relative to the exact solution.
    pub fn relative_deviations(&self, results: &Trajectory) -> Vec<[f64; 2]> {
        let rows = results.time.iter().zip(self.differences(results));
        rows.map(|(&time, difference)| {
            let exact = self.at(time);
            [0, 1].map(|species| (difference[species] / exact[species]).abs())
        })
        .collect()
    }
}

/// Returns the largest number of both species.
pub fn largest(rows: &[[f64; 2]]) -> f64 {
    rows.as_flattened().iter().copied().fold(0.0, f64::max)
}

/// Returns x and y, their derivatives x' = x (a - b y) and y' = y (d x - c), and the second derivatives.
fn with_derivatives(x: f64, y: f64) -> Node {
    let [a, b, c, d] = RATES;
    let (growth_x, growth_y) = (a - b * y, d * x - c);
    let (dx, dy) = (x * growth_x, y * growth_y);
    [[x, y], [dx, dy], [dx * growth_x - b * x * dy, dy * growth_y + d * dx * y]]
}

/// Returns the weights of value, slope and curvature of one node at distance `s` (in units of `h`); the other node adds its own.
fn hermite(s: f64, h: f64) -> [f64; 3] {
    let cube = s * s * s;
    let value = 1.0 - cube * (10.0 - s * (15.0 - 6.0 * s));
    let slope = s - cube * (6.0 - s * (8.0 - 3.0 * s));
    let curvature = 0.5 * (s * s - cube * (3.0 - s * (3.0 - s)));
    [value, h * slope, h * h * curvature]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_of_degree_five_are_met_between_the_nodes() {
        let h = 0.7;
        let p = |t: f64| [t.powi(5) - 2.0 * t.powi(3) + t, 5.0 * t.powi(4) - 6.0 * t * t + 1.0, 20.0 * t.powi(3) - 12.0 * t];
        for s in [0.0, 0.25, 0.5, 0.9, 1.0] {
            let dot = |t: f64, weights: [f64; 3]| p(t).iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
            let sum = dot(1.0, hermite(s, h)) + dot(1.0 + h, hermite(1.0 - s, -h));
            assert!((sum - p(1.0 + s * h)[0]).abs() < 1e-14, "{s}");
        }
    }

    #[test]
    fn rows_of_the_table_are_met() {
        let reference = Reference::read().unwrap();
        let table = reference.trajectory();
        assert_eq!(table.time.len(), 1001);
        for (time, [x, y]) in table.time.iter().zip(&table.populations) {
            let [at_x, at_y] = reference.at(*time);
            assert!((at_x / x - 1.0).abs() < 1e-14 && (at_y / y - 1.0).abs() < 1e-14, "{time}");
        }
    }
}
