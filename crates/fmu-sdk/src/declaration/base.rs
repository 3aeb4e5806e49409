//! The base types through which the kit reads and writes variables.

use super::access::{Table, Tables};
use super::attributes::{Number, Start, Variable};
use super::element_type::ElementType;

/// `f64`, `i32`, `i128`, `bool`, `String` or `Vec<u8>`.
pub trait Base: Sized + Clone + PartialEq + Send + sealed::Tabled + 'static {
    /// The type in FMI 3.0 of variables with this Rust type.
    const ELEMENT: ElementType;
}

/// A base type with minimum and maximum: `f64`, `i32` or `i128`.
pub trait Bounded: Base + sealed::Ordered {}

pub(crate) mod sealed {
    use super::{Number, Start, Tables, Variable};

    /// The table for the variables of a base type.
    #[allow(private_interfaces, reason = "sealed")]
    pub trait Tabled: Sized + 'static {
        /// Name of the type in FMI 2.0.
        const NAME: &'static str;
        fn table<M: 'static>(tables: &Tables<M>) -> &super::Table<M, Self>;
        fn table_mut<M: 'static>(tables: &mut Tables<M>) -> &mut super::Table<M, Self>;
        fn start(values: Vec<Self>) -> Start;
        /// Checks the value against minimum and maximum of the variable; the error describes the violation.
        fn check(&self, _variable: &Variable) -> Result<(), String> {
            Ok(())
        }
    }

    /// A base type with minimum and maximum.
    #[allow(private_interfaces, reason = "sealed")]
    pub trait Ordered {
        fn number(self) -> Number;
    }
}

macro_rules! base {
    ($($base:ty: $element:ident $name:literal $field:ident, $start:expr $(, $number:expr)?;)*) => {$(
        #[allow(private_interfaces, reason = "sealed")]
        impl sealed::Tabled for $base {
            const NAME: &'static str = $name;
            #[inline]
            fn table<M: 'static>(tables: &Tables<M>) -> &Table<M, Self> {
                &tables.$field
            }
            fn table_mut<M: 'static>(tables: &mut Tables<M>) -> &mut Table<M, Self> {
                &mut tables.$field
            }
            fn start(values: Vec<Self>) -> Start {
                $start(values)
            }
            $(
                fn check(&self, variable: &Variable) -> Result<(), String> {
                    variable.check($number(*self))
                }
            )?
        }

        $(
            #[allow(private_interfaces, reason = "sealed")]
            impl sealed::Ordered for $base {
                fn number(self) -> Number {
                    $number(self)
                }
            }

            impl Bounded for $base {}
        )?

        impl Base for $base {
            const ELEMENT: ElementType = ElementType::$element;
        }
    )*};
}

base! {
    f64: Float64 "Real" reals, Start::Reals, Number::Real;
    i32: Int32 "Integer" integers, |values: Vec<i32>| Start::Integers(values.into_iter().map(i128::from).collect()),
        |value| Number::Integer(i128::from(value));
    i128: Int64 "Integer" wide_integers, Start::Integers, Number::Integer;
    bool: Boolean "Boolean" booleans, Start::Booleans;
    String: String "String" strings, Start::Strings;
    Vec<u8>: Binary "Binary" binaries, Start::Binaries;
}
