//! The call table and the table of C functions name the same 75 functions.

use std::collections::BTreeSet;

use fmi3::Function;

macro_rules! symbols {
    ([] $prefix:literal $($group:ident { $($field:ident: $function:ident $arguments:tt -> $result:ty;)* })*) => {
        [$($(concat!($prefix, stringify!($function)),)*)*]
    };
}

use symbols;

#[test]
fn the_call_table_has_the_functions_of_the_header() {
    let listed: BTreeSet<_> = Function::ALL.iter().map(|function| function.symbol()).collect();
    let typed: BTreeSet<_> = fmi3::with_functions!(self::symbols, []).into_iter().collect();
    assert_eq!(listed.len(), 75);
    assert_eq!(listed, typed);
    for name in ["fmi3GetFMUState", "fmi3DeserializeFMUState", "fmi3SerializedFMUStateSize", "fmi3GetUInt8"] {
        assert!(listed.contains(name), "{name}");
    }
}
