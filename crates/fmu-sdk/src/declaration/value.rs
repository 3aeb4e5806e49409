//! The Rust types permitted for variables.

use super::attributes::EnumerationType;
use super::base::Base;
use super::element_type::ElementType;
use crate::Input;

/// A Rust type permitted for scalar variables and for elements of arrays.
///
/// | Rust | FMI 3.0 | FMI 2.0 |
/// |---|---|---|
/// | `f64`, [`Input`] | Float64 | Real |
/// | `f32` | Float32 | Real |
/// | `i8`, `u8`, `i16`, `u16`, `i32` | Int8, UInt8, Int16, UInt16, Int32 | Integer |
/// | `u32`, `i64`, `u64` | UInt32, Int64, UInt64 | – |
/// | `bool`, `String` | Boolean, String | Boolean, String |
/// | `Vec<u8>` | Binary | – |
/// | an [`Enumeration`] | Enumeration | Enumeration |
///
/// A model with a variable that FMI 2.0 cannot represent is packed for FMI 3.0 only.
pub trait Value: 'static {
    /// The type through which the kit reads and writes it.
    type Base: Base;
    /// The type in FMI 3.0.
    const ELEMENT: ElementType = Self::Base::ELEMENT;

    /// Returns the value for FMI.
    fn read(&self) -> Self::Base;
    /// Sets the value from FMI; returns `false` if the type has no such value.
    fn write(&mut self, value: Self::Base) -> bool;
    /// Returns the enumeration type to which the variable refers.
    #[must_use]
    fn enumeration() -> Option<EnumerationType> {
        None
    }
    /// Returns the input polynomial, for the only type that is one.
    fn as_input(&mut self) -> Option<&mut Input> {
        None
    }
}

/// The type of a variable: a [`Value`], or an array of values such as `[f64; 3]` or `[[f64; 3]; 2]`, row by row. In FMI 2.0, each
/// element of an array is a variable of its own: `a[1]`, `a[2,1]`. The length of an array of type `Vec` can be that of structural
/// parameters ([`VariableBuilder::sized_by`](crate::VariableBuilder::sized_by)); otherwise, and in FMI 2.0, it is that of the
/// default model.
pub trait Shaped: 'static {
    /// The type of the elements; the type itself if it is a scalar.
    type Scalar: Value;
    /// Number of elements, 1 for a scalar; `None` if it can change.
    const LENGTH: Option<usize>;

    /// Returns the sizes of the dimensions; none for a scalar.
    fn shape(&self) -> Vec<usize>;
    /// Returns an element by its index, row by row; a scalar is its only element.
    fn at(&self, index: usize) -> &Self::Scalar;
    /// Returns an element by its index.
    fn at_mut(&mut self, index: usize) -> &mut Self::Scalar;
}

impl<V: Value> Shaped for V {
    type Scalar = V;
    const LENGTH: Option<usize> = Some(1);

    fn shape(&self) -> Vec<usize> {
        Vec::new()
    }

    #[inline]
    fn at(&self, _: usize) -> &V {
        self
    }

    #[inline]
    fn at_mut(&mut self, _: usize) -> &mut V {
        self
    }
}

impl<S: Shaped, const N: usize> Shaped for [S; N] {
    type Scalar = S::Scalar;
    const LENGTH: Option<usize> = Some(N * fixed_length::<S>());

    fn shape(&self) -> Vec<usize> {
        let inner = self.first().map(S::shape).unwrap_or_default();
        [vec![N], inner].concat()
    }

    #[inline]
    fn at(&self, index: usize) -> &S::Scalar {
        self[index / fixed_length::<S>()].at(index % fixed_length::<S>())
    }

    #[inline]
    fn at_mut(&mut self, index: usize) -> &mut S::Scalar {
        self[index / fixed_length::<S>()].at_mut(index % fixed_length::<S>())
    }
}

/// Returns the length of an element of an array, which cannot change.
const fn fixed_length<S: Shaped>() -> usize {
    const {
        match S::LENGTH {
            Some(length) => length,
            None => panic!("an array of arrays whose lengths can change has no shape; use one Vec with several sizes"),
        }
    }
}

impl<V: Element> Shaped for Vec<V> {
    type Scalar = V;
    const LENGTH: Option<usize> = None;

    fn shape(&self) -> Vec<usize> {
        vec![self.len()]
    }

    #[inline]
    fn at(&self, index: usize) -> &V {
        &self[index]
    }

    #[inline]
    fn at_mut(&mut self, index: usize) -> &mut V {
        &mut self[index]
    }
}

/// A [`Value`] that can be an element of a `Vec`. That is not `u8`, because a `Vec<u8>` is a binary value.
pub trait Element: Value {}

macro_rules! elements {
    ($($value:ty)*) => {$(
        impl Element for $value {}
    )*};
}

elements! { f64 f32 i8 i16 u16 i32 u32 i64 u64 bool String Input }

/// An enum that becomes an FMI enumeration. Its items have the values 1, 2, 3 … in the order of [`Enumeration::ITEMS`].
///
/// ```
/// #[derive(Clone, Copy, PartialEq)]
/// enum Gear { Low, High }
///
/// impl fmu_sdk::Enumeration for Gear {
///     const TYPE: &'static str = "Gear";
///     const ITEMS: &'static [(&'static str, Self)] = &[("low", Gear::Low), ("high", Gear::High)];
/// }
/// ```
pub trait Enumeration: Copy + PartialEq + Send + Sync + 'static {
    /// Name of the type, which must differ from all variable names.
    const TYPE: &'static str;
    /// Names and values; at least one.
    const ITEMS: &'static [(&'static str, Self)];
}

macro_rules! own_base {
    ($($base:ty)*) => {$(
        impl Value for $base {
            type Base = $base;
            #[inline]
            fn read(&self) -> $base {
                self.clone()
            }
            #[inline]
            fn write(&mut self, value: $base) -> bool {
                *self = value;
                true
            }
        }
    )*};
}

own_base! { f64 i32 bool String Vec<u8> }

macro_rules! integers {
    ($($integer:ty: $element:ident, $base:ty;)*) => {$(
        impl Value for $integer {
            type Base = $base;
            const ELEMENT: ElementType = ElementType::$element;
            #[inline]
            fn read(&self) -> $base {
                <$base>::from(*self)
            }
            #[inline]
            fn write(&mut self, value: $base) -> bool {
                <$integer>::try_from(value).map(|value| *self = value).is_ok()
            }
        }
    )*};
}

integers! {
    i8: Int8, i32;
    u8: UInt8, i32;
    i16: Int16, i32;
    u16: UInt16, i32;
    u32: UInt32, i128;
    i64: Int64, i128;
    u64: UInt64, i128;
}

impl Value for f32 {
    type Base = f64;
    const ELEMENT: ElementType = ElementType::Float32;

    #[inline]
    fn read(&self) -> f64 {
        f64::from(*self)
    }

    #[inline]
    fn write(&mut self, value: f64) -> bool {
        let single = value as f32;
        let fits = single.is_finite() || !value.is_finite();
        if fits {
            *self = single;
        }
        fits
    }
}

impl Value for Input {
    type Base = f64;

    #[inline]
    fn read(&self) -> f64 {
        self.start()
    }

    #[inline]
    fn write(&mut self, value: f64) -> bool {
        self.set_start(value);
        true
    }

    fn as_input(&mut self) -> Option<&mut Input> {
        Some(self)
    }
}

impl<E: Enumeration> Value for E {
    type Base = i32;
    const ELEMENT: ElementType = ElementType::Enumeration;

    fn read(&self) -> i32 {
        (1..).zip(E::ITEMS).find(|(_, (_, item))| item == self).map_or(0, |(value, _)| value)
    }

    fn write(&mut self, value: i32) -> bool {
        let item = usize::try_from(value).ok().and_then(|n| n.checked_sub(1)).and_then(|n| E::ITEMS.get(n));
        item.map(|(_, item)| *self = *item).is_some()
    }

    fn enumeration() -> Option<EnumerationType> {
        Some(EnumerationType { name: E::TYPE, items: E::ITEMS.iter().map(|(name, _)| *name).collect() })
    }
}
