//! Spectral radii of matrices and of the iterations made of them.

use nalgebra::{DMatrix, Schur};
use petgraph::{algo::tarjan_scc, graph::DiGraph};

use super::schemes::ComparedSweep;

/// QR sweeps per row before an eigenvalue computation counts as failed; two or three are usual.
const SWEEPS_PER_ROW: usize = 60;

/// How much one iteration of a coupled step shrinks the error of the interface values, asymptotically and per iteration. Below 1
/// the iteration converges.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Contraction {
    /// Of the Jacobi iteration: `rho(M)`.
    pub jacobi: f64,
    /// Of the Gauss–Seidel iteration: `rho((I - Lo)^-1 Up)`, `Lo` being the blocks of `M` strictly below the diagonal, `Up` the
    /// rest.
    pub gauss_seidel: f64,
}

impl Contraction {
    /// That of the iteration of this sweep.
    pub(super) fn of(self, sweep: ComparedSweep) -> f64 {
        match sweep {
            ComparedSweep::Jacobi => self.jacobi,
            ComparedSweep::GaussSeidel => self.gauss_seidel,
        }
    }
}

/// Contraction of the iterations `z <- M z` whose interface sensitivity matrix `M = dz_new/dz` is given row by row (n × n, n
/// being the sum of `blocks`). Row and column k belong to interface value k; values are grouped by the instance that computes
/// them, in the order in which instances step, `blocks` being the number of values of each.
///
/// `None` if an entry is not finite, if the entries are not n × n, or if an eigenvalue computation does not converge.
///
/// Hackbusch, Iterative Solution of Large Sparse Systems of Equations, 2016, doi:10.1007/978-3-319-28483-5, chapter 3.
pub(super) fn contraction(sensitivities: &[f64], blocks: &[usize]) -> Option<Contraction> {
    let n = blocks.iter().sum::<usize>();
    if sensitivities.len() != n * n {
        return None;
    }
    let m = DMatrix::from_row_slice(n, n, sensitivities);
    Some(Contraction { jacobi: spectral_radius(&m)?, gauss_seidel: spectral_radius(&gauss_seidel(m, blocks))? })
}

/// `(I - Lo)^-1 Up` by forward substitution, block after block.
fn gauss_seidel(m: DMatrix<f64>, blocks: &[usize]) -> DMatrix<f64> {
    let n = m.nrows();
    let mut result = DMatrix::zeros(n, n);
    let mut start = 0;
    for &size in blocks {
        let known = m.view((start, 0), (size, start)) * result.rows(0, start);
        let mut rows = result.rows_mut(start, size);
        rows += known;
        let mut rest = rows.columns_mut(start, n - start);
        rest += m.view((start, start), (size, n - start));
        start += size;
    }
    result
}

/// Largest absolute eigenvalue, 0 of an empty matrix; `None` if an entry is not finite or the eigenvalues do not converge.
///
/// Entries that are exactly zero count: eigenvalues are those of the strongly connected parts. Without this a chain of n
/// instances, whose matrix is nilpotent, would show the n-th root of the rounding error instead of 0.
pub(super) fn spectral_radius(matrix: &DMatrix<f64>) -> Option<f64> {
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = (0..matrix.nrows()).map(|_| graph.add_node(())).collect();
    for (column, values) in matrix.column_iter().enumerate() {
        for (row, _) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            graph.add_edge(nodes[column], nodes[row], ());
        }
    }
    let mut largest = 0.0_f64;
    for part in tarjan_scc(&graph) {
        let part: Vec<usize> = part.iter().map(|node| node.index()).collect();
        largest = largest.max(connected_radius(matrix.select_rows(&part).select_columns(&part))?);
    }
    Some(largest)
}

fn connected_radius(matrix: DMatrix<f64>) -> Option<f64> {
    if let [entry] = matrix.as_slice() {
        return Some(entry.abs());
    }
    let sweeps = SWEEPS_PER_ROW * matrix.nrows();
    let schur = Schur::try_new(matrix, f64::EPSILON, sweeps)?;
    Some(schur.complex_eigenvalues().iter().map(|value| value.re.hypot(value.im)).fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radius(n: usize, entries: &[f64]) -> f64 {
        spectral_radius(&DMatrix::from_row_slice(n, n, entries)).unwrap()
    }

    fn assert_close(value: f64, expected: f64) {
        assert!((value - expected).abs() <= 1e-12 * expected.max(1.0), "{value} instead of {expected}");
    }

    #[test]
    fn of_a_rotation_is_its_scale() {
        assert_close(radius(2, &[0.6, -0.8, 0.8, 0.6]), 1.0);
        assert_close(radius(3, &[0.0, 0.0, 8.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), 2.0);
        assert_close(radius(1, &[-0.3]), 0.3);
        assert_eq!(radius(0, &[]), 0.0);
    }

    #[test]
    fn of_a_long_chain_is_zero() {
        let n = 30;
        let chain =
            DMatrix::from_fn(n, n, |row, column| if (row + 7) % n == (column + 8) % n && row > column { 5.0 } else { 0.0 });
        assert!(chain.iter().any(|entry| *entry != 0.0));
        assert_eq!(spectral_radius(&chain), Some(0.0));
    }

    #[test]
    fn of_what_is_not_finite_is_unknown() {
        assert_eq!(spectral_radius(&DMatrix::from_row_slice(1, 1, &[f64::NAN])), None);
        assert_eq!(contraction(&[f64::INFINITY, 0.0, 0.0, 0.0], &[1, 1]), None);
        assert_eq!(contraction(&[0.0; 3], &[1, 1]), None);
    }

    #[test]
    fn gauss_seidel_contracts_a_pair_twice_as_fast() {
        // Two instances, one value each: eigenvalues of Jacobi are the roots of a b, the one of Gauss-Seidel is a b.
        let contraction = contraction(&[0.0, 0.5, -0.72, 0.0], &[1, 1]).unwrap();
        assert_close(contraction.jacobi, 0.6);
        assert_close(contraction.gauss_seidel, 0.36);
    }

    #[test]
    fn order_of_instances_matters_to_gauss_seidel_only() {
        // A ring of three: in the order of the signal flow, one sweep carries a change around the whole ring; against it, over
        // one link only.
        let along = contraction(&[0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0], &[1, 1, 1]).unwrap();
        let against = contraction(&[0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0], &[1, 1, 1]).unwrap();
        assert_close(along.jacobi, 0.5);
        assert_close(against.jacobi, 0.5);
        assert_close(along.gauss_seidel, 0.125);
        assert_close(against.gauss_seidel, 0.125_f64.sqrt());
    }

    #[test]
    fn contraction_is_what_iterating_shows() {
        let blocks = [2, 1, 2];
        let m = [
            [0.1, 0.0, 0.3, -0.2, 0.1],
            [0.0, 0.2, -0.4, 0.1, 0.3],
            [0.5, 0.1, 0.0, 0.2, -0.3],
            [0.2, -0.3, 0.6, 0.0, 0.1],
            [-0.1, 0.4, 0.2, 0.1, -0.1],
        ];
        let contraction = contraction(&m.concat(), &blocks).unwrap();
        assert!((iterated(&m, &[0, 0, 0, 0, 0]) - contraction.jacobi).abs() < 1e-3);
        assert!((iterated(&m, &[0, 0, 1, 2, 2]) - contraction.gauss_seidel).abs() < 1e-3);
    }

    /// Mean contraction per sweep over many sweeps in which rows of one stage are computed together.
    fn iterated(m: &[[f64; 5]; 5], stages: &[usize; 5]) -> f64 {
        let sweeps = 2000;
        let mut z = [1.0, -0.3, 0.7, 0.2, 0.9];
        let mut logarithm = 0.0;
        for _ in 0..sweeps {
            for stage in 0..3 {
                let old = z;
                for row in (0..5).filter(|row| stages[*row] == stage) {
                    z[row] = (0..5).map(|column| m[row][column] * old[column]).sum();
                }
            }
            let norm = z.iter().map(|value| value * value).sum::<f64>().sqrt();
            logarithm += norm.ln();
            z = z.map(|value| value / norm);
        }
        f64::exp(logarithm / f64::from(sweeps))
    }
}
