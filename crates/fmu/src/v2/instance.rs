//! Instances of FMI 2.0.

use std::{ffi::CString, sync::Arc, time::Duration};

use fmi2::Function;
use lotka_instance::{BooleanRef, IntegerRef, ModelDescription, RealRef, StringRef};

use super::{
    Loaded,
    calls::{Arguments, Calls},
};
use crate::{
    Error, InstantiateOptions,
    binding::Binding,
    instance::{Identity, Imported, Lane, NamesVariables, Progress, Refused, Reply, Slots, common_instance, create},
    log::Environment,
    shared::Shared,
};

/// An instance of an FMU of FMI 2.0, which it keeps alive. Freed when dropped, unless the FMU is lost.
// Fields used by a step come first, in 40 bytes: with many instances, memory is the bottleneck. (Alignment to cache lines made
// them slower.)
#[repr(C)]
pub(crate) struct FmuInstance {
    // Dropped in this order: the instance may log while it is freed.
    pub(super) calls: Calls,
    pub(super) progress: Progress,
    pub(super) binding: Arc<Binding<()>>,
    pub(super) slots: Slots,
    /// Buffer for the conversion of integers and booleans to and from C.
    pub(super) integers: Vec<i32>,
    pub(super) pending_timeout: Duration,
    pub(super) identity: Identity,
}

impl FmuInstance {
    pub(crate) fn new(shared: &Arc<Shared<Loaded>>, name: &str, options: &InstantiateOptions) -> Result<Self, Error> {
        let call = |name: &CString, environment: &'static Environment| {
            // XML cannot contain a NUL character.
            let guid = CString::new(shared.interface.token.as_str()).unwrap_or_default();
            let arguments = Arguments { name, guid, visible: options.visible, logging_on: options.logging_on };
            let calls = Calls::instantiate(shared, &arguments, environment)?;
            let address = calls.address();
            Some((calls, address))
        };
        let (calls, identity) = create(shared, name, options, Function::Instantiate, call, Calls::abandon)?;
        Ok(Self {
            calls,
            progress: Progress::START,
            binding: shared.version.bindings.bind(&[], &[], || ()),
            slots: Slots::default(),
            integers: Vec::new(),
            pending_timeout: Duration::try_from_secs_f64(options.pending_timeout_s).unwrap_or(Duration::MAX),
            identity,
        })
    }
}

common_instance! {
    states { GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate }
    set { SetReal }
}

impl NamesVariables for FmuInstance {
    fn interface(&self) -> &ModelDescription {
        &self.calls.shared.interface
    }

    fn reader(lane: Lane) -> Function {
        match lane {
            Lane::Real => Function::GetReal,
            Lane::Integer => Function::GetInteger,
            Lane::Boolean => Function::GetBoolean,
            Lane::String | Lane::Binary => Function::GetString,
        }
    }

    fn known_as(&self, _lane: Lane, reference: u32) -> u32 {
        reference
    }

    fn read_one(&mut self, lane: Lane, reference: u32) -> Reply {
        match lane {
            Lane::Real => self.calls.get_real(&[RealRef(reference)], &mut [0.0]),
            Lane::Integer => self.calls.get_integer(&[IntegerRef(reference)], &mut [0]),
            Lane::Boolean => self.calls.get_boolean(&[BooleanRef(reference)], &mut [0]),
            Lane::String => self.calls.get_string(&[StringRef(reference)], &mut [String::new()]),
            Lane::Binary => Err(Refused::Missing),
        }
    }
}
