//! What the command `lotka` is made of beside the rest of this crate. Programs that link the master rarely need it.

#[cfg(feature = "parquet")]
pub use lotka_results::panic_is_caught;

pub use crate::{codes::nearest_code, replace::replace_file};
pub use lotka_message::PLACES_OUTSIDE;
pub use lotka_results::RowCount;
pub use lotka_system::{Draft, DraftInstance, draft, instance_name, is_archive};
