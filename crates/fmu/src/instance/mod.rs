//! What instances of all versions of FMI share.
//!
//! Every method of [`lotka_instance::Instance`] checks the call table, makes one call, and processes the status ([`status`]). [`slots`] keeps saved
//! states, and [`envelope`] serializes them. [`next_event`] is the time at which an instance waits for event mode. [`apart`] gives FMUs that can change the state of their process one of their own. [`single`] guards FMUs that allow one instance per process. [`blame`] names the variables of a failed call, and [`unwritten`] finds values that a call did not write. The calls are in
//! the folders of the versions.

mod apart;
mod blame;
mod envelope;
mod next_event;
mod single;
mod slots;
mod status;
mod unwritten;

use std::{ffi::CString, sync::Arc};

use lotka_instance::Phase;

use self::single::Single;
pub(crate) use self::{
    apart::Apart,
    blame::{Access, Lane, Named as NamesVariables},
    next_event::NextEvent,
    slots::{SavedState, Slots, StateCalls, Stateful},
    status::{Imported, Refused, Reply},
    unwritten::{Marked, has_values, read, read_some, read_texts},
};
use crate::{
    Error, InstantiateOptions,
    fmu::Shared,
    function::Function,
    last_call::{LastCall, Named},
    log::{Environment, Journal},
    process_state::{Parts, ProcessState},
    v3::Gate,
};

/// The progress of the instance; saved and restored together with the state of the FMU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Progress {
    pub(crate) phase: Phase,
    /// Whether `setup_experiment` was called, so that there is a communication point.
    pub(crate) is_set_up: bool,
    /// Communication point \[s\].
    pub(crate) time: f64,
    /// The next event that is handled in event mode.
    pub(crate) next_event: NextEvent,
    /// Whether it requested the end of the simulation when it updated its discrete states.
    pub(crate) requests_end: bool,
}

impl Progress {
    pub(crate) const START: Self =
        Self { phase: Phase::Instantiated, is_set_up: false, time: 0.0, next_event: NextEvent::UNKNOWN, requests_end: false };

    /// Communication point \[s\]; `None` before the experiment is set up.
    fn time(&self) -> Option<f64> {
        self.is_set_up.then_some(self.time)
    }
}

/// The name of an instance and its log. When dropped, releases the receiver of the log, and the right to the only instance.
pub(crate) struct Identity {
    pub(crate) name: String,
    environment: &'static Environment,
    _named: Option<Named>,
    _single: Option<Single>,
}

impl Identity {
    pub(crate) fn journal(&self) -> &'static Journal {
        self.environment.journal()
    }

    /// The step during which an FMU of FMI 3.0 calls back.
    pub(crate) fn gate(&self) -> &'static Gate {
        self.environment.gate()
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        self.journal().close();
    }
}

/// Creates an instance: checks that this is possible, makes the call and names the instance. `call` returns its address too; `None` if the FMU returns NULL.
pub(crate) fn create<V, C>(
    shared: &Arc<Shared<V>>,
    name: &str,
    options: &InstantiateOptions,
    function: impl Function,
    call: impl FnOnce(&CString, &'static Environment) -> Option<(C, usize)>,
    abandon: impl FnOnce(&mut C),
) -> Result<(C, Identity), Error> {
    let description = &shared.interface;
    let (instance, model) = (name.to_owned(), description.model_name.clone());
    if shared.is_lost() {
        return Err(Error::Lost { instance, model });
    }
    let single = match shared.capabilities.only_once_per_process {
        true => Some(Single::claim(&description.token).ok_or(Error::OnlyOncePerProcess { instance, model })?),
        false => None,
    };
    let bad_name = || Error::BadInstanceName { name: name.to_owned() };
    // Some FMUs name files after their instance; names contain no dots, so this one is unique, too.
    let c_name = CString::new(name.replace('/', ".")).ok().filter(|_| !name.trim().is_empty()).ok_or_else(bad_name)?;
    let environment = Environment::leak(Journal::new(name, options.log.clone()));
    let mut identity = Identity { name: name.to_owned(), environment, _named: None, _single: single };
    let process_state = ProcessState::note();
    let last_call = LastCall::of_this_thread();
    last_call.begin_with(function, name);
    let created = call(&c_name, environment);
    last_call.end();
    warn_of_changes(identity.journal(), process_state);
    let (mut calls, address) = created.ok_or_else(|| Error::Instantiate {
        function: Box::new(function.into()),
        instance: name.to_owned(),
        model: description.model_name.as_str().into(),
        token: description.token.as_str().into(),
        log: identity.journal().last_lines().into(),
        is_second: shared.has_instances(),
    })?;
    if !shared.has_created(address) {
        // The other instance is freed by its owner.
        abandon(&mut calls);
        let (instance, model) = (name.to_owned(), description.model_name.clone());
        return Err(Error::SameInstance { function: Box::new(function.into()), instance, model });
    }
    identity._named = Some(Named::new(address, name, last_call));
    Ok((calls, identity))
}

/// Restores what an FMU changed, and says so.
pub(crate) fn warn_of_changes(journal: &Journal, process_state: ProcessState) {
    warn_of(journal, process_state.put_back());
}

/// Says what an FMU changed of the process.
fn warn_of(journal: &Journal, changed: Parts) {
    let undone = changed.without(Parts::EXCHANGED);
    for (parts, effect) in [(undone, "this was undone"), (changed.without(undone), "no other FMU sees it")] {
        if !parts.is_empty() {
            journal.warn(format!("the FMU changed {parts} of the process; {effect}"));
        }
    }
}
