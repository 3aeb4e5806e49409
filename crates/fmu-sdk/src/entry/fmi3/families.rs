//! The families of functions that read and set variables of one C type, and the variables that each of them accesses.

use fmi3::ffi;

use super::super::shared;
use crate::component::Component;
use crate::declaration::{Array, Base, ElementType, Referenced};
use crate::{Model, Refusal};

/// A family of functions, such as `fmi3GetInt64` and `fmi3SetInt64`.
pub(super) trait Family {
    /// The type in C.
    type C: Clone;
    /// Name of the type in FMI 3.0.
    const NAME: &'static str;

    /// Returns the time, if it accesses it.
    fn time(_time: f64) -> Option<Self::C> {
        None
    }
    /// Whether it accesses variables of this type.
    fn has(element: ElementType) -> bool;
    /// Returns the number of elements of an array that it accesses.
    fn length<M: Model>(c: &mut Component<M>, place: &Referenced) -> usize;
    /// Reads a scalar that it accesses.
    fn get<M: Model>(c: &mut Component<M>, place: &Referenced) -> Option<Self::C>;
    /// Reads an element of an array that it accesses.
    fn get_element<M: Model>(c: &mut Component<M>, place: &Referenced, element: usize) -> Option<Self::C>;
    /// Sets a scalar that it accesses.
    fn set<M: Model>(c: &mut Component<M>, place: &Referenced, value: Self::C) -> Result<(), Refusal>;
    /// Sets an element of an array that it accesses.
    fn set_element<M: Model>(c: &mut Component<M>, place: &Referenced, element: usize, value: Self::C) -> Result<(), Refusal>;
}

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident: $c:ty $(, time = $time:ident)? { $($element:ident: $base:ty, $to_c:expr, $from_c:expr;)* })*) => {$(
        $(#[$doc])*
        pub(super) struct $family;

        impl Family for $family {
            type C = $c;
            const NAME: &'static str = stringify!($family);

            $(fn time(time: f64) -> Option<$c> {
                $time(time)
            })?

            #[inline]
            fn has(element: ElementType) -> bool {
                matches!(element, $(ElementType::$element)|*)
            }

            #[inline]
            fn get<M: Model>(c: &mut Component<M>, place: &Referenced) -> Option<$c> {
                match place.element {
                    $(ElementType::$element => shared::read::<M, $base>(c, place.at as usize).map($to_c),)*
                    _ => None,
                }
            }

            fn length<M: Model>(c: &mut Component<M>, place: &Referenced) -> usize {
                match place.element {
                    $(ElementType::$element => array::<M, $base>(c, place).map_or(0, |array| array.length.call(&mut c.state.model, ())),)*
                    _ => 0,
                }
            }

            fn get_element<M: Model>(c: &mut Component<M>, place: &Referenced, element: usize) -> Option<$c> {
                match place.element {
                    $(ElementType::$element => {
                        let array = array::<M, $base>(c, place)?;
                        Some(($to_c)(array.get.call(&mut c.state.model, element)))
                    })*
                    _ => None,
                }
            }

            #[inline]
            fn set<M: Model>(c: &mut Component<M>, place: &Referenced, value: $c) -> Result<(), Refusal> {
                match place.element {
                    $(ElementType::$element => {
                        let value: $base = ($from_c)(value)?;
                        let at = place.at as usize;
                        let setter = scalar_setter::<M, $base>(c, at)?;
                        shared::set_scalar(c, at, setter, value)
                    })*
                    _ => Err(no_such_place()),
                }
            }

            fn set_element<M: Model>(c: &mut Component<M>, place: &Referenced, element: usize, value: $c) -> Result<(), Refusal> {
                match place.element {
                    $(ElementType::$element => {
                        let value: $base = ($from_c)(value)?;
                        let array = array::<M, $base>(c, place).ok_or_else(no_such_place)?;
                        shared::set_element(c, array, element, value)
                    })*
                    _ => Err(no_such_place()),
                }
            }
        }
    )*};
}

families! {
    /// `fmi3GetFloat64`, `fmi3SetFloat64`.
    Float64: ffi::Float64, time = Some { Float64: f64, |value| value, Ok; }
    /// `fmi3GetFloat32`, `fmi3SetFloat32`.
    Float32: ffi::Float32 { Float32: f64, |value| value as f32, |value| Ok(f64::from(value)); }
    /// `fmi3GetInt8`, `fmi3SetInt8`.
    Int8: ffi::Int8 { Int8: i32, |value| value as i8, |value| Ok(i32::from(value)); }
    /// `fmi3GetUInt8`, `fmi3SetUInt8`.
    UInt8: ffi::UInt8 { UInt8: i32, |value| value as u8, |value| Ok(i32::from(value)); }
    /// `fmi3GetInt16`, `fmi3SetInt16`.
    Int16: ffi::Int16 { Int16: i32, |value| value as i16, |value| Ok(i32::from(value)); }
    /// `fmi3GetUInt16`, `fmi3SetUInt16`.
    UInt16: ffi::UInt16 { UInt16: i32, |value| value as u16, |value| Ok(i32::from(value)); }
    /// `fmi3GetInt32`, `fmi3SetInt32`.
    Int32: ffi::Int32 { Int32: i32, |value| value, Ok; }
    /// `fmi3GetUInt32`, `fmi3SetUInt32`.
    UInt32: ffi::UInt32 { UInt32: i128, |value| value as u32, |value| Ok(i128::from(value)); }
    /// `fmi3GetInt64`, `fmi3SetInt64`, also for Enumeration variables.
    Int64: ffi::Int64 {
        Int64: i128, |value| value as i64, |value| Ok(i128::from(value));
        Enumeration: i32, i64::from, item;
    }
    /// `fmi3GetUInt64`, `fmi3SetUInt64`.
    UInt64: ffi::UInt64 { UInt64: i128, |value| value as u64, |value| Ok(i128::from(value)); }
    /// `fmi3GetBoolean`, `fmi3SetBoolean`.
    Boolean: ffi::Boolean { Boolean: bool, ffi::Boolean::from, |value| Ok(ffi::boolean(value)); }
    /// `fmi3GetString`, `fmi3SetString`, after the conversion of the strings.
    Text: String { String: String, |value| value, Ok; }
    /// `fmi3GetBinary`, `fmi3SetBinary`, after the conversion of the values.
    Binary: Vec<u8> { Binary: Vec<u8>, |value| value, Ok; }
}

/// Returns the number of an item; no enumeration has one beyond that range.
fn item(value: i64) -> Result<i32, Refusal> {
    i32::try_from(value).map_err(|_| Refusal::discard(format!("no enumeration has an item with the value {value}")))
}

#[inline]
fn scalar_setter<M: Model, T: Base>(
    c: &Component<M>,
    at: usize,
) -> Result<&'static crate::declaration::Setter<crate::declaration::Write<M, T>>, Refusal> {
    T::table(&c.declared.tables).setters.get(at).ok_or_else(no_such_place)
}

fn array<M: Model, T: Base>(c: &Component<M>, place: &Referenced) -> Option<&'static Array<M, T>> {
    T::table(&c.declared.tables).arrays.get(place.at as usize)
}

#[cold]
fn no_such_place() -> Refusal {
    Refusal::error("the variable has another type")
}
