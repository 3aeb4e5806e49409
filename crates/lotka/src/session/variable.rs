//! Variables of a session, by name and by handle.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

use lotka_instance::TypedValue;
use lotka_plan::link::VariableIndex;
use lotka_run::Reading;
use lotka_step::{error::SessionRefusal, model::Model, resolved::Interface};
use lotka_system::{StartValue, SystemDescription, resolve_change, resolve_changeable, resolve_variable};

use super::Session;
use crate::Error;

/// A variable of a session, found once: see [`Session::variable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VariableHandle {
    session: u64,
    index: usize,
}

/// What identifies a variable of a session: its name `instance.variable`, or a [`VariableHandle`].
pub trait VariableKey: sealed::Sealed {
    #[doc(hidden)]
    fn handle(&self, session: &mut Session<'_>) -> Result<VariableHandle, Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &String {}
    impl Sealed for super::VariableHandle {}
}

impl VariableKey for &str {
    fn handle(&self, session: &mut Session<'_>) -> Result<VariableHandle, Error> {
        session.variable(self)
    }
}

impl VariableKey for &String {
    fn handle(&self, session: &mut Session<'_>) -> Result<VariableHandle, Error> {
        session.variable(self)
    }
}

impl VariableKey for VariableHandle {
    fn handle(&self, session: &mut Session<'_>) -> Result<VariableHandle, Error> {
        if self.session == session.variables.session { Ok(*self) } else { Err(SessionRefusal::OtherHandle.into()) }
    }
}

/// The variables that a session has been asked for.
pub(super) struct Variables {
    /// Number of the session among those of the process.
    session: u64,
    by_name: HashMap<String, usize>,
    list: Vec<Variable>,
}

struct Variable {
    name: String,
    place: VariableIndex,
    reading: Option<Reading>,
    /// Its number among those that are set, and whether it is a connected input.
    target: Option<(usize, bool)>,
}

impl Variables {
    pub(super) fn new() -> Self {
        static SESSIONS: AtomicU64 = AtomicU64::new(0);
        Self { session: SESSIONS.fetch_add(1, Ordering::Relaxed), by_name: HashMap::new(), list: Vec::new() }
    }

    pub(super) fn find(&mut self, name: &str, system: &SystemDescription, models: &[Model]) -> Result<VariableHandle, Error> {
        let session = self.session;
        if let Some(&index) = self.by_name.get(name) {
            return Ok(VariableHandle { session, index });
        }
        let place = resolve_variable(system, &interfaces(models), name).map_err(Error::System)?;
        let index = self.list.len();
        self.list.push(Variable { name: name.to_owned(), place, reading: None, target: None });
        self.by_name.insert(name.to_owned(), index);
        Ok(VariableHandle { session, index })
    }

    pub(super) fn name(&self, handle: VariableHandle) -> &str {
        &self.list[handle.index].name
    }

    pub(super) fn reading(
        &mut self,
        handle: VariableHandle,
        session: &lotka_run::Session<'_>,
    ) -> Result<Reading, SessionRefusal> {
        let variable = &mut self.list[handle.index];
        match variable.reading {
            Some(reading) => Ok(reading),
            None => Ok(*variable.reading.insert(session.reading(variable.place.0, variable.place.1)?)),
        }
    }

    /// The number of a variable among those that are set.
    pub(super) fn target(
        &mut self,
        handle: VariableHandle,
        session: &mut lotka_run::Session<'_>,
        (system, models): (&SystemDescription, &[Model]),
    ) -> Result<usize, Error> {
        let variable = &mut self.list[handle.index];
        if let Some((target, _)) = variable.target {
            return Ok(target);
        }
        let links = session.simulation().links();
        let (_, target) = resolve_changeable(system, &interfaces(models), links, &variable.name).map_err(Error::System)?;
        let number = session.make_settable(&target);
        variable.target = Some((number, target.is_connected));
        Ok(number)
    }

    pub(super) fn is_connected(&self, handle: VariableHandle) -> bool {
        self.list[handle.index].target.is_some_and(|(_, is_connected)| is_connected)
    }

    /// A value of the type of a variable.
    pub(super) fn value(&self, handle: VariableHandle, models: &[Model], value: StartValue) -> Result<TypedValue, Error> {
        let Variable { name, place, .. } = &self.list[handle.index];
        resolve_change(name, (models[place.0].description(), place.1), value).map_err(Error::System)
    }
}

fn interfaces(models: &[Model]) -> Vec<Interface<'_>> {
    models.iter().map(Interface::of).collect()
}
