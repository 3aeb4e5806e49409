//! Polynomials of signals that are known over the whole step: source signals.

use lotka_plan::source::Piece;

use super::polynomial::{CONDITIONS, Functional, Rows};

/// The known data, in the order of the columns of the tables below.
fn data(piece: &Piece) -> [f64; CONDITIONS] {
    [piece.mean, piece.begin, piece.end, piece.slope]
}

/// The line between the values at both ends.
const LINE: Rows = [[0.0, 1.0, 0.0, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0; CONDITIONS], [0.0; CONDITIONS]];

/// The same line, shifted to have the exact mean. Used across kinks, because the integral does not depend on their places.
const BROKEN: Rows = [[1.0, 0.5, -0.5, 0.0], [0.0, -1.0, 1.0, 0.0], [0.0; CONDITIONS], [0.0; CONDITIONS]];

/// The parabola with the exact values at both ends and the exact mean.
const PARABOLA: Rows = [[0.0, 1.0, 0.0, 0.0], [6.0, -4.0, -2.0, 0.0], [-6.0, 3.0, 3.0, 0.0], [0.0; CONDITIONS]];

/// The cubic with these three and the mean of the slopes at both ends.
const CUBIC: Rows = [[0.0, 1.0, 0.0, 0.0], [6.0, -3.0, -3.0, 1.0], [-6.0, 0.0, 6.0, -3.0], [0.0, 2.0, -2.0, 2.0]];

/// Coefficients of the polynomial of a degree of at least 1, in powers of the relative position in the step.
fn rows(piece: &Piece, degree: usize) -> &'static Rows {
    match degree {
        _ if piece.is_broken => &BROKEN,
        0 | 1 => &LINE,
        2 => &PARABOLA,
        _ => &CUBIC,
    }
}

/// The value of a functional of the signal, delivered as a polynomial of a degree of at least 1; mean and end value are exact.
pub(super) fn value(piece: &Piece, degree: usize, functional: Functional) -> f64 {
    match functional {
        Functional::Mean => piece.mean,
        Functional::End => piece.end,
        _ => data(piece).iter().zip(functional.weights(rows(piece, degree))).map(|(datum, weight)| datum * weight).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coefficients of the polynomial of one degree that approximates one of another degree.
    fn approximated(degree: usize, coefficients: [f64; 4]) -> [f64; 4] {
        let [a, b, c, d] = coefficients;
        let slope = 0.5 * (b + b + 2.0 * c + 3.0 * d);
        let (begin, end, mean) = (a, a + b + c + d, a + b / 2.0 + c / 3.0 + d / 4.0);
        let piece = Piece { begin, end, mean, slope, begin_slope: b, is_broken: false };
        rows(&piece, degree).map(|row| row.iter().zip(data(&piece)).map(|(weight, datum)| weight * datum).sum())
    }

    #[test]
    fn a_polynomial_of_the_degree_is_delivered_exactly() {
        for (degree, coefficients) in [(1, [2.0, -3.0, 0.0, 0.0]), (2, [2.0, -3.0, 1.5, 0.0]), (3, [2.0, -3.0, 1.5, 4.0])] {
            for (found, expected) in approximated(degree, coefficients).into_iter().zip(coefficients) {
                assert!((found - expected).abs() < 1e-13, "degree {degree}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn from_degree_2_on_the_mean_is_kept() {
        for degree in [2, 3] {
            let [a, b, c, d] = approximated(degree, [1.0, 5.0, -2.0, 7.0]);
            let mean = 1.0 + 5.0 / 2.0 - 2.0 / 3.0 + 7.0 / 4.0;
            assert!((a + b / 2.0 + c / 3.0 + d / 4.0 - mean).abs() < 1e-13, "degree {degree}");
        }
    }
}
