//! Instances of FMI 3.0. Start reading at `impl Instance` in [`interface`].
//!
//! [`calls`] makes the calls. A list of references stands for variables of several types ([`access`]), each of which has its own functions ([`values`]);
//! setting one element of an array needs the others ([`shadow`]). [`step`] interprets what a step returns, [`intermediate`] sets inputs during it, and
//! [`events`] handles events in event mode.

mod access;
mod calls;
mod capabilities;
mod configure;
mod events;
mod functions;
mod interface;
mod intermediate;
mod shadow;
mod step;
mod values;

use std::{collections::HashSet, ffi::CString, fmt, path::Path, sync::Arc};

use fmi3::{Function, ffi::Functions};
use lotka_instance::{ModelDescription, Structure};

use self::{
    access::{Group, Layout},
    calls::{Arguments, Calls},
    intermediate::{Intermediates, Polynomials},
    shadow::Shadows,
    values::{Buffers, Lists},
};
pub(crate) use self::{
    capabilities::capabilities,
    functions::{function_names, functions},
    intermediate::Gate,
};
use crate::{
    Description, Error, InstantiateOptions,
    binding::{Binding, Bindings},
    fmu::{Lost, Shared},
    instance::{Identity, Imported, Lane, NamesVariables, Progress, Reply, Slots, Stateful, create},
    last_call::LastCall,
    log::Environment,
};

/// What instances of an FMU need of it.
pub(crate) struct Loaded {
    pub(crate) functions: Functions,
    /// The path of the folder of resources, with a separator at the end; NULL without files.
    resources: Option<CString>,
    layout: Layout,
    intermediates: Intermediates,
    /// The Real variables that may change in event mode only, if it is in use.
    discrete: HashSet<u32>,
    bindings: Bindings<Bound>,
    pub(crate) structure: Structure,
    /// Identifies the states of its instances: the token of the FMU, and the values of structural parameters.
    state_token: String,
}

/// The calls that set and read the variables of a step.
pub(crate) struct Bound {
    inputs: Box<[Group]>,
    outputs: Box<[Group]>,
    /// The references, if a single call for Float64 variables passes the values as they are; none for inputs among which are arrays, whose values are noted.
    direct_inputs: Option<Box<[u32]>>,
    direct_outputs: Option<Box<[u32]>>,
    /// The inputs that can be set during a step: their positions there, and in the list.
    intermediates: Box<[(usize, usize)]>,
    /// Whether there are discrete inputs.
    has_discrete: bool,
}

/// The references, if a single call for Float64 variables passes the values as they are.
fn direct(groups: &[Group]) -> Option<Box<[u32]>> {
    match groups {
        [only] if only.is_identity && only.is_plain() => Some(only.references.clone()),
        _ => None,
    }
}

impl Loaded {
    pub(crate) fn new(functions: Functions, description: &Description, resources: Option<&Path>) -> Self {
        let path = resources.map(|path| path.join("").into_os_string().into_encoded_bytes());
        let resources = path.and_then(|path| CString::new(path).ok());
        Self::of(functions, resources, description, Structure::default())
    }

    fn of(functions: Functions, resources: Option<CString>, description: &Description, structure: Structure) -> Self {
        let flattened = description.as_fmi3().map(|description| {
            let flattened = description.flatten(&structure.sizes());
            let discrete = events::discrete_reals(&flattened.interface);
            (Intermediates::of(description, &flattened), discrete, flattened)
        });
        let (intermediates, discrete, flattened) = flattened.unwrap_or_default();
        let token = flattened.interface.token.clone();
        let state_token =
            if structure.is_empty() { token } else { format!("{token} {}", structure.describe(&flattened.interface)) };
        Self {
            functions,
            resources,
            layout: Layout::new(flattened.elements),
            intermediates,
            discrete,
            bindings: Bindings::new(),
            structure,
            state_token,
        }
    }

    /// The same with these values of structural parameters.
    pub(crate) fn with_structure(&self, description: &Description, structure: Structure) -> Self {
        Self::of(self.functions, self.resources.clone(), description, structure)
    }

    fn bind(&self, inputs: &[lotka_instance::RealRef], outputs: &[lotka_instance::RealRef]) -> Arc<Binding<Bound>> {
        self.bindings.bind(inputs, outputs, || {
            let groups =
                |list: &[lotka_instance::RealRef]| self.layout.groups(Lane::Real, list.iter().map(|reference| reference.0));
            let positions = inputs
                .iter()
                .enumerate()
                .filter_map(|(index, reference)| self.intermediates.position(reference.0).map(|position| (position, index)));
            let (to_set, to_read) = (groups(inputs), groups(outputs));
            Bound {
                direct_inputs: direct(&to_set).filter(|_| to_set.iter().all(|group| group.arrays.is_empty())),
                direct_outputs: direct(&to_read),
                inputs: to_set,
                outputs: to_read,
                intermediates: positions.collect(),
                has_discrete: inputs.iter().any(|reference| self.discrete.contains(&reference.0)),
            }
        })
    }
}

/// An instance of an FMU of FMI 3.0, which it keeps alive. Freed when dropped, unless the FMU is lost.
// Fields used by a step come first, as for FMI 2.0.
#[repr(C)]
pub(crate) struct FmuInstance {
    // Dropped in this order: the instance may log while it is freed.
    calls: Calls,
    progress: Progress,
    binding: Arc<Binding<Bound>>,
    slots: Slots,
    /// Last values of arrays, and those of the saved states.
    shadows: Shadows,
    saved_shadows: Vec<Shadows>,
    /// Values of the inputs that can be set during a step, and their polynomials.
    polynomials: Polynomials,
    lists: Lists,
    buffers: Buffers,
    experiment: Option<lotka_instance::Experiment>,
    /// Whether its events are handled in event mode, and its steps may end early.
    uses_event_mode: bool,
    /// Number of updates of discrete states since it entered event mode.
    n_updates: u32,
    /// Whether bound inputs may change in event mode only.
    announces: bool,
    /// The kinds of oddities in steps about which it has warned.
    warned: Vec<&'static str>,
    identity: Identity,
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

impl Imported for FmuInstance {
    type Function = Function;

    #[inline]
    fn lost(&self) -> &Lost {
        &self.calls.shared.lost
    }

    #[inline]
    fn address(&self) -> usize {
        self.calls.address()
    }

    #[inline]
    fn last_call(&self) -> LastCall {
        self.binding.last_call
    }

    #[inline]
    fn progress(&self) -> &Progress {
        &self.progress
    }

    #[inline]
    fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }
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

impl Stateful for FmuInstance {
    type Calls = Calls;
    const SAVE: Function = Function::GetFMUState;
    const RESTORE: Function = Function::SetFMUState;
    const FREE: Function = Function::FreeFMUState;
    const SIZE: Function = Function::SerializedFMUStateSize;
    const WRITE: Function = Function::SerializeFMUState;
    const READ: Function = Function::DeserializeFMUState;

    #[inline]
    fn calls_and_slots(&mut self) -> (&mut Calls, &mut Slots) {
        (&mut self.calls, &mut self.slots)
    }

    fn state_capabilities(&self) -> (bool, bool) {
        let capabilities = &self.calls.shared.capabilities;
        (capabilities.save_state, capabilities.serialize_state)
    }

    fn token(&self) -> &str {
        &self.calls.shared.version.state_token
    }
}

impl fmt::Debug for FmuInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FmuInstance").field("name", &self.identity.name).field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl Drop for FmuInstance {
    fn drop(&mut self) {
        self.calls.shared.will_free(self.calls.address());
        if self.calls.shared.is_lost() || self.binding.last_call.is_open() {
            self.calls.abandon();
        } else {
            self.begin(Function::FreeFMUState);
            self.slots.free_all(&mut self.calls);
            self.begin(Function::FreeInstance);
        }
    }
}
