//! The variables affected by a failed call.

use fmi2::{Function, description::VariableKind};
use lotka_instance::{CallError, CallResult, Status};

use super::FmuInstance;
use crate::calls::Reply;

/// Reads one variable, whatever its value.
type Read = fn(&mut FmuInstance, u32) -> Reply;

/// The variables of a call: their type, and the function that reads one of them.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    has: fn(&VariableKind) -> bool,
    read: Read,
}

pub(super) const REAL: Kind = Kind {
    has: |kind| matches!(kind, VariableKind::Real(_)),
    read: |instance, reference| instance.calls.get_real(&[lotka_instance::RealRef(reference)], &mut [0.0]),
};

pub(super) const INTEGER: Kind = Kind {
    has: |kind| matches!(kind, VariableKind::Integer(_) | VariableKind::Enumeration(_)),
    read: |instance, reference| instance.calls.get_integer(&[lotka_instance::IntegerRef(reference)], &mut [0]),
};

pub(super) const BOOLEAN: Kind = Kind {
    has: |kind| matches!(kind, VariableKind::Boolean(_)),
    read: |instance, reference| instance.calls.get_boolean(&[lotka_instance::BooleanRef(reference)], &mut [0]),
};

pub(super) const STRING: Kind = Kind {
    has: |kind| matches!(kind, VariableKind::String(_)),
    read: |instance, reference| instance.calls.get_string(&[lotka_instance::StringRef(reference)], &mut [String::new()]),
};

impl FmuInstance {
    /// Returns the result of a call for these variables; an error names them.
    #[inline]
    pub(super) fn naming<T>(
        &mut self,
        result: CallResult<T>,
        kind: Kind,
        references: impl Iterator<Item = u32>,
    ) -> CallResult<T> {
        result.map_err(|error| self.blame(error, kind, references.collect()))
    }

    #[cold]
    fn blame(&mut self, mut error: Box<CallError>, kind: Kind, references: Vec<u32>) -> Box<CallError> {
        let reads = [Function::GetReal, Function::GetInteger, Function::GetBoolean, Function::GetString];
        let read = reads.into_iter().find(|function| error.function == *function);
        let refused = read.map(|function| self.refused(function, kind, &references)).unwrap_or_default();
        let blamed = if refused.is_empty() { &references } else { &refused };
        error.variables = blamed.iter().map(|reference| self.variable(kind, *reference)).collect();
        error
    }

    /// Of several variables, returns those that cannot be read individually either.
    fn refused(&mut self, function: Function, kind: Kind, references: &[u32]) -> Vec<u32> {
        let mut refused = Vec::new();
        for &reference in references {
            if references.len() < 2 || self.allow(function).is_err() {
                break;
            }
            self.begin(function);
            let is_read = matches!((kind.read)(self, reference), Ok(status) if status < Status::Discard as i32);
            if !is_read {
                refused.push(reference);
            }
        }
        refused
    }

    fn variable(&self, kind: Kind, reference: u32) -> String {
        let variables = &self.calls.fmu.shared.description.variables;
        let found = variables.iter().find(|variable| variable.value_reference == reference && (kind.has)(&variable.kind));
        found.map_or_else(|| format!("value reference {reference}"), |variable| variable.name.clone())
    }
}
