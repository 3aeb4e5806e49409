//! One variable of the table.

use lotka::{Column, Value, ValueType};

/// Number of stretches of time whose mean values are kept.
pub(super) const CELLS: usize = 120;

/// What the table shows of a variable.
#[derive(Debug)]
pub(super) struct Tracked {
    pub(super) column: Column,
    /// The first value, and the last one.
    pub(super) ends: Option<(Shown, Shown)>,
    /// The least and the largest value, if it is a number.
    pub(super) extremes: Option<(f64, f64)>,
    /// The largest estimated error, if errors are estimated.
    pub(super) error: Option<f64>,
    sums: Vec<(f64, u32)>,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shown {
    Number(f64),
    Text(String),
}

impl Tracked {
    pub(super) fn new(column: &Column) -> Self {
        let n_cells = if !column.value_type.is_number() { 0 } else { CELLS };
        Self { column: column.clone(), ends: None, extremes: None, error: None, sums: vec![(0.0, 0); n_cells] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_none()
    }

    /// Adds the value of a row after this share of the experiment.
    pub(super) fn add(&mut self, share: f64, value: Value<'_>, error: Option<f64>) {
        let shown = match value {
            Value::Real(value) => Shown::Number(value),
            Value::Integer(value) => self.item(value),
            Value::Boolean(value) => Shown::Text(value.to_string()),
            Value::Text(text) => Shown::Text(text.to_owned()),
            Value::Binary(bytes) => Shown::Text(lotka::hash_of(bytes)),
        };
        let number = match value {
            Value::Real(value) => value,
            Value::Integer(value) => value as f64,
            Value::Boolean(value) => f64::from(u8::from(value)),
            Value::Text(_) | Value::Binary(_) => f64::NAN,
        };
        self.ends = Some((self.ends.take().map_or_else(|| shown.clone(), |ends| ends.0), shown));
        if number.is_finite() {
            let (least, largest) = self.extremes.unwrap_or((number, number));
            self.extremes = Some((least.min(number), largest.max(number)));
            let cell = (share * CELLS as f64) as usize;
            if let Some((sum, count)) = self.sums.get_mut(cell.min(CELLS - 1)) {
                (*sum, *count) = (*sum + number, *count + 1);
            }
        }
        // Whatever is not estimated has the error NaN.
        let error = error.filter(|error| !error.is_nan() && self.column.can_have_error());
        self.error = error.map(|error| self.error.map_or(error, |largest| largest.max(error))).or(self.error);
    }

    /// The name of the item of an enumeration, or the number.
    fn item(&self, number: i128) -> Shown {
        let item = self.column.items.iter().find(|item| item.value == number);
        item.map_or(Shown::Number(number as f64), |item| Shown::Text(item.name.clone()))
    }

    /// The mean values of so many equal parts of the first `reached` part of the experiment; parts without rows lie on a line
    /// between their neighbors, or hold the value before them if the variable is not Real.
    pub(super) fn means(&self, count: usize, reached: f64) -> Vec<Option<f64>> {
        let used = ((self.sums.len() as f64 * reached).ceil() as usize).clamp(1, self.sums.len().max(1));
        let count = count.min(used);
        let mut means: Vec<Option<f64>> = (0..count)
            .map(|part| {
                let cells = self.sums.get(part * used / count..(part + 1) * used / count).unwrap_or_default();
                let (sum, n) = cells.iter().fold((0.0, 0), |all, cell| (all.0 + cell.0, all.1 + cell.1));
                (n > 0).then(|| sum / f64::from(n))
            })
            .collect();
        let known: Vec<usize> = (0..means.len()).filter(|part| means[*part].is_some()).collect();
        for pair in known.windows(2) {
            let [Some(from), Some(to)] = [means[pair[0]], means[pair[1]]] else { continue };
            for (number, mean) in means[pair[0] + 1..pair[1]].iter_mut().enumerate() {
                let share = (number + 1) as f64 / (pair[1] - pair[0]) as f64;
                *mean = Some(if self.column.value_type == ValueType::Real { from + share * (to - from) } else { from });
            }
        }
        means
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracked(value_type: ValueType, values: &[f64]) -> Tracked {
        let mut tracked = Tracked::new(&Column::new("a.x", value_type));
        for (row, value) in values.iter().enumerate() {
            tracked.add(row as f64 / (values.len() - 1) as f64, Value::Real(*value), None);
        }
        tracked
    }

    #[test]
    fn few_rows_make_lines_or_stairs() {
        let of = |value_type| tracked(value_type, &[0.0, 6.0]).means(4, 1.0);
        assert_eq!(of(ValueType::Real), [0.0, 2.0, 4.0, 6.0].map(Some));
        assert_eq!(of(ValueType::Integer), [0.0, 0.0, 0.0, 6.0].map(Some));
    }

    #[test]
    fn many_rows_make_means_of_what_is_reached() {
        let values: Vec<f64> = (0..=1000).map(f64::from).collect();
        let all = tracked(ValueType::Real, &values);
        let [Some(first), Some(last)] = all.means(2, 1.0)[..] else { panic!("two means") };
        assert!((first - 250.0).abs() < 1.0 && (last - 750.0).abs() < 1.0, "{first} {last}");
        let [Some(first), Some(last)] = all.means(2, 0.5)[..] else { panic!("two means") };
        assert!((first - 125.0).abs() < 5.0 && (last - 375.0).abs() < 5.0, "{first} {last}");
    }

    #[test]
    fn extremes_leave_out_what_is_not_finite() {
        let tracked = tracked(ValueType::Real, &[1.0, f64::NAN, f64::INFINITY, -2.0]);
        assert_eq!(tracked.extremes, Some((-2.0, 1.0)));
        assert_eq!(tracked.ends, Some((Shown::Number(1.0), Shown::Number(-2.0))));
    }

    #[test]
    fn the_largest_error_counts() {
        let mut tracked = tracked(ValueType::Real, &[0.0, 0.0]);
        for error in [1e-9, f64::NAN, 2e-9, 1e-10] {
            tracked.add(0.5, Value::Real(0.0), Some(error));
        }
        assert_eq!(tracked.error, Some(2e-9));
    }
}
