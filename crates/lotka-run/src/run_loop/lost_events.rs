//! An event is lost.

use lotka_message::{Code, Warning};
use lotka_step::Error;

use super::{RunLoop, missing_event::MissingEvent};

impl RunLoop<'_, '_> {
    /// Reports that an instance has lost an event: a run that is compared with others is of no use any more; any other run
    /// continues, and a warning says so.
    #[cold]
    pub(super) fn lose_event(&mut self, event: MissingEvent) -> Result<(), Box<Error>> {
        let instance = self.coupled.name(event.instance).to_owned();
        let known = format!("instance `{instance}` announced an event");
        let lost = Error::LostEvent { instance, time: event.time };
        if self.shares_rows {
            return Err(Box::new(lost));
        }
        // One for each instance.
        if !self.reporter.journal.warnings.iter().any(|warning| warning.text.starts_with(&known)) {
            self.reporter.warn(Warning::new(Code::LostEvent, lost.to_string()));
        }
        Ok(())
    }
}
