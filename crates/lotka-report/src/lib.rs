//! What programs show of a run and of a system: JSON, plots that can be zoomed, pictures.
//!
//! - [`Subject`] is the content of a report: a document, as a manifest has it, and a [`Table`] of rows. [`html`] makes one page of it, with the
//!   scripts and styles of `assets/`.
//! - [`outcome`] and [`History`] make the entries `outcome` and `steps` of the document.
//! - [`comparison`] and [`coupling`] are JSON, too.
//! - [`svg`] and [`dot`] draw a system.
//!
//! Nothing is read or written here. Start reading at [`html`].
#![forbid(unsafe_code)]

mod comparison;
mod coupling;
mod history;
mod outcome;
mod page;
mod picture;
mod plots;
mod step_plots;
mod subject;
mod table;
mod thinning;

pub use comparison::{comparison, verdict};
pub use coupling::coupling;
pub use history::History;
pub use outcome::{outcome, problem};
pub use page::html;
pub use picture::{dot, svg};
pub use subject::Subject;
pub use table::{Column, Data, Table};
