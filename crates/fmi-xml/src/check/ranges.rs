//! Minimum, maximum, nominal and start values.

use std::fmt::Display;

use crate::finding::Findings;
use crate::place::Place;

/// A range and the start value that should lie inside it.
#[derive(Debug, Clone, Copy)]
pub struct Range<T> {
    /// Minimum.
    pub min: Option<T>,
    /// Maximum.
    pub max: Option<T>,
    /// Start value.
    pub start: Option<T>,
}

impl Findings {
    /// Checks the rules of `min`, `max` and `start`.
    pub fn range<T: PartialOrd + Display>(&mut self, place: Place, name: &str, range: Range<T>) {
        let Range { min, max, start } = &range;
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            let message = format!("the minimum {min} of \"{name}\" is greater than the maximum {max}");
            self.warn(place, "range", message, "swap min and max");
        } else if let (Some(start), Some(min)) = (start, min)
            && start < min
        {
            let message = format!("the start value {start} of \"{name}\" is less than the minimum {min}");
            self.warn(place, "range", message, "correct start or min");
        } else if let (Some(start), Some(max)) = (start, max)
            && start > max
        {
            let message = format!("the start value {start} of \"{name}\" is greater than the maximum {max}");
            self.warn(place, "range", message, "correct start or max");
        }
    }

    /// Checks that the range of a variable lies inside the range of its type, and completes it by that range.
    pub fn range_of_type<T: PartialOrd + Display + Copy>(
        &mut self,
        place: Place,
        name: &str,
        range: &mut Range<T>,
        of_type: (Option<T>, Option<T>),
    ) {
        let (least, most) = of_type;
        let wider =
            |what: &str, own: &T, limit: &T| format!("the {what} {own} of \"{name}\" exceeds the {what} {limit} of its type");
        if let (Some(min), Some(least)) = (&range.min, &least)
            && min < least
        {
            self.warn(place, "range-of-type", wider("smallest", min, least), "raise min, or use another type");
        }
        if let (Some(max), Some(most)) = (&range.max, &most)
            && max > most
        {
            self.warn(place, "range-of-type", wider("largest", max, most), "lower max, or use another type");
        }
        (range.min, range.max) = (range.min.or(least), range.max.or(most));
    }

    /// Checks the rules of `nominal`.
    pub fn nominal(&mut self, place: Place, name: &str, nominal: Option<f64>) {
        if let Some(nominal) = nominal.filter(|nominal| *nominal <= 0.0) {
            let message = format!("the nominal value {nominal} of \"{name}\" is not positive");
            self.warn(place, "nominal", message, "set the order of magnitude of the values");
        }
    }
}
