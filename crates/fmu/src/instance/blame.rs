//! The variables affected by a failed call.

use std::collections::{HashMap, HashSet};

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
    /// The reference by which the FMU knows a variable: all elements of an array have the same.
    fn known_as(&self, lane: Lane, reference: u32) -> u32;
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
        let mut seen = HashSet::new();
        // The FMU is asked for arrays as a whole: one element of each is enough.
        let references: Vec<u32> =
            references.into_iter().filter(|reference| seen.insert(self.known_as(lane, *reference))).collect();
        let refused = if access == Access::Read { self.refused(lane, &references) } else { Vec::new() };
        let blamed = if refused.is_empty() { &references } else { &refused };
        error.variables = self.names(lane, &blamed[..blamed.len().min(CallError::MOST_VARIABLES)]);
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

    /// The names of variables; of aliases, the first one.
    fn names(&self, lane: Lane, references: &[u32]) -> Vec<String> {
        let mut names: HashMap<u32, Option<&str>> = references.iter().map(|&reference| (reference, None)).collect();
        for variable in self.interface().variables.iter().filter(|variable| lane.has(&variable.kind)) {
            if let Some(name) = names.get_mut(&variable.value_reference) {
                name.get_or_insert(&variable.name);
            }
        }
        let name = |reference: &u32| names[reference].map_or_else(|| format!("value reference {reference}"), str::to_owned);
        references.iter().map(name).collect()
    }
}
