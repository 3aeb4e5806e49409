//! The types of the elements of a variable in the data model that all versions of FMI share.

use lotka_instance::description::{
    BinaryKind, BooleanKind, EnumerationKind, IntegerKind, RealKind, TextKind, VariableKind as Kind,
};

use super::{FloatVariable, ModelDescription, TypeKind, Variable, VariableKind};

/// The types of the elements of a variable, with their attributes.
pub(super) struct Kinds<'a> {
    pub(super) description: &'a ModelDescription,
    pub(super) variable: &'a Variable,
    pub(super) length: usize,
}

impl Kinds<'_> {
    pub(super) fn at(&self, position: usize) -> Kind {
        match &self.variable.kind {
            VariableKind::Float64(float) => self.real(float, false, position),
            VariableKind::Float32(float) => self.real(float, true, position),
            VariableKind::Integer(of, integer) => {
                let declared = match self.declared(integer.declared_type.as_deref()) {
                    Some(TypeKind::Integer { quantity, min, max, .. }) => (quantity.clone(), *min, *max),
                    _ => (None, None, None),
                };
                Kind::Integer(IntegerKind {
                    width: *of,
                    quantity: integer.quantity.clone().or(declared.0),
                    min: integer.min.or(declared.1),
                    max: integer.max.or(declared.2),
                    start: self.start(integer.start.as_deref(), position),
                })
            }
            VariableKind::Enumeration(of) => {
                let declared = match self.declared(Some(&of.declared_type)) {
                    Some(TypeKind::Enumeration { quantity, min, max, .. }) => (quantity.clone(), *min, *max),
                    _ => (None, None, None),
                };
                Kind::Enumeration(EnumerationKind {
                    declared_type: of.declared_type.clone(),
                    quantity: of.quantity.clone().or(declared.0),
                    min: of.min.or(declared.1).map(i128::from),
                    max: of.max.or(declared.2).map(i128::from),
                    start: self.start(of.start.as_deref(), position).map(i128::from),
                })
            }
            VariableKind::Boolean(boolean) => {
                Kind::Boolean(BooleanKind { start: self.start(boolean.start.as_deref(), position) })
            }
            VariableKind::String(text) => Kind::String(TextKind { start: self.start(Some(&text.start), position) }),
            VariableKind::Binary(binary) => {
                let declared = match self.declared(binary.declared_type.as_deref()) {
                    Some(TypeKind::Binary { mime_type, max_size }) => (mime_type.clone(), *max_size),
                    _ => (None, None),
                };
                Kind::Binary(BinaryKind {
                    mime_type: binary.mime_type.clone().or(declared.0),
                    max_size: binary.max_size.or(declared.1),
                    start: self.start(Some(&binary.start), position),
                })
            }
            VariableKind::Clock(_) => Kind::Boolean(BooleanKind::default()),
        }
    }

    fn real(&self, float: &FloatVariable, is_single: bool, position: usize) -> Kind {
        let declared = match self.declared(float.declared_type.as_deref()) {
            Some(TypeKind::Float { quantity, unit, relative_quantity, min, max, nominal, .. }) => RealKind {
                quantity: quantity.clone(),
                unit: unit.clone(),
                min: *min,
                max: *max,
                nominal: *nominal,
                is_relative: *relative_quantity == Some(true),
                ..RealKind::default()
            },
            _ => RealKind::default(),
        };
        Kind::Real(RealKind {
            quantity: float.quantity.clone().or(declared.quantity),
            unit: float.unit.clone().or(declared.unit),
            min: float.min.or(declared.min),
            max: float.max.or(declared.max),
            nominal: float.nominal.or(declared.nominal),
            start: self.start(float.start.as_deref(), position),
            is_relative: float.relative_quantity.unwrap_or(declared.is_relative),
            is_single,
            derivative: None,
        })
    }

    fn declared(&self, name: Option<&str>) -> Option<&TypeKind> {
        name.and_then(|name| self.description.type_definition(name)).map(|definition| &definition.kind)
    }

    /// The start value of an element: its own, or the only one. Lists of another length are ignored, as sizes may have changed.
    fn start<T: Clone>(&self, starts: Option<&[T]>, position: usize) -> Option<T> {
        match starts? {
            [only] => Some(only.clone()),
            starts if starts.len() == self.length => starts.get(position).cloned(),
            _ => None,
        }
    }
}
