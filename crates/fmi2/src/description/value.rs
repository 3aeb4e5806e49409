//! Text form of attribute values: one [`Value`] per type, for both the reader and the writer.

use super::{Causality, DependencyKind, Initial, NamingConvention, Variability};

/// A type of attribute value.
pub(super) trait Value: Sized {
    /// What a valid value is, such as "a whole number".
    const EXPECTED: &'static str;

    /// Parses the text of an attribute; `None` if it is malformed or out of range.
    fn parse(text: &str) -> Option<Self>;

    /// Appends the value, unescaped.
    fn print(&self, out: &mut String);

    /// Returns why XML or the standard cannot represent this value.
    fn flaw(&self) -> Option<&'static str> {
        None
    }
}

/// An attribute of a description: a [`Value`] or an optional one.
pub(super) trait Field {
    /// Sets the attribute from its text. Returns what was expected if the text is malformed.
    fn set(&mut self, text: &str) -> Result<(), &'static str>;

    /// Appends the value, unescaped. Returns false if the attribute is absent.
    fn print(&self, out: &mut String) -> bool;

    /// Same as [`Value::flaw`].
    fn flaw(&self) -> Option<&'static str>;
}

impl<T: Value> Field for T {
    fn set(&mut self, text: &str) -> Result<(), &'static str> {
        *self = T::parse(text).ok_or(T::EXPECTED)?;
        Ok(())
    }

    fn print(&self, out: &mut String) -> bool {
        Value::print(self, out);
        true
    }

    fn flaw(&self) -> Option<&'static str> {
        Value::flaw(self)
    }
}

impl<T: Value> Field for Option<T> {
    fn set(&mut self, text: &str) -> Result<(), &'static str> {
        *self = Some(T::parse(text).ok_or(T::EXPECTED)?);
        Ok(())
    }

    fn print(&self, out: &mut String) -> bool {
        if let Some(value) = self {
            value.print(out);
        }
        self.is_some()
    }

    fn flaw(&self) -> Option<&'static str> {
        self.as_ref().and_then(Value::flaw)
    }
}

/// Returns whether XML 1.0 can represent this character, escaped or not.
pub(super) fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Returns whether XML treats this character as white space.
pub(super) fn is_xml_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

impl Value for String {
    const EXPECTED: &'static str = "text";

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn print(&self, out: &mut String) {
        out.push_str(self);
    }

    fn flaw(&self) -> Option<&'static str> {
        (!self.chars().all(is_xml_char)).then_some("has a control character that XML cannot hold")
    }
}

impl Value for f64 {
    const EXPECTED: &'static str = "a finite decimal number, as in 1.5e-3";

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(is_xml_space);
        let plain = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        text.parse().ok().filter(|value: &f64| plain && value.is_finite())
    }

    fn print(&self, out: &mut String) {
        out.push_str(&format!("{self:?}"));
    }

    fn flaw(&self) -> Option<&'static str> {
        (!self.is_finite()).then_some("is not a finite number")
    }
}

impl Value for bool {
    const EXPECTED: &'static str = "true or false";

    fn parse(text: &str) -> Option<Self> {
        match text.trim_matches(is_xml_space) {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    fn print(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

macro_rules! whole_numbers {
    ($($type:ty: $expected:literal),*) => {$(
        impl Value for $type {
            const EXPECTED: &'static str = $expected;

            fn parse(text: &str) -> Option<Self> {
                text.trim_matches(is_xml_space).parse().ok()
            }

            fn print(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
        }
    )*};
}

whole_numbers!(i32: "a whole number from -2147483648 to 2147483647", u32: "a whole number from 0 to 4294967295");

/// Implements lists separated by white space. A list is malformed if one item is.
macro_rules! lists {
    ($($type:ty: $expected:literal),*) => {$(
        impl Value for Vec<$type> {
            const EXPECTED: &'static str = $expected;

            fn parse(text: &str) -> Option<Self> {
                text.split(is_xml_space).filter(|item| !item.is_empty()).map(Value::parse).collect()
            }

            fn print(&self, out: &mut String) {
                for (index, item) in self.iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    Value::print(item, out);
                }
            }
        }
    )*};
}

lists!(
    u32: "a list of variable indices, counted from 1",
    DependencyKind: "a list of dependent, constant, fixed, tunable or discrete"
);

/// Implements the names of an enumeration of the standard.
macro_rules! names {
    ($($type:ident: $expected:literal { $($variant:ident = $name:literal),* })*) => {$(
        impl Value for $type {
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

/// Implements the names of an enumeration that all versions of FMI share.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_decimal_finite_and_nothing_else() {
        for (text, value) in [("1", 1.0_f64), (" +1.5E-3\n", 1.5e-3), ("-0", -0.0), (".5", 0.5), ("5.", 5.0), ("5e-324", 5e-324)]
        {
            assert_eq!(f64::parse(text).map(f64::to_bits), Some(value.to_bits()), "{text}");
        }
        for text in ["", " ", "1,5", "1 5", "0x10", "NaN", "INF", "-inf", "1e999", "1d3", "1e", "--1", "1_000", "\u{663}"] {
            assert_eq!(f64::parse(text), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_fit_or_are_malformed() {
        assert_eq!(i32::parse(" -2147483648 "), Some(i32::MIN));
        assert_eq!(u32::parse("4294967295"), Some(u32::MAX));
        for text in ["", "1.0", "1e3", "0x1", "2147483648"] {
            assert_eq!(i32::parse(text), None, "{text}");
        }
        for text in ["-1", "4294967296"] {
            assert_eq!(u32::parse(text), None, "{text}");
        }
    }

    #[test]
    fn lists_distinguish_empty_from_malformed() {
        assert_eq!(Vec::<u32>::parse(" "), Some(vec![]));
        assert_eq!(Vec::<u32>::parse("1\t2  3"), Some(vec![1, 2, 3]));
        assert_eq!(Vec::<u32>::parse("1,2"), None);
        assert_eq!(Vec::<DependencyKind>::parse("dependent fixed"), Some(vec![DependencyKind::Dependent, DependencyKind::Fixed]));
    }

    #[test]
    fn booleans_are_those_of_xml() {
        assert_eq!([" true ", "1", "false", "0"].map(bool::parse), [Some(true), Some(true), Some(false), Some(false)]);
        assert_eq!(["True", "yes", "", "2"].map(bool::parse), [None; 4]);
    }
}
