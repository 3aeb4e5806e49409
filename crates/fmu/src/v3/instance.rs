//! Instances of FMI 3.0.

use std::{ffi::CString, sync::Arc};

use fmi3::Function;
use lotka_instance::{Experiment, ModelDescription};

use super::{
    Loaded,
    access::Lists,
    buffers::Buffers,
    calls::{Arguments, Calls},
    intermediate::Polynomials,
    loaded::Bound,
    shadow::Shadows,
};
use crate::{
    Error, InstantiateOptions,
    binding::Binding,
    instance::{Identity, Imported, Lane, NamesVariables, Progress, Reply, Slots, common_instance, create},
    log::Environment,
    shared::Shared,
};

/// An instance of an FMU of FMI 3.0, which it keeps alive. Freed when dropped, unless the FMU is lost.
// Fields used by a step come first, as for FMI 2.0.
#[repr(C)]
pub(crate) struct FmuInstance {
    // Dropped in this order: the instance may log while it is freed.
    pub(super) calls: Calls,
    pub(super) progress: Progress,
    pub(super) binding: Arc<Binding<Bound>>,
    pub(super) slots: Slots,
    /// Last values of arrays, and those of the saved states.
    pub(super) shadows: Shadows,
    pub(super) saved_shadows: Vec<Shadows>,
    /// Values of the inputs that can be set during a step, and their polynomials.
    pub(super) polynomials: Polynomials,
    pub(super) lists: Lists,
    pub(super) buffers: Buffers,
    pub(super) experiment: Option<Experiment>,
    /// Whether its events are handled in event mode, and its steps may end early.
    pub(super) uses_event_mode: bool,
    /// Number of updates of discrete states since it entered event mode.
    pub(super) n_updates: u32,
    /// Whether bound inputs may change in event mode only.
    pub(super) announces: bool,
    /// The kinds of oddities in steps about which it has warned.
    pub(super) warned: Vec<&'static str>,
    pub(super) identity: Identity,
}

impl FmuInstance {
    pub(crate) fn new(shared: &Arc<Shared<Loaded>>, name: &str, options: &InstantiateOptions) -> Result<Self, Error> {
        let uses_event_mode = options.event_mode && shared.capabilities.event_mode;
        let call = |name: &CString, environment: &'static Environment| {
            // XML cannot contain a NUL character.
            let token = CString::new(shared.interface.token.as_str()).unwrap_or_default();
            let arguments = Arguments {
                name,
                token,
                visible: options.visible,
                logging_on: options.logging_on,
                event_mode: uses_event_mode,
                asks_for_inputs: options.input_polynomials && !shared.version.intermediates.is_empty(),
            };
            let calls = Calls::instantiate(shared, &arguments, environment)?;
            let address = calls.address();
            Some((calls, address))
        };
        let (calls, identity) = create(shared, name, options, Function::InstantiateCoSimulation, call, Calls::abandon)?;
        let mut instance = Self {
            calls,
            progress: Progress::START,
            binding: shared.version.bind(&[], &[]),
            slots: Slots::default(),
            shadows: Shadows::new(&shared.version.intermediates.starts),
            polynomials: Polynomials::default(),
            saved_shadows: Vec::new(),
            lists: Lists::default(),
            buffers: Buffers::default(),
            experiment: None,
            uses_event_mode,
            n_updates: 0,
            announces: false,
            warned: Vec::new(),
            identity,
        };
        instance.configure().map_err(|failure| instance.not_configured(failure))?;
        Ok(instance)
    }
}

common_instance! {
    states { GetFMUState SetFMUState FreeFMUState SerializedFMUStateSize SerializeFMUState DeserializeFMUState }
    set { SetFloat64 }
}

impl NamesVariables for FmuInstance {
    fn interface(&self) -> &ModelDescription {
        &self.calls.shared.interface
    }

    fn reader(lane: Lane) -> Function {
        match lane {
            Lane::Real => Function::GetFloat64,
            Lane::Integer => Function::GetInt32,
            Lane::Boolean => Function::GetBoolean,
            Lane::String => Function::GetString,
            Lane::Binary => Function::GetBinary,
        }
    }

    fn known_as(&self, lane: Lane, reference: u32) -> u32 {
        self.calls.shared.version.layout.element(lane, reference).value_reference
    }

    fn read_one(&mut self, lane: Lane, reference: u32) -> Reply {
        self.read_single(lane, reference)
    }
}
