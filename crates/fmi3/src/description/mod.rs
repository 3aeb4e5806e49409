//! `modelDescription.xml` of an FMI 3.0 FMU.

mod model;
mod structure;
mod types;
mod variable;

pub use model::{
    Annotation, CoSimulation, DisplayUnit, Interface, LogCategory, ModelDescription, ModelExchange, NamingConvention, Unit,
};
pub use structure::{DependencyKind, ModelStructure, Unknown};
pub use types::{ClockAttributes, EnumerationItem, IntervalVariability, TypeDefinition, TypeKind};
pub use variable::{
    Alias, BinaryVariable, BooleanVariable, Causality, ClockVariable, Dimension, EnumerationVariable, FloatVariable, IntegerType,
    IntegerVariable, StringVariable, Variable, VariableKind,
};

pub use lotka_instance::description::{BaseUnit, DefaultExperiment, Initial, Variability};
