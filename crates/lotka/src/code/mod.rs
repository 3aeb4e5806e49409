//! Stable names of everything that can be wrong: `docs/messages.md` has an example of each, `lotka explain CODE` prints it.
//!
//! [`Code`] lists them, once. `Problem`s and `Warning`s are made with one, errors are given one here ([`Error::code`](crate::Error::code)): what has none
//! does not compile.

mod errors;
mod list;
mod name;

pub use list::Code;
