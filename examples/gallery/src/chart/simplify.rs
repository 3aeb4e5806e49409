//! Reduces the number of points of a line.

/// Returns the indices of the points that keep the line within `tolerance` of all others (Ramer, 1972; Douglas and Peucker,
/// 1973).
pub(super) fn simplify(points: &[(f64, f64)], tolerance: f64) -> Vec<usize> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut kept = vec![false; points.len()];
    (kept[0], kept[last]) = (true, true);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let inner = (from + 1..to).map(|index| (index, distance(points[index], points[from], points[to])));
        if let Some((index, _)) = inner.filter(|(_, distance)| *distance > tolerance).max_by(|a, b| a.1.total_cmp(&b.1)) {
            kept[index] = true;
            open.extend([(from, index), (index, to)]);
        }
    }
    (0..points.len()).filter(|index| kept[*index]).collect()
}

/// Returns the distance of a point from the line segment between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { (((point.0 - from.0) * dx + (point.1 - from.1) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (point.0 - from.0 - along * dx).hypot(point.1 - from.1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_stay_and_straight_parts_go() {
        let points = [(0.0, 0.0), (1.0, 0.1), (2.0, 0.0), (3.0, 5.0), (4.0, 10.0)];
        assert_eq!(simplify(&points, 0.5), [0, 2, 4]);
        assert_eq!(simplify(&points, 0.01), [0, 1, 2, 4]);
        assert_eq!(simplify(&points[..1], 1.0), [0]);
        assert!(simplify(&[], 1.0).is_empty());
    }

    #[test]
    fn a_loop_keeps_its_far_side() {
        assert_eq!(simplify(&[(0.0, 0.0), (5.0, 0.0), (0.0, 0.0)], 0.5), [0, 1, 2]);
    }
}
