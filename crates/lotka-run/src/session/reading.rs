//! Values of variables at a pause.

use lotka_instance::{BinaryRef, BooleanRef, CallResult, IntegerRef, RealRef, StringRef, TypedValue};
use lotka_plan::{
    graph::{ColumnSource, DiscreteSource},
    link::{SignalType, signal_type},
};
use lotka_step::{Error, algorithm::Coupled, error::SessionRefusal};

use super::Session;
use crate::record::{Row, Value};

/// Where the value of a variable is found at a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading(ReadSource);

#[derive(Debug, Clone, Copy, PartialEq)]
enum ReadSource {
    /// Among the signals, or among the values read for rows.
    Signal(ColumnSource),
    /// A connected Real input, an index of the gathers.
    RealInput(usize),
    /// A connected Integer or Boolean input.
    DiscreteInput {
        instance: usize,
        position: usize,
        is_boolean: bool,
    },
    TextInput {
        instance: usize,
        position: usize,
    },
    BinaryInput {
        instance: usize,
        position: usize,
    },
    /// In the instance.
    Own {
        instance: usize,
        reference: u32,
        signal: SignalType,
    },
}

impl Session<'_> {
    /// Locates the value of a variable, by its instance and its index in the model description.
    ///
    /// # Errors
    /// It belongs to a source, and is neither connected nor recorded.
    pub fn reading(&self, instance: usize, variable: usize) -> Result<Reading, SessionRefusal> {
        let set_factory = &self.simulation.set_factory;
        let plan = &self.simulation.instance_set.coupled.plan;
        let scalar = &set_factory.fmus[instance].description().variables[variable];
        let name = format!("{}.{}", set_factory.names[instance], scalar.name);
        if let Some(column) = plan.columns.iter().position(|column| column.name == name) {
            return Ok(Reading(ReadSource::Signal(plan.column_sources[column])));
        }
        let (instance_plan, reference, signal) = (&plan.instances[instance], scalar.value_reference, signal_type(scalar));
        if let Some(position) = plan.output_position(instance, &scalar.name) {
            return Ok(Reading(ReadSource::Signal(ColumnSource::Real(instance_plan.outputs.start + position))));
        }
        if instance >= plan.n_stepping {
            return Err(SessionRefusal::NotRecorded { variable: name });
        }
        let discrete = instance_plan.discrete.as_deref();
        let input = match signal {
            SignalType::Real => {
                let position = instance_plan.input_references.iter().position(|known| known.0 == reference);
                position.map(|position| ReadSource::RealInput(instance_plan.gathers.start + position))
            }
            SignalType::Integer => discrete
                .and_then(|discrete| discrete.integer_inputs.iter().position(|(known, _)| known.0 == reference))
                .map(|position| ReadSource::DiscreteInput { instance, position, is_boolean: false }),
            SignalType::Boolean => discrete
                .and_then(|discrete| discrete.boolean_inputs.iter().position(|(known, _)| known.0 == reference))
                .map(|position| ReadSource::DiscreteInput { instance, position, is_boolean: true }),
            SignalType::Text => discrete
                .and_then(|discrete| discrete.text_inputs.iter().position(|(known, _)| known.0 == reference))
                .map(|position| ReadSource::TextInput { instance, position }),
            SignalType::Binary => discrete
                .and_then(|discrete| discrete.binary_inputs.iter().position(|(known, _)| known.0 == reference))
                .map(|position| ReadSource::BinaryInput { instance, position }),
        };
        Ok(Reading(input.unwrap_or(ReadSource::Own { instance, reference, signal })))
    }

    /// Returns the value of a variable at this point, after the changes made here.
    ///
    /// # Errors
    /// The run has failed, or fails now.
    pub fn read(&mut self, reading: Reading) -> Result<TypedValue, SessionRefusal> {
        self.settle();
        if let Some(Err(_)) = self.outcome {
            return Err(SessionRefusal::Failed);
        }
        self.value(reading).map_err(|error| {
            self.outcome = Some(Err(error));
            SessionRefusal::Failed
        })
    }

    fn value(&mut self, Reading(place): Reading) -> Result<TypedValue, Box<Error>> {
        let is_read = self.is_read;
        let coupled = &mut self.simulation.instance_set.coupled;
        Ok(match place {
            ReadSource::Signal(source) => {
                if !is_read && coupled.reads_at_rows() {
                    coupled.read_for_row()?;
                    self.is_read = true;
                }
                let coupled = &self.simulation.instance_set.coupled;
                let row = Row::new(self.state.clock.time, &coupled.newest, std::slice::from_ref(&source), &[]);
                match row.values().next() {
                    Some(Value::Integer(value)) => TypedValue::Integer(value),
                    Some(Value::Boolean(value)) => TypedValue::Boolean(value),
                    Some(Value::Text(value)) => TypedValue::Text(value.to_owned()),
                    Some(Value::Binary(value)) => TypedValue::Binary(value.to_owned()),
                    Some(Value::Real(value)) => TypedValue::Real(value),
                    None => TypedValue::Real(f64::NAN),
                }
            }
            ReadSource::RealInput(gather) => {
                TypedValue::Real(coupled.plan.gathers[gather].value(&coupled.plan.terms, &coupled.newest.reals))
            }
            ReadSource::DiscreteInput { instance, position, is_boolean } => {
                let value =
                    discrete_input(coupled, instance, position, is_boolean).map_or(0, |source| coupled.newest.whole(source));
                if is_boolean { TypedValue::Boolean(value != 0) } else { TypedValue::Integer(value) }
            }
            ReadSource::TextInput { instance, position } => {
                let discrete = coupled.plan.instances[instance].discrete.as_deref();
                let text = discrete.map(|discrete| discrete.text_inputs[position].1);
                TypedValue::Text(text.map_or_else(String::new, |text| coupled.newest.texts[text].clone()))
            }
            ReadSource::BinaryInput { instance, position } => {
                let discrete = coupled.plan.instances[instance].discrete.as_deref();
                let binary = discrete.map(|discrete| discrete.binary_inputs[position].1);
                TypedValue::Binary(binary.map_or_else(Vec::new, |binary| coupled.newest.binaries[binary].clone()))
            }
            ReadSource::Own { instance, reference, signal } => {
                own(coupled, instance, reference, signal).map_err(|error| Box::new(Error::Call(error)))?
            }
        })
    }
}

fn discrete_input(coupled: &Coupled, instance: usize, position: usize, is_boolean: bool) -> Option<DiscreteSource> {
    let discrete = coupled.plan.instances[instance].discrete.as_deref()?;
    Some(if is_boolean { discrete.boolean_inputs[position].1 } else { discrete.integer_inputs[position].1 })
}

fn own(coupled: &mut Coupled, instance: usize, reference: u32, signal: SignalType) -> CallResult<TypedValue> {
    let instance = &mut coupled.instances[instance].inner;
    Ok(match signal {
        SignalType::Real => {
            let mut value = [0.0];
            instance.get_real(&[RealRef(reference)], &mut value)?;
            TypedValue::Real(value[0])
        }
        SignalType::Integer => {
            let mut value = [0];
            instance.get_integer(&[IntegerRef(reference)], &mut value)?;
            TypedValue::Integer(value[0])
        }
        SignalType::Boolean => {
            let mut value = [false];
            instance.get_boolean(&[BooleanRef(reference)], &mut value)?;
            TypedValue::Boolean(value[0])
        }
        SignalType::Text => {
            let mut value = [String::new()];
            instance.get_string(&[StringRef(reference)], &mut value)?;
            TypedValue::Text(std::mem::take(&mut value[0]))
        }
        SignalType::Binary => {
            let mut value = [Vec::new()];
            instance.get_binary(&[BinaryRef(reference)], &mut value)?;
            TypedValue::Binary(std::mem::take(&mut value[0]))
        }
    })
}
