//! Saved points of a session.

use lotka_message::{Code, Warning};
use lotka_prepare::trial::{find_needing_guarantee, noise};
use lotka_step::{
    algorithm::{Changes, RetainedState},
    error::SessionRefusal,
};

use super::Session;
use crate::{End, Simulation, only_steps::OnlySteps, schedule::Schedule};

/// A saved point of a session; see [`Session::save`].
#[derive(Clone)]
pub struct Mark {
    time: f64,
    instances: RetainedState,
    /// All else that persists from one communication point to the next.
    state: Vec<u8>,
    changes: Changes,
    schedule: Option<Schedule>,
    last_row: Option<f64>,
    end: Option<End>,
}

impl std::fmt::Debug for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mark").field("time", &self.time).finish_non_exhaustive()
    }
}

impl Mark {
    /// The time of the point \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }
}

impl Session<'_> {
    /// Saves the present point, to which [`Session::restore`] returns. Memory for it is used again once the mark and its clones
    /// are dropped.
    ///
    /// # Errors
    /// Instances cannot save their state, or advance only if no state will be restored; the run has failed, or fails now.
    pub fn save(&mut self) -> Result<Mark, SessionRefusal> {
        self.settle();
        let Simulation { system, set_factory, instance_set, .. } = &mut self.simulation;
        let incapable = set_factory.names.iter().zip(&set_factory.fmus).filter(|(_, model)| !model.capabilities().save_state);
        let instances: Vec<_> = incapable.map(|(name, _)| name.clone()).collect();
        if !instances.is_empty() {
            return Err(SessionRefusal::CannotSave { instances });
        }
        let end = match &self.outcome {
            None => None,
            Some(Ok(end)) => Some(end.clone()),
            Some(Err(_)) => return Err(SessionRefusal::Failed),
        };
        let t = self.state.clock.t;
        let (coupled, rest) = (&mut instance_set.coupled, system.span().1 - t);
        if !self.is_rollback_known && rest > 0.0 {
            let h = system.resolved.experiment.stepping.trial_step().min(rest);
            let needing = find_needing_guarantee(coupled, t, h);
            let tried = needing.and_then(|needing| Ok((needing, self.returns(t, h)?)));
            // An instance that does not return has lost its state by now, with or without the guarantee.
            if let (Some(index), true) = tried.map_err(|error| self.fail(error))? {
                let instance = self.simulation.instance_set.coupled.name(index).to_owned();
                return Err(SessionRefusal::NeedsPromise { instance });
            }
            self.is_rollback_known = true;
        }
        let made = self.simulation.instance_set.coupled.retain(t).and_then(|instances| {
            let state = self.transfer(None)?;
            Ok(Mark {
                time: self.time(),
                instances,
                state,
                changes: self.simulation.instance_set.coupled.changes(),
                schedule: self.state.schedule.clone(),
                last_row: self.state.journal.last_row,
                end,
            })
        });
        made.map_err(|error| self.fail(error))
    }

    /// Whether all instances return to their saved states, by repeated steps of `h` from `t`; warns otherwise.
    fn returns(&mut self, t: f64, h: f64) -> Result<bool, Box<lotka_step::Error>> {
        self.with_loop(|run_loop| {
            let mut found = noise::noise(run_loop.coupled, |_| true, t, h)?;
            noise::judge(run_loop.coupled, &mut found);
            let worst = noise::visible(&found);
            if let Some(worst) = worst {
                let text = format!(
                    "instance `{}` does not return exactly to its saved states ({}), and saving the first point has tried it: values \
                     from t = {t} s on may be wrong; start a session that saves no points, or replace the FMU",
                    run_loop.coupled.name(worst.instance),
                    worst.what(run_loop.coupled),
                );
                run_loop.reporter.warn(Warning::new(Code::InexactRollback, text));
            }
            Ok(worst.is_none())
        })
    }

    /// Returns to a saved point, as if there had been nothing after it. Observers receive
    /// [`Notification::Returned`](crate::record::Notification::Returned).
    ///
    /// # Errors
    /// The point is one of another session; the run has failed, or fails now.
    pub fn restore(&mut self, mark: &Mark) -> Result<(), SessionRefusal> {
        let coupled = &mut self.simulation.instance_set.coupled;
        if !coupled.has_retained(&mark.instances) {
            return Err(SessionRefusal::OtherSession);
        }
        if let Some(Err(_)) = self.outcome {
            return Err(SessionRefusal::Failed);
        }
        (self.has_changes, self.is_read) = (false, false);
        let returned = coupled.return_to(&mark.instances).and_then(|()| {
            self.transfer(Some(&mark.state))?;
            self.simulation.instance_set.coupled.return_to_changes(mark.changes.clone())
        });
        returned.map_err(|error| self.fail(error))?;
        // They would compare with values after the point.
        self.simulation.instance_set.coupled.pauses = None;
        self.state.return_to(mark.schedule.clone(), mark.last_row);
        self.outcome = mark.end.clone().map(Ok);
        self.report_return(self.state.journal.n_rows);
        Ok(())
    }

    /// Writes what persists as bytes, or takes it over.
    fn transfer(&mut self, bytes: Option<&[u8]>) -> Result<Vec<u8>, Box<lotka_step::Error>> {
        let Some(mut stepping) = self.stepping.take() else { return Ok(Vec::new()) };
        let result = self.with_loop(|run_loop| match (&mut stepping, bytes) {
            (OnlySteps::Fixed { steps, .. }, None) => run_loop.persistent_bytes(steps),
            (OnlySteps::Controlled(controlled), None) => run_loop.persistent_bytes(&mut controlled.steps),
            (OnlySteps::Fixed { steps, .. }, Some(bytes)) => run_loop.take_bytes(steps, bytes).map(|()| Vec::new()),
            (OnlySteps::Controlled(controlled), Some(bytes)) => {
                run_loop.take_bytes(&mut controlled.steps, bytes).map(|()| Vec::new())
            }
        });
        self.stepping = Some(stepping);
        result
    }

    fn fail(&mut self, error: Box<lotka_step::Error>) -> SessionRefusal {
        self.outcome = Some(Err(error));
        SessionRefusal::Failed
    }
}
