//! `modelDescription.xml` of an FMI 2.0 FMU: the data, its reader, its checks and its writer.
//!
//! Start reading at [`ModelDescription`]. [`ModelDescription::read`] returns a [`Reading`] or all [`Problems`],
//! [`ModelDescription::check`] applies the rules of the standard, and [`ModelDescription::to_xml`] writes the XML. To add an
//! attribute, add a row to its element (`model.rs`, `variable.rs`, `structure.rs`), which the reader and the writer share.

mod check;
mod interface;
mod model;
mod read;
mod structure;
mod threads;
mod variable;
mod write;

pub use fmi_xml::{DependencyKind, NamingConvention, Problem, Problems, Severity, Strictness};
pub use fmi_xml::{Rule, rules::FMI2 as RULES};
pub use lotka_instance::description::{BaseUnit, Causality, DefaultExperiment, DisplayUnit, Initial, Unit, Variability};
pub use model::{
    Annotation, CoSimulation, EnumerationItem, Interface, LogCategory, ModelDescription, SimpleType, SourceFile, TypeKind,
};
pub use read::Reading;
pub use structure::{ModelStructure, Unknown};
pub use variable::{
    BooleanVariable, EnumerationVariable, IntegerVariable, RealVariable, ScalarVariable, StringVariable, VariableKind,
};
