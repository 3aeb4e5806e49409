//! Text forms of numbers, which depend on the type of a variable, and of lists and bytes.

use std::borrow::Cow;

use fmi_xml::{Codec, Listed, Value, items, print_items};

use super::IntegerType;

/// Codec of lists of value references.
pub(super) const REFERENCES: Listed = Listed("a list of value references");

/// Codec of a value whose type alone determines its text form.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl<T: Value> Codec<T> for Plain {
    fn expected(&self) -> Cow<'static, str> {
        T::EXPECTED.into()
    }

    fn parse(&self, text: &str) -> Option<T> {
        T::parse(text)
    }

    fn print(&self, value: &T, out: &mut String) {
        value.print(out);
    }

    fn flaw(&self, value: &T) -> Option<&'static str> {
        value.flaw()
    }
}

/// Codec of floating-point numbers: of Float32 if true, otherwise of Float64.
#[derive(Clone, Copy)]
pub(super) struct Floating(pub bool);

impl Codec<f64> for Floating {
    fn expected(&self) -> Cow<'static, str> {
        if self.0 { "a finite decimal number that fits into 32 bits, as in 1.5e-3".into() } else { f64::EXPECTED.into() }
    }

    fn parse(&self, text: &str) -> Option<f64> {
        if !self.0 {
            return f64::parse(text);
        }
        // Rounded once, from the text: rounding a Float64 again could give another number.
        f64::parse(text)?;
        text.trim_matches(fmi_xml::is_xml_space).parse::<f32>().ok().filter(|value| value.is_finite()).map(f64::from)
    }

    fn print(&self, value: &f64, out: &mut String) {
        if self.0 {
            out.push_str(&format!("{:?}", *value as f32));
        } else {
            value.print(out);
        }
    }

    fn flaw(&self, value: &f64) -> Option<&'static str> {
        let is_exact = !self.0 || f64::from(*value as f32) == *value;
        value.flaw().or((!is_exact).then_some("is not a number of Float32"))
    }
}

/// Codec of whole numbers of a type.
#[derive(Clone, Copy)]
pub(super) struct Whole(pub IntegerType);

impl Codec<i128> for Whole {
    fn expected(&self) -> Cow<'static, str> {
        let (min, max) = self.0.range();
        format!("a whole number from {min} to {max}").into()
    }

    fn parse(&self, text: &str) -> Option<i128> {
        let (min, max) = self.0.range();
        text.trim_matches(fmi_xml::is_xml_space).parse().ok().filter(|value| (min..=max).contains(value))
    }

    fn print(&self, value: &i128, out: &mut String) {
        out.push_str(&value.to_string());
    }

    fn flaw(&self, value: &i128) -> Option<&'static str> {
        let (min, max) = self.0.range();
        (!(min..=max).contains(value)).then_some("is outside of the range of its type")
    }
}

/// Codec of start values: one value, or several separated by blanks.
#[derive(Clone, Copy)]
pub(super) struct List<C>(pub C);

impl<T, C: Codec<T>> Codec<Vec<T>> for List<C> {
    fn expected(&self) -> Cow<'static, str> {
        format!("{}, or several separated by blanks", self.0.expected()).into()
    }

    fn parse(&self, text: &str) -> Option<Vec<T>> {
        items(text).map(|item| self.0.parse(item)).collect::<Option<Vec<_>>>().filter(|values| !values.is_empty())
    }

    fn print(&self, value: &Vec<T>, out: &mut String) {
        print_items(value, out, |item, out| self.0.print(item, out));
    }

    fn flaw(&self, value: &Vec<T>) -> Option<&'static str> {
        if value.is_empty() { Some("is an empty list") } else { value.iter().find_map(|item| self.0.flaw(item)) }
    }
}

/// Codec of bytes as hexadecimal digits.
pub(super) struct Hex;

impl Codec<Vec<u8>> for Hex {
    fn expected(&self) -> Cow<'static, str> {
        "an even number of hexadecimal digits".into()
    }

    fn parse(&self, text: &str) -> Option<Vec<u8>> {
        let digits = text.trim_matches(fmi_xml::is_xml_space).as_bytes();
        let (pairs, odd) = digits.as_chunks::<2>();
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let byte = |[high, low]: &[u8; 2]| u8::try_from(16 * digit(*high)? + digit(*low)?).ok();
        if odd.is_empty() { pairs.iter().map(byte).collect() } else { None }
    }

    fn print(&self, value: &Vec<u8>, out: &mut String) {
        value.iter().for_each(|byte| out.push_str(&format!("{byte:02X}")));
    }

    fn flaw(&self, _: &Vec<u8>) -> Option<&'static str> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_32_bits_are_rounded_once_and_finite() {
        let single = Floating(true);
        assert_eq!(single.parse("0.1"), Some(f64::from(0.1_f32)));
        assert_eq!(single.parse(" 3.4028235e38 "), Some(f64::from(f32::MAX)));
        // Halfway between two numbers of 32 bits and a little more, which 64 bits cannot hold: rounding twice would give 1.
        assert_eq!(single.parse("1.00000005960464477539062500000001"), Some(f64::from(1.0_f32 + f32::EPSILON)));
        for text in ["3.5e38", "-1e39", "NaN", "INF", "1,5", ""] {
            assert_eq!(single.parse(text), None, "{text}");
        }
        assert_eq!(Floating(false).parse("3.5e38"), Some(3.5e38));
        assert!(single.flaw(&0.1).is_some() && single.flaw(&0.5).is_none() && single.flaw(&f64::NAN).is_some());
        assert!(single.flaw(&1e39).is_some() && Floating(false).flaw(&1e39).is_none());
    }

    #[test]
    fn whole_numbers_lie_in_the_range_of_their_type() {
        for of in IntegerType::ALL {
            let (min, max) = of.range();
            assert_eq!(Whole(of).parse(&min.to_string()), Some(min));
            assert_eq!(Whole(of).parse(&format!(" {max}\n")), Some(max));
            assert_eq!([Whole(of).parse(&(min - 1).to_string()), Whole(of).parse(&(max + 1).to_string())], [None, None]);
            assert_eq!(Whole(of).expected(), format!("a whole number from {min} to {max}"));
            assert!(Whole(of).flaw(&max).is_none() && Whole(of).flaw(&(max + 1)).is_some());
        }
        assert_eq!([Whole(IntegerType::UInt64).parse("1.0"), Whole(IntegerType::UInt64).parse("")], [None, None]);
    }

    #[test]
    fn lists_are_not_empty_and_bytes_come_in_pairs_of_digits() {
        let numbers = |text: &str| List(Whole(IntegerType::Int8)).parse(text);
        assert_eq!(numbers("1\t-2  3"), Some(vec![1, -2, 3]));
        assert_eq!([numbers(" "), numbers("1,2"), numbers("1 128")], [None, None, None]);
        assert_eq!(Hex.parse(" 00fF "), Some(vec![0, 255]));
        assert_eq!(Hex.parse(""), Some(vec![]));
        assert_eq!([Hex.parse("0"), Hex.parse("0g"), Hex.parse("+1"), Hex.parse("é")], [None, None, None, None]);
        let mut text = String::new();
        Hex.print(&vec![0, 255], &mut text);
        assert_eq!(text, "00FF");
    }
}
