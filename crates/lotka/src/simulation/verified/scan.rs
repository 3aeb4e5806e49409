//! Steps the instances that read nothing alone, to see where they need base points.

use std::ops::ControlFlow;

use super::{flow::refused, runs::Runs};
use crate::{
    Error,
    error_control::global::{Base, scan},
};

impl Runs<'_> {
    /// A base mesh on which the signals of instances that read nothing, and that others read, are resolved; `None` if there are none, or they cannot be stepped so.
    /// Instances must be initialized again afterwards, as in every run.
    pub(super) fn scan(&mut self, base: &Base, tolerance: f64) -> Result<Option<Base>, Box<Error>> {
        let coupled = &mut self.ensemble.coupled;
        let plan = &coupled.plan;
        let is_free = |index: &usize| !plan.units[*index].reads() && !plan.units[*index].connected().is_empty();
        let free: Vec<usize> = (0..plan.instances).filter(is_free).collect();
        if free.is_empty() || free.iter().any(|&index| !coupled.members[index].instance.capabilities().variable_step) {
            return Ok(None);
        }
        let signals: Vec<usize> = free.iter().flat_map(|&index| plan.units[index].outputs.clone()).collect();
        coupled.begin();
        self.scenario.initialize(coupled, &self.scenario.set_up)?;
        let times = scan::points(base);
        let mut columns: Vec<Vec<f64>> = signals.iter().map(|&signal| vec![coupled.newest.reals[signal]]).collect();
        'points: for pair in times.windows(2) {
            for &index in &free {
                if let ControlFlow::Break(stop) = coupled.step_with_newest(index, pair[0], pair[1] - pair[0]) {
                    refused::<()>(*stop)?;
                    break 'points;
                }
            }
            columns.iter_mut().zip(&signals).for_each(|(column, &signal)| column.push(coupled.newest.reals[signal]));
        }
        let calls: Vec<_> = coupled.calls().collect();
        self.ensemble.log.take();
        self.add_trials(&calls);
        if columns.iter().any(|column| column.len() < times.len()) {
            return Ok(None);
        }
        let mut resolved = base.clone();
        resolved.insert(scan::resolve(&times, &columns, tolerance));
        Ok(Some(resolved))
    }
}
