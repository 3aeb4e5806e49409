//! The last values that were set: of arrays, because an FMU takes whole arrays, and of inputs that can be set during a step.

use std::collections::HashMap;

/// The last values; those of arrays by value reference.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shadows {
    /// Values of the inputs that can be set during a step.
    pub(super) intermediates: Vec<f64>,
    reals: HashMap<u32, Vec<f64>>,
    integers: HashMap<u32, Vec<i128>>,
    booleans: HashMap<u32, Vec<bool>>,
    strings: HashMap<u32, Vec<String>>,
    binaries: HashMap<u32, Vec<Vec<u8>>>,
}

impl Shadows {
    /// Nothing was set yet; the inputs that can be set during a step have these values.
    pub(crate) fn new(intermediates: &[f64]) -> Self {
        Self { intermediates: intermediates.to_vec(), ..Self::default() }
    }
}

/// A type of values that may be elements of arrays.
pub(crate) trait Shadowed: Clone + Default {
    fn of(shadows: &mut Shadows) -> &mut HashMap<u32, Vec<Self>>;
}

macro_rules! shadowed {
    ($($value:ty: $field:ident;)*) => {$(
        impl Shadowed for $value {
            fn of(shadows: &mut Shadows) -> &mut HashMap<u32, Vec<Self>> {
                &mut shadows.$field
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
