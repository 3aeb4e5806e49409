//! `modelDescription.xml` of an FMI 2.0 FMU: the data, its reader, its checks and its writer.

mod attributes;
mod check;
mod model;
mod problem;
mod read;
mod structure;
mod value;
mod variable;
mod write;

pub use model::{
    Annotation, BaseUnit, CoSimulation, DefaultExperiment, DisplayUnit, EnumerationItem, Interface, LogCategory,
    ModelDescription, NamingConvention, SimpleType, SourceFile, TypeKind, Unit,
};
pub use problem::{Problem, Problems, Reading, Severity, Strictness};
pub use structure::{DependencyKind, ModelStructure, Unknown};
pub use variable::{
    BooleanVariable, Causality, EnumerationVariable, Initial, IntegerVariable, RealVariable, ScalarVariable, StringVariable,
    Variability, VariableKind,
};
