//! The last values that were set: of arrays, because an FMU takes whole arrays, and of inputs that can be set during a step.

use std::collections::HashMap;

/// The last values. Most FMUs have no arrays, and states are saved often: a copy of nothing costs nothing.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Shadows {
    /// Values of the inputs that can be set during a step.
    pub(super) intermediates: Vec<f64>,
    /// Nothing until an array is set.
    arrays: Option<Box<Arrays>>,
}

/// The last values of arrays, by value reference.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arrays {
    reals: HashMap<u32, Vec<f64>>,
    integers: HashMap<u32, Vec<i128>>,
    booleans: HashMap<u32, Vec<bool>>,
    strings: HashMap<u32, Vec<String>>,
    binaries: HashMap<u32, Vec<Vec<u8>>>,
}

impl Shadows {
    /// Nothing was set yet; the inputs that can be set during a step have these values.
    pub(crate) fn new(intermediates: &[f64]) -> Self {
        Self { intermediates: intermediates.to_vec(), arrays: None }
    }

    /// The last values of an array, if it was set.
    pub(super) fn array<T: Shadowed>(&mut self, reference: u32) -> Option<&Vec<T>> {
        T::of(self.arrays.as_mut()?).get(&reference)
    }

    /// Notes the values of an array.
    pub(super) fn note<T: Shadowed>(&mut self, reference: u32, values: &[T]) {
        let known = T::of(self.arrays.get_or_insert_default()).entry(reference).or_default();
        known.clear();
        known.extend_from_slice(values);
    }

    /// Copies into memory that is kept.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.intermediates.clear();
        self.intermediates.extend_from_slice(&other.intermediates);
        if self.arrays.is_some() || other.arrays.is_some() {
            self.arrays.clone_from(&other.arrays);
        }
    }
}

/// A type of values that may be elements of arrays.
pub(crate) trait Shadowed: Clone + Default {
    fn of(arrays: &mut Arrays) -> &mut HashMap<u32, Vec<Self>>;
}

macro_rules! shadowed {
    ($($value:ty: $field:ident;)*) => {$(
        impl Shadowed for $value {
            fn of(arrays: &mut Arrays) -> &mut HashMap<u32, Vec<Self>> {
                &mut arrays.$field
            }
        }
    )*};
}

shadowed! {
    f64: reals;
    i128: integers;
    bool: booleans;
    String: strings;
    Vec<u8>: binaries;
}
