//! Measures how often the promise of `tolerance` is broken, on families of random systems with known solutions.
//!
//! Start reading at [`FAMILIES`]. [`judge`] runs a system, [`measure`] runs a family, and [`table`] formats the results.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a campaign that fails says where")]

mod families;
mod fast;
mod random;
mod reference;
mod score;
mod through;

pub use families::{Case, FAMILIES, Family, Value};
pub use fast::flow;
pub use random::Random;
pub use reference::Equations;
pub use score::{Outcome, Score, compare, judge, measure, table};
pub use through::Through;
