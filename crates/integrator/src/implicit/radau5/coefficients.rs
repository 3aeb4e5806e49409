//! Coefficients of the Radau IIA method with three stages.
//!
//! Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 1996, IV.8, doi 10.1007/978-3-642-05221-7.

use crate::implicit::complex::Complex;

const ROOT_6: f64 = 2.449_489_742_783_178;

/// The times of the stages, as parts of the step.
pub(super) const C: [f64; 3] = [(4.0 - ROOT_6) / 10.0, (4.0 + ROOT_6) / 10.0, 1.0];

/// The real eigenvalue of the inverse of the matrix `A`: `3 + ∛9 - ∛3`.
pub(super) const REAL: f64 = 3.637_834_252_744_496;

/// One of the two complex eigenvalues, `3 + (∛3 - ∛9) / 2 - i √3 (∛3 + ∛9) / 2`; the other one is its conjugate.
pub(super) const COMPLEX: Complex = Complex { re: 2.681_082_873_627_752, im: -3.050_430_199_247_411 };

/// The matrix `T` of the real and imaginary parts of eigenvectors: `T^-1 A^-1 T` has the real eigenvalue and a block of the
/// complex ones.
pub(super) const T: [[f64; 3]; 3] = [
    [0.094_438_762_488_975_24, -0.141_255_295_020_954_2, 0.030_029_194_105_147_424],
    [0.250_213_122_965_333_3, 0.204_129_352_293_799_93, -0.382_942_112_757_261_9],
    [1.0, 1.0, 0.0],
];

/// The inverse of `T`.
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [4.178_718_591_551_905, 0.327_682_820_761_062_4, 0.523_376_445_499_449_6],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
    [0.502_872_634_945_786_9, -2.571_926_949_855_605_6, 0.596_039_204_828_225],
];

/// Weights of the stages in the error estimate.
pub(super) const ERROR: [f64; 3] = [(-13.0 - 7.0 * ROOT_6) / 3.0, (-13.0 + 7.0 * ROOT_6) / 3.0, -1.0 / 3.0];

/// Coefficients of the polynomial that is 0 at 0 and has the values `z` at `C`: row `k` has the weights of `z` in the coefficient
/// of `θ^(k + 1)`.
const COLLOCATION: [[f64; 3]; 3] = [
    [(13.0 + 7.0 * ROOT_6) / 3.0, (13.0 - 7.0 * ROOT_6) / 3.0, 1.0 / 3.0],
    [(-23.0 - 22.0 * ROOT_6) / 3.0, (-23.0 + 22.0 * ROOT_6) / 3.0, -8.0 / 3.0],
    [(10.0 + 15.0 * ROOT_6) / 3.0, (10.0 - 15.0 * ROOT_6) / 3.0, 10.0 / 3.0],
];

/// Returns the product of a matrix and a vector.
pub(super) fn times(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|[a, b, c]| a * vector[0] + b * vector[1] + c * vector[2])
}

/// Returns the polynomial that is 0 at 0 and has the values `z` at `C`.
pub(super) fn collocation(z: [f64; 3]) -> [f64; 3] {
    times(&COLLOCATION, z)
}

/// Returns the value of such a polynomial.
pub(super) fn value([a, b, c]: [f64; 3], theta: f64) -> f64 {
    theta * (a + theta * (b + theta * c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix `A` of the method.
    const A: [[f64; 3]; 3] = [
        [(88.0 - 7.0 * ROOT_6) / 360.0, (296.0 - 169.0 * ROOT_6) / 1800.0, (-2.0 + 3.0 * ROOT_6) / 225.0],
        [(296.0 + 169.0 * ROOT_6) / 1800.0, (88.0 + 7.0 * ROOT_6) / 360.0, (-2.0 - 3.0 * ROOT_6) / 225.0],
        [(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
    ];

    fn assert_same(x: [f64; 3], y: [f64; 3]) {
        x.iter().zip(y).for_each(|(x, y)| assert!((x - y).abs() < 1e-13, "{x} {y}"));
    }

    #[test]
    fn the_transformation_has_the_eigenvalues_of_the_method() {
        let (a, b) = (COMPLEX.re, COMPLEX.im);
        let block = [[REAL, 0.0, 0.0], [0.0, a, -b], [0.0, b, a]];
        for unit in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            assert_same(times(&T_INVERSE, times(&T, unit)), unit);
            assert_same(times(&T_INVERSE, times(&A, times(&T, times(&block, unit)))), unit);
        }
    }

    #[test]
    fn the_polynomial_collocates() {
        for unit in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            assert_same(C.map(|c| value(collocation(unit), c)), unit);
        }
    }
}
