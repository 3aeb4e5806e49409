//! A sequence of the boxes in which most arrows point forward, even if there are cycles.

use std::{cmp::Reverse, collections::BTreeSet};

use super::shapes::{Arrow, Shape};

/// Returns the sequence of Eades, Lin and Smyth (1993, doi 10.1016/0020-0190(93)90079-O). Sources go to the front and sinks to
/// the end. Without either, the box with the largest surplus of outgoing over incoming weight goes to the front. Of equal boxes,
/// the one that is evaluated first comes first.
pub(super) fn sequence(shapes: &[Shape], arrows: &[Arrow]) -> Vec<usize> {
    let mut boxes: Vec<usize> = (0..shapes.len()).collect();
    boxes.sort_by_key(|&index| shapes[index].place);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut waiting = Waiting::new(&boxes, arrows);
    while let Some((rank, to_front)) = waiting.next() {
        waiting.remove(rank);
        if to_front { front.push(boxes[rank]) } else { back.push(boxes[rank]) }
    }
    front.extend(back.into_iter().rev());
    front
}

/// The remaining boxes by their rank in the order of evaluation, with the weights of the arrows between them.
struct Waiting {
    arrives: Vec<u32>,
    leaves: Vec<u32>,
    /// Per box: the other end of each arrow, its weight, and whether it leaves.
    arrows: Vec<Vec<(usize, u32, bool)>>,
    /// Boxes without arriving arrows, and without leaving ones.
    sources: BTreeSet<usize>,
    sinks: BTreeSet<usize>,
    /// All boxes, the largest surplus last, of equal ones the first.
    by_surplus: BTreeSet<(i64, Reverse<usize>)>,
}

impl Waiting {
    fn new(boxes: &[usize], arrows: &[Arrow]) -> Self {
        let count = boxes.len();
        let mut rank = vec![0; count];
        boxes.iter().enumerate().for_each(|(position, &index)| rank[index] = position);
        let mut waiting = Self {
            arrives: vec![0; count],
            leaves: vec![0; count],
            arrows: vec![Vec::new(); count],
            sources: BTreeSet::new(),
            sinks: BTreeSet::new(),
            by_surplus: BTreeSet::new(),
        };
        for arrow in arrows.iter().filter(|arrow| arrow.from.0 != arrow.to.0) {
            let (from, to) = (rank[arrow.from.0], rank[arrow.to.0]);
            waiting.leaves[from] += arrow.weight;
            waiting.arrives[to] += arrow.weight;
            waiting.arrows[from].push((to, arrow.weight, true));
            waiting.arrows[to].push((from, arrow.weight, false));
        }
        (0..count).for_each(|rank| waiting.place(rank));
        waiting
    }

    /// The next box, and whether it goes to the front.
    fn next(&self) -> Option<(usize, bool)> {
        let best = || self.by_surplus.last().map(|(_, Reverse(rank))| (*rank, true));
        let source = self.sources.first().map(|&rank| (rank, true));
        source.or_else(|| self.sinks.last().map(|&rank| (rank, false))).or_else(best)
    }

    fn remove(&mut self, rank: usize) {
        self.take(rank);
        for (other, weight, leaves) in std::mem::take(&mut self.arrows[rank]) {
            if self.take(other) {
                let end = if leaves { &mut self.arrives[other] } else { &mut self.leaves[other] };
                *end -= weight;
                self.place(other);
            }
        }
    }

    /// Takes a box out; returns whether it was there.
    fn take(&mut self, rank: usize) -> bool {
        self.sources.remove(&rank);
        self.sinks.remove(&rank);
        self.by_surplus.remove(&(self.surplus(rank), Reverse(rank)))
    }

    fn place(&mut self, rank: usize) {
        if self.arrives[rank] == 0 {
            self.sources.insert(rank);
        }
        if self.leaves[rank] == 0 {
            self.sinks.insert(rank);
        }
        self.by_surplus.insert((self.surplus(rank), Reverse(rank)));
    }

    fn surplus(&self, rank: usize) -> i64 {
        i64::from(self.leaves[rank]) - i64::from(self.arrives[rank])
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
