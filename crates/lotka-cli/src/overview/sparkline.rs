//! Curves of a line of text.

/// Levels, lowest first.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Level of a curve that never changes.
const CONSTANT: char = '▄';

/// Returns a character for each value; a gap is a blank.
pub(super) fn sparkline(values: &[Option<f64>]) -> String {
    let known = || values.iter().copied().flatten();
    let (least, largest) =
        known().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), value| (least.min(value), largest.max(value)));
    let level = |value: f64| {
        // Half of each: the range may be larger than the largest number.
        let (height, range) = (0.5 * value - 0.5 * least, 0.5 * largest - 0.5 * least);
        if range > 0.0 { LEVELS[((height / range * LEVELS.len() as f64) as usize).min(LEVELS.len() - 1)] } else { CONSTANT }
    };
    values.iter().map(|value| value.map_or(' ', level)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_reach_from_the_lowest_to_the_highest_level() {
        let of = |values: &[f64]| sparkline(&values.iter().copied().map(Some).collect::<Vec<_>>());
        assert_eq!(of(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), "▁▂▃▄▅▆▇█");
        assert_eq!(of(&[f64::MIN, 0.0, f64::MAX]), "▁▅█");
        assert_eq!(of(&[3.0, 3.0]), "▄▄");
        assert_eq!(sparkline(&[Some(0.0), None, Some(1.0)]), "▁ █");
        assert_eq!(sparkline(&[None]), " ");
    }
}
