//! The values of one column. A CSV file has no types; they are inferred from the fields.

/// The values of a column, with the narrowest type that holds them all.
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
    pub(super) fn like(first: &str) -> Self {
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

    /// Returns whether a field can be added.
    pub(super) fn fits(&self, field: &str) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Boolean(_) => field.parse::<bool>().is_ok(),
            Self::Real(_) | Self::Integer(_) => number(field).is_some(),
        }
    }

    /// Adds a field. If necessary, a column of whole numbers becomes a column of reals.
    pub(super) fn push(&mut self, field: &str) -> Result<(), IsText> {
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

/// Parses a number, including `inf` and `NaN`. Blanks around it are ignored.
#[must_use]
pub fn number(field: &str) -> Option<f64> {
    field.trim_matches(' ').parse().ok()
}

/// Parses a whole number, but not `-0`, whose sign would be lost.
fn integer(field: &str) -> Option<i64> {
    let field = field.trim_matches(' ');
    field.parse().ok().filter(|&value: &i64| value != 0 || !field.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(fields: &[&str]) -> Result<Values, IsText> {
        let mut values = Values::like(fields[0]);
        fields.iter().try_for_each(|field| values.push(field)).map(|()| values)
    }

    #[test]
    fn the_type_is_the_narrowest_that_holds_all_fields() {
        assert_eq!(column(&["1", " 2", "-3"]), Ok(Values::Integer(vec![1, 2, -3])));
        assert_eq!(column(&["1", "2.5"]), Ok(Values::Real(vec![1.0, 2.5])));
        assert_eq!(column(&["9223372036854775808"]), Ok(Values::Real(vec![9_223_372_036_854_775_808.0])));
        assert_eq!(column(&["true", "false"]), Ok(Values::Boolean(vec![true, false])));
        assert_eq!(column(&["a", "1", ""]), Ok(Values::Text(vec!["a".into(), "1".into(), String::new()])));
        assert_eq!(column(&["1", "a"]), Err(IsText));
        assert_eq!(column(&["1.5", ""]), Err(IsText));
        assert_eq!(column(&["true", "1"]), Err(IsText));
    }

    #[test]
    fn the_sign_of_zero_is_kept() {
        let Ok(Values::Real(values)) = column(&["-0"]) else { panic!("no number") };
        assert!(values[0].is_sign_negative());
    }
}
