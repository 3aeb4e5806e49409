//! Dimensions, structural parameters and the number of start values.

use fmi_xml::Place;

use super::super::{Causality, Dimension, IntegerType, Variability, Variable, VariableKind};
use super::Check;

impl Check<'_> {
    /// Checks the dimensions of a variable and the number of its start values.
    pub(super) fn array(&mut self, place: Place, variable: &Variable) {
        let name = &variable.name;
        if variable.causality() == Causality::StructuralParameter && !variable.dimensions.is_empty() {
            let message = format!("the structural parameter \"{name}\" is an array");
            self.findings.warn(place, "structural-parameter", message, "remove its dimensions");
        }
        for (position, dimension) in (1..).zip(&variable.dimensions) {
            if let Err((problem, remedy)) = self.size(*dimension) {
                let message = format!("dimension {position} of \"{name}\" {problem}");
                self.findings.error(place, "dimension", message, remedy);
            }
        }
        let Some(have) = n_start(&variable.kind).filter(|have| *have > 1) else { return };
        let count = self.n_elements(variable);
        if count.is_some_and(|count| count != have) {
            let expected = match count {
                Some(count) if !variable.dimensions.is_empty() => format!("an array of {count}"),
                _ => "a scalar".to_owned(),
            };
            let message = format!("\"{name}\" has {have} start values, but is {expected}");
            self.findings.error(
                place,
                "start-count",
                message,
                "give one value for all elements, or as many as there are elements",
            );
        }
    }

    /// Returns the number of elements; `None` if a dimension is invalid or the number is absurd.
    fn n_elements(&self, variable: &Variable) -> Option<u64> {
        variable.dimensions.iter().try_fold(1_u64, |count, dimension| count.checked_mul(self.size(*dimension).ok()?))
    }

    /// Returns the sizes of a variable; `None` if one is invalid.
    pub(super) fn shape(&self, variable: &Variable) -> Option<Vec<u64>> {
        variable.dimensions.iter().map(|dimension| self.size(*dimension).ok()).collect()
    }

    /// Returns the size of a dimension, that of a structural parameter by its start value. An error holds the problem and the
    /// remedy.
    fn size(&self, dimension: Dimension) -> Result<u64, (String, &'static str)> {
        let reference = match dimension {
            Dimension::Fixed(0) => return Err(("has the size 0".to_owned(), "set a size above 0")),
            Dimension::Fixed(size) => return Ok(size),
            Dimension::Variable(reference) => reference,
        };
        let Some(variable) = self.variables.get(&reference) else {
            return Err((
                format!("has the size of variable {reference}, which does not exist"),
                "refer to a structural parameter",
            ));
        };
        let refers = |what: &str| format!("has the size of \"{}\", which {what}", variable.name);
        let VariableKind::Integer(IntegerType::UInt64, integer) = &variable.kind else {
            return Err((refers(&format!("is {}", variable.kind.type_name())), "refer to a variable of type UInt64"));
        };
        if variable.causality() != Causality::StructuralParameter && variable.variability() != Variability::Constant {
            let what = format!("is a {} {}", variable.variability().name(), variable.causality().name());
            return Err((refers(&what), "refer to a structural parameter or a constant"));
        }
        let start = integer.start.as_ref().and_then(|start| start.first());
        match start.map(|start| u64::try_from(*start).unwrap_or(0)) {
            Some(0) => Err((refers("starts with 0"), "start it with a size above 0; its minimum may be 0")),
            Some(size) => Ok(size),
            None => Err((refers("has no start value"), "give it a start value above 0")),
        }
    }
}

/// Returns the number of start values; `None` if there are no start values.
fn n_start(kind: &VariableKind) -> Option<u64> {
    let length = match kind {
        VariableKind::Float64(v) | VariableKind::Float32(v) => v.start.as_ref().map(Vec::len),
        VariableKind::Integer(_, v) => v.start.as_ref().map(Vec::len),
        VariableKind::Boolean(v) => v.start.as_ref().map(Vec::len),
        VariableKind::String(v) => Some(v.start.len()),
        VariableKind::Binary(v) => Some(v.start.len()),
        VariableKind::Enumeration(v) => v.start.as_ref().map(Vec::len),
        VariableKind::Clock(_) => None,
    };
    length.map(|length| length as u64)
}
