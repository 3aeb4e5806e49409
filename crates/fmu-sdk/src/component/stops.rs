//! Steps that stop on the way: at events, and where a model asks for an exchange of values.

use super::{Slopes, State};
use crate::declaration::Declared;
use crate::{Model, Refusal, RefusalKind, Step, Update};

/// Largest number of updates at one event, and of stops at one time.
const LIMIT: usize = 100;

/// Whether steps of the model may stop on the way.
pub(crate) const fn stops<M: Model>() -> bool {
    M::HAS_EVENTS || M::RETURNS_EARLY
}

/// Who handles the events of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Events {
    /// The kit, within the step.
    InStep,
    /// The importer, in event mode. Events on the way are left to the kit if a step may not return early.
    InMode,
}

/// Where a step ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reached {
    pub time: f64,
    /// Whether the importer must handle an event there.
    pub event: bool,
    /// Size of the last part of the step, over which inputs are polynomials \[s\].
    pub last_part: f64,
}

impl<M: Model> State<M> {
    /// Steps the model from `t` by `h`, in parts if it stops on the way. All events are handled.
    pub fn through_stops(&mut self, declared: &Declared<M>, t: f64, h: f64) -> Result<f64, Refusal> {
        self.parts(declared, (t, h), Events::InStep, false).map(|reached| reached.last_part)
    }

    /// Steps the model from `t` by `h`, up to the first stop if it may return early, or up to an event at the end that the
    /// importer handles.
    pub fn until_stop(
        &mut self,
        declared: &Declared<M>,
        (t, h): (f64, f64),
        events: Events,
        early: bool,
    ) -> Result<Reached, Refusal> {
        self.run.check_step(t, h)?;
        if self.run.slopes == Slopes::Used {
            self.hold_inputs(declared);
        }
        let reached = self.parts(declared, (t, h), events, early)?;
        self.run.time = reached.time;
        if self.run.slopes == Slopes::Fresh {
            self.advance_inputs(declared, reached.last_part);
        }
        Ok(reached)
    }

    fn parts(&mut self, declared: &Declared<M>, (t, h): (f64, f64), events: Events, early: bool) -> Result<Reached, Refusal> {
        if M::HAS_EVENTS && self.run.is_update_due && events == Events::InStep {
            self.update(t)?;
        }
        let (end, mut now, mut n_without_progress) = (t + h, t, 0);
        loop {
            let target = end.min(self.run.next_event).max(now);
            let part = if now == t && target == end { h } else { target - now };
            let stop = if part > 0.0 { self.part(now, part, events)? } else { None };
            let (time, event) = stop.unwrap_or((target, target >= self.run.next_event));
            let last_part = if stop.is_none() { part } else { time - now };
            n_without_progress = if time > now { 0 } else { n_without_progress + 1 };
            now = time;
            let is_for_importer = event && events == Events::InMode && (early || now >= end);
            let is_exchange = early && !event && now < end;
            if is_for_importer || is_exchange {
                return Ok(Reached { time: now, event: is_for_importer, last_part });
            }
            if event {
                self.update(now)?;
            }
            if now >= end {
                return Ok(Reached { time: now, event: false, last_part });
            }
            if n_without_progress >= LIMIT {
                return Err(Refusal::error(format!("{LIMIT} events follow each other at {now} s")));
            }
            if self.run.slopes == Slopes::Fresh {
                self.advance_inputs(declared, last_part);
                self.run.slopes = Slopes::Fresh;
            }
        }
    }

    /// Makes a part of a step. If the model stops, returns when, and whether because of an event.
    fn part(&mut self, t: f64, h: f64, events: Events) -> Result<Option<(f64, bool)>, Refusal> {
        self.run.time = t;
        let step = Step { t, h, tolerance: self.run.tolerance };
        let outcome = match events {
            Events::InStep => self.model.do_step(&step),
            Events::InMode => self.model.do_step_with_events(&step),
        };
        let Err(refusal) = outcome else { return Ok(None) };
        match refusal.kind() {
            RefusalKind::Stop { time, event } if (t..=t + h).contains(&time) => Ok(Some((time, event))),
            RefusalKind::Stop { time, .. } => {
                Err(Refusal::error(format!("the model stopped at {time} s, outside of its step from {t} s to {} s", t + h)))
            }
            _ => Err(refusal),
        }
    }

    /// Handles an event: updates the discrete states until they need no other update.
    pub fn update(&mut self, time: f64) -> Result<(), Refusal> {
        for _ in 0..LIMIT {
            let update = self.update_once(time)?;
            if update.terminate {
                return Err(Refusal::terminate(time, format!("the model ends the simulation at {time} s")));
            }
            if !update.again {
                return Ok(());
            }
        }
        Err(Refusal::error(format!("the discrete states still need an update after {LIMIT} of them at {time} s")))
    }

    /// Updates the discrete states once.
    pub fn update_once(&mut self, time: f64) -> Result<Update, Refusal> {
        let update = self.model.update_discrete_states(time).map_err(Refusal::into_error)?;
        if let Some(next) = update.next_event_time.filter(|next| next.is_nan() || *next <= time) {
            return Err(Refusal::error(format!("the next event time {next} s is not after the event at {time} s")));
        }
        self.run.next_event = update.next_event_time.unwrap_or(f64::MAX);
        self.run.is_update_due = false;
        Ok(update)
    }
}
