//! A sequence of the boxes in which most arrows point forward, even if there are cycles.

use super::{Arrow, Shape};

/// Returns the sequence of Eades, Lin and Smyth (1993, doi 10.1016/0020-0190(93)90079-O). Sources go to the front and sinks to the end. Without
/// either, the box with the largest surplus of outgoing over incoming weight goes to the front. Of equal boxes, the one that is evaluated first
/// comes first.
pub(super) fn sequence(shapes: &[Shape], arrows: &[Arrow]) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..shapes.len()).collect();
    waiting.sort_by_key(|&index| shapes[index].place);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut weights = Weights::new(shapes.len(), arrows);
    while !waiting.is_empty() {
        let source = waiting.iter().position(|&index| weights.arrives[index] == 0);
        let sink = || waiting.iter().rposition(|&index| weights.leaves[index] == 0);
        let surplus = |index: usize| i64::from(weights.leaves[index]) - i64::from(weights.arrives[index]);
        let best = || (0..waiting.len()).rev().max_by_key(|&position| surplus(waiting[position]));
        let (position, to_front) = match (source, source.map_or_else(sink, |_| None)) {
            (Some(position), _) => (position, true),
            (None, Some(position)) => (position, false),
            (None, None) => (best().unwrap_or(0), true),
        };
        let index = waiting.remove(position);
        weights.remove(index, arrows);
        if to_front { front.push(index) } else { back.push(index) }
    }
    front.extend(back.into_iter().rev());
    front
}

/// Weights of the arrows between the remaining boxes.
struct Weights {
    arrives: Vec<u32>,
    leaves: Vec<u32>,
    is_gone: Vec<bool>,
}

impl Weights {
    fn new(count: usize, arrows: &[Arrow]) -> Self {
        let mut weights = Self { arrives: vec![0; count], leaves: vec![0; count], is_gone: vec![false; count] };
        for arrow in arrows.iter().filter(|arrow| arrow.from.0 != arrow.to.0) {
            weights.leaves[arrow.from.0] += arrow.weight;
            weights.arrives[arrow.to.0] += arrow.weight;
        }
        weights
    }

    fn remove(&mut self, index: usize, arrows: &[Arrow]) {
        self.is_gone[index] = true;
        for arrow in arrows.iter().filter(|arrow| arrow.from.0 != arrow.to.0) {
            if arrow.from.0 == index && !self.is_gone[arrow.to.0] {
                self.arrives[arrow.to.0] -= arrow.weight;
            } else if arrow.to.0 == index && !self.is_gone[arrow.from.0] {
                self.leaves[arrow.from.0] -= arrow.weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sequence_of(count: usize, arrows: &[(usize, usize, u32)]) -> Vec<usize> {
        let shape = |place| Shape { width: 1.0, height: 1.0, inputs: vec![0.5], outputs: vec![0.5], place };
        let arrows: Vec<_> = arrows.iter().map(|&(from, to, weight)| Arrow { from: (from, 0), to: (to, 0), weight }).collect();
        sequence(&(0..count).map(shape).collect::<Vec<_>>(), &arrows)
    }

    #[test]
    fn without_circles_all_arrows_point_forth() {
        assert_eq!(sequence_of(4, &[(3, 0, 1), (0, 1, 1), (3, 2, 1)]), [3, 0, 1, 2]);
    }

    #[test]
    fn a_ring_is_cut_once_wherever_it_turns() {
        assert_eq!(sequence_of(4, &[(1, 0, 1), (2, 1, 1), (3, 2, 1), (0, 3, 1)]), [0, 3, 2, 1]);
        assert_eq!(sequence_of(2, &[(0, 1, 1), (1, 0, 3)]), [1, 0]);
    }
}
