//! A parsed formula: its value and its derivatives.

use std::{fmt, sync::Arc};

use fmu_sdk::Value;
use serde::{Deserialize, Serialize};

use super::{
    grammar::{self, FormulaError},
    program::Program,
};

/// Number of arguments: the time and four inputs.
pub(super) const ARGUMENTS: usize = 5;

/// Names of the arguments.
pub(super) const NAMES: [&str; ARGUMENTS] = ["t", "u1", "u2", "u3", "u4"];

/// A formula, parsed once and shared by all copies; serialized as its text.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(super) struct Formula(Arc<Inner>);

struct Inner {
    text: String,
    program: Result<Program, FormulaError>,
}

impl Formula {
    /// Parses a formula. [`Formula::check`] reports errors.
    pub(super) fn new(text: &str) -> Self {
        Self(Arc::new(Inner { text: text.to_owned(), program: grammar::read(text) }))
    }

    /// # Errors
    /// The formula has a syntax error.
    pub(super) fn check(&self) -> Result<(), FormulaError> {
        self.0.program.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// Returns the value for these arguments; NaN outside the domain of the formula, or if the formula is invalid.
    pub(super) fn value(&self, arguments: &[f64; ARGUMENTS]) -> f64 {
        self.0.program.as_ref().map_or(f64::NAN, |program| program.run(arguments, ARGUMENTS).value)
    }

    /// Returns the partial derivative with respect to the argument with this index.
    pub(super) fn derivative(&self, by: usize, arguments: &[f64; ARGUMENTS]) -> f64 {
        self.0.program.as_ref().map_or(f64::NAN, |program| program.run(arguments, by).slope)
    }

    /// Returns the arguments that occur, with their names.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let occurs = |argument: &usize| self.0.program.as_ref().is_ok_and(|program| program.uses(*argument));
        (0..ARGUMENTS).filter(occurs).map(|argument| (argument, NAMES[argument]))
    }
}

impl From<String> for Formula {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<Formula> for String {
    fn from(formula: Formula) -> Self {
        formula.0.text.clone()
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.text, f)
    }
}

impl Value for Formula {
    type Base = String;

    fn read(&self) -> String {
        self.0.text.clone()
    }

    fn write(&mut self, text: String) -> bool {
        if self.0.text != text {
            *self = Self::new(&text);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{super::functions::FUNCTIONS, *};

    const AT: [f64; ARGUMENTS] = [0.3, 2.0, 0.5, 0.25, 4.0];

    #[track_caller]
    fn assert_value(formula: &str, expected: f64) {
        let got = Formula::new(formula).value(&AT);
        assert!((got - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{formula} = {got}, not {expected}");
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        assert_value("-u1^2", -4.0);
        assert_value("2-u1^2", -2.0);
        assert_value("u4*-u1^2", -16.0);
        assert_value("(-u1)^2", 4.0);
        assert_value("2^3^u1", 512.0);
        assert_value("u1^-2", 0.25);
        assert_value("10-3-2", 5.0);
        assert_value("10-3+2", 9.0);
        assert_value("24/4/2", 3.0);
        assert_value("24/4*2", 12.0);
        assert_value("2*3/4", 1.5);
        assert_value("- -u1", 2.0);
        assert_value("+u1--u2", 2.5);
    }

    #[test]
    fn numbers_constants_and_functions_are_read() {
        assert_value("2e-3*u1", 4e-3);
        assert_value(".5 + 1. + 1E2", 101.5);
        assert_value("cos(pi)", -1.0);
        assert_value("ln(e)", 1.0);
        assert_value("sqrt(u1*u1)\n\t+ t", 2.3);
        assert_value("exp(u2)*log10(100)", 2.0 * 0.5_f64.exp());
    }

    #[test]
    fn derivatives_of_all_functions_agree_with_differences() {
        for function in FUNCTIONS.iter().map(|function| function.name) {
            let argument = if function == "acosh" { "1 + u2*t" } else { "u2*t" };
            let formula = Formula::new(&format!("{function}({argument})*u1 - u1/u4 + u3^u2"));
            formula.check().unwrap();
            for by in 0..ARGUMENTS {
                let step = 1e-6;
                let [mut above, mut below] = [AT; 2];
                above[by] += step;
                below[by] -= step;
                let difference = (formula.value(&above) - formula.value(&below)) / (2.0 * step);
                let derivative = formula.derivative(by, &AT);
                assert!((derivative - difference).abs() < 1e-7, "{function} by {}: {derivative}, {difference}", NAMES[by]);
            }
        }
    }

    #[test]
    fn powers_of_zero_and_of_negative_numbers_have_derivatives() {
        let square = Formula::new("u1^2 + u2");
        assert_eq!(square.derivative(1, &[0.0; ARGUMENTS]), 0.0);
        assert_eq!(square.derivative(1, &[0.0, -3.0, 0.0, 0.0, 0.0]), -6.0);
        assert_eq!(square.derivative(3, &AT), 0.0);
        assert_eq!(Formula::new("u1^0").derivative(1, &[0.0; ARGUMENTS]), 0.0);
        assert_eq!(Formula::new("sqrt(u1) + u2").derivative(2, &[0.0; ARGUMENTS]), 1.0, "an infinite slope of another argument");
    }
}
