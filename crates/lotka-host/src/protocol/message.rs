//! The encoded messages.

use std::path::PathBuf;

use lotka_instance::{
    BinaryRef, BooleanRef, CallError, Capabilities, DiscreteUpdate, Experiment, IntegerRef, RealRef, Slot, StepOutcome,
    StringRef, Structure,
};
use serde::{Deserialize, Serialize};

use crate::pair_run::{PairReport, PairRun};
use crate::platform::Watched;
use lotka_instance::Sandbox;

/// The first request: the FMU to host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Start {
    /// Path of the `.fmu` file, for messages.
    pub fmu: PathBuf,
    /// Folder of the unpacked FMU.
    pub folder: PathBuf,
    /// Libraries to load into the global scope first.
    pub preload_global: Vec<PathBuf>,
    /// How the FMU is confined, and an empty folder for it.
    pub sandbox: Option<(Sandbox, PathBuf)>,
}

/// The reply of the host when the library is loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Loaded {
    pub capabilities: Capabilities,
    pub warnings: Vec<String>,
}

/// The requests of the master. Requests to read contain the number of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Request {
    Start(Box<Start>),
    Instantiate {
        name: String,
        logging_on: bool,
        visible: bool,
        pending_timeout_s: f64,
        event_mode: bool,
        input_polynomials: bool,
        structure: Structure,
    },
    SetDebugLogging(bool, Vec<String>),
    SetupExperiment(Experiment),
    EnterInitializationMode,
    ExitInitializationMode,
    Terminate,
    Reset,
    GetReal(Vec<RealRef>, usize),
    GetInteger(Vec<IntegerRef>, usize),
    GetBoolean(Vec<BooleanRef>, usize),
    GetString(Vec<StringRef>, usize),
    GetBinary(Vec<BinaryRef>, usize),
    SetReal(Vec<RealRef>, Vec<f64>),
    SetInteger(Vec<IntegerRef>, Vec<i128>),
    SetBoolean(Vec<BooleanRef>, Vec<bool>),
    SetString(Vec<StringRef>, Vec<String>),
    SetBinary(Vec<BinaryRef>, Vec<Vec<u8>>),
    SetInputDerivatives(Vec<RealRef>, Vec<i32>, Vec<f64>),
    GetOutputDerivatives(Vec<RealRef>, Vec<i32>, usize),
    DirectionalDerivative {
        unknowns: Vec<RealRef>,
        knowns: Vec<RealRef>,
        seed: Vec<f64>,
        result: usize,
    },
    DoStep {
        t: f64,
        h: f64,
        commit: bool,
    },
    Bind(Vec<RealRef>, Vec<RealRef>),
    /// A step with more numbers than fit into the memory directly.
    Step {
        inputs: Vec<f64>,
        t: f64,
        h: f64,
        commit: bool,
        n_outputs: usize,
    },
    EnterEventMode,
    UpdateDiscreteStates,
    EnterStepMode,
    NewSlot,
    Save(Slot),
    Restore(Slot),
    FreeSlot(Slot),
    Serialize(Slot),
    Deserialize(Slot, Vec<u8>),
    /// Frees the instance; the host keeps running.
    Free,
    /// The state of the process before the FMU was loaded, and at present.
    ProcessState,
    /// A run of two instances in the host, which has none yet.
    Pair(PairRun),
    /// Frees the instance and ends.
    End,
}

/// The replies of the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Reply {
    Done,
    Loaded(Loaded),
    /// The FMU cannot be loaded, instantiated or confined.
    Refused(String),
    /// The call failed.
    Failed(Box<CallError>),
    Outcome(StepOutcome, Vec<f64>),
    Updated(DiscreteUpdate),
    Slot(Slot),
    Reals(Vec<f64>),
    Integers(Vec<i128>),
    Booleans(Vec<bool>),
    Strings(Vec<String>),
    Binaries(Vec<Vec<u8>>),
    Bytes(Vec<u8>),
    ProcessState(Box<Watched>),
    Pair(PairReport),
}
