//! `modelDescription.xml` of an FMI 3.0 FMU: the data, its reader, its checks and its writer.
//!
//! Start reading at [`ModelDescription`]. [`ModelDescription::read`] returns a [`Reading`] or all [`Problems`],
//! [`ModelDescription::check`] applies the rules of the standard, and [`ModelDescription::to_xml`] writes the XML. To add an
//! attribute, add a row to its element (`model.rs`, `types.rs`, `variable.rs`, `structure.rs`), which the reader and the writer
//! share.

mod annotation;
mod check;
mod interface;
mod kinds;
mod model;
mod numbers;
mod read;
mod structure;
mod threads;
mod types;
mod variable;
mod write;

pub use annotation::Annotation;
pub use fmi_xml::{Rule, rules::FMI3 as RULES};
pub use interface::{Element, Flattened, MOST_ELEMENTS, ValueType};
pub use model::{CoSimulation, DisplayUnit, Interface, LogCategory, ModelDescription, ModelExchange, Unit};
pub use read::Reading;
pub use structure::{ModelStructure, Unknown};
pub use types::{ClockAttributes, EnumerationItem, IntervalVariability, TypeDefinition, TypeKind};
pub use variable::{
    Alias, BinaryVariable, BooleanVariable, Causality, ClockVariable, Dimension, EnumerationVariable, FloatVariable,
    IntegerVariable, StringVariable, Variable, VariableKind,
};

pub use fmi_xml::{DependencyKind, NamingConvention, Problem, Problems, Severity, Strictness};
pub use lotka_instance::description::{BaseUnit, DefaultExperiment, Initial, IntegerType, Variability};
