//! What programs show of a run and of a system: JSON, plots that can be zoomed, pictures.
//!
//! - [`Subject`] is the content of a report: a document, as a manifest has it, and a [`Table`] of rows. [`html`] makes one page
//!   of it, with the scripts and styles of `assets/`.
//! - [`outcome`] and [`History`] make the entries `outcome` and `steps` of the document.
//! - [`comparison`] and [`coupling`] are JSON, too.
//! - [`study_html`] makes the page of the records of a study.
//! - [`Panels`] draws the rows of one or several [`Run`]s as SVG, or as text for a terminal.
//! - [`svg`] and [`dot`] draw a system.
//!
//! Nothing is read or written here. Start reading at [`html`].
#![forbid(unsafe_code)]

mod chart;
mod colors;
mod comparison;
mod coupling;
mod history;
mod outcome;
mod page;
mod picture;
mod plots;
mod runs;
mod step_plots;
mod subject;
mod svg_text;
mod table;
mod thinning;

pub use chart::{Panels, TextStyle};
pub use comparison::{comparison, verdict};
pub use coupling::coupling;
pub use history::History;
pub use outcome::{outcome, problem};
pub use page::{html, html_over, live_html, plots_html, study_html};
pub use picture::{dot, svg};
pub use runs::Run;
pub use subject::Subject;
pub use table::{Column, Data, Table};
