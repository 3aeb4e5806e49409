//! An FMU that declares saved states and does not return to them.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::prey::{Fields, Hunted, declare};

/// Prey with exact steps whose population stays what it is when a state is restored.
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgetfulPrey {
    fields: Fields,
    /// The kit clones states both to save and to restore them: only an instance takes steps.
    #[serde(skip)]
    is_instance: bool,
}

impl Default for ForgetfulPrey {
    fn default() -> Self {
        Self { fields: Fields::default(), is_instance: true }
    }
}

impl Clone for ForgetfulPrey {
    fn clone(&self) -> Self {
        Self { fields: self.fields.clone(), is_instance: false }
    }

    fn clone_from(&mut self, source: &Self) {
        let x = self.fields.x;
        self.fields.clone_from(&source.fields);
        if self.is_instance {
            self.fields.x = x;
        }
    }
}

impl Model for ForgetfulPrey {
    const NAME: &'static str = "forgetful_prey";
    const DESCRIPTION: &'static str = "Prey that does not return to its saved states";

    fn declare(v: &mut Declaration<Self>) {
        declare(v);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.fields.x *= self.fields.growth(step.h);
        Ok(())
    }
}

impl Hunted for ForgetfulPrey {
    fn fields(&self) -> &Fields {
        &self.fields
    }

    fn fields_mut(&mut self) -> &mut Fields {
        &mut self.fields
    }
}
