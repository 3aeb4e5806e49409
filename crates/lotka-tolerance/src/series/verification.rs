//! The search for a result on finer and finer meshes, and its verdict.

use std::collections::HashMap;

use lotka_message::Code;
use lotka_plan::column::{Column, ValueType};
use lotka_prepare::trial::{grids::Acts, switches::Tried};
use lotka_run::{InstanceSetFactory, record::Observer};
use lotka_step::{
    Error,
    algorithm::followed,
    error::InternalSteps,
    resolved::{LARGEST_REFINEMENT, Verified},
};

use super::{
    estimated::{expansion, followed_values, groups},
    mesh_runner::{Halt, MeshRunner},
    outcome::{Refined, Verdict},
    reason::{self, TIME_OF_EVENTS},
    recording::Recording,
    report,
    runs::Runs,
    suggestion,
};
use crate::global::{
    self, BUDGET, ErrorBound, ErrorExpansion, GiveUp, IMPLICIT_BUDGET, Next, Search, Settings, SignChange, Stop,
};

/// Largest relative rounding error of a value in single precision.
const SINGLE_PRECISION: f64 = 0.5 * f32::EPSILON as f64;

/// Describes why there are no finer runs.
fn lost(error: &Error) -> String {
    if error.is_fatal() { "an FMU reported a fatal error" } else { "an FMU ended its process" }.to_owned()
}

/// The search for a result, and the rows of its runs.
pub(super) struct Verification<'r, 'a> {
    pub(super) runs: &'r mut Runs<'a>,
    pub(super) set_factory: &'a InstanceSetFactory,
    pub(super) verified: &'a Verified,
    pub(super) search: Search,
    pub(super) next: Option<Next>,
    /// What explains a place where signals are not smooth: other runs follow.
    pub(super) tried: Tried,
    /// When instances with internal steps of fixed size act, if that was tried.
    pub(super) acts: Vec<Acts>,
    pub(super) rows: HashMap<usize, Recording>,
    pub(super) last_error: Option<Box<Error>>,
}

impl<'r, 'a> Verification<'r, 'a> {
    pub(super) fn new(
        runs: &'r mut Runs<'a>,
        set_factory: &'a InstanceSetFactory,
        verified: &'a Verified,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Self, Box<Error>> {
        let coupling = expansion(runs.prepare(observers)?);
        let noise = runs.noise()?.max(if set_factory.plan.has_single { SINGLE_PRECISION } else { 0.0 });
        let expansion = runs.with_errors_inside(coupling)?;
        runs.expect_powers(expansion);
        let coarsest = runs.first_base(runs.base(), expansion).0.longest();
        runs.find_motions(coarsest, observers)?;
        let known = runs.base();
        let admitted = runs.admitted(&known);
        let (base, off_mesh_rows) = match &admitted {
            None if !runs.is_implicit => runs.first_base(known, expansion),
            None => (runs.graded(known), None),
            Some(_) => (known, None),
        };
        let times = runs.has_events();
        let followed = followed(&set_factory.plan);
        let bound = ErrorBound {
            tolerance: verified.tolerance,
            absolute: verified.scale.map(|scale| scale * verified.tolerance),
            nominals: set_factory.plan.estimated().map(|(_, traits)| traits.nominal).chain(times.then_some(None)).collect(),
            groups: groups(set_factory.plan.estimated().map(|(_, traits)| &traits.kind)),
            followed_values: followed_values(set_factory, &followed),
            // The times of events have an error in every run.
            is_free: if times { Vec::new() } else { set_factory.plan.is_free() },
        };
        let settings = Settings {
            bound,
            expansion,
            is_stale: coupling == ErrorExpansion::FromOne,
            noise,
            largest_refinement: LARGEST_REFINEMENT,
            max_calls: verified.max_calls,
            budget: if runs.is_implicit { IMPLICIT_BUDGET } else { BUDGET },
            earlier_calls: runs.earlier_calls,
            admitted,
            is_entangled: runs.is_entangled(),
            followed,
            late: runs.late(),
            acts_at_times: !runs.system.resolved.time_events.actors.is_empty(),
            relies_on_trials: runs.watched.is_some(),
            is_implicit: runs.solves_for_ends(),
            is_refined: false,
            has_events: times,
            off_mesh_rows,
            ripple: runs.ripple,
        };
        let search = Search::new(settings, base);
        Ok(Self {
            runs,
            set_factory,
            verified,
            search,
            next: None,
            tried: Tried::default(),
            acts: Vec::new(),
            rows: HashMap::new(),
            last_error: None,
        })
    }

    /// Makes finer and finer runs as long as they improve the result.
    pub(super) fn refine(&mut self, observers: &mut [&mut dyn Observer]) -> Result<Refined, Box<Error>> {
        let mut mesh_runner = MeshRunner::new(self.runs, observers);
        let end = self.search.go(&mut mesh_runner);
        self.tried = std::mem::take(&mut mesh_runner.tried);
        let halt = mesh_runner.halt.take();
        (self.rows, self.last_error) = (std::mem::take(&mut mesh_runner.rows), mesh_runner.last_error.take());
        match end {
            Ok(global::End::Over(next)) => self.next = Some(next),
            Ok(global::End::Stopped | global::End::Explained) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::SignChange(change)) => return Err(self.relative_to_zero(change)),
        }
        Ok(match halt {
            _ if self.next.is_some() || self.tried.changes_runs() => Refined::Done,
            Some(Halt::Lost(error)) => Refined::Lost(error),
            Some(Halt::Canceled) | None => Refined::Canceled,
        })
    }

    fn relative_to_zero(&self, change: SignChange) -> Box<Error> {
        let variable = self.set_factory.plan.estimated().nth(change.column).map(|(column, _)| column.name.clone());
        Box::new(Error::RelativeToZero { variable: variable.unwrap_or_default() })
    }

    /// The best result, if there is one, and its error.
    pub(super) fn verdict(
        mut self,
        mut refined: Refined,
        observers: &mut [&mut dyn Observer],
    ) -> Result<(Refined, Option<Verdict>), Box<Error>> {
        let excluded = self.search.excluded().to_vec();
        let (found, obstacle, places) = self.search.finish();
        let Some(mut found) = found else {
            return match (refined, self.last_error) {
                (Refined::Done, Some(error)) => Err(error),
                (refined, _) => Ok((refined, None)),
            };
        };
        let own = self.runs.join_errors_inside(&mut found, &excluded, &mut refined, observers);
        let mut between = found.take_estimates_between();
        found.result.take_in(&found.rows.values, &between, &found.weights);
        // A search that ends without a result has not confirmed an estimate within the tolerance.
        if !matches!(self.next, Some(Next::Reached)) && found.result.largest <= self.verified.tolerance {
            found.result.forget_errors();
            between.fill(f64::INFINITY);
        }
        let plan = &self.set_factory.plan;
        let limits = self.runs.limits();
        let missed = match (self.next, &refined) {
            (Some(Next::Reached), _) => None,
            (Some(Next::GiveUp(reason)), _) => {
                let failures = (limits.as_str(), self.last_error.as_deref());
                Some(reason::text(reason, obstacle, (&found, self.verified.tolerance), plan, failures))
            }
            (None, Refined::Lost(error)) => Some(lost(error)),
            (None, _) => Some("the run was canceled".to_owned()),
        };
        let mut times = Column::new(TIME_OF_EVENTS, ValueType::Real);
        times.unit = Some("s".to_owned());
        let mut columns: Vec<_> = plan.estimated().map(|(column, _)| column).collect();
        columns.extend(self.runs.has_events().then_some(&times));
        for column in excluded.iter().filter_map(|&column| columns.get(column)) {
            let what = format!("`{}` has values that are not finite, so Lotka does not bound or estimate its error", column.name);
            self.runs.warn(Code::NotEstimated, what, observers);
        }
        let mut error =
            report::summarize((&found, &between), (own, self.runs.inexact()), self.verified.tolerance, &columns, missed);
        error.discontinuities = report::discontinuities(&places, plan, found.base.distance());
        error.internal_steps = self.runs.errors_inside();
        if self.set_factory.fmus.iter().all(|fmu| fmu.capabilities().save_state) && !self.runs.has_events() {
            let is_possible = self.runs.possible_events();
            error.suggested_events = suggestion::events(&error.discontinuities, &found, plan, is_possible);
        }
        let switches = &self.runs.system.switches;
        error.switches = switches.iter().map(|switch| report::found_switch(self.set_factory, switch)).collect();
        error.times = self.runs.system.acts.iter().map(|acts| report::found_times(self.set_factory, acts)).collect();
        error
            .suggested_events
            .extend(self.acts.iter().map(|acts| suggestion::acts(&report::found_times(self.set_factory, acts))));
        if let Some(Next::GiveUp(GiveUp::NoMesh { .. })) = self.next {
            let is_known =
                |steps: &&InternalSteps| self.acts.iter().any(|acts| self.set_factory.names[acts.instance] == steps.instance);
            let unknown = error.internal_steps.iter().filter(|steps| !is_known(steps));
            error.suggested_events.extend(unknown.map(suggestion::times));
        }
        report::exclude(&mut error, &excluded);
        let finest = found.finest().cloned();
        let verdict = finest.and_then(|finest| Some((self.rows.remove(&finest.id)?, finest))).map(|(mut rows, finest)| {
            let between = rows.between(std::mem::take(&mut found.rows), between, &excluded);
            let result = &mut found.result;
            rows.put_back(&finest, &mut result.values, &mut result.estimate, &excluded);
            rows.show_rows_of(&found.base);
            let (values, estimates) = (std::mem::take(&mut result.values), std::mem::take(&mut result.estimate));
            let hides_events = self.runs.hides_events();
            Verdict { rows, values, estimates, between, error, hides_events, ended: self.runs.ended.take() }
        });
        Ok((refined, verdict))
    }
}
