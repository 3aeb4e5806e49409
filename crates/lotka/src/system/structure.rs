//! Structural parameters: models get the values that the system gives them, before anything else is checked, because names of
//! elements depend on them.

use std::ptr;

use lotka_instance::{Structure, StructureError};
use lotka_message::{Coded, Findings};
use lotka_step::resolved::Interface;
use lotka_system::resolve_structure;

use super::System;
use crate::Error;

impl System {
    /// Returns the models of the instances with the values of their structural parameters; instances with the same model and the
    /// same values share it.
    ///
    /// `findings` are those about the text of the file, `with` makes a model with other values.
    ///
    /// # Errors
    /// All values that do not suit their variables, or that a model cannot have.
    pub(super) fn with_structures<M: Clone>(
        &self,
        models: Vec<M>,
        findings: &Findings,
        interface: impl Fn(&M) -> Interface<'_>,
        with: impl Fn(&M, &Structure) -> Result<M, StructureError>,
    ) -> Result<Vec<M>, Error> {
        let mut refused = Findings::default();
        let interfaces: Vec<_> = models.iter().map(&interface).collect();
        let given = resolve_structure(&self.description, &interfaces, &mut refused);
        let (mut structured, mut known) = (Vec::with_capacity(models.len()), Vec::new());
        for (index, (model, given)) in models.iter().zip(&given).enumerate() {
            if given.values.is_empty() {
                structured.push(model.clone());
                continue;
            }
            let description = interfaces[index].description;
            let is_same = |(other, values, _): &&(_, _, M)| ptr::eq(*other, description) && *values == &given.values;
            let result = match known.iter().find(is_same) {
                Some((_, _, same)) => Ok(same.clone()),
                None => with(model, &given.values),
            };
            match result {
                Ok(model) => {
                    known.push((description, &given.values, model.clone()));
                    structured.push(model);
                }
                Err(error) => {
                    let (name, values) = (self.description.name_of(index), given.values.describe(description));
                    let message = format!("instance `{name}` cannot have {values}: {error}");
                    refused.error(error.code(), &given.span, message, error.help().to_owned());
                }
            }
        }
        if refused.n_errors() == 0 {
            return Ok(structured);
        }
        refused.extend(findings.clone());
        Err(Error::System(refused.problems(self.description.file.as_ref())))
    }
}
