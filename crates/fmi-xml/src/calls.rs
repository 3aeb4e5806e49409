//! The schema of calls: for each C function of a version, its signature and the phases in which it may be called.
//!
//! The crate of a version lists its functions twice, because the order of the standard is not that of their importance:
//! [`call_table!`](crate::call_table) makes the enumeration `Function` from names and phases, and
//! [`function_table!`](crate::function_table) the function types and the table of an FMU from signatures, which it hands to the
//! loader (crate `fmu`) and to the exporter (crate `fmu-sdk`) through the macro `with_functions!`. A further function is a row in
//! each, and what the two sides do when it is called.

use lotka_instance::Phase;

/// The phases of a row of [`call_table!`](crate::call_table), by their initials, to be joined by `|`.
#[allow(missing_docs, reason = "initials of phases")]
pub mod phases {
    use super::{Phase, bit};

    pub const I: u16 = bit(Phase::Instantiated);
    pub const N: u16 = bit(Phase::Initialization);
    pub const V: u16 = bit(Phase::Event);
    pub const C: u16 = bit(Phase::StepComplete);
    pub const P: u16 = bit(Phase::StepInProgress);
    pub const F: u16 = bit(Phase::StepFailed);
    pub const X: u16 = bit(Phase::StepCanceled);
    pub const T: u16 = bit(Phase::Terminated);
    pub const E: u16 = bit(Phase::Error);
}

/// Returns the bit of a phase in a set of phases.
#[must_use]
#[inline]
pub const fn bit(phase: Phase) -> u16 {
    1 << phase as u8
}

/// Declares the enumeration `Function` of a version: the prefix of its symbols, the number of functions, and rows
/// `Name … => phases;` in the order of the standard, each with functions that are allowed in the same phases.
#[macro_export]
macro_rules! call_table {
    ($(#[$about:meta])* $prefix:literal $count:literal { $($($variant:ident)+ => $phases:expr;)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[allow(missing_docs, reason = "the names are those of the standard without the prefix")]
        pub enum Function { $($($variant),+),* }

        impl Function {
            /// All functions, in the order of the standard.
            pub const ALL: [Function; $count] = [$($(Function::$variant),+),*];

            /// Returns the symbol that an FMU exports for this function.
            #[must_use]
            pub const fn symbol(self) -> &'static str {
                match self { $($(Self::$variant => concat!($prefix, stringify!($variant))),+),* }
            }

            /// Returns whether the call table allows this function in `phase`. [`Phase::Fatal`](lotka_instance::Phase::Fatal)
            /// allows nothing. The answer ignores the finer rules about which variables may be set or read in a phase.
            #[inline]
            #[must_use]
            pub const fn allowed_in(self, phase: lotka_instance::Phase) -> bool {
                let phases = match self { $($(Self::$variant)|+ => $phases),* };
                phases & $crate::bit(phase) != 0
            }

            const fn name(self) -> &'static str {
                match self { $($(Self::$variant => stringify!($variant)),+),* }
            }
        }

        impl From<Function> for lotka_instance::FunctionName {
            fn from(function: Function) -> Self {
                Self::new($prefix, function.name())
            }
        }

        impl PartialEq<Function> for lotka_instance::FunctionName {
            fn eq(&self, function: &Function) -> bool {
                self.is($prefix, function.name())
            }
        }

        impl std::fmt::Display for Function {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.symbol())
            }
        }
    };
}

/// Declares the function types of a version, the table `Functions` of one FMU, and the macro `with_functions!`.
///
/// Behind the prefix of the symbols stand the functions that co-simulation requires, the optional ones, which provide
/// capabilities, and those of other interface types, which importers do not call. A row is
/// `field: Type(argument: ArgumentType, …) -> Result;`. The symbol is the prefix followed by the name of the type.
#[macro_export]
macro_rules! function_table {
    ($(#[$about:meta])* $prefix:literal $($group:ident { $(
        $(#[$note:meta])* $field:ident: $function:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty;
    )* })*) => {
        $($(
            $(#[$note])*
            pub type $function = unsafe extern "C" fn($($type),*) -> $result;
        )*)*

        $crate::function_table! { @table $(#[$about])* $($group { $($field: $function,)* })* }

        /// Calls the macro `$root::$apply` once with `$first`, the prefix, and three lists of rows, so that a loader or an
        /// exporter need not repeat the names: functions that co-simulation requires, optional ones, and those of other
        /// interface types.
        #[macro_export]
        macro_rules! with_functions {
            ($root:tt::$apply:ident, $first:tt) => {
                $root::$apply! {
                    $first $prefix $($group { $($field: $function($($argument: $type),*) -> $result;)* })*
                }
            };
        }
    };
    (@table $(#[$about:meta])*
        required { $($required:ident: $required_type:ident,)* }
        optional { $($optional:ident: $optional_type:ident,)* }
        other { $($other:ident: $other_type:ident,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub struct Functions {
            $(pub $required: $required_type,)*
            $(pub $optional: Option<$optional_type>,)*
        }
    };
}
