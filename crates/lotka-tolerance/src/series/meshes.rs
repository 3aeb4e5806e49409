//! The meshes of runs, and the restrictions due to FMUs with internal steps of fixed size.

use std::sync::Arc;

use lotka_message::Code;
use lotka_plan::{column::Column, graph, time::Points};
use lotka_prepare::{
    mesh::{Base, Dues, equally_between},
    trial::grids::{self, Look, Motions, Ripple},
};
use lotka_run::{
    RunTrial,
    record::{Notification, Observer, emit},
};
use lotka_step::{Error, algorithm::Grid, error::InternalSteps, resolved::LARGEST_REFINEMENT};

use super::{
    job::{Job, divided},
    runs::{Finished, Runs},
    speculative_runs::Others,
};
use crate::global::{ErrorExpansion, OffMeshRows, longest_step};

/// The share of the time after which instances are tried again.
const LATE: f64 = 0.75;

/// Maximum base step, as a share of the period of a source: a repetition within a step would not be noticed.
const SHARE_OF_PERIOD: f64 = 0.2;

/// Number of initial base steps, if rows are not among their points.
const FIRST_STEPS: f64 = 32.0;

/// Minimum number of rows per initial base step for which rows are not among the points.
const ROWS_PER_STEP: usize = 8;

/// At the start, internal steps of FMUs are sought up to this share of the whole time.
const EARLY: f64 = 0.2;

/// Maximum number of trials of an instance that paused in a run.
const PAUSES_TRIED: u32 = 2;

/// The finest internal steps that are sought, as a share of the distance between rows.
const FINEST_GRID: f64 = 1e-5;

impl<'a> Runs<'a> {
    /// Finds what instances do by themselves: internal steps of fixed size, and signals that move faster than base steps of this
    /// size \[s\] resolve. They must be initialized again afterwards, as in every run.
    pub(super) fn find_motions(&mut self, step: f64, observers: &mut [&mut dyn Observer]) -> Result<(), Box<Error>> {
        let look = self.alone(step, EARLY);
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        self.system.initialize(coupled, &self.system.set_up)?;
        let declared: Vec<_> = (0..self.set_factory.fmus.len())
            .filter_map(|instance| {
                let size = self.set_factory.fmus[instance].description().fixed_internal_step?;
                Some(Grid { instance, low: size, high: size })
            })
            .collect();
        let mut found = grids::measure(coupled, self.system.span(), look);
        found.grids.retain(|grid| declared.iter().all(|known| known.instance != grid.instance));
        found.grids.extend(declared);
        self.counters.n_trial_calls += coupled.calls().map(|calls| calls.steps).sum::<u64>();
        self.instance_set.log.take();
        for grid in found.grids {
            if self.is_coarse(&grid) {
                self.know(grid, None, observers);
            }
        }
        self.know_ripples(&found.ripples, None, observers);
        Ok(())
    }

    fn alone(&self, step: f64, share: f64) -> Look {
        Look { row: self.verified.output_interval, share, step, tolerance: self.verified.tolerance }
    }

    /// Records the fastest of these, which was found from a time on.
    fn know_ripples(&mut self, found: &[Ripple], from: Option<f64>, observers: &mut [&mut dyn Observer]) {
        let fastest = found.iter().copied().min_by(|a, b| a.period.total_cmp(&b.period));
        let Some(fastest) = fastest.filter(|ripple| self.ripple.is_none_or(|known| ripple.period < known.period)) else { return };
        let (name, period) = (&self.set_factory.plan.signal_names[fastest.signal], fastest.period);
        let from = from.map_or_else(String::new, |from| format!(" from t = {from:.4} s on"));
        let what = format!(
            "`{name}` moves by itself, with a period of about {period:.1e} s{from}; Lotka uses base steps that are shorter"
        );
        emit(observers, &Notification::MethodChanged { what: &what });
        self.ripple = Some(fastest);
    }

    /// Repeats this late in a run, which is made for this purpose and ends there. Returns true if there are new grids.
    pub(super) fn look_late(
        &mut self,
        base: &Base,
        subdivisions: u32,
        others: Others,
        observers: &mut [&mut dyn Observer],
    ) -> Result<bool, Box<Error>> {
        let Some(job) = self.late_trial(base, subdivisions) else { return Ok(false) };
        let until = job.base().span().1;
        let made = self.make(&job, others)?;
        self.counters.n_trial_calls += made.calls.iter().map(|calls| calls.steps).sum::<u64>();
        let unknown = |grid: &Grid| self.grids.iter().all(|known| known.instance != grid.instance);
        let Motions { grids, ripples } = made.findings.motions;
        // Steps that end at events suit no grid.
        let suits = |grid: &Grid| !self.has_events() && self.is_coarse(grid) && unknown(grid);
        let found: Vec<_> = grids.into_iter().filter(suits).collect();
        found.iter().for_each(|grid| self.know(*grid, Some(until), observers));
        self.know_ripples(&ripples, Some(until), observers);
        Ok(!found.is_empty())
    }

    /// The run that ends late, with trials there; `None` if there are none.
    pub(super) fn late_trial(&self, base: &Base, subdivisions: u32) -> Option<Job<'static>> {
        let (start, stop) = self.system.span();
        let rows = (LATE * (stop - start) / self.verified.output_interval).floor();
        let until = start + rows * self.verified.output_interval;
        let until = base.times().iter().rfind(|time| **time <= until + base.slack()).copied()?;
        if rows < 1.0 || until <= start {
            return None;
        }
        let job = Job::divided(&Arc::new(base.until(until)), subdivisions, Vec::new());
        Some(job.with_trial(Some(RunTrial::Motions { until: stop, look: self.alone(base.longest(), 1.0) })))
    }

    /// Whether a grid is relevant to a mesh. If an instance acts at known times, steps end there anyway. Outputs in single
    /// precision also stay constant over times below [`FINEST_GRID`].
    fn is_coarse(&self, grid: &Grid) -> bool {
        !self.system.resolved.time_events.actors.contains(&grid.instance)
            && grid.size(self.verified.output_interval) >= FINEST_GRID * self.verified.output_interval
    }

    /// Records a grid, which was found from a time on.
    fn know(&mut self, grid: Grid, from: Option<f64>, observers: &mut [&mut dyn Observer]) {
        let size = grid.shown(self.verified.output_interval);
        let name = &self.set_factory.names[grid.instance];
        let from =
            from.filter(|from| *from > self.system.span().0).map_or_else(String::new, |from| format!(" from t = {from:.4} s on"));
        let what = format!(
            "instance `{name}` advances in internal steps of {size} s{from}; Lotka uses only communication step sizes that are \
             multiples of it"
        );
        self.grids.retain(|known| known.instance != grid.instance);
        self.grids.push(grid);
        self.warn(Code::InternalSteps, what, observers);
    }

    /// Whether instances paused in a run on a base although its steps suit all known grids, and pause in a trial: records the
    /// findings.
    ///
    /// # Errors
    /// An FMU ended its process, or returned fmi2Fatal.
    pub(super) fn paused(
        &mut self,
        base: &Base,
        finished: &Finished,
        observers: &mut [&mut dyn Observer],
    ) -> Result<bool, Box<Error>> {
        let found = finished.pauses.iter().map(|pause| (Grid::from(pause), pause.from)).filter(|(grid, _)| self.is_coarse(grid));
        // The output of an instance with kinks may rest between two of them.
        let found: Vec<_> = found.filter(|(grid, _)| !self.has_kinks(grid.instance)).collect();
        let (mut known, subdivisions) = (false, finished.run.subdivisions);
        // An output that is constant between jumps pauses while its input does not pass a level.
        self.stepwise = self.find_stepwise(found.iter().map(|(grid, _)| grid.instance), base, &finished.run)?;
        if self.stepwise.changes_runs() {
            return Ok(false);
        }
        for (grid, from) in found {
            if self.pauses_again((base, subdivisions), &grid, from)? {
                self.know(grid, Some(from), observers);
                known = true;
            }
        }
        Ok(known)
    }

    /// Tries, twice at most, whether an instance that paused in a run from a time on also pauses in a trial.
    fn pauses_again(&mut self, (base, subdivisions): (&Base, u32), grid: &Grid, from: f64) -> Result<bool, Box<Error>> {
        let tries = self.n_pauses.entry(grid.instance).or_default();
        *tries += 1;
        if *tries > PAUSES_TRIED {
            return Ok(false);
        }
        let (start, stop) = self.system.span();
        let begin = from.max(start) + 0.5 * grid.low;
        if begin + base.slack() >= stop {
            return Ok(true);
        }
        let job = Job::divided(&Arc::new(base.before(begin)), subdivisions, self.expected_events(subdivisions));
        let made = self.one(&job.with_trial(Some(RunTrial::Pauses { grid: *grid, until: stop })))?;
        self.counters.n_trial_calls += made.calls.iter().map(|calls| calls.steps).sum::<u64>();
        match made.error {
            Some(error) if error.ended_process() || error.is_fatal() => Err(Box::new(error)),
            Some(_) => Ok(true),
            None => Ok(!made.findings.motions.grids.is_empty()),
        }
    }

    /// The subdivisions that the FMUs accept, in order; `None` if they accept all.
    pub(super) fn admitted(&self, base: &Base) -> Option<Vec<u32>> {
        if self.grids.is_empty() && !self.system.same_size {
            return None;
        }
        Some((1..=LARGEST_REFINEMENT).filter(|&subdivisions| self.admits(base, subdivisions)).collect())
    }

    fn admits(&self, base: &Base, subdivisions: u32) -> bool {
        let mesh = divided(self.system, base, subdivisions, &[]);
        let row = self.verified.output_interval;
        let suits =
            |grid: &Grid| grid.steps_in(row).is_some() && mesh.is_multiple_of(self.system.parts(grid.instance) * grid.size(row));
        (!self.system.same_size || mesh.is_uniform())
            && (self.grids.is_empty() || !self.has_events())
            && self.grids.iter().all(suits)
    }

    /// Which estimated columns belong to instances that depend on themselves via others, except in algebraic loops.
    pub(super) fn is_entangled(&self) -> Vec<bool> {
        let system = self.system;
        let mut in_loop = graph::in_loop(self.set_factory.fmus.len(), &system.resolved.links);
        let algebraic = system.graph.components.iter().filter(|component| component.is_loop);
        algebraic.flat_map(|component| &component.members).for_each(|&index| in_loop[index] = false);
        let columns = self.set_factory.plan.estimated().map(|(_, traits)| in_loop.get(traits.instance) == Some(&true));
        columns.chain(self.has_events().then_some(false)).collect()
    }

    /// Instances whose internal steps cannot be refined.
    pub(super) fn errors_inside(&self) -> Vec<InternalSteps> {
        let size = |grid: &Grid| grid.rounded(self.verified.output_interval);
        let steps = |grid: &Grid| InternalSteps::new(&self.set_factory.names[grid.instance], size(grid));
        self.grids.iter().map(steps).collect()
    }

    /// Describes the restrictions on meshes.
    pub(super) fn limits(&self) -> String {
        let name = |index: usize| &self.set_factory.names[index];
        let mut limits: Vec<String> = self.errors_inside().iter().map(ToString::to_string).collect();
        let same = (0..self.set_factory.names.len()).filter(|&index| !self.set_factory.fmus[index].capabilities().variable_step);
        limits.extend(same.map(|index| format!("`{}` supports one step size only", name(index))));
        limits.extend((self.has_events() && !self.grids.is_empty()).then(|| "steps end at events".to_owned()));
        limits.join(", ")
    }

    /// Size of the trial steps \[s\].
    pub(super) fn trial_step(&self) -> f64 {
        divided(self.system, &self.base(), 1, &[]).step()
    }

    /// The longest base step \[s\], a fraction of the shortest period of the sources and signals.
    fn longest_step(&self) -> f64 {
        let of_sources = self.system.resolved.time_events.shortest_period.map(|period| SHARE_OF_PERIOD * period);
        let of_ripple = self.ripple.and_then(|ripple| longest_step(&ripple, self.system.span()));
        of_sources.into_iter().chain(of_ripple).fold(self.verified.max_step, f64::min)
    }

    /// The base mesh with all rows and all times known before the run.
    pub(super) fn base(&self) -> Base {
        let points = self.points(self.verified.output_interval);
        Base::new(points, self.verified.output_interval)
    }

    /// The initial base mesh, before anything is known about the solution, given the base mesh with all rows. The second value
    /// describes the rows if they are not all among its points.
    pub(super) fn first_base(&self, with_all_rows: Base, expansion: ErrorExpansion) -> (Base, Option<OffMeshRows>) {
        if self.lands_on_rows() {
            return (self.resolved(with_all_rows), None);
        }
        let (start, stop) = self.system.span();
        let slack = with_all_rows.slack();
        let breaks = self.system.resolved.time_events.list.iter().map(|time_event| time_event.time);
        let breaks = breaks.filter(|time| *time > start + slack && *time < stop - slack).collect();
        let dues = if expansion == ErrorExpansion::Even { Dues::Eighths } else { Dues::All };
        let scan = self.system.scan.clone().map(|scan| (scan, self.verified.tolerance));
        let off_mesh = OffMeshRows { breaks, dues, scan, with_all_rows };
        let base = off_mesh.base(self.longest_step().min((stop - start) / FIRST_STEPS), false);
        if ROWS_PER_STEP * base.n_steps() <= off_mesh.with_all_rows.n_steps() {
            return (base, Some(off_mesh));
        }
        (self.resolved(off_mesh.with_all_rows), None)
    }

    /// Whether all rows must be base points. Values that are not Real are known only at mesh points. The first steps of
    /// methods that depend on the past have errors of their own, which are not smooth.
    fn lands_on_rows(&self) -> bool {
        let is_known = |column: &Column| column.is_constant || column.can_have_error();
        self.has_events() || !self.settled.even_powers || !self.set_factory.plan.columns.iter().all(is_known)
    }

    /// All times known before the run, and points at this distance, which are rows.
    fn points(&self, interval: f64) -> Vec<(f64, bool)> {
        let (start, stop) = self.system.span();
        let time_events = &self.system.resolved.time_events;
        let (slack, rows) = (time_events.slack, Points::new((start, stop), interval));
        let mut known = time_events.list.iter().map(|time_event| time_event.time).filter(|time| *time > start + slack).peekable();
        let mut points = vec![(start, true)];
        for row in 1_u64.. {
            let end = rows.at(row as f64);
            while let Some(time_event) = known.next_if(|time| *time < end - slack) {
                self.divide(&mut points, time_event, false);
            }
            while known.next_if(|time| *time <= end + slack).is_some() {}
            self.divide(&mut points, end, true);
            if rows.is_last(row as f64) {
                break;
            }
        }
        points
    }

    /// Adds points up to `end`.
    fn divide(&self, points: &mut Vec<(f64, bool)>, end: f64, is_row: bool) {
        let begin = points.last().map_or(end, |(time, _)| *time);
        points.extend(equally_between((begin, end), self.longest_step()).map(|time| (time, false)));
        points.push((end, is_row));
    }
}
