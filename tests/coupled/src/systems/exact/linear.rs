//! Two masses between walls.

/// Masses \[kg\], springs \[N/m\] and dampers \[N.s/m\] from the first wall to the second, and initial positions at rest \[m\].
/// For t > 0 the second wall is at `z` \[m\]; `z` is also the final position of the masses.
pub(super) struct Linear {
    pub(super) m: [f64; 2],
    pub(super) k: [f64; 3],
    pub(super) d: [f64; 3],
    pub(super) x: [f64; 2],
    pub(super) z: f64,
}

type Matrix = [[f64; 4]; 4];

impl Linear {
    /// Returns positions and velocities of both masses, first mass first, and the force of the middle spring and damper on it.
    ///
    /// With the first wall at 0, both walls agree only if the first one has neither spring nor damper, or if `z` is 0.
    pub(super) fn outputs(&self, t: f64) -> [f64; 5] {
        let step = exponential(&self.matrix(), t);
        let start = [self.x[0] - self.z, 0.0, self.x[1] - self.z, 0.0];
        let [x1, v1, x2, v2] = step.map(|row| row.iter().zip(start).map(|(a, x)| a * x).sum());
        [x1 + self.z, v1, x2 + self.z, v2, self.k[1] * (x2 - x1) + self.d[1] * (v2 - v1)]
    }

    fn matrix(&self) -> Matrix {
        let ([m1, m2], [k0, k, k2], [d0, d, d2]) = (self.m, self.k, self.d);
        [
            [0.0, 1.0, 0.0, 0.0],
            [-(k0 + k) / m1, -(d0 + d) / m1, k / m1, d / m1],
            [0.0, 0.0, 0.0, 1.0],
            [k / m2, d / m2, -(k2 + k) / m2, -(d2 + d) / m2],
        ]
    }
}

/// Returns `exp(a t)` by scaling, Taylor series and squaring of the difference from the unit matrix, which keeps small numbers
/// accurate.
fn exponential(a: &Matrix, t: f64) -> Matrix {
    const TERMS: u32 = 16;
    let norm = a.iter().map(|row| row.iter().map(|a| a.abs()).sum::<f64>()).fold(0.0, f64::max) * t;
    let halvings = (norm.max(1.0).log2().ceil() as i32) + 2;
    let h = t * 0.5_f64.powi(halvings);
    let a = a.map(|row| row.map(|a| a * h));
    // Horner: a (1 + a/2 (1 + a/3 (...))).
    let mut sum = [[0.0; 4]; 4];
    for n in (1..=TERMS).rev() {
        (0..4).for_each(|i| sum[i][i] += 1.0);
        sum = product(&a, &sum).map(|row| row.map(|value| value / f64::from(n)));
    }
    for _ in 0..halvings {
        let square = product(&sum, &sum);
        (0..16).for_each(|i| sum[i / 4][i % 4] = 2.0 * sum[i / 4][i % 4] + square[i / 4][i % 4]);
    }
    (0..4).for_each(|i| sum[i][i] += 1.0);
    sum
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}
