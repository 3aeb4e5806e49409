//! How often the promise of a tolerance is broken: families of random systems whose solutions are known.
//!
//! Start reading at [`FAMILIES`]; [`judge`] runs a system, [`measure`] a family, [`table`] prints what came of it.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a campaign that fails says where")]

mod families;
mod random;
mod reference;
mod score;
mod through;

pub use families::{Case, FAMILIES, Family};
pub use reference::Equations;
pub use score::{Outcome, Score, compare, judge, measure, table};
pub use through::Through;
