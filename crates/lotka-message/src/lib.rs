//! What Lotka reports: stable codes, problems with their place in a file, and warnings.
//!
//! [`Code`] lists every kind of message once; `docs/messages.md` has an example of each. The errors of every crate implement
//! [`Coded`]. [`Findings`] collects the [`Problems`] of a file, so that all of them are reported at once. [`printable`] makes
//! text of FMUs and files harmless for a terminal.
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod findings;
pub mod limits;
mod list;
mod name;
mod nearest;
mod printable;
mod problem;
mod warning;

pub use findings::Findings;
pub use list::Code;
pub use name::Coded;
pub use nearest::nearest;
pub use printable::{printable, printable_line};
pub use problem::{PLACES_OUTSIDE, Problem, Problems, Severity, SourceFile};
pub use warning::Warning;
