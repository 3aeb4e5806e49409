//! Instances that are Rust values of this program.

mod factory;
mod instance;
mod model;

pub use factory::LocalFactory;
pub use model::LocalModel;
