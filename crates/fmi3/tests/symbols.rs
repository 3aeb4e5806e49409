//! The call table and the table of C functions name the same 75 functions.

use std::collections::BTreeSet;

use fmi3::Function;

macro_rules! symbols {
    (
        required { $($required:ident: $required_type:ident,)* }
        optional { $($optional:ident: $optional_type:ident,)* }
        other { $($other:ident: $other_type:ident,)* }
    ) => {
        [
            $(concat!("fmi3", stringify!($required_type)),)*
            $(concat!("fmi3", stringify!($optional_type)),)*
            $(concat!("fmi3", stringify!($other_type)),)*
        ]
    };
}

#[test]
fn the_call_table_has_the_functions_of_the_header() {
    let listed: BTreeSet<_> = Function::ALL.iter().map(|function| function.symbol()).collect();
    let typed: BTreeSet<_> = fmi3::with_functions!(symbols).into_iter().collect();
    assert_eq!(listed.len(), 75);
    assert_eq!(listed, typed);
    for name in ["fmi3GetFMUState", "fmi3DeserializeFMUState", "fmi3SerializedFMUStateSize", "fmi3GetUInt8"] {
        assert!(listed.contains(name), "{name}");
    }
}
