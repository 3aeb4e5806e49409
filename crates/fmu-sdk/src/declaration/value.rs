//! The Rust types permitted for variables, and the four base types through which FMI reads and writes them.

use fmi2::description::{
    BooleanVariable, EnumerationItem, EnumerationVariable, IntegerVariable, RealVariable, SimpleType, StringVariable, TypeKind,
    VariableKind,
};

use super::access::{Table, Tables};
use crate::Input;

/// A Rust type permitted for variables: `f64`, [`Input`], `i32`, `bool`, `String`, or an [`Enumeration`].
pub trait Value: 'static {
    /// The type through which FMI reads and writes it.
    type Base: Base;

    /// Returns the value for FMI.
    fn read(&self) -> Self::Base;
    /// Sets the value from FMI; returns `false` if the type has no such value.
    fn write(&mut self, value: Self::Base) -> bool;
    /// Returns the FMI type, without attributes.
    #[must_use]
    fn kind() -> VariableKind {
        Self::Base::plain_kind()
    }
    /// Returns the type definition to which the variable refers.
    #[must_use]
    fn simple_type() -> Option<SimpleType> {
        None
    }
    /// Returns the input polynomial, for the only type that is one.
    fn as_input(&mut self) -> Option<&mut Input> {
        None
    }
}

/// `f64`, `i32`, `bool` or `String`.
pub trait Base: Sized + PartialEq + Send + sealed::Tabled + 'static {
    #[doc(hidden)]
    fn plain_kind() -> VariableKind;
    /// Writes the start value into the attributes of a variable.
    #[doc(hidden)]
    fn set_start(self, kind: &mut VariableKind);
    /// Checks the value against minimum and maximum of the variable; the error describes the violation.
    #[doc(hidden)]
    fn check(&self, kind: &VariableKind) -> Result<(), String>;
}

/// A base type with minimum and maximum: `f64` or `i32`.
pub trait Bounded: Base {
    #[doc(hidden)]
    fn set_min(self, kind: &mut VariableKind);
    #[doc(hidden)]
    fn set_max(self, kind: &mut VariableKind);
}

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

pub(crate) mod sealed {
    use super::Tables;

    /// The table for the variables of a base type.
    pub trait Tabled: Sized {
        /// Name of the type in FMI.
        const NAME: &'static str;
        #[allow(private_interfaces, reason = "sealed")]
        fn table<M>(tables: &Tables<M>) -> &super::Table<M, Self>;
        #[allow(private_interfaces, reason = "sealed")]
        fn table_mut<M>(tables: &mut Tables<M>) -> &mut super::Table<M, Self>;
    }
}

macro_rules! base {
    ($($base:ty: $name:literal $field:ident;)*) => {$(
        impl sealed::Tabled for $base {
            const NAME: &'static str = $name;
            #[inline]
            #[allow(private_interfaces, reason = "sealed")]
            fn table<M>(tables: &Tables<M>) -> &Table<M, Self> {
                &tables.$field
            }
            #[allow(private_interfaces, reason = "sealed")]
            fn table_mut<M>(tables: &mut Tables<M>) -> &mut Table<M, Self> {
                &mut tables.$field
            }
        }

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

base! {
    f64: "Real" reals;
    i32: "Integer" integers;
    bool: "Boolean" booleans;
    String: "String" strings;
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

    fn read(&self) -> i32 {
        (1..).zip(E::ITEMS).find(|(_, (_, item))| item == self).map_or(0, |(value, _)| value)
    }

    fn write(&mut self, value: i32) -> bool {
        let item = usize::try_from(value).ok().and_then(|n| n.checked_sub(1)).and_then(|n| E::ITEMS.get(n));
        item.map(|(_, item)| *self = *item).is_some()
    }

    fn kind() -> VariableKind {
        VariableKind::Enumeration(EnumerationVariable { declared_type: E::TYPE.into(), ..Default::default() })
    }

    fn simple_type() -> Option<SimpleType> {
        let item = |(value, (name, _)): (i32, &(&str, E))| EnumerationItem { name: (*name).into(), value, description: None };
        let items = (1..).zip(E::ITEMS).map(item).collect();
        Some(SimpleType { name: E::TYPE.into(), description: None, kind: TypeKind::Enumeration { quantity: None, items } })
    }
}

impl Base for f64 {
    fn plain_kind() -> VariableKind {
        VariableKind::Real(RealVariable::default())
    }

    fn set_start(self, kind: &mut VariableKind) {
        if let VariableKind::Real(real) = kind {
            real.start = Some(self);
        }
    }

    fn check(&self, kind: &VariableKind) -> Result<(), String> {
        let VariableKind::Real(real) = kind else { return Ok(()) };
        if !self.is_finite() {
            return Err(format!("{self} is not a finite number"));
        }
        check_range(*self, real.min, real.max)
    }
}

impl Bounded for f64 {
    fn set_min(self, kind: &mut VariableKind) {
        if let VariableKind::Real(real) = kind {
            real.min = Some(self);
        }
    }

    fn set_max(self, kind: &mut VariableKind) {
        if let VariableKind::Real(real) = kind {
            real.max = Some(self);
        }
    }
}

impl Base for i32 {
    fn plain_kind() -> VariableKind {
        VariableKind::Integer(IntegerVariable::default())
    }

    fn set_start(self, kind: &mut VariableKind) {
        match kind {
            VariableKind::Integer(integer) => integer.start = Some(self),
            VariableKind::Enumeration(enumeration) => enumeration.start = Some(self),
            _ => {}
        }
    }

    fn check(&self, kind: &VariableKind) -> Result<(), String> {
        match kind {
            VariableKind::Integer(integer) => check_range(*self, integer.min, integer.max),
            VariableKind::Enumeration(enumeration) => check_range(*self, enumeration.min, enumeration.max),
            _ => Ok(()),
        }
    }
}

impl Bounded for i32 {
    fn set_min(self, kind: &mut VariableKind) {
        match kind {
            VariableKind::Integer(integer) => integer.min = Some(self),
            VariableKind::Enumeration(enumeration) => enumeration.min = Some(self),
            _ => {}
        }
    }

    fn set_max(self, kind: &mut VariableKind) {
        match kind {
            VariableKind::Integer(integer) => integer.max = Some(self),
            VariableKind::Enumeration(enumeration) => enumeration.max = Some(self),
            _ => {}
        }
    }
}

impl Base for bool {
    fn plain_kind() -> VariableKind {
        VariableKind::Boolean(BooleanVariable::default())
    }

    fn set_start(self, kind: &mut VariableKind) {
        if let VariableKind::Boolean(boolean) = kind {
            boolean.start = Some(self);
        }
    }

    fn check(&self, _: &VariableKind) -> Result<(), String> {
        Ok(())
    }
}

impl Base for String {
    fn plain_kind() -> VariableKind {
        VariableKind::String(StringVariable::default())
    }

    fn set_start(self, kind: &mut VariableKind) {
        if let VariableKind::String(string) = kind {
            string.start = Some(self);
        }
    }

    fn check(&self, _: &VariableKind) -> Result<(), String> {
        Ok(())
    }
}

fn check_range<T: PartialOrd + std::fmt::Display>(value: T, min: Option<T>, max: Option<T>) -> Result<(), String> {
    if let Some(min) = min.filter(|min| value < *min) {
        return Err(format!("{value} is less than the minimum {min}"));
    }
    if let Some(max) = max.filter(|max| value > *max) {
        return Err(format!("{value} is greater than the maximum {max}"));
    }
    Ok(())
}
