//! Systems: built in Rust or read from a file, loaded, and made ready to run.

mod builder;
mod declared;
mod execution;
mod files;
mod guards;
mod hosts;
#[cfg(feature = "analysis")]
mod identify;
mod loading;
mod methods;
mod mixing;
mod opening;
mod save;
mod single;
#[cfg(feature = "ssp")]
mod ssp;
mod starts;
mod stepping;
mod structure;

pub use builder::System;
pub use loading::Analysis;
pub use single::SingleFmu;
