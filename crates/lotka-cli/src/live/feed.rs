//! What browsers see of a run: its rows, its steps and its state. Its size is bounded, however long the run is.

use std::sync::Arc;

use lotka::{Notification, Value, ValueType};
use serde_json::json;

/// Most variables with curves.
const MOST_VARIABLES: usize = 60;

/// Most rows and most steps. If there would be more, every other one is left out.
const MOST_POINTS: usize = 4000;

/// A run, as far as it is shown. Copies share the points.
#[derive(Debug, Default, Clone)]
pub(super) struct Feed {
    /// The variables with curves.
    variables: Arc<[serde_json::Value]>,
    /// Their places in a row.
    places: Vec<usize>,
    n_left_out: usize,
    span: (f64, f64),
    rows: Series,
    steps: Series,
    n_steps: u64,
    n_rejected: u64,
    n_events: u64,
    /// Runs of a `tolerance`: number of steps, estimate of the largest error.
    runs: Vec<(u64, Option<f64>)>,
    /// How the run ended.
    end: Option<String>,
    /// Number of changes.
    version: u64,
}

/// Lists of numbers over time.
#[derive(Debug, Default, Clone)]
struct Series {
    /// Points with all their numbers, the time first.
    points: Vec<Arc<[f64]>>,
    /// Only each of so many points is kept.
    stride: u64,
    n_seen: u64,
    /// Number of times that points were left out.
    generation: u64,
}

/// What a browser already has.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    rows: Mark,
    steps: Mark,
    pub(super) version: u64,
    has_variables: bool,
}

/// A part of a series.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Mark {
    generation: u64,
    count: usize,
}

impl Series {
    fn add(&mut self, point: impl FnOnce() -> Arc<[f64]>) {
        let stride = self.stride.max(1);
        if self.n_seen.is_multiple_of(stride) {
            self.points.push(point());
        }
        self.n_seen += 1;
        if self.points.len() > MOST_POINTS {
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            (self.stride, self.generation) = (2 * stride, self.generation + 1);
        }
    }

    /// The points that a browser lacks, and whether they replace those that it has.
    fn since(&self, mark: &mut Mark) -> serde_json::Value {
        let is_new = mark.generation != self.generation;
        let first = if is_new { 0 } else { mark.count };
        *mark = Mark { generation: self.generation, count: self.points.len() };
        let points: Vec<&[f64]> = self.points[first..].iter().map(AsRef::as_ref).collect();
        json!({ "replaces": is_new, "stride": self.stride.max(1), "points": points })
    }
}

impl Feed {
    pub(super) fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::Started { columns, start, stop, .. } => {
                let numeric = columns.iter().enumerate().filter(|(_, column)| column.value_type.is_number());
                let shown: Vec<_> = numeric.clone().take(MOST_VARIABLES).collect();
                self.n_left_out = numeric.count() - shown.len();
                self.places = shown.iter().map(|(place, _)| *place).collect();
                let about = |(_, column): &(usize, &lotka::Column)| json!({ "name": column.name, "unit": column.unit, "stepped": column.value_type != ValueType::Real });
                self.variables = shown.iter().map(about).collect();
                self.span = (*start, *stop);
            }
            Notification::Row(row) => {
                let places = &self.places;
                self.rows.add(|| {
                    let values: Vec<_> = row.values().map(Value::as_f64).collect();
                    std::iter::once(row.time).chain(places.iter().map(|place| values[*place])).collect()
                });
            }
            Notification::StepAccepted { time, step, .. } => {
                self.n_steps += 1;
                self.steps.add(|| Arc::new([*time, *step]));
            }
            Notification::StepRejected { .. } => self.n_rejected += 1,
            Notification::EventLocated { .. } => self.n_events += 1,
            Notification::RunFinished { steps, estimate } => self.runs.push((*steps, *estimate)),
            _ => return,
        }
        self.version += 1;
    }

    pub(super) fn finish(&mut self, end: &str) {
        self.end = Some(end.to_owned());
        self.version += 1;
    }

    pub(super) fn is_over(&self) -> bool {
        self.end.is_some()
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// What a browser does not know yet.
    pub(super) fn news(&self, known: &mut Known) -> serde_json::Value {
        let variables = (!known.has_variables && !self.variables.is_empty()).then_some(&*self.variables);
        known.has_variables |= variables.is_some();
        known.version = self.version;
        let last = |series: &Series, place: usize| series.points.last().map(|point| point[place]);
        json!({
            "variables": variables,
            "left_out": self.n_left_out,
            "start": self.span.0,
            "stop": self.span.1,
            "rows": self.rows.since(&mut known.rows),
            "steps": self.steps.since(&mut known.steps),
            "time": last(&self.steps, 0).or(last(&self.rows, 0)),
            "step": last(&self.steps, 1),
            "n_steps": self.n_steps,
            "n_rejected": self.n_rejected,
            "n_events": self.n_events,
            "runs": self.runs,
            "end": self.end,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(feed: &mut Feed, steps: std::ops::Range<u32>) {
        for step in steps {
            feed.observe(&Notification::StepAccepted { time: step.into(), step: 1.0, estimates: None, variable: None });
        }
    }

    fn times(news: &serde_json::Value) -> Vec<f64> {
        let points = news["steps"]["points"].as_array().map(Vec::as_slice).unwrap_or_default();
        points.iter().filter_map(|point| point[0].as_f64()).collect()
    }

    #[test]
    fn a_browser_gets_each_point_once() {
        let (mut feed, mut known) = (Feed::default(), Known::default());
        accept(&mut feed, 0..3);
        assert_eq!(times(&feed.news(&mut known)), [0.0, 1.0, 2.0]);
        accept(&mut feed, 3..5);
        assert_eq!(times(&feed.news(&mut known)), [3.0, 4.0]);
        assert_eq!((times(&feed.news(&mut known)), known.version), (Vec::new(), feed.version()));
        // Another browser gets all of them.
        assert_eq!(times(&feed.news(&mut Known::default())).len(), 5);
    }

    #[test]
    fn long_runs_have_few_points_at_equal_distances() {
        let (mut feed, mut known) = (Feed::default(), Known::default());
        feed.news(&mut known);
        accept(&mut feed, 0..100_000);
        let news = feed.news(&mut known);
        assert_eq!(news["steps"]["replaces"], true);
        let times = times(&news);
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&times.len()), "{}", times.len());
        let stride = news["steps"]["stride"].as_f64().unwrap_or_default();
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] == stride), "{stride}");
        assert_eq!((&news["n_steps"], feed.is_over()), (&json!(100_000), false));
    }
}
