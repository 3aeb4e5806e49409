//! History of a run: step sizes, what limited them, and runs of a `tolerance`. Its size is bounded, however long the run is.

use std::collections::BTreeMap;

use lotka::{Notification, Observer};
use serde_json::{Map, Value, json};

/// Maximum number of stretches of time. If there would be more, neighbors are joined.
const MOST_STRETCHES: usize = 1024;

/// Records the history of a run.
#[derive(Debug, Default)]
pub struct History {
    start: f64,
    /// Stretches in the order of time; each one begins where the previous one ends.
    stretches: Vec<Stretch>,
    /// Number of steps per stretch.
    steps_per_stretch: u64,
    /// Number of rejected steps since the last accepted one.
    rejected: u64,
    /// Names of the outputs that limited steps, in the order in which they first did.
    names: Vec<String>,
    /// Numbers of accepted and rejected steps that each of these outputs limited.
    limited: Vec<[u64; 2]>,
    /// Number of rejected steps for each reason.
    reasons: BTreeMap<&'static str, u64>,
    /// Runs of a `tolerance`: number of steps, estimate of the largest error.
    runs: Vec<(u64, Option<f64>)>,
}

/// Consecutive accepted steps.
#[derive(Debug, Clone)]
struct Stretch {
    end: f64,
    steps: u64,
    smallest: f64,
    largest: f64,
    /// Largest error estimate, in units of the tolerance.
    estimate: Option<f64>,
    rejected: u64,
    /// How many of the steps each output limited.
    limited: BTreeMap<usize, u64>,
}

impl Stretch {
    /// Appends the next stretch.
    fn join(&mut self, next: Self) {
        self.end = next.end;
        self.steps += next.steps;
        self.smallest = self.smallest.min(next.smallest);
        self.largest = self.largest.max(next.largest);
        self.estimate = self.estimate.into_iter().chain(next.estimate).reduce(f64::max);
        self.rejected += next.rejected;
        for (name, count) in next.limited {
            *self.limited.entry(name).or_default() += count;
        }
    }

    /// Returns the output that limited most of the steps.
    fn limiting(&self) -> Option<usize> {
        self.limited.iter().max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name))).map(|(name, _)| *name)
    }
}

impl History {
    /// Returns the history as an entry of the manifest. For each stretch of time it has the end, step sizes, largest estimate,
    /// and rejected steps. It also has the output that limited most steps, as an index into the names in `limits`. Entries are
    /// null without steps, and without error control.
    #[must_use]
    pub fn document(&self) -> Value {
        if self.stretches.is_empty() && self.runs.is_empty() && self.reasons.is_empty() {
            return Value::Null;
        }
        let each = |get: fn(&Stretch) -> Value| self.stretches.iter().map(get).collect::<Value>();
        let limits = self
            .names
            .iter()
            .zip(&self.limited)
            .map(|(name, [accepted, rejected])| (name.clone(), json!({ "accepted": accepted, "rejected": rejected })));
        let runs = self.runs.iter().map(|(steps, estimate)| json!({ "steps": steps, "estimate": estimate }));
        json!({
            "start": self.start,
            "end": each(|stretch| stretch.end.into()),
            "steps": each(|stretch| stretch.steps.into()),
            "smallest": each(|stretch| stretch.smallest.into()),
            "largest": each(|stretch| stretch.largest.into()),
            "estimate": each(|stretch| stretch.estimate.into()),
            "rejected": each(|stretch| stretch.rejected.into()),
            "limiting": each(|stretch| stretch.limiting().into()),
            "limits": limits.collect::<Map<_, _>>(),
            "rejected_at_end": self.rejected,
            "reasons": self.reasons,
            "runs": runs.collect::<Value>(),
        })
    }

    fn accept(&mut self, stretch: Stretch) {
        self.rejected = 0;
        match self.stretches.last_mut() {
            Some(last) if last.steps < self.steps_per_stretch => last.join(stretch),
            _ => self.stretches.push(stretch),
        }
        if self.stretches.len() > MOST_STRETCHES {
            self.steps_per_stretch *= 2;
            let mut joined: Vec<Stretch> = Vec::with_capacity(MOST_STRETCHES);
            for (place, stretch) in self.stretches.drain(..).enumerate() {
                match joined.last_mut() {
                    Some(last) if place % 2 == 1 => last.join(stretch),
                    _ => joined.push(stretch),
                }
            }
            self.stretches = joined;
        }
    }

    /// Records the output that limited a step.
    fn name(&mut self, variable: Option<&str>, is_rejected: bool) -> Option<usize> {
        let variable = variable?;
        let known = self.names.iter().position(|name| name == variable);
        let place = known.unwrap_or_else(|| {
            self.names.push(variable.to_owned());
            self.limited.push([0, 0]);
            self.names.len() - 1
        });
        self.limited[place][usize::from(is_rejected)] += 1;
        Some(place)
    }
}

impl Observer for History {
    fn observe(&mut self, notification: &Notification<'_>) {
        match *notification {
            Notification::Started { start, .. } => *self = Self { start, steps_per_stretch: 1, ..Self::default() },
            Notification::Resumed { time, .. } => *self = Self { start: time, steps_per_stretch: 1, ..Self::default() },
            Notification::StepAccepted { time, step, estimates, variable } => {
                let limited = self.name(variable, false).map(|name| (name, 1)).into_iter().collect();
                let estimate = estimates.map(lotka::Estimates::largest);
                let rejected = self.rejected;
                self.accept(Stretch { end: time, steps: 1, smallest: step, largest: step, estimate, rejected, limited });
            }
            Notification::StepRejected { reason, variable, .. } => {
                self.rejected += 1;
                *self.reasons.entry(reason.name()).or_default() += 1;
                self.name(variable, true);
            }
            Notification::RunFinished { steps, estimate } => self.runs.push((steps, estimate)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started() -> History {
        let mut history = History::default();
        history.observe(&Notification::Started { columns: &[], start: 0.0, stop: 1.0 });
        history
    }

    #[test]
    fn long_runs_are_kept_in_few_stretches_without_losing_a_step() {
        let mut history = started();
        for step in 1..=10_000_u32 {
            let variable = Some(if step % 3 == 0 { "a.y" } else { "b.y" });
            let size = if step == 5000 { 0.5 } else { 1.0 };
            history.observe(&Notification::StepAccepted { time: f64::from(step), step: size, estimates: None, variable });
        }
        assert!(history.stretches.len() > MOST_STRETCHES / 4 && history.stretches.len() <= MOST_STRETCHES);
        assert_eq!(history.stretches.iter().map(|stretch| stretch.steps).sum::<u64>(), 10_000);
        let smallest: Vec<_> = history.stretches.iter().filter(|stretch| stretch.smallest < 1.0).collect();
        assert_eq!(smallest.len(), 1);
        assert!(smallest[0].end >= 5000.0 && smallest[0].end < 5100.0 && smallest[0].largest == 1.0);
        let document = history.document();
        assert_eq!(document["limits"]["a.y"], json!({ "accepted": 3333, "rejected": 0 }));
        assert_eq!(document["limiting"][0], 0, "b.y is the first name and limits most");
        assert_eq!(document["end"].as_array().and_then(|ends| ends.last()), Some(&json!(10_000.0)));
    }

    #[test]
    fn rejected_steps_count_for_the_one_that_follows() {
        let mut history = started();
        let reason = lotka::Rejection::NotFinite { signal: 0, value: f64::NAN };
        for _ in 0..2 {
            history.observe(&Notification::StepRejected { time: 0.0, step: 1.0, reason, variable: Some("a.y") });
        }
        history.observe(&Notification::StepAccepted { time: 0.5, step: 0.5, estimates: None, variable: None });
        let document = history.document();
        assert_eq!((&document["rejected"], &document["limiting"]), (&json!([2]), &json!([null])));
        assert_eq!(document["reasons"], json!({ "not-finite": 2 }));
        assert_eq!(document["limits"], json!({ "a.y": { "accepted": 0, "rejected": 2 } }));
    }

    #[test]
    fn nothing_happened_nothing_is_reported() {
        assert_eq!(started().document(), Value::Null);
    }
}
