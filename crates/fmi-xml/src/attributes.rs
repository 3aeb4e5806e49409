//! The attributes of elements: one table that both the reader and the writer use.

use lotka_instance::description::{BaseUnit, DefaultExperiment, DisplayUnit, Unit};

use crate::element::Source;
use crate::value::Show;

/// An element that has attributes.
pub trait Attributes {
    /// Reads the attributes from an element of a file.
    fn read(&mut self, source: &mut Source<'_, '_>);

    /// Passes every attribute to `sink`, absent ones included.
    fn show(&self, sink: &mut dyn Sink);
}

/// Receives attributes: implemented by the writer and by the check of values.
pub trait Sink {
    /// Receives one attribute.
    fn put(&mut self, name: &'static str, value: &dyn Show);
}

/// Implements [`Attributes`] from a table of types, patterns and attributes.
///
/// A line of the table is `field = "attributeName" mode`. The mode defines how a missing or malformed value is handled; the
/// methods of [`Source`] are the modes. `by codec` behind the mode names the [`Codec`](crate::Codec) of an optional value whose
/// type has no text form of its own; fields in brackets before the first line are what codecs may refer to.
#[macro_export]
macro_rules! attributes {
    ($($type:ty { $($pattern:path {
        $([$($bound:ident),*])? $($field:ident = $name:literal $mode:ident $(by $codec:expr)?),* $(,)?
    })+ })*) => {$(
        impl $crate::Attributes for $type {
            fn read(&mut self, source: &mut $crate::Source<'_, '_>) {
                match self {
                    $($pattern { $($($bound,)*)? $($field,)* .. } => { $($crate::attributes!(@read source $mode $name $field $($codec)?);)* })+
                }
            }

            fn show(&self, sink: &mut dyn $crate::Sink) {
                match self {
                    $($pattern { $($($bound,)*)? $($field,)* .. } => { $($crate::attributes!(@show sink $name $field $($codec)?);)* })+
                }
            }
        }
    )*};
    (@read $source:ident $mode:ident $name:literal $field:ident) => { $source.$mode($name, $field) };
    (@read $source:ident $mode:ident $name:literal $field:ident $codec:expr) => {
        $source.$mode($name, &mut $crate::Coded($codec, $field))
    };
    (@show $sink:ident $name:literal $field:ident) => { $sink.put($name, $field) };
    (@show $sink:ident $name:literal $field:ident $codec:expr) => { $sink.put($name, &$crate::Coded($codec, $field)) };
}

attributes! {
    Unit { Unit { name = "name" key } }
    DisplayUnit { DisplayUnit { name = "name" key, factor = "factor" matters, offset = "offset" matters } }
    BaseUnit { BaseUnit {
        kg = "kg" matters, m = "m" matters, s = "s" matters, a = "A" matters, k = "K" matters,
        mol = "mol" matters, cd = "cd" matters, rad = "rad" matters,
        factor = "factor" matters,
        offset = "offset" matters,
    } }
    DefaultExperiment { DefaultExperiment {
        start_time = "startTime" spare,
        stop_time = "stopTime" spare,
        tolerance = "tolerance" spare,
        step_size = "stepSize" spare,
    } }
}
