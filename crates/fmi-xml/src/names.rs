//! Enumerations that all versions of FMI define alike.

use lotka_instance::description::{Causality, Initial, Variability};

use crate::value::Value;

/// `variableNamingConvention`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs, reason = "names of the standards")]
pub enum NamingConvention {
    #[default]
    Flat,
    Structured,
}

/// `dependenciesKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "names of the standards")]
pub enum DependencyKind {
    Dependent,
    Constant,
    Fixed,
    Tunable,
    Discrete,
}

/// Implements the names of an enumeration of a standard.
#[macro_export]
macro_rules! names {
    ($($type:ident: $expected:literal { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        impl $crate::Value for $type {
            const EXPECTED: &'static str = $expected;

            fn parse(text: &str) -> Option<Self> {
                match text {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn print(&self, out: &mut String) {
                out.push_str(self.name());
            }
        }

        impl $type {
            /// Returns the name in the standard.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    )*};
}

names! {
    NamingConvention: "flat or structured" { Flat = "flat", Structured = "structured" }
    DependencyKind: "dependent, constant, fixed, tunable or discrete" {
        Dependent = "dependent", Constant = "constant", Fixed = "fixed", Tunable = "tunable", Discrete = "discrete"
    }
}

/// Implements the names of an enumeration of the neutral description.
macro_rules! shared_names {
    ($($type:ident: $expected:literal)*) => {$(
        impl Value for $type {
            const EXPECTED: &'static str = $expected;

            fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == text)
            }

            fn print(&self, out: &mut String) {
                out.push_str(self.name());
            }
        }
    )*};
}

shared_names! {
    Causality: "parameter, calculatedParameter, input, output, local or independent"
    Variability: "constant, fixed, tunable, discrete or continuous"
    Initial: "exact, approx or calculated"
}
