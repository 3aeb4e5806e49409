//! Support for the command `lotka`; not a stable interface.

#[cfg(any(feature = "parquet", feature = "arrow"))]
pub use lotka_results::panic_is_caught;

pub use crate::{
    codes::{code_named, nearest_code},
    replace::replace_file,
};
#[cfg(feature = "isolation")]
pub use lotka_host::describe_cgroups;
pub use lotka_message::PLACES_OUTSIDE;
pub use lotka_results::RowCount;
pub use lotka_system::{
    Draft, DraftInstance, GivenConnection, draft, instance_name, is_archive, schema as system_schema, sweep_schema,
};
