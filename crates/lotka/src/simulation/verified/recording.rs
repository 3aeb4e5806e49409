//! The rows of one run.

use crate::{
    algorithm::Signals,
    graph::ColumnSource,
    record::{Event, Observer, Row},
};

/// Keeps rows: Real columns as a matrix, the other columns as they are.
#[derive(Debug, Default)]
pub(super) struct Recording {
    sources: Vec<ColumnSource>,
    times: Vec<f64>,
    /// Values of the Real columns, rows one after the other.
    pub(super) reals: Vec<f64>,
    /// All signals of each row; one only where every column is Real.
    signals: Vec<Signals>,
}

impl Observer for Recording {
    fn observe(&mut self, event: &Event<'_>) {
        let Event::Row(row) = event else { return };
        if self.times.is_empty() {
            self.sources = row.sources.to_vec();
        }
        self.times.push(row.time);
        let reals = row.sources.iter().filter_map(|source| match source {
            ColumnSource::Real(index) => Some(row.signals.reals[*index]),
            _ => None,
        });
        self.reals.extend(reals);
        let is_real = |source: &ColumnSource| matches!(source, ColumnSource::Real(_));
        if self.signals.is_empty() || !row.sources.iter().all(is_real) {
            self.signals.push(row.signals.clone());
        }
    }

    fn wants_steps(&self) -> bool {
        false
    }
}

impl Recording {
    /// Real columns nothing is promised of get the values that were recorded, and no estimate.
    pub(super) fn put_back(&self, values: &mut [f64], estimates: &mut [f64], excluded: &[usize]) {
        let columns = self.sources.iter().filter(|source| matches!(source, ColumnSource::Real(_))).count();
        for index in (0..values.len()).filter(|index| excluded.contains(&(index % columns.max(1)))) {
            (values[index], estimates[index]) = (self.reals[index], f64::NAN);
        }
    }

    /// Sends the rows with other values of the Real columns, and the estimates of their errors.
    pub(super) fn replay(mut self, values: &[f64], estimates: &[f64], observers: &mut [&mut dyn Observer]) {
        let reals = self.sources.iter().filter(|source| matches!(source, ColumnSource::Real(_))).count();
        let mut bars = vec![f64::NAN; self.sources.len()];
        for (row, &time) in self.times.iter().enumerate() {
            let position = row.min(self.signals.len() - 1);
            let signals = &mut self.signals[position];
            let mut place = row * reals;
            for (source, bar) in self.sources.iter().zip(&mut bars) {
                if let ColumnSource::Real(index) = source {
                    signals.reals[*index] = values[place];
                    *bar = estimates[place];
                    place += 1;
                }
            }
            let event = Event::Row(Row { time, signals, sources: &self.sources, estimates: &bars });
            for observer in &mut *observers {
                observer.observe(&event);
            }
        }
    }
}
