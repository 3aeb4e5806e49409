//! What the readers and writers of `modelDescription.xml` of all versions of FMI share, and how each lists its C functions.
//!
//! Bytes become text ([`decode`]), text becomes elements ([`Cursor`], [`Element`]), and the crate of a version turns elements
//! into its [`Description`] with a schema of attributes ([`elements!`]), which also serves its [`Writer`]. Problems are collected
//! with byte offsets ([`Collector`]) and reported with line and column ([`Problem`]). The checks of a description name the part
//! that breaks a rule ([`Place`]); those that all versions share are methods of [`Findings`].
//!
//! [`call_table!`] and [`function_table!`] make the types of a version from the lists of its C functions.
//!
//! [`version`] returns the `fmiVersion` of a file, by which a program chooses the crate that reads it. Start reading at
//! [`Description`].
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate, clippy::return_self_not_must_use, clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod annotation;
mod calls;
mod check;
mod collector;
mod cursor;
mod decode;
mod description;
mod element;
mod finding;
mod format;
mod names;
mod parts;
mod place;
mod problem;
pub mod rules;
mod schema;
mod threads;
mod value;
mod version;
mod writer;

pub use annotation::self_contained;
pub use calls::{bit, phases};
pub use check::{
    Combination, Listing, Range, Units, is_date_and_time, legal_initials, repair_dependencies, repair_experiment, repeated,
};
pub use collector::{Collector, quoted};
pub use cursor::{Cursor, Inner, Namespace, Parsed, Stop, is_content};
pub use decode::decode;
pub use description::Description;
pub use element::{Element, Source};
pub use finding::{Finding, Findings};
pub use format::Format;
pub use names::{DependencyKind, NamingConvention};
pub use place::{Place, Places};
pub use problem::{Problem, Problems, Reading, Severity, Strictness};
pub use rules::Rule;
pub use schema::{Attributes, KINDS, Sink};
pub use threads::{says_thread_safe, thread_safe};
pub use value::{Codec, Coded, Field, Listed, Show, Value, is_xml_char, is_xml_space, items, print_items};
pub use version::version;
pub use writer::Writer;
