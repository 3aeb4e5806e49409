//! `modelDescription.xml` of an FMI 3.0 FMU.

mod interface;
mod model;
mod structure;
mod types;
mod variable;

pub use interface::{Element, Flattened, MOST_ELEMENTS, ValueType};
pub use model::{
    Annotation, CoSimulation, DisplayUnit, Interface, LogCategory, ModelDescription, ModelExchange, NamingConvention, Unit,
};
pub use structure::{DependencyKind, ModelStructure, Unknown};
pub use types::{ClockAttributes, EnumerationItem, IntervalVariability, TypeDefinition, TypeKind};
pub use variable::{
    Alias, BinaryVariable, BooleanVariable, Causality, ClockVariable, Dimension, EnumerationVariable, FloatVariable,
    IntegerVariable, StringVariable, Variable, VariableKind,
};

pub use lotka_instance::description::{BaseUnit, DefaultExperiment, Initial, IntegerType, Variability};
