//! The variables of a model: declared once by the modeller, used for the model description and for every access at run time.
//!
//! Start reading at [`Declaration`] (the modeller's view), then [`Declared`] (used by the exported functions).

mod access;
mod attributes;
mod base;
mod builder;
mod declared;
mod dependencies;
mod describe;
mod element_type;
mod place;
mod registry;
mod structure;
mod unit;
mod value;
mod variable;

pub use access::RealFunction;
pub use attributes::EnumerationType;
pub use base::{Base, Bounded};
pub use builder::{Accessor, Computation, Declaration};
pub use element_type::ElementType;
pub use value::{Element, Enumeration, Shaped, Value};
pub use variable::VariableBuilder;

pub(crate) use access::{Array, Settable, Setter, Write};
pub(crate) use attributes::Variable;
pub(crate) use declared::Declared;
pub(crate) use dependencies::Mode;
pub(crate) use place::{Referenced, TIME};
pub(crate) use registry::declared;
