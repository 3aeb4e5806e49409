//! The last values of arrays that were set. An FMU takes whole arrays, so that setting one element needs the others.

use std::collections::HashMap;

/// The last values of arrays, by value reference.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shadows {
    reals: HashMap<u32, Vec<f64>>,
    integers: HashMap<u32, Vec<i128>>,
    booleans: HashMap<u32, Vec<bool>>,
    strings: HashMap<u32, Vec<String>>,
    binaries: HashMap<u32, Vec<Vec<u8>>>,
}

impl Shadows {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
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
