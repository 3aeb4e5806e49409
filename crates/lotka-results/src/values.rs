//! The values of one column. A CSV file has no types; they are inferred from the fields.

use std::{borrow::Cow, mem};

#[cfg(any(feature = "parquet", feature = "arrow"))]
use crate::Wanted;

/// The values of a column, with the narrowest type that holds them all.
///
/// A missing value is NaN. It makes a column of whole numbers or booleans a column of reals, and is an empty string in a column
/// of text.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers.
    Real(Vec<f64>),
    /// Whole numbers without decimal point and exponent.
    Integer(Vec<i64>),
    /// `true` and `false`.
    Boolean(Vec<bool>),
    /// Anything else.
    Text(Vec<String>),
}

/// Error of a field whose type differs from that of the fields above it, so that the whole column becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IsText;

impl Values {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Real(values) => values.len(),
            Self::Integer(values) => values.len(),
            Self::Boolean(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a row: numbers in the shortest digits that read back to the same double.
    pub(super) fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Self::Real(values) => zmij::Buffer::new().format(values[row]).to_owned().into(),
            Self::Integer(values) => values[row].to_string().into(),
            Self::Boolean(values) => if values[row] { "true" } else { "false" }.into(),
            Self::Text(values) => values[row].as_str().into(),
        }
    }

    /// Returns the value of a row as a number; booleans are 0 and 1. Returns `None` for text and for a row that does not exist.
    #[must_use]
    pub fn number(&self, row: usize) -> Option<f64> {
        match self {
            Self::Real(values) => values.get(row).copied(),
            Self::Integer(values) => values.get(row).map(|&value| value as f64),
            Self::Boolean(values) => values.get(row).map(|&value| f64::from(u8::from(value))),
            Self::Text(_) => None,
        }
    }

    /// Creates an empty column of the type that its first field, `first`, seems to have.
    fn like(first: &str) -> Self {
        if first == "true" || first == "false" {
            Self::Boolean(Vec::new())
        } else if integer(first).is_some() {
            Self::Integer(Vec::new())
        } else if number(first).is_some() {
            Self::Real(Vec::new())
        } else {
            Self::Text(Vec::new())
        }
    }

    /// Adds placeholders up to this number of rows.
    fn resize(&mut self, rows: usize) {
        match self {
            Self::Real(values) => values.resize(rows, f64::NAN),
            Self::Integer(values) => values.resize(rows, 0),
            Self::Boolean(values) => values.resize(rows, false),
            Self::Text(values) => values.resize(rows, String::new()),
        }
    }

    /// Adds the rows of another column. Returns `false` and adds nothing if they have another type.
    #[must_use]
    pub fn extend(&mut self, others: Self) -> bool {
        match (self, others) {
            (Self::Real(own), Self::Real(others)) => own.extend(others),
            (Self::Integer(own), Self::Integer(others)) => own.extend(others),
            (Self::Boolean(own), Self::Boolean(others)) => own.extend(others),
            (Self::Text(own), Self::Text(others)) => own.extend(others),
            // Only a column without rows has another type.
            (own, others) if own.is_empty() => *own = others,
            (_, others) if others.is_empty() => {}
            _ => return false,
        }
        true
    }

    /// Returns whether a field can be added.
    fn fits(&self, field: &str) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Boolean(_) => field.parse::<bool>().is_ok(),
            Self::Real(_) | Self::Integer(_) => number(field).is_some(),
        }
    }

    /// Adds a field. If necessary, a column of whole numbers becomes a column of reals.
    fn push(&mut self, field: &str) -> Result<(), IsText> {
        match self {
            Self::Text(values) => values.push(field.to_owned()),
            Self::Boolean(values) => values.push(field.parse().map_err(|_| IsText)?),
            Self::Real(values) => values.push(number(field).ok_or(IsText)?),
            Self::Integer(values) => match (integer(field), number(field)) {
                (Some(value), _) => values.push(value),
                (None, Some(value)) => {
                    let earlier = values.iter().map(|&value| value as f64);
                    *self = Self::Real(earlier.chain([value]).collect());
                }
                (None, None) => return Err(IsText),
            },
        }
        Ok(())
    }
}

/// A column while its fields are read, some of which may be missing.
#[derive(Debug)]
pub(super) struct Growing {
    /// The fields so far, with a placeholder for each missing one.
    values: Values,
    /// Rows of the missing fields, unless the column is text.
    missing: Vec<usize>,
    /// Whether the type is unknown, because all fields so far are missing.
    is_blank: bool,
}

impl Growing {
    /// Creates an empty column, whose fields determine its type unless it must be text.
    pub(super) fn new(is_text: bool) -> Self {
        Self { values: Values::Text(Vec::new()), missing: Vec::new(), is_blank: !is_text }
    }

    /// Creates a column of values with placeholders in these rows.
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    pub(super) fn of(values: Values, missing: Vec<usize>) -> Self {
        Self { values, missing, is_blank: false }
    }

    /// Returns whether a field can be added.
    pub(super) fn fits(&self, field: &str) -> bool {
        self.values.fits(field)
    }

    /// Returns whether the column is text so far.
    pub(super) fn is_text(&self) -> bool {
        !self.is_blank && matches!(self.values, Values::Text(_))
    }

    /// Adds a field. A blank one is a missing number.
    pub(super) fn push(&mut self, field: &str) -> Result<(), IsText> {
        let is_missing = field.trim_matches(' ').is_empty();
        if self.is_blank && !is_missing {
            self.begin(Values::like(field));
        }
        if is_missing && !matches!(self.values, Values::Text(_)) {
            self.missing.push(self.values.len());
            self.values.resize(self.values.len() + 1);
            return Ok(());
        }
        self.values.push(field)
    }

    /// Returns the number of rows.
    #[cfg(feature = "parquet")]
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds the rows of another column. Returns `false` if they have another type.
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    pub(super) fn extend(&mut self, other: Self) -> bool {
        let rows = self.values.len();
        self.missing.extend(other.missing.into_iter().map(|row| rows + row));
        self.values.extend(other.values)
    }

    /// Takes the bits of whole numbers as numbers of 64 bits without sign. Beyond the range of those with sign they are reals or,
    /// where digits are wanted, texts.
    #[cfg(any(feature = "parquet", feature = "arrow"))]
    pub(super) fn unsigned(mut self, wanted: Wanted) -> Self {
        if let Values::Integer(values) = &self.values
            && values.iter().any(|value| *value < 0)
        {
            let values = values.iter().map(|value| *value as u64);
            self.values = match wanted {
                Wanted::Any | Wanted::Reals => Values::Real(values.map(|value| value as f64).collect()),
                _ => Values::Text(values.map(|value| value.to_string()).collect()),
            };
        }
        self
    }

    /// Gives all missing fields so far the type of the first field that is not.
    fn begin(&mut self, like: Values) {
        self.is_blank = false;
        if !matches!(like, Values::Text(_)) {
            let rows = mem::replace(&mut self.values, like).len();
            self.missing = (0..rows).collect();
            self.values.resize(rows);
        }
    }

    /// Returns the values; missing numbers are NaN.
    pub(super) fn finish(self) -> Values {
        if self.missing.is_empty() || matches!(self.values, Values::Text(_)) {
            return self.values;
        }
        let mut numbers: Vec<f64> = (0..self.values.len()).filter_map(|row| self.values.number(row)).collect();
        self.missing.iter().for_each(|&row| numbers[row] = f64::NAN);
        Values::Real(numbers)
    }
}

/// Parses a number, including `inf` and `NaN`. Blanks around it are ignored.
fn number(field: &str) -> Option<f64> {
    field.trim_matches(' ').parse().ok()
}

/// Parses a finite number.
pub(super) fn real(field: &str) -> Option<f64> {
    number(field).filter(|value| value.is_finite())
}

/// Whether a field would be a number if its comma were a point.
pub(super) fn is_decimal_comma(field: &str) -> bool {
    let is_numeric = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'e' | b'E'));
    let parts = field.trim().split_once(',');
    parts.is_some_and(|(whole, part)| is_numeric(whole) && is_numeric(part) && real(&format!("{whole}.{part}")).is_some())
}

/// Parses a whole number. Its digits are exact; other spellings, such as `1e3`, are so up to 2^53.
///
/// ```
/// assert_eq!(lotka_results::whole(" 18446744073709551615"), Some(u64::MAX.into()));
/// assert_eq!((lotka_results::whole("1e3"), lotka_results::whole("0.5")), (Some(1000), None));
/// ```
#[must_use]
pub fn whole(field: &str) -> Option<i128> {
    let spelled = || number(field).filter(|value| value.fract() == 0.0 && value.abs() <= EXACT).map(|value| value as i128);
    field.trim().parse().ok().or_else(spelled)
}

/// Whole numbers up to this one are exact as f64.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Parses a whole number, but not `-0`, whose sign would be lost.
fn integer(field: &str) -> Option<i64> {
    let field = field.trim_matches(' ');
    field.parse().ok().filter(|&value: &i64| value != 0 || !field.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(fields: &[&str]) -> Result<Values, IsText> {
        let mut column = Growing::new(false);
        fields.iter().try_for_each(|field| column.push(field)).map(|()| column.finish())
    }

    #[test]
    fn the_type_is_the_narrowest_that_holds_all_fields() {
        assert_eq!(column(&["1", " 2", "-3"]), Ok(Values::Integer(vec![1, 2, -3])));
        assert_eq!(column(&["1", "2.5"]), Ok(Values::Real(vec![1.0, 2.5])));
        assert_eq!(column(&["9223372036854775808"]), Ok(Values::Real(vec![9_223_372_036_854_775_808.0])));
        assert_eq!(column(&["true", "false"]), Ok(Values::Boolean(vec![true, false])));
        assert_eq!(column(&["a", "1", ""]), Ok(Values::Text(vec!["a".into(), "1".into(), String::new()])));
        assert_eq!(column(&["1", "a"]), Err(IsText));
        assert_eq!(column(&["1.5", "", "a"]), Err(IsText));
        assert_eq!(column(&["true", "1"]), Err(IsText));
    }

    #[test]
    fn missing_numbers_are_gaps_wherever_they_are() {
        for fields in [["", " ", "1.5", "2", ""], ["", "", "1", "2.5", ""], ["nan", "NaN", "1", "2", " "]] {
            let Ok(Values::Real(values)) = column(&fields) else { panic!("{fields:?}: no numbers") };
            assert_eq!(
                values.iter().map(|value| value.is_nan()).collect::<Vec<_>>(),
                [true, true, false, false, true],
                "{fields:?}"
            );
        }
        let Ok(Values::Real(values)) = column(&["", "true", "", "false"]) else { panic!("no numbers") };
        assert_eq!((values[1], values[3], values[2].is_nan()), (1.0, 0.0, true));
        let Ok(Values::Real(values)) = column(&["1", "", "-3"]) else { panic!("no numbers") };
        assert_eq!((values[0], values[2], values[1].is_nan()), (1.0, -3.0, true));
    }

    #[test]
    fn empty_texts_stay_texts() {
        let texts = |fields: &[&str]| Values::Text(fields.iter().map(|&field| field.to_owned()).collect());
        for fields in [&["", " "][..], &["", " ", "a", ""]] {
            assert_eq!(column(fields), Ok(texts(fields)));
        }
        let mut column = Growing::new(true);
        ["", "1", ""].iter().for_each(|field| assert_eq!(column.push(field), Ok(())));
        assert_eq!(column.finish(), texts(&["", "1", ""]));
    }

    #[test]
    fn the_sign_of_zero_is_kept() {
        let Ok(Values::Real(values)) = column(&["-0"]) else { panic!("no number") };
        assert!(values[0].is_sign_negative());
    }
}
