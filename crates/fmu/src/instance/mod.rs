//! An instantiated FMU.
//!
//! Every method of [`lotka_instance::Instance`] checks the call table, makes one call, and processes the status ([`status`]).
//! [`blame`] names the variables of a failed call, and [`step`] handles steps that are not simply complete. [`slots`] keeps saved states, and
//! [`envelope`] serializes them. [`single`] guards FMUs that allow one instance per process. Start reading at `impl Instance` in
//! [`interface`].

mod blame;
mod envelope;
mod interface;
mod single;
mod slots;
mod status;
mod step;

use std::ffi::CString;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fmi2::Function;
use lotka_instance::Phase;

use crate::calls::{Calls, Identity};
use crate::fmu::Binding;
use crate::last_call::{LastCall, Named};
use crate::log::{Environment, Journal};
use crate::process_state::ProcessState;
use crate::{Error, Fmu, InstantiateOptions};
use single::Single;
use slots::Slots;

/// An instance of an [`Fmu`], which it keeps alive. Freed when dropped, unless the FMU is lost.
// Fields used by a step come first, in 40 bytes: with many instances, memory is the bottleneck. (Alignment to cache lines made them slower.)
#[repr(C)]
pub struct FmuInstance {
    // Dropped in this order: the component may log while it is freed.
    calls: Calls,
    progress: Progress,
    binding: Arc<Binding>,
    slots: Slots,
    /// Buffer for the conversion of booleans to and from C.
    booleans: Vec<i32>,
    pending_timeout: Duration,
    name: String,
    log: OpenLog,
    _named: Named,
    _single: Option<Single>,
}

/// The progress of the instance; saved and restored together with the state of the FMU.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Progress {
    phase: Phase,
    /// Whether `setup_experiment` was called, so that there is a communication point.
    is_set_up: bool,
    /// Communication point \[s\].
    time: f64,
}

impl Progress {
    const START: Self = Self { phase: Phase::Instantiated, is_set_up: false, time: 0.0 };

    /// Communication point \[s\]; `None` before the experiment is set up.
    fn time(&self) -> Option<f64> {
        self.is_set_up.then_some(self.time)
    }
}

/// The log of the instance; releases the receiver when dropped.
struct OpenLog(&'static Environment);

impl OpenLog {
    fn journal(&self) -> &'static Journal {
        self.0.journal()
    }
}

impl Drop for OpenLog {
    fn drop(&mut self) {
        self.journal().close();
    }
}

impl FmuInstance {
    pub(crate) fn new(fmu: &Fmu, name: &str, options: &InstantiateOptions) -> Result<Self, Error> {
        let shared = &fmu.shared;
        let description = &shared.description;
        let (instance, model) = (name.to_owned(), description.model_name.clone());
        if shared.is_lost() {
            return Err(Error::Lost { instance, model });
        }
        let single = match shared.capabilities.only_once_per_process {
            true => Some(Single::claim(&description.guid).ok_or(Error::OnlyOncePerProcess { instance, model })?),
            false => None,
        };
        let identity = identity(fmu, name, options)?;
        let log = OpenLog(Environment::leak(Journal::new(name, options.log.clone())));
        let process_state = ProcessState::note();
        let last_call = LastCall::of_this_thread();
        last_call.begin_with(Function::Instantiate, name);
        let calls = Calls::instantiate(fmu, &identity, log.0);
        last_call.end();
        warn_of_changes(log.journal(), process_state);
        let calls = calls.ok_or_else(|| Error::Instantiate {
            instance: name.to_owned(),
            model: description.model_name.clone(),
            guid: description.guid.clone(),
            log: log.journal().last_lines().into(),
            is_second: shared.has_instances(),
        })?;
        shared.count_instance(true);
        Ok(Self {
            _named: Named::new(calls.address(), name, last_call),
            calls,
            progress: Progress::START,
            binding: shared.binding(&[], &[]),
            slots: Slots::default(),
            booleans: Vec::new(),
            pending_timeout: Duration::try_from_secs_f64(options.pending_timeout_s).unwrap_or(Duration::MAX),
            name: name.to_owned(),
            log,
            _single: single,
        })
    }

    /// Returns the FMU of this instance.
    #[must_use]
    pub fn fmu(&self) -> &Fmu {
        &self.calls.fmu
    }
}

impl fmt::Debug for FmuInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FmuInstance").field("name", &self.name).field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl Drop for FmuInstance {
    fn drop(&mut self) {
        self.calls.fmu.shared.count_instance(false);
        let is_inside = self.binding.last_call.is_open();
        if self.calls.fmu.shared.is_lost() || self.progress.phase == Phase::StepInProgress || is_inside {
            self.calls.abandon();
        } else {
            self.begin(Function::FreeFMUstate);
            self.slots.free_all(&mut self.calls);
            self.begin(Function::FreeInstance);
        }
    }
}

fn identity(fmu: &Fmu, name: &str, options: &InstantiateOptions) -> Result<Identity, Error> {
    let bad_name = || Error::BadInstanceName { name: name.to_owned() };
    if name.trim().is_empty() {
        return Err(bad_name());
    }
    Ok(Identity {
        name: CString::new(name).map_err(|_| bad_name())?,
        // XML cannot contain a NUL character, and the URI is escaped.
        guid: CString::new(fmu.description().guid.as_str()).unwrap_or_default(),
        resources: CString::new(fmu.shared.resources.as_str()).unwrap_or_default(),
        visible: options.visible,
        logging_on: options.logging_on,
    })
}

fn warn_of_changes(journal: &Journal, process_state: ProcessState) {
    if let Some(what) = process_state.put_back() {
        journal.warn(format!("the FMU changed {what} of the process; this was undone"));
    }
}
