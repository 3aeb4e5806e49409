//! The schema of `modelDescription.xml`: for each element, its attributes with type, name and treatment.
//!
//! An element is declared once, by [`elements!`](crate::elements) or, if its name determines its attributes, by
//! [`kinds!`](crate::kinds) and [`variants!`](crate::variants): a row `field: Type = "attributeName" mode` becomes a field of a
//! struct, and it is what the reader fills, what the check of values passes to XML, and what the writer prints. Elements that
//! all versions of FMI define alike are declared here; the others are in the folder `description` of the crate of their version,
//! beside the element of the same name in the other crate, from which they differ by rows. A further attribute is a row, and a
//! further element is a block of rows and a line in the reader and the writer.

use lotka_instance::description::{BaseUnit, DefaultExperiment, DisplayUnit, Unit};

use crate::element::Source;
use crate::value::{Listed, Show};

/// Codec of `dependenciesKind`.
pub const KINDS: Listed = Listed("a list of dependent, constant, fixed, tunable or discrete");

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

/// Declares elements: structs that implement [`Attributes`].
///
/// A row is `field: Type = "attributeName" mode`; without the part from `=` on, it is a field for children of the element. The
/// mode defines how a missing or malformed value is handled; the methods of [`Source`] are the modes. `by codec` behind the mode
/// names the [`Codec`](crate::Codec) of an optional value whose type has no text form of its own. `| part` behind the type says
/// that the attributes of this field are attributes of the element. `by name: Type` behind the name of an element is what its
/// codecs depend on: `read` and `show` then take it as their first argument.
///
/// ```
/// fmi_xml::elements! {
///     /// A log category.
///     #[derive(Debug, Default)]
///     pub struct Category {
///         name: String = "name" key,
///         description: Option<String> = "description" spare,
///     }
/// }
/// let category = Category { name: "events".to_owned(), description: None };
/// assert!(fmi_xml::Writer::document("Category", &category, |_| {}).ends_with("<Category name=\"events\"/>\n"));
/// ```
#[macro_export]
macro_rules! elements {
    ($(
        $(#[$about:meta])*
        $vis:vis struct $element:ident $(by $by:ident: $By:ty)? {
            $(
                $(#[$note:meta])*
                $field:ident: $type:ty $(| $part:ident)? $(= $name:literal $mode:ident $(by $codec:expr)?)?
            ),* $(,)?
        }
    )*) => {$(
        $(#[$about])*
        #[allow(missing_docs, reason = "attributes of the standards")]
        $vis struct $element {
            $($(#[$note])* $vis $field: $type,)*
        }

        $crate::elements! { @impl $element [$($by: $By)?]
            |self, source, sink|
            { $(
                $($crate::row!(@read $part source (&mut self.$field));)?
                $($crate::row!(@read source $mode $name (&mut self.$field) $($codec)?);)?
            )* }
            { $(
                $($crate::row!(@show $part sink (&self.$field));)?
                $($crate::row!(@show sink $name (&self.$field) $($codec)?);)?
            )* }
        }
    )*};
    (@impl $element:ident [] |$self:ident, $source:ident, $sink:ident| $read:block $show:block) => {
        impl $crate::Attributes for $element {
            fn read(&mut $self, $source: &mut $crate::Source<'_, '_>) $read

            fn show(&$self, $sink: &mut dyn $crate::Sink) $show
        }
    };
    (@impl $element:ident [$by:ident: $By:ty] |$self:ident, $source:ident, $sink:ident| $read:block $show:block) => {
        impl $element {
            fn read(&mut $self, $by: $By, $source: &mut $crate::Source<'_, '_>) $read

            fn show(&$self, $by: $By, $sink: &mut dyn $crate::Sink) $show
        }
    };
}

/// Implements `Debug` for an element whose rows, which are in the order of the XML, are not in the order of its identity: the kit
/// derives the GUID or instantiation token of an FMU from the debug output of its description, so that this order must not
/// change.
#[macro_export]
macro_rules! debug_order {
    ($element:ident: $($field:ident)*) => {
        impl std::fmt::Debug for $element {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($element))$(.field(stringify!($field), &self.$field))*.finish()
            }
        }
    };
}

/// Declares elements whose name determines their attributes: an enumeration that implements [`Attributes`].
///
/// A variant is a block of rows as in [`elements!`]. Before them stand the names of its elements; `(field: value)` behind a name
/// is the value by which variants with several names distinguish them, of a field that codecs may refer to.
#[macro_export]
macro_rules! kinds {
    (
        $(#[$about:meta])*
        pub enum $kinds:ident {$(
            $variant:ident [$($element:literal $(($tag:ident: $($value:tt)+))?),+] {
                $(
                    $(#[$note:meta])*
                    $field:ident: $type:ty $(| $part:ident)? $(= $name:literal $mode:ident $(by $codec:expr)?)?
                ),* $(,)?
            }
        )*}
    ) => {
        $(#[$about])*
        #[allow(missing_docs, reason = "attributes of the standards")]
        pub enum $kinds {
            $($variant { $($(#[$note])* $field: $type,)* },)*
        }

        impl $kinds {
            /// Returns an element of this name without attributes; `None` for other names.
            pub(super) fn empty(name: &str) -> Option<Self> {
                #[allow(unused_mut, reason = "variants that have one name")]
                let mut kind = match name {
                    $($($element)|+ => Self::$variant { $($field: Default::default(),)* },)*
                    _ => return None,
                };
                $($($(if let (Self::$variant { $tag, .. }, $element) = (&mut kind, name) { *$tag = $($value)+; })?)+)*
                Some(kind)
            }

            /// Returns the name of the element.
            #[must_use]
            pub fn element_name(&self) -> &'static str {
                match self {
                    $($(Self::$variant { $($tag: $($value)+,)? .. } => $element,)+)*
                }
            }
        }

        impl $crate::Attributes for $kinds {
            #[allow(unused_variables, reason = "fields for children")]
            fn read(&mut self, source: &mut $crate::Source<'_, '_>) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $(
                            $($crate::row!(@read $part source $field);)?
                            $($crate::row!(@read source $mode $name $field $($codec)?);)?
                        )*
                    })*
                }
            }

            #[allow(unused_variables, reason = "fields for children")]
            fn show(&self, sink: &mut dyn $crate::Sink) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        $($($crate::row!(@show $part sink $field);)? $($crate::row!(@show sink $name $field $($codec)?);)?)*
                    })*
                }
            }
        }
    };
}

/// Declares the kinds of variables: an enumeration that implements [`Attributes`], whose variants hold an element of
/// [`elements!`].
///
/// A variant is `Variant(Element) = ["Name"];`, with `by codec` behind an element that takes one. A variant for several names is
/// `Variant<field: Type>(Element) = ["Name" (value), …];`, where the value of the field tells them apart.
#[macro_export]
macro_rules! variants {
    (
        $(#[$about:meta])*
        pub enum $kinds:ident {
            $($variant:ident $(<$tag:ident: $Tag:ty>)? ($element:ident $(by $codec:expr)?) = $names:tt;)*
        }
    ) => {
        $(#[$about])*
        #[allow(missing_docs, reason = "names of the standards")]
        pub enum $kinds {
            $($variant($($Tag,)? $element),)*
        }

        impl $kinds {
            /// Returns a variable of this name without attributes; `None` for other names.
            pub(super) fn empty(name: &str) -> Option<Self> {
                $($crate::row!(@empty name $variant $element $names);)*
                None
            }

            /// Returns the name of the type, which is that of the element.
            #[must_use]
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant($($tag,)? ..) => $crate::row!(@name [$($tag)?] $names),)*
                }
            }
        }

        impl $crate::Attributes for $kinds {
            fn read(&mut self, source: &mut $crate::Source<'_, '_>) {
                match self {
                    $(Self::$variant($($tag,)? element) => element.read($($codec,)? source),)*
                }
            }

            fn show(&self, sink: &mut dyn $crate::Sink) {
                match self {
                    $(Self::$variant($($tag,)? element) => element.show($($codec,)? sink),)*
                }
            }
        }
    };
}

/// The parts of what the macros above generate that depend on the form of a row.
#[doc(hidden)]
#[macro_export]
macro_rules! row {
    (@read $source:ident $mode:ident $name:literal $field:tt) => {
        $source.$mode($name, $field)
    };
    (@read $source:ident $mode:ident $name:literal $field:tt $codec:expr) => {
        $source.$mode($name, &mut $crate::Coded($codec, $field))
    };
    (@read part $source:ident $field:tt) => { $crate::Attributes::read($field, $source) };
    (@show part $sink:ident $field:tt) => { $crate::Attributes::show($field, $sink) };
    (@empty $given:ident $variant:ident $element:ident [$name:literal]) => {
        if $given == $name {
            return Some(Self::$variant($element::default()));
        }
    };
    (@empty $given:ident $variant:ident $element:ident [$($name:literal ($value:expr)),+]) => {
        $(if $given == $name {
            return Some(Self::$variant($value, $element::default()));
        })+
    };
    (@name [] [$name:literal]) => { $name };
    (@name [$tag:ident] [$($name:literal ($value:path)),+]) => {
        match $tag {
            $($value => $name,)+
        }
    };
    (@show $sink:ident $name:literal $field:tt) => {
        $sink.put($name, $field)
    };
    (@show $sink:ident $name:literal $field:tt $codec:expr) => {
        $sink.put($name, &$crate::Coded($codec, $field))
    };
}

/// Implements [`Attributes`] for elements that are declared elsewhere: those of the neutral description.
macro_rules! attributes {
    ($($type:ty { $($field:ident = $name:literal $mode:ident),* $(,)? })*) => {$(
        impl Attributes for $type {
            fn read(&mut self, source: &mut Source<'_, '_>) {
                $(source.$mode($name, &mut self.$field);)*
            }

            fn show(&self, sink: &mut dyn Sink) {
                $(sink.put($name, &self.$field);)*
            }
        }
    )*};
}

attributes! {
    Unit { name = "name" key }
    DisplayUnit { name = "name" key, factor = "factor" matters, offset = "offset" matters }
    BaseUnit {
        kg = "kg" matters, m = "m" matters, s = "s" matters, a = "A" matters, k = "K" matters,
        mol = "mol" matters, cd = "cd" matters, rad = "rad" matters,
        factor = "factor" matters,
        offset = "offset" matters,
    }
    DefaultExperiment {
        start_time = "startTime" spare,
        stop_time = "stopTime" spare,
        tolerance = "tolerance" spare,
        step_size = "stepSize" spare,
    }
}
