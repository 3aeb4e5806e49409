//! The variables of a model: declared once by the modeller, used for the model description and for every access at run time.
//!
//! Start reading at [`Declaration`] (the modeller's view), then [`Declared`] (used by the exported functions).

mod access;
mod builder;
mod declared;
mod dependencies;
mod describe;
mod registry;
mod unit;
mod value;
mod variable;

pub use access::RealFunction;
pub use builder::{Accessor, Computation, Declaration};
pub use value::{Base, Bounded, Enumeration, Value};
pub use variable::VariableBuilder;

pub(crate) use access::Setter;
pub(crate) use declared::Declared;
pub(crate) use dependencies::Mode;
pub(crate) use registry::declared;
