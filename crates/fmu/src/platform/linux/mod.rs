//! Linux.

mod exchanged;
mod handlers;
mod machine;
mod own_state;
mod removal;

pub(crate) use machine::machine;
pub(crate) use own_state::OwnState;
pub use own_state::outside_of_calls;
pub(crate) use removal::empty;
