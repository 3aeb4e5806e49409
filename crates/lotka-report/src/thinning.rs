//! Selects fewer rows that look the same.

use std::collections::BTreeSet;

/// Returns the rows to draw of columns with `rows` values each: approximately `most` at most. If there are no more, it returns
/// all rows. Otherwise it returns the first and last row of each stretch, and the rows with the smallest and largest value of
/// each column. No peak is lost.
pub(super) fn rows(columns: &[&[f64]], rows: usize, most: usize) -> Vec<usize> {
    if rows <= most {
        return (0..rows).collect();
    }
    let stretches = (most / (2 + 2 * columns.len())).max(1);
    let mut kept = BTreeSet::new();
    for stretch in 0..stretches {
        let (first, next) = (stretch * rows / stretches, (stretch + 1) * rows / stretches);
        kept.extend([first, next - 1]);
        for column in columns {
            let finite = || (first..next).filter(|&row| column[row].is_finite());
            kept.extend(finite().min_by(|&a, &b| column[a].total_cmp(&column[b])));
            kept.extend(finite().max_by(|&a, &b| column[a].total_cmp(&column[b])));
            // A gap stays a gap.
            kept.extend((first..next).find(|&row| !column[row].is_finite()));
        }
    }
    kept.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_all_kept() {
        assert_eq!(rows(&[&[1.0; 5]], 5, 5), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn peaks_gaps_and_ends_are_kept() {
        let mut values = vec![0.0; 100_000];
        (values[12_345], values[77_777], values[50_001]) = (5.0, -5.0, f64::NAN);
        let kept = rows(&[&values], values.len(), 1000);
        assert!(kept.len() <= 1000, "{}", kept.len());
        for row in [0, 12_345, 77_777, 50_001, 99_999] {
            assert!(kept.contains(&row), "{row}");
        }
        assert!(kept.is_sorted());
    }

    #[test]
    fn many_columns_leave_few_stretches_but_the_extremes_of_all() {
        let columns: Vec<Vec<f64>> =
            (0..20).map(|column| (0..5000).map(|row| f64::from(u8::from(row == column * 100 + 50))).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let kept = rows(&columns, 5000, 200);
        assert!((0..20).all(|column| kept.contains(&(column * 100 + 50))));
        assert!(kept.len() <= 250, "{}", kept.len());
    }
}
