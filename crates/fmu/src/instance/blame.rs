//! The variables affected by a failed call.

use lotka_instance::{CallError, CallResult, ModelDescription, Status, description::VariableKind};

use super::{Imported, Reply};

/// The types of values that instances exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    Real,
    Integer,
    Boolean,
    String,
    Binary,
}

impl Lane {
    /// Whether variables of this kind belong to it.
    pub(crate) fn has(self, kind: &VariableKind) -> bool {
        self == match kind {
            VariableKind::Real(_) => Self::Real,
            VariableKind::Integer(_) | VariableKind::Enumeration(_) => Self::Integer,
            VariableKind::Boolean(_) => Self::Boolean,
            VariableKind::String(_) => Self::String,
            VariableKind::Binary(_) => Self::Binary,
        }
    }
}

/// Whether a call read or set variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Set,
}

/// An instance whose errors name variables.
pub(crate) trait Named: Imported {
    fn interface(&self) -> &ModelDescription;
    /// The function that reads variables of this type.
    fn reader(lane: Lane) -> Self::Function;
    /// Reads one variable, whatever its value.
    fn read_one(&mut self, lane: Lane, reference: u32) -> Reply;

    /// Returns the result of a call for these variables; an error names them.
    #[inline]
    fn naming<T>(
        &mut self,
        result: CallResult<T>,
        (lane, access): (Lane, Access),
        references: impl Iterator<Item = u32>,
    ) -> CallResult<T> {
        result.map_err(|error| self.blame(error, (lane, access), references.collect()))
    }

    #[cold]
    fn blame(&mut self, mut error: Box<CallError>, (lane, access): (Lane, Access), references: Vec<u32>) -> Box<CallError> {
        let refused = if access == Access::Read { self.refused(lane, &references) } else { Vec::new() };
        let blamed = if refused.is_empty() { &references } else { &refused };
        error.variables = blamed.iter().map(|reference| self.variable(lane, *reference)).collect();
        error
    }

    /// Of several variables, returns those that cannot be read individually either.
    fn refused(&mut self, lane: Lane, references: &[u32]) -> Vec<u32> {
        let (mut refused, function) = (Vec::new(), Self::reader(lane));
        for &reference in references {
            if references.len() < 2 || self.allow(function).is_err() {
                break;
            }
            self.begin(function);
            let is_read = matches!(self.read_one(lane, reference), Ok(status) if status < Status::Discard as i32);
            if !is_read {
                refused.push(reference);
            }
        }
        refused
    }

    fn variable(&self, lane: Lane, reference: u32) -> String {
        let mut variables = self.interface().variables.iter();
        let found = variables.find(|variable| variable.value_reference == reference && lane.has(&variable.kind));
        found.map_or_else(|| format!("value reference {reference}"), |variable| variable.name.clone())
    }
}
