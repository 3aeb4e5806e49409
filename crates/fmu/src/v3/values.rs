//! Reading and setting values: one call for each type of FMI 3.0 in a list.

use std::{ffi::CString, sync::Arc};

use fmi3::{
    Function,
    description::ValueType,
    ffi::{self, boolean},
};
use lotka_instance::{CallResult, Cause, description::IntegerType};

use super::{FmuInstance, access::Group, buffers::take, shadow::Shadowed};
use crate::instance::{Imported, Lane, Reply};

/// Largest binary that is read \[byte\].
const LARGEST_BINARY: usize = 1 << 30;

/// Makes the calls for integers: by the type of the group, with the buffer and the functions of the type.
macro_rules! integers {
    ($of:expr, $call:ident, $($variant:ident $buffer:ident $get:ident $set:ident $getter:ident $setter:ident;)*) => {
        match $of {
            $(IntegerType::$variant => $call!($buffer $get $set $getter $setter),)*
        }
    };
    ($of:expr, $call:ident) => {
        integers! { $of, $call,
            Int8 int8 get_int8 set_int8 GetInt8 SetInt8;
            UInt8 uint8 get_uint8 set_uint8 GetUInt8 SetUInt8;
            Int16 int16 get_int16 set_int16 GetInt16 SetInt16;
            UInt16 uint16 get_uint16 set_uint16 GetUInt16 SetUInt16;
            Int32 int32 get_int32 set_int32 GetInt32 SetInt32;
            UInt32 uint32 get_uint32 set_uint32 GetUInt32 SetUInt32;
            Int64 int64 get_int64 set_int64 GetInt64 SetInt64;
            UInt64 uint64 get_uint64 set_uint64 GetUInt64 SetUInt64;
        }
    };
}

/// Makes the call that reads a group into the buffer of its type, and puts its values in their places.
macro_rules! read {
    ($self:ident, $group:ident, $values:ident, $buffer:ident $get:ident $getter:ident, |$to:ident, $from:ident| $put:expr) => {{
        let mut buffer = take(&mut $self.buffers.$buffer, $group.n_values);
        $self.begin(Function::$getter);
        let reply = $self.calls.$get(&$group.references, &mut buffer);
        $self.settle(Function::$getter, reply)?;
        for &(from, to) in &$group.places {
            let ($to, $from) = (&mut $values[to], &buffer[from]);
            $put;
        }
        $self.buffers.$buffer = buffer;
        Ok(())
    }};
}

/// Makes the call that sets a group from a buffer.
macro_rules! write {
    ($self:ident, $group:ident, $buffer:expr, $set:ident $setter:ident) => {{
        $self.begin(Function::$setter);
        let reply = $self.calls.$set(&$group.references, $buffer);
        $self.settle(Function::$setter, reply)
    }};
}

impl FmuInstance {
    /// Returns the groups of a list.
    pub(super) fn groups(&mut self, lane: Lane, references: impl Iterator<Item = u32> + Clone) -> Arc<[Group]> {
        let index = self.list(lane, references);
        self.lists.shared(index)
    }

    /// Returns the index of a list, which holds until the next call.
    pub(super) fn list(&mut self, lane: Lane, references: impl Iterator<Item = u32> + Clone) -> usize {
        self.lists.index(&self.calls.shared.version.layout, lane, references)
    }

    pub(super) fn read_reals(&mut self, group: &Group, values: &mut [f64]) -> CallResult<()> {
        if group.value_type == ValueType::Float32 {
            return read!(self, group, values, singles get_float32 GetFloat32, |to, from| *to = (*from).into());
        }
        if group.is_identity {
            self.begin(Function::GetFloat64);
            let reply = self.calls.get_float64(&group.references, values);
            return self.settle(Function::GetFloat64, reply);
        }
        read!(self, group, values, doubles get_float64 GetFloat64, |to, from| *to = *from)
    }

    pub(super) fn read_integers(&mut self, group: &Group, values: &mut [i128]) -> CallResult<()> {
        macro_rules! read_as {
            ($buffer:ident $get:ident $set:ident $getter:ident $setter:ident) => {
                read!(self, group, values, $buffer $get $getter, |to, from| *to = (*from).into())
            };
        }
        let ValueType::Integer(of) = group.value_type else { return Ok(()) };
        integers!(of, read_as)
    }

    pub(super) fn read_booleans(&mut self, group: &Group, values: &mut [bool]) -> CallResult<()> {
        read!(self, group, values, uint8 get_boolean GetBoolean, |to, from| *to = boolean(*from))
    }

    pub(super) fn read_strings(&mut self, group: &Group, values: &mut [String]) -> CallResult<()> {
        read!(self, group, values, texts get_string GetString, |to, from| to.clone_from(from))
    }

    pub(super) fn read_binaries(&mut self, group: &Group, values: &mut [Vec<u8>]) -> CallResult<()> {
        let mut buffer = take(&mut self.buffers.bytes, group.n_values);
        self.begin(Function::GetBinary);
        let reply = self.calls.get_binary(&group.references, &mut buffer, LARGEST_BINARY);
        let is_possible = reply.map_or(true, |(_, is_possible)| is_possible);
        self.settle(Function::GetBinary, reply.map(|(status, _)| status))?;
        if !is_possible {
            let what = format!("a binary has no bytes, or more than {LARGEST_BINARY}");
            return Err(self.error(Function::GetBinary, Cause::BadReply(what)));
        }
        group.places.iter().for_each(|&(from, to)| values[to].clone_from(&buffer[from]));
        self.buffers.bytes = buffer;
        Ok(())
    }

    pub(super) fn write_reals(&mut self, group: &Group, values: &[f64]) -> CallResult<()> {
        if group.value_type == ValueType::Float64 && group.is_identity && group.arrays.is_empty() {
            return write!(self, group, values, set_float64 SetFloat64);
        }
        let buffer = take(&mut self.buffers.doubles, group.n_values);
        let buffer = self.compose(group, values, buffer, Self::read_reals)?;
        if group.value_type == ValueType::Float64 {
            write!(self, group, &buffer, set_float64 SetFloat64)?;
        } else {
            let mut singles = take(&mut self.buffers.singles, 0);
            singles.extend(buffer.iter().map(|value| *value as f32));
            write!(self, group, &singles, set_float32 SetFloat32)?;
            self.buffers.singles = singles;
        }
        self.note(group, &buffer);
        self.buffers.doubles = buffer;
        Ok(())
    }

    pub(super) fn write_integers(&mut self, group: &Group, values: &[i128]) -> CallResult<()> {
        let ValueType::Integer(of) = group.value_type else { return Ok(()) };
        let buffer = take(&mut self.buffers.whole, group.n_values);
        let buffer = self.compose(group, values, buffer, Self::read_integers)?;
        macro_rules! write_as {
            ($narrow:ident $get:ident $set:ident $getter:ident $setter:ident) => {{
                let mut narrow = take(&mut self.buffers.$narrow, 0);
                for &value in &buffer {
                    let Ok(value) = value.try_into() else {
                        let what = format!("{value} is not a value of {}", of.name());
                        return Err(self.error(Function::$setter, Cause::BadArgument(what)));
                    };
                    narrow.push(value);
                }
                write!(self, group, &narrow, $set $setter)?;
                self.buffers.$narrow = narrow;
            }};
        }
        integers!(of, write_as);
        self.note(group, &buffer);
        self.buffers.whole = buffer;
        Ok(())
    }

    pub(super) fn write_booleans(&mut self, group: &Group, values: &[bool]) -> CallResult<()> {
        let buffer = take(&mut self.buffers.flags, group.n_values);
        let buffer = self.compose(group, values, buffer, Self::read_booleans)?;
        let mut bytes = take(&mut self.buffers.uint8, 0);
        bytes.extend(buffer.iter().map(|&value| if value { ffi::TRUE } else { ffi::FALSE }));
        write!(self, group, &bytes, set_boolean SetBoolean)?;
        self.buffers.uint8 = bytes;
        self.note(group, &buffer);
        self.buffers.flags = buffer;
        Ok(())
    }

    pub(super) fn write_strings(&mut self, group: &Group, values: &[&str]) -> CallResult<()> {
        let values: Vec<_> = values.iter().map(|&value| value.to_owned()).collect();
        let buffer = take(&mut self.buffers.texts, group.n_values);
        let buffer = self.compose(group, &values, buffer, Self::read_strings)?;
        let texts: Vec<_> = buffer.iter().map(String::as_str).collect();
        let texts: Vec<CString> = self.c_strings(Function::SetString, &texts)?;
        write!(self, group, &texts, set_string SetString)?;
        self.note(group, &buffer);
        self.buffers.texts = buffer;
        Ok(())
    }

    pub(super) fn write_binaries(&mut self, group: &Group, values: &[&[u8]]) -> CallResult<()> {
        let values: Vec<_> = values.iter().map(|&value| value.to_owned()).collect();
        let buffer = take(&mut self.buffers.bytes, group.n_values);
        let buffer = self.compose(group, &values, buffer, Self::read_binaries)?;
        write!(self, group, &buffer, set_binary SetBinary)?;
        self.note(group, &buffer);
        self.buffers.bytes = buffer;
        Ok(())
    }

    /// Fills a buffer with the values to set: those of the list, and for arrays that are not in it as a whole, their last values.
    fn compose<T: Shadowed>(
        &mut self,
        group: &Group,
        values: &[T],
        mut buffer: Vec<T>,
        read: fn(&mut Self, &Group, &mut [T]) -> CallResult<()>,
    ) -> CallResult<Vec<T>> {
        for array in group.arrays.iter().filter(|array| !array.is_whole) {
            let known = self.shadows.array::<T>(array.reference).cloned();
            let known = match known {
                Some(known) => known,
                None => self.read_array(group, array.reference, array.length, read)?,
            };
            buffer[array.offset..array.offset + array.length].clone_from_slice(&known);
        }
        group.places.iter().for_each(|&(to, from)| buffer[to].clone_from(&values[from]));
        Ok(buffer)
    }

    /// Reads the present values of an array, nothing of which was set yet.
    fn read_array<T: Shadowed>(
        &mut self,
        of: &Group,
        reference: u32,
        length: usize,
        read: fn(&mut Self, &Group, &mut [T]) -> CallResult<()>,
    ) -> CallResult<Vec<T>> {
        let group = Group {
            value_type: of.value_type,
            references: [reference].into(),
            n_values: length,
            places: (0..length).map(|position| (position, position)).collect(),
            arrays: [].into(),
            is_identity: true,
        };
        let mut values = vec![T::default(); length];
        read(self, &group, &mut values)?;
        Ok(values)
    }

    /// Notes the values of arrays that were set.
    fn note<T: Shadowed>(&mut self, group: &Group, values: &[T]) {
        for array in &group.arrays {
            self.shadows.note(array.reference, &values[array.offset..array.offset + array.length]);
        }
    }

    /// Reads a single variable, whatever its value.
    pub(super) fn read_single(&mut self, lane: Lane, reference: u32) -> Reply {
        let groups = self.groups(lane, std::iter::once(reference));
        let read = groups.first().map_or(Ok(()), |group| match lane {
            Lane::Real => self.read_reals(group, &mut [0.0]),
            Lane::Integer => self.read_integers(group, &mut [0]),
            Lane::Boolean => self.read_booleans(group, &mut [false]),
            Lane::String => self.read_strings(group, &mut [String::new()]),
            Lane::Binary => self.read_binaries(group, &mut [Vec::new()]),
        });
        Ok(if read.is_ok() { 0 } else { lotka_instance::Status::Error as i32 })
    }
}
