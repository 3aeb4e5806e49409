//! The recorded columns, and the variables to be read for them.

use std::collections::HashSet;

use lotka_instance::{
    BinaryRef, BooleanRef, IntegerRef, ModelDescription, RealRef, StringRef,
    description::{IntegerType, Variable, VariableKind},
};

use super::{
    ColumnSource, Input, InstanceReads, Kind, RowReads, Traits,
    builder::{Builder, Recorded, append},
};
use crate::{
    column::{Column, EnumerationItem, ValueType, is_constant},
    link::SignalType,
};

impl Builder<'_> {
    /// Creates a column for each variable. Instances come one after the other.
    pub(super) fn record(&mut self, Recorded { variables: recorded, overridden }: Recorded<'_>) {
        let mut reads = RowReads::default();
        let overridden: HashSet<_> = overridden.iter().copied().collect();
        let mut sources: Vec<_> = recorded.iter().map(|&at| self.read_source(at, &mut reads)).collect();
        // These come after the variables read from instances, whose values are thus contiguous.
        for (source, &at) in sources.iter_mut().zip(recorded).filter(|(source, _)| source.is_none()) {
            *source = self.input_source(at, &mut reads);
        }
        for (source, &(instance, variable)) in sources.into_iter().zip(recorded) {
            let description = self.descriptions[instance];
            let scalar = &description.variables[variable];
            let Some(source) = source else { continue };
            let is_constant = is_constant(scalar) && !overridden.contains(&(instance, scalar.value_reference));
            self.plan.columns.push(Column { is_constant, ..column(self.names[instance], description, scalar) });
            self.plan.column_sources.push(source);
            let nominal = scalar.nominal();
            self.plan.has_single |= scalar.is_single();
            self.plan.column_traits.push(Traits { instance, nominal, kind: kind(scalar) });
        }
        let is_needed = reads.reals + reads.integers + reads.booleans + reads.texts + reads.binaries > 0;
        self.plan.row_reads = is_needed.then(|| Box::new(reads));
    }

    /// Places an output, or a variable to be read from the instance; every variable except connected inputs.
    fn read_source(&self, (instance, variable): (usize, usize), reads: &mut RowReads) -> Option<ColumnSource> {
        let scalar = &self.descriptions[instance].variables[variable];
        match self.index[instance][variable] {
            Some(index) => Some(signal(scalar, index)),
            None if self.link_index.into_input((instance, variable)).is_none() => Some(read(reads, instance, scalar)),
            None => None,
        }
    }

    /// Places a connected input: its value follows from its sources, whatever was delivered to the FMU during the step.
    fn input_source(&self, (instance, variable): (usize, usize), reads: &mut RowReads) -> Option<ColumnSource> {
        let signal = self.link_index.into_input((instance, variable))?.signal;
        let reference = self.descriptions[instance].variables[variable].value_reference;
        let place = *self.inputs.get(&(instance, signal, reference))?;
        let input = Input { instance, position: place };
        Some(match signal {
            SignalType::Real => {
                let index = next(&mut reads.reals);
                reads.inputs.push((index, place));
                ColumnSource::RowReal(index)
            }
            SignalType::Integer => {
                let index = next(&mut reads.integers);
                reads.integer_inputs.push((index, input));
                ColumnSource::RowInteger(index)
            }
            SignalType::Boolean => {
                let index = next(&mut reads.booleans);
                reads.boolean_inputs.push((index, input));
                ColumnSource::RowBoolean(index)
            }
            SignalType::Text => {
                let index = next(&mut reads.texts);
                reads.text_inputs.push((index, input));
                ColumnSource::RowText(index)
            }
            SignalType::Binary => {
                let index = next(&mut reads.binaries);
                reads.binary_inputs.push((index, input));
                ColumnSource::RowBinary(index)
            }
        })
    }
}

/// The common property of values that can be compared in size: their unit, otherwise their quantity, otherwise their name.
fn kind(scalar: &Variable) -> Kind {
    let is_specific = |unit: &&str| !matches!(unit.trim(), "" | "1" | "-");
    match (scalar.unit().filter(is_specific), scalar.quantity()) {
        (Some(unit), _) => Kind::Unit(unit.to_owned()),
        (None, Some(quantity)) => Kind::Quantity(quantity.to_owned()),
        (None, None) => Kind::Name(scalar.name.clone()),
    }
}

fn column(instance: &str, description: &ModelDescription, scalar: &Variable) -> Column {
    let value_type = match scalar.kind {
        VariableKind::Real(_) => ValueType::Real,
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => ValueType::Integer,
        VariableKind::Boolean(_) => ValueType::Boolean,
        VariableKind::String(_) => ValueType::Text,
        VariableKind::Binary(_) => ValueType::Binary,
    };
    let items = match &scalar.kind {
        VariableKind::Enumeration(of) => description.items(&of.declared_type),
        _ => &[],
    };
    let item =
        |item: &lotka_instance::description::EnumerationItem| EnumerationItem { value: item.value, name: item.name.clone() };
    let integers = match &scalar.kind {
        VariableKind::Integer(integer) => integer.width,
        VariableKind::Enumeration(_) if items.iter().any(|item| i32::try_from(item.value).is_err()) => IntegerType::Int64,
        _ => IntegerType::default(),
    };
    Column {
        integers,
        unit: scalar.unit().map(str::to_owned),
        description: scalar.description.clone(),
        items: items.iter().map(item).collect(),
        fmu: description.model_name.clone(),
        ..Column::new(format!("{instance}.{}", scalar.name), value_type)
    }
}

/// The column source of an output.
fn signal(scalar: &Variable, index: usize) -> ColumnSource {
    match scalar.kind {
        VariableKind::Real(_) => ColumnSource::Real(index),
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => ColumnSource::Integer(index),
        VariableKind::Boolean(_) => ColumnSource::Boolean(index),
        VariableKind::String(_) => ColumnSource::Text(index),
        VariableKind::Binary(_) => ColumnSource::Binary(index),
    }
}

/// The column source of a variable that is read from its instance.
fn read(reads: &mut RowReads, instance: usize, scalar: &Variable) -> ColumnSource {
    if reads.instances.last().is_none_or(|last| last.instance != instance) {
        reads.instances.push(InstanceReads { instance, ..InstanceReads::default() });
    }
    let RowReads { instances, reals, integers, booleans, texts, binaries, .. } = reads;
    let last = instances.len() - 1;
    let (of, reference) = (&mut instances[last], scalar.value_reference);
    match scalar.kind {
        VariableKind::Real(_) => ColumnSource::RowReal(append(&mut of.reals, RealRef(reference), next(reals))),
        VariableKind::Integer(_) | VariableKind::Enumeration(_) => {
            ColumnSource::RowInteger(append(&mut of.integers, IntegerRef(reference), next(integers)))
        }
        VariableKind::Boolean(_) => ColumnSource::RowBoolean(append(&mut of.booleans, BooleanRef(reference), next(booleans))),
        VariableKind::String(_) => ColumnSource::RowText(append(&mut of.texts, StringRef(reference), next(texts))),
        VariableKind::Binary(_) => ColumnSource::RowBinary(append(&mut of.binaries, BinaryRef(reference), next(binaries))),
    }
}

/// Returns the next free index.
fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}
