//! Steps that are cut short are counted.

use lotka_step::Error;

use super::RunLoop;
use crate::event::Cause;

impl RunLoop<'_, '_> {
    /// Notes why steps are cut short.
    pub(super) fn note_cut(&mut self, cause: Cause) {
        self.progress.cause = Some(cause);
    }

    /// Counts a step that was cut short; too little progress is an error.
    #[cold]
    pub(super) fn pass_cut(&mut self) -> Result<(), Box<Error>> {
        let time = self.clock.time;
        self.progress.pass(time).map_err(|(count, advance, left)| {
            let what = match self.progress.cause {
                Some(Cause::Discard { instance } | Cause::EarlyReturn { instance } | Cause::EventMode { instance }) => {
                    format!("instance `{}` cuts", self.coupled.name(instance))
                }
                Some(Cause::Crossing) | None => "events cut".to_owned(),
            };
            Box::new(Error::NoProgress { what, time, count, advance, until: self.progress.until, left })
        })
    }
}
