//! Text form of attribute values: one [`Value`] per type, for both the reader and the writer.

use std::borrow::Cow;

/// A type of attribute value.
pub trait Value: Sized {
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

/// An attribute that can be read: a [`Value`] or an optional one.
pub trait Field {
    /// Sets the attribute from its text.
    ///
    /// # Errors
    /// The text is malformed; returns what was expected.
    fn set(&mut self, text: &str) -> Result<(), Cow<'static, str>>;
}

/// An attribute that can be written: a [`Value`] or an optional one.
pub trait Show {
    /// Appends the value, unescaped. Returns false if the attribute is absent.
    fn print(&self, out: &mut String) -> bool;

    /// Same as [`Value::flaw`].
    fn flaw(&self) -> Option<&'static str>;
}

impl<T: Value> Field for T {
    fn set(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
        *self = T::parse(text).ok_or(T::EXPECTED)?;
        Ok(())
    }
}

impl<T: Value> Field for Option<T> {
    fn set(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
        *self = Some(T::parse(text).ok_or(T::EXPECTED)?);
        Ok(())
    }
}

impl<T: Value> Show for T {
    fn print(&self, out: &mut String) -> bool {
        Value::print(self, out);
        true
    }

    fn flaw(&self) -> Option<&'static str> {
        Value::flaw(self)
    }
}

impl<T: Value> Show for Option<T> {
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

/// The text form of a type of value in some attributes, where the type alone does not determine it.
pub trait Codec<T> {
    /// Returns what a valid value is, such as "a whole number from 0 to 255".
    fn expected(&self) -> Cow<'static, str>;

    /// Same as [`Value::parse`].
    fn parse(&self, text: &str) -> Option<T>;

    /// Same as [`Value::print`].
    fn print(&self, value: &T, out: &mut String);

    /// Same as [`Value::flaw`].
    fn flaw(&self, value: &T) -> Option<&'static str>;
}

/// An optional attribute with its codec.
#[derive(Debug)]
pub struct Coded<C, T>(pub C, pub T);

impl<T, C: Codec<T>> Field for Coded<C, &mut Option<T>> {
    fn set(&mut self, text: &str) -> Result<(), Cow<'static, str>> {
        *self.1 = Some(self.0.parse(text).ok_or_else(|| self.0.expected())?);
        Ok(())
    }
}

impl<T, C: Codec<T>> Show for Coded<C, &Option<T>> {
    fn print(&self, out: &mut String) -> bool {
        if let Some(value) = self.1 {
            self.0.print(value, out);
        }
        self.1.is_some()
    }

    fn flaw(&self) -> Option<&'static str> {
        self.1.as_ref().and_then(|value| self.0.flaw(value))
    }
}

/// Codec of lists of values separated by white space, described by its text. A list is malformed if one item is.
#[derive(Debug, Clone, Copy)]
pub struct Listed(pub &'static str);

impl<T: Value> Codec<Vec<T>> for Listed {
    fn expected(&self) -> Cow<'static, str> {
        self.0.into()
    }

    fn parse(&self, text: &str) -> Option<Vec<T>> {
        items(text).map(T::parse).collect()
    }

    fn print(&self, value: &Vec<T>, out: &mut String) {
        print_items(value, out, T::print);
    }

    fn flaw(&self, value: &Vec<T>) -> Option<&'static str> {
        value.iter().find_map(T::flaw)
    }
}

/// Returns the items of a list separated by white space.
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_xml_space).filter(|item| !item.is_empty())
}

/// Appends the items of a list, separated by blanks.
pub fn print_items<T>(list: &[T], out: &mut String, print: impl Fn(&T, &mut String)) {
    for (index, item) in list.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        print(item, out);
    }
}

/// Returns whether XML 1.0 can represent this character, escaped or not.
#[must_use]
pub fn is_xml_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Returns whether XML treats this character as white space.
#[must_use]
pub fn is_xml_space(c: char) -> bool {
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

whole_numbers!(
    i32: "a whole number from -2147483648 to 2147483647",
    i64: "a whole number from -9223372036854775808 to 9223372036854775807",
    u32: "a whole number from 0 to 4294967295",
    u64: "a whole number from 0 to 18446744073709551615"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::DependencyKind;

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
        let numbers = |text: &str| -> Option<Vec<u32>> { Listed("numbers").parse(text) };
        assert_eq!(numbers(" "), Some(vec![]));
        assert_eq!(numbers("1\t2  3"), Some(vec![1, 2, 3]));
        assert_eq!(numbers("1,2"), None);
        let kinds: Option<Vec<DependencyKind>> = Listed("kinds").parse("dependent fixed");
        assert_eq!(kinds, Some(vec![DependencyKind::Dependent, DependencyKind::Fixed]));
    }

    #[test]
    fn booleans_are_those_of_xml() {
        assert_eq!([" true ", "1", "false", "0"].map(bool::parse), [Some(true), Some(true), Some(false), Some(false)]);
        assert_eq!(["True", "yes", "", "2"].map(bool::parse), [None; 4]);
    }
}
