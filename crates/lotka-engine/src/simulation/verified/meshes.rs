//! The meshes of runs, and what FMUs that advance in steps of their own admit of them.

use super::{
    super::{grids, mesh::Mesh, single::Trial},
    report::InternalSteps,
    runs::{Finished, Runs},
};
use crate::{
    Error,
    algorithm::Grid,
    error_control::global::{Apart, Base, Dues, ErrorExpansion, LARGEST_REFINEMENT, equally_between},
    graph,
    record::{Column, Observer},
};
use lotka_message::Code;

/// The share of the time after which instances are tried once more.
const LATE: f64 = 0.75;

/// Base steps are at most this share of the period of a source: what repeats within a step does not show.
const SHARE_OF_PERIOD: f64 = 0.2;

/// Times that differ by less than this share of the duration are the same.
const ROUNDING: f64 = 1e-13;

/// Base steps to begin with, where rows are not among their points.
const FIRST_STEPS: f64 = 32.0;

/// Rows are not among them if there are so many in a base step to begin with, at least.
const ROWS_PER_STEP: usize = 8;

/// At the start, steps of FMUs are looked for up to this share of the whole time.
const EARLY: f64 = 0.2;

/// How often it is tried whether an instance pauses that did so in a run.
const PAUSES_TRIED: u32 = 2;

/// The finest steps of FMUs that are looked for, as a share of the distance between rows.
const FINEST_GRID: f64 = 1e-5;

impl<'a> Runs<'a> {
    /// Tries whether instances advance in steps of their own. They must be initialized again afterwards, as every run does.
    pub(super) fn find_grids(&mut self, observers: &mut [&mut dyn Observer]) -> Result<(), Box<Error>> {
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        self.scenario.initialize(coupled, &self.scenario.set_up)?;
        let found = grids::measure(coupled, self.scenario.span(), self.verified.output_interval, EARLY);
        self.counters.n_trial_calls += coupled.calls().map(|calls| calls.steps).sum::<u64>();
        self.instance_set.log.take();
        for grid in found {
            if self.is_coarse(&grid) {
                self.know(grid, None, observers);
            }
        }
        Ok(())
    }

    /// Tries the same late in a run, which is made for that and ends there. Whether something shows that was not known.
    pub(super) fn find_late_grids(
        &mut self,
        base: &Base,
        subdivisions: u32,
        observers: &mut [&mut dyn Observer],
    ) -> Result<bool, Box<Error>> {
        let (start, stop) = self.scenario.span();
        let rows = (LATE * (stop - start) / self.verified.output_interval).floor();
        let until = start + rows * self.verified.output_interval;
        let Some(until) = base.times().iter().rfind(|time| **time <= until + base.slack()).copied() else { return Ok(false) };
        if rows < 1.0 || until <= start || self.has_events() {
            return Ok(false);
        }
        let early = base.until(until);
        let set_up = self.scenario.set_up.clone();
        let made =
            self.one(&set_up, (self.divided(&early, subdivisions, &[]), subdivisions), 1.0, Some(Trial::Grids { until: stop }))?;
        self.counters.n_trial_calls += made.calls.iter().map(|calls| calls.steps).sum::<u64>();
        let unknown = |grid: &Grid| self.grids.iter().all(|known| known.instance != grid.instance);
        let found: Vec<_> = made.results.grids.into_iter().filter(|grid| self.is_coarse(grid)).filter(unknown).collect();
        found.iter().for_each(|grid| self.know(*grid, Some(until), observers));
        Ok(!found.is_empty())
    }

    /// Whether a grid can matter to a mesh: where an instance acts at known times, steps end there anyhow. Outputs in single precision stay as they
    /// are for such times, too.
    fn is_coarse(&self, grid: &Grid) -> bool {
        !self.scenario.resolved.time_events.actors.contains(&grid.instance)
            && grid.size(self.verified.output_interval) >= FINEST_GRID * self.verified.output_interval
    }

    /// Takes note of a grid, which shows from a time on.
    fn know(&mut self, grid: Grid, from: Option<f64>, observers: &mut [&mut dyn Observer]) {
        let size = grid.shown(self.verified.output_interval);
        let name = &self.set_factory.names[grid.instance];
        let from = from
            .filter(|from| *from > self.scenario.span().0)
            .map_or_else(String::new, |from| format!(" from t = {from:.4} s on"));
        let what = format!(
            "instance `{name}` advances in internal steps of {size} s{from}; Lotka uses only communication step sizes that are \
             multiples of it"
        );
        self.grids.retain(|known| known.instance != grid.instance);
        self.grids.push(grid);
        self.warn(Code::InternalSteps, what, observers);
    }

    /// Whether instances paused in a run on a base though its steps suit all grids that are known, and do so in a trial: takes note of what shows.
    ///
    /// # Errors
    /// An FMU brought its process to an end, or returned fmi2Fatal.
    pub(super) fn paused(
        &mut self,
        base: &Base,
        finished: &Finished,
        observers: &mut [&mut dyn Observer],
    ) -> Result<bool, Box<Error>> {
        let found = finished.pauses.iter().map(|pause| (Grid::from(pause), pause.from)).filter(|(grid, _)| self.is_coarse(grid));
        let (mut known, subdivisions) = (false, finished.run.subdivisions);
        for (grid, from) in found.collect::<Vec<_>>() {
            if self.pauses_again((base, subdivisions), &grid, from)? {
                self.know(grid, Some(from), observers);
                known = true;
            }
        }
        Ok(known)
    }

    /// Tries, twice at most, whether an instance that paused in a run from a time on does so in a trial.
    fn pauses_again(&mut self, (base, subdivisions): (&Base, u32), grid: &Grid, from: f64) -> Result<bool, Box<Error>> {
        let tries = self.n_pauses.entry(grid.instance).or_default();
        *tries += 1;
        if *tries > PAUSES_TRIED {
            return Ok(false);
        }
        let (start, stop) = self.scenario.span();
        let begin = from.max(start) + 0.5 * grid.low;
        if begin + base.slack() >= stop {
            return Ok(true);
        }
        let until_then = base.before(begin);
        let (set_up, expected) = (self.scenario.set_up.clone(), self.expected_events(subdivisions));
        let mesh = (self.divided(&until_then, subdivisions, &expected), subdivisions);
        let made = self.one(&set_up, mesh, 1.0, Some(Trial::Pauses { grid: *grid, until: stop }))?;
        self.counters.n_trial_calls += made.calls.iter().map(|calls| calls.steps).sum::<u64>();
        match made.error {
            Some(error) if error.ended_process() || error.is_fatal() => Err(Box::new(error)),
            Some(_) => Ok(true),
            None => Ok(!made.results.grids.is_empty()),
        }
    }

    /// The subdivisions that the FMUs bear, in order; `None` if they bear any.
    pub(super) fn admitted(&self, base: &Base) -> Option<Vec<u32>> {
        if self.grids.is_empty() && !self.scenario.same_size {
            return None;
        }
        Some((1..=LARGEST_REFINEMENT).filter(|&subdivisions| self.admits(base, subdivisions)).collect())
    }

    fn admits(&self, base: &Base, subdivisions: u32) -> bool {
        let mesh = self.divided(base, subdivisions, &[]);
        let row = self.verified.output_interval;
        let suits = |grid: &Grid| {
            grid.steps_in(row).is_some() && mesh.is_multiple_of(self.scenario.parts(grid.instance) * grid.size(row))
        };
        (!self.scenario.same_size || mesh.is_uniform())
            && (self.grids.is_empty() || !self.has_events())
            && self.grids.iter().all(suits)
    }

    /// Which estimated columns are of instances that depend on themselves by way of others, but for algebraic loops.
    pub(super) fn is_entangled(&self) -> Vec<bool> {
        let scenario = self.scenario;
        let mut in_loop = graph::in_loop(self.set_factory.fmus.len(), &scenario.resolved.links);
        let algebraic = scenario.graph.components.iter().filter(|component| component.is_loop);
        algebraic.flat_map(|component| &component.members).for_each(|&index| in_loop[index] = false);
        let columns = self.set_factory.plan.estimated().map(|(_, traits)| in_loop.get(traits.instance) == Some(&true));
        columns.chain(self.has_events().then_some(false)).collect()
    }

    /// Instances whose steps nobody can make finer.
    pub(super) fn errors_inside(&self) -> Vec<InternalSteps> {
        let steps = |grid: &Grid| InternalSteps {
            instance: self.set_factory.names[grid.instance].clone(),
            size: grid.shown(self.verified.output_interval),
        };
        self.grids.iter().map(steps).collect()
    }

    /// What forbids meshes.
    pub(super) fn limits(&self) -> String {
        let row = self.verified.output_interval;
        let name = |index: usize| &self.set_factory.names[index];
        let mut limits: Vec<String> = self
            .grids
            .iter()
            .map(|grid| format!("`{}` advances in internal steps of {} s", name(grid.instance), grid.shown(row)))
            .collect();
        let same = (0..self.set_factory.names.len()).filter(|&index| !self.set_factory.fmus[index].capabilities().variable_step);
        limits.extend(same.map(|index| format!("`{}` supports one step size only", name(index))));
        limits.extend((self.has_events() && !self.grids.is_empty()).then(|| "steps end at events".to_owned()));
        limits.join(", ")
    }

    /// Size of the steps by which instances are tried \[s\].
    pub(super) fn trial_step(&self) -> f64 {
        self.divided(&self.base(), 1, &[]).step()
    }

    /// The longest base step: with a few of them in each period of the sources \[s\].
    fn longest_step(&self) -> f64 {
        self.scenario
            .resolved
            .time_events
            .shortest_period
            .map_or(self.verified.max_step, |period| self.verified.max_step.min(SHARE_OF_PERIOD * period))
    }

    /// The base mesh with all rows, and all points of time that are known before the run.
    pub(super) fn base(&self) -> Base {
        let points = self.points(self.verified.output_interval);
        Base::new(points, self.verified.output_interval)
    }

    /// The base mesh to begin with, before anything is known of the solution, given that with all rows; and what is to be known of the rows if these
    /// are not all among its points.
    pub(super) fn first_base(&self, landing: Base, expansion: ErrorExpansion) -> (Base, Option<Apart>) {
        if self.lands_on_rows() {
            return (self.resolved(landing), None);
        }
        let (start, stop) = self.scenario.span();
        let slack = landing.slack();
        let breaks = self.scenario.resolved.time_events.list.iter().map(|time_event| time_event.time);
        let breaks = breaks.filter(|time| *time > start + slack && *time < stop - slack).collect();
        let dues = if expansion == ErrorExpansion::Even { Dues::Eighths } else { Dues::All };
        let apart = Apart { rows: landing.rows().collect(), breaks, dues, landing };
        let base = apart.base(self.longest_step().min((stop - start) / FIRST_STEPS));
        let is_coarse = |base: &Base| ROWS_PER_STEP * base.len() <= apart.landing.len();
        if is_coarse(&base) {
            let resolved = self.resolved(base);
            if is_coarse(&resolved) {
                return (resolved, Some(apart));
            }
        }
        (self.resolved(apart.landing), None)
    }

    /// Whether all rows must be base points: values that are no Real numbers are known at mesh points only; and the first steps after the start of
    /// methods that look at the past have errors of their own, which are not smooth.
    fn lands_on_rows(&self) -> bool {
        let is_known = |column: &Column| column.is_constant || column.can_have_error();
        self.has_events() || !self.settled.even_powers || !self.set_factory.plan.columns.iter().all(is_known)
    }

    /// All points of time that are known before the run, and points so far apart, which are rows.
    fn points(&self, interval: f64) -> Vec<(f64, bool)> {
        let (start, stop) = self.scenario.span();
        let time_events = &self.scenario.resolved.time_events;
        // Times as near as rounding are the same.
        let slack = time_events.slack.max(ROUNDING * (stop - start));
        let mut known = time_events.list.iter().map(|time_event| time_event.time).filter(|time| *time > start + slack).peekable();
        let mut points = vec![(start, true)];
        let (mut row, mut begin) = (0_u64, start);
        while begin < stop {
            row += 1;
            let time = start + row as f64 * interval;
            let end = if time >= stop - 1e-9 * (stop - start) { stop } else { time };
            while let Some(time_event) = known.next_if(|time| *time < end - slack) {
                self.divide(&mut points, time_event, false);
            }
            while known.next_if(|time| *time <= end + slack).is_some() {}
            self.divide(&mut points, end, true);
            begin = end;
        }
        points
    }

    /// Adds points up to `end`.
    fn divide(&self, points: &mut Vec<(f64, bool)>, end: f64, is_row: bool) {
        let begin = points.last().map_or(end, |(time, _)| *time);
        points.extend(equally_between((begin, end), self.longest_step()).map(|time| (time, false)));
        points.push((end, is_row));
    }

    /// A run in which every base step is divided.
    pub(super) fn divided<'e>(&self, base: &'e Base, subdivisions: u32, expected: &'e [f64]) -> Mesh<'e> {
        let mesh = Mesh::divided(base, subdivisions, expected);
        if self.scenario.same_size { mesh.of_same_size() } else { mesh }
    }
}
