//! The creation of instances.

use std::{ffi::CString, sync::Arc};

use super::{Identity, single::Single, warn_of_changes};
use crate::{
    Error, InstantiateOptions,
    function::Function,
    last_call::{LastCall, Named},
    log::{Environment, Journal},
    process_state::ProcessState,
    shared::Shared,
};

/// Creates an instance: checks that this is possible, makes the call and names the instance. `call` returns its address too;
/// `None` if the FMU returns NULL.
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
