//! The order of elimination.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::SparseMatrix;

/// Returns the columns in an order in which elimination creates few new entries: the variable with the fewest neighbors comes
/// first (minimum degree). Two variables are neighbors if one is in an equation of the other. Each elimination makes all
/// neighbors of its variable neighbors of each other.
///
/// Reference: George and Liu, *The Evolution of the Minimum Degree Ordering Algorithm*, 1989, doi 10.1137/1031001.
pub(super) fn minimum_degree(matrix: &SparseMatrix) -> Vec<usize> {
    let n = matrix.size();
    let mut neighbors = vec![Vec::new(); n];
    for (row, column, _) in matrix.iter().filter(|(row, column, _)| row != column) {
        neighbors[row].push(column);
        neighbors[column].push(row);
    }
    for list in &mut neighbors {
        list.sort_unstable();
        list.dedup();
    }
    let mut waiting: BinaryHeap<_> = (0..n).map(|variable| Reverse((neighbors[variable].len(), variable))).collect();
    let mut is_placed = vec![false; n];
    let mut order = Vec::with_capacity(n);
    while let Some(Reverse((degree, variable))) = waiting.pop() {
        if is_placed[variable] || degree != neighbors[variable].len() {
            continue;
        }
        if degree + 1 == n - order.len() {
            // The others are all neighbors of each other.
            order.extend((0..n).filter(|&other| !is_placed[other]));
            break;
        }
        is_placed[variable] = true;
        order.push(variable);
        let around = std::mem::take(&mut neighbors[variable]);
        for &other in &around {
            let mut joined: Vec<usize> = neighbors[other].iter().chain(&around).copied().collect();
            joined.sort_unstable();
            joined.dedup();
            joined.retain(|&one| one != other && one != variable);
            waiting.push(Reverse((joined.len(), other)));
            neighbors[other] = joined;
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_read_comes_last() {
        let star = (1..6).flat_map(|leaf| [(0, leaf), (leaf, 0)]);
        assert_eq!(minimum_degree(&SparseMatrix::new(6, star)), [1, 2, 3, 4, 0, 5]);
    }

    /// What was eliminated is no neighbor any more, and no variable is its own neighbor: from one end of a chain on, each next
    /// one has the fewest.
    #[test]
    fn a_chain_is_eliminated_from_one_end_on() {
        let chain = (0..5).flat_map(|link| [(link, link + 1), (link + 1, link)]);
        assert_eq!(minimum_degree(&SparseMatrix::new(6, chain)), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn each_variable_is_placed_once() {
        let ring = (0..50).map(|variable| ((variable + 1) % 50, variable)).chain([(7, 30), (40, 3), (12, 12)]);
        let mut order = minimum_degree(&SparseMatrix::new(50, ring));
        order.sort_unstable();
        assert!(order.into_iter().eq(0..50));
        assert_eq!(minimum_degree(&SparseMatrix::dense(3)), [0, 1, 2]);
    }
}
