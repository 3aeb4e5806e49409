//! Instances that may step at the same time, although they step one after the other by order.

/// The order of all instances, divided into levels. Instances of one level do not read each other's new values, so that stepping
/// level by level gives the same values as stepping one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepLevels {
    /// The order in which instances step.
    pub order: Vec<usize>,
    /// The members of each level, in that order.
    pub levels: Vec<Vec<usize>>,
}

impl StepLevels {
    /// Divides an order of instances, of which there are `count` with those that do not step; connections are pairs `(source,
    /// target)`.
    pub fn new(order: &[usize], count: usize, connections: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut places = vec![None; count];
        order.iter().enumerate().for_each(|(place, &instance)| places[instance] = Some(place));
        // Per place: earlier places, and by how many levels this one comes later at least.
        let mut constraints = vec![Vec::new(); order.len()];
        for (source, target) in connections {
            let (Some(source), Some(target)) = (places[source], places[target]) else { continue };
            if source < target {
                constraints[target].push((source, 1));
            } else if target < source {
                // The target reads the old value, which the source overwrites.
                constraints[source].push((target, 0));
            }
        }
        let mut level_of: Vec<usize> = Vec::with_capacity(order.len());
        let mut levels: Vec<Vec<usize>> = Vec::new();
        for (constraints, &instance) in constraints.iter().zip(order) {
            let level = constraints.iter().map(|&(earlier, distance)| level_of[earlier] + distance).max().unwrap_or(0);
            level_of.push(level);
            levels.resize(levels.len().max(level + 1), Vec::new());
            levels[level].push(instance);
        }
        Self { order: order.to_vec(), levels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(order: &[usize], connections: &[(usize, usize)]) -> Vec<Vec<usize>> {
        StepLevels::new(order, order.len(), connections.iter().copied()).levels
    }

    #[test]
    fn instances_without_connections_are_one_level() {
        assert_eq!(levels(&[2, 0, 1], &[]), [[2, 0, 1]]);
    }

    #[test]
    fn a_chain_has_as_many_levels_as_instances() {
        assert_eq!(levels(&[0, 1, 2], &[(0, 1), (1, 2)]), [[0], [1], [2]]);
    }

    #[test]
    fn instances_that_read_old_values_may_step_with_their_sources_but_not_after_them() {
        // 0 reads the old value of 1; 2 reads the new value of 1 and the old one of 3.
        assert_eq!(levels(&[0, 1, 2, 3], &[(1, 0), (1, 2), (3, 2)]), [vec![0, 1], vec![2, 3]]);
        // 3 must not step before 2, which reads its old value.
        assert_eq!(levels(&[1, 2, 3, 0], &[(1, 2), (3, 2)]), [vec![1, 0], vec![2, 3]]);
    }

    #[test]
    fn a_hub_separates_what_it_reads_from_what_reads_it() {
        let connections = [(0, 2), (1, 2), (2, 3), (2, 4), (3, 0), (4, 1)];
        assert_eq!(levels(&[0, 1, 2, 3, 4], &connections), [vec![0, 1], vec![2], vec![3, 4]]);
    }
}
