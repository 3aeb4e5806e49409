//! A column while it is read, in the type that is wanted of it.

use crate::{
    ResultsProblem, Values, Wanted,
    values::{Growing, IsText, is_decimal_comma, real, whole},
};

/// A column while its fields are read.
#[derive(Debug)]
pub(crate) enum Filling {
    Nothing,
    Any(Growing, Commas),
    Reals(Vec<f64>),
    Integers(Vec<String>, (i128, i128)),
    Booleans(Vec<bool>),
    Texts(Vec<String>),
}

/// Decimal commas in a column that is text because of them.
#[derive(Debug, Default)]
pub(crate) struct Commas {
    first: Option<(u64, String)>,
    has_others: bool,
}

impl Commas {
    /// Returns line and field of the first one, if all fields are numbers with a comma or without.
    pub(crate) fn first(&self) -> Option<&(u64, String)> {
        self.first.as_ref().filter(|_| !self.has_others)
    }

    fn note(&mut self, field: &str, line: impl FnOnce() -> u64) {
        if self.has_others || field.trim().is_empty() {
            return;
        }
        match is_decimal_comma(field) {
            true if self.first.is_none() => self.first = Some((line(), field.to_owned())),
            true => {}
            false => self.has_others = real(field).is_none(),
        }
    }
}

/// Why a field cannot be added.
pub(crate) enum Refusal {
    /// The column has begun with numbers and is text: it has to be read once more.
    Text,
    Problem(ResultsProblem),
}

impl Filling {
    /// Creates an empty column. `is_text`: one of any type is text.
    pub(crate) fn new(wanted: Wanted, is_text: bool) -> Self {
        match wanted {
            Wanted::Nothing => Self::Nothing,
            Wanted::Any => Self::Any(Growing::new(is_text), Commas::default()),
            Wanted::Reals => Self::Reals(Vec::new()),
            Wanted::Integers(least, most) => Self::Integers(Vec::new(), (least, most)),
            Wanted::Booleans => Self::Booleans(Vec::new()),
            Wanted::Texts => Self::Texts(Vec::new()),
        }
    }

    /// Adds a field. One that does not have the type is replaced by another value.
    pub(crate) fn push(&mut self, field: &str, line: impl FnOnce() -> u64) -> Result<(), Refusal> {
        let expected = |what| {
            Err(Refusal::Problem(match is_decimal_comma(field) {
                true => ResultsProblem::DecimalComma { found: field.to_owned() },
                false => ResultsProblem::NotAValue { found: field.to_owned(), expected: what },
            }))
        };
        match self {
            Self::Nothing => {}
            Self::Any(growing, commas) => {
                growing.push(field).map_err(|IsText| Refusal::Text)?;
                if growing.is_text() {
                    commas.note(field, line);
                }
            }
            Self::Reals(values) => {
                values.push(real(field).unwrap_or_default());
                if real(field).is_none() {
                    return expected("a number");
                }
            }
            Self::Integers(values, (least, most)) => {
                values.push(field.to_owned());
                if !whole(field).is_some_and(|value| (*least..=*most).contains(&value)) {
                    return expected("a whole number for the connected input");
                }
            }
            Self::Booleans(values) => {
                let value = match field.trim() {
                    "true" | "True" | "TRUE" | "1" => Some(true),
                    "false" | "False" | "FALSE" | "0" => Some(false),
                    _ => None,
                };
                values.push(value.unwrap_or_default());
                if value.is_none() {
                    return expected("true or false for the connected input");
                }
            }
            Self::Texts(values) => values.push(field.to_owned()),
        }
        Ok(())
    }

    /// Returns whether a last field can be added that may be cut.
    pub(crate) fn fits(&self, field: &str) -> bool {
        match self {
            Self::Any(growing, _) => growing.fits(field),
            Self::Reals(_) => real(field).is_some(),
            _ => true,
        }
    }

    /// Returns the values.
    pub(crate) fn finish(self) -> Values {
        match self {
            Self::Nothing => Values::Text(Vec::new()),
            Self::Any(growing, _) => growing.finish(),
            Self::Reals(values) => Values::Real(values),
            Self::Booleans(values) => Values::Boolean(values),
            Self::Integers(values, _) | Self::Texts(values) => Values::Text(values),
        }
    }
}

/// Returns the values of a binary format in the type that is wanted of them.
///
/// # Errors
/// The first row whose value does not have the type.
pub(crate) fn converted(values: Values, wanted: Wanted) -> Result<Values, (usize, ResultsProblem)> {
    let is_finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
    match (values, wanted) {
        (values, Wanted::Any) => Ok(values),
        (_, Wanted::Nothing) => Ok(Filling::Nothing.finish()),
        (Values::Real(values), Wanted::Reals) if is_finite(&values) => Ok(Values::Real(values)),
        (Values::Integer(values), Wanted::Reals) => Ok(Values::Real(values.into_iter().map(|value| value as f64).collect())),
        (Values::Boolean(values), Wanted::Booleans) => Ok(Values::Boolean(values)),
        (Values::Text(values), Wanted::Texts) => Ok(Values::Text(values)),
        (values, wanted) => {
            let mut column = Filling::new(wanted, false);
            for row in 0..values.len() {
                // Whole numbers of a format without whole numbers have no fraction.
                let text = values.number(row).filter(|_| wanted == Wanted::Booleans).map(|number| number.to_string());
                match column.push(&text.map_or_else(|| values.text(row), Into::into), || 0) {
                    Err(Refusal::Problem(problem)) => return Err((row, problem)),
                    Err(Refusal::Text) | Ok(()) => {}
                }
            }
            Ok(column.finish())
        }
    }
}
