//! The refinement of the base mesh at places where signals are not smooth.

use std::{collections::HashSet, rc::Rc};

use lotka_prepare::{mesh::Base, trial::stiffness::Locked};
use lotka_step::Error;

use super::{
    DiscontinuityBracket, Explained, NonsmoothPoint, Obstacle, Runner, Search, Stop, Turn,
    discontinuities::{SLIGHT, START},
};
use crate::global::{GiveUp, Next};

/// Steps per base step of the coarser run from which on a place without any decrease of differences is trusted at once.
const TRUSTED: u32 = 3;

/// Bounds of refinement: share of the base steps that are not smooth; number of restarts; base steps as a multiple of the
/// original ones and in addition to that; change from the coarser to the finest run relative to the largest value.
const SHARE: f64 = 0.25;
const RESTARTS: u32 = 20;
const GROWTH: (usize, usize) = (16, 512);

/// Refinement is futile if places multiply: maximum multiple of the original ones, and number in addition to that.
const MULTIPLY: (usize, usize) = (2, 4);
const CHANGE: f64 = 0.15;

/// Steps per base step from which on a refined base without an order is given up, if it has this multiple of the original base
/// steps, and places are hardly smoother than there.
const REVERT: (u32, usize) = (24, 3);
const SMOOTHER: f64 = 1e-2;

impl Search {
    /// Has places that are not smooth in two runs explained, or refines the base mesh there, if worthwhile. Returns the next
    /// action.
    pub(super) fn refine(
        &mut self,
        discontinuities: &[DiscontinuityBracket],
        is_without_order: bool,
        runner: &mut dyn Runner,
    ) -> Result<Option<Turn>, Stop> {
        if is_without_order && self.runs.len() > super::FEWEST && !std::mem::replace(&mut self.has_tried_all, true) {
            let Some(run) = self.runs.last() else { return Ok(None) };
            match runner.explain(&self.base, run, &[])? {
                Explained::ByOtherRuns => return Ok(Some(Turn::Explained)),
                Explained::Locked(locked) if self.is_beyond(locked) => return Ok(Some(self.give_up(locked))),
                _ => {}
            }
        }
        let mut discontinuities = discontinuities.to_vec();
        if discontinuities.is_empty() && is_without_order && self.runs.len() > super::FEWEST {
            discontinuities = self.discontinuities(SLIGHT);
        }
        let now: HashSet<usize> = discontinuities.iter().map(|discontinuity| discontinuity.step).collect();
        let share = now.len() as f64 / self.base.n_steps().max(1) as f64;
        let was_there = |step: usize| {
            self.suspected.contains(&step)
                || self.suspected.contains(&(step + 1))
                || step.checked_sub(1).is_some_and(|step| self.suspected.contains(&step))
        };
        let is_trusted = self.coarser().is_some_and(|coarse| coarse.subdivisions >= TRUSTED);
        discontinuities.retain(|discontinuity| discontinuity.jumps && is_trusted || was_there(discontinuity.step));
        self.suspected = now;
        let limit = GROWTH.0 * self.first_base.n_steps() + GROWTH.1;
        let is_worthwhile =
            share <= SHARE && self.n_refinements < RESTARTS && self.base.n_steps() < limit && self.change() <= CHANGE;
        if discontinuities.is_empty() || self.settings.admitted.is_some() {
            return Ok(None);
        }
        match self.explain(&discontinuities, runner)? {
            Explained::Locked(locked) if self.is_beyond(locked) => return Ok(Some(self.give_up(locked))),
            Explained::Not | Explained::Locked(_) => {}
            Explained::ByOtherRuns => return Ok(Some(Turn::Explained)),
            Explained::Within(instance) => {
                // Its switches are never late by a step.
                let of_it = self.settings.followed.iter_mut().filter(|followed| followed.instance == instance);
                of_it.for_each(|followed| followed.is_lasting = false);
                self.within.insert(instance);
                return Ok(None);
            }
        }
        if !is_worthwhile || !self.refines {
            return Ok(None);
        }
        if self.settings.off_mesh_rows.is_some() {
            self.put_all_rows_on_mesh();
            return Ok(Some(Turn::Restart));
        }
        let largest_share = discontinuities.iter().map(|discontinuity| discontinuity.share).fold(0.0, f64::max);
        let (places, _) = *self.first_places.get_or_insert((discontinuities.len(), largest_share));
        if discontinuities.len() > MULTIPLY.0 * places + MULTIPLY.1 {
            self.revert();
            return Ok(Some(Turn::Restart));
        }
        let Some(run) = self.runs.last() else { return Ok(None) };
        let mut base = Base::clone(&self.base);
        let mut points: Vec<_> = discontinuities.iter().map(|discontinuity| discontinuity.point).collect();
        // A value with kinks may have one in the first or the last step, which lacks points on the other side to reveal it: these
        // steps are made as short as theirs.
        let is_kink = |discontinuity: &&DiscontinuityBracket| {
            self.settings.followed[discontinuity.value].is_lasting && discontinuity.step >= START
        };
        let width = discontinuities.iter().filter(is_kink).map(|discontinuity| discontinuity.width).fold(f64::INFINITY, f64::min);
        if let [start, after, .., before, end] = run.trace.times[..] {
            points.extend((after - start > width).then_some(0));
            points.extend((end - before > width).then_some(run.trace.times.len() - 1));
        }
        base.refine(&points, &run.trace.times);
        self.places.extend(discontinuities);
        self.base = Rc::new(base);
        self.n_refinements += 1;
        self.is_refined = true;
        Ok(Some(Turn::Restart))
    }

    /// Whether runs that resolve how two outputs follow each other make more calls than permitted.
    fn is_beyond(&self, locked: Locked) -> bool {
        self.limit().is_some_and(|limit| locked.calls > limit as f64)
    }

    /// Ends a search that can only be in vain.
    fn give_up(&mut self, locked: Locked) -> Turn {
        self.keep_finest(&[]);
        self.obstacle = Some(Obstacle::Locked(locked));
        Turn::Over(Next::GiveUp(GiveUp::Unresolved))
    }

    /// Has the place of each instance with the largest difference explained.
    fn explain(&self, discontinuities: &[DiscontinuityBracket], runner: &mut dyn Runner) -> Result<Explained, Box<Error>> {
        let Some(run) = self.runs.last() else { return Ok(Explained::Not) };
        let mut largest_first: Vec<&DiscontinuityBracket> = discontinuities.iter().collect();
        largest_first.sort_by(|a, b| b.share.total_cmp(&a.share));
        let mut places: Vec<NonsmoothPoint> = Vec::new();
        for discontinuity in largest_first {
            let instance = self.settings.followed[discontinuity.value].instance;
            // An instance that switches within steps has been tried.
            let is_tried = self.within.contains(&instance);
            if places.iter().all(|place| place.instance != instance) && !is_tried {
                places.push(NonsmoothPoint { instance, time: discontinuity.time, width: discontinuity.width });
            }
        }
        runner.explain(&self.base, run, &places)
    }

    /// Largest change from the coarser to the finest run, relative to the largest value of the column, among columns with a
    /// coupling error.
    pub(super) fn change(&self) -> f64 {
        let (Some(fine), Some(coarse)) = (self.runs.last(), self.coarser()) else { return f64::INFINITY };
        let columns = self.weights.columns();
        let (mut largest, mut changes) = (vec![0.0_f64; columns], vec![0.0_f64; columns]);
        for (index, (a, b)) in fine.values.iter().zip(&coarse.values).enumerate() {
            let column = index % columns;
            largest[column] = largest[column].max(self.weights.scale(column, *a));
            changes[column] = changes[column].max((a - b).abs());
        }
        let considered = (0..columns).filter(|&column| !self.weights.is_free(column) && largest[column] > 0.0);
        considered.map(|column| changes[column] / largest[column]).fold(0.0, f64::max)
    }

    /// Returns to the original base if a refined one has no order although its runs are fine. Returns true if it did.
    pub(super) fn reverts(&mut self, has_order: bool, discontinuities: &[DiscontinuityBracket]) -> bool {
        let finest = self.runs.last().map_or(0, |run| run.subdivisions);
        let is_large = self.base.n_steps() > REVERT.1 * self.first_base.n_steps() && self.refines && self.n_refinements > 0;
        let largest_share = discontinuities.iter().map(|discontinuity| discontinuity.share).fold(0.0, f64::max);
        let is_smoother = self.first_places.is_some_and(|(_, first)| largest_share < SMOOTHER * first);
        if has_order || finest < REVERT.0 || !is_large || is_smoother {
            return false;
        }
        self.revert();
        true
    }

    fn revert(&mut self) {
        self.base = self.first_base.clone();
        self.refines = false;
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::ErrorExpansion,
            samples::{Fake, search},
        },
        *,
    };
    use lotka_step::algorithm::{Exchanged, Followed, Trace, ValueTrace};

    const STEPS: usize = 100;

    fn base(steps: usize) -> Rc<Base> {
        Rc::new(Base::new((0..=steps).map(|point| (point as f64 / steps as f64, true)).collect(), 1.0 / steps as f64))
    }

    /// One value, on a base of many steps, in runs that differ little.
    fn of_many_steps() -> Search {
        let mut search = search(ErrorExpansion::Even, &[(2, 1.0), (4, 1.0), (8, 1.0)]);
        search.settings.followed = vec![Followed { value: Exchanged::Real(0), instance: 0, is_free: false, is_lasting: true }];
        (search.base, search.first_base) = (base(STEPS), base(STEPS));
        for run in &mut search.runs {
            let points = STEPS * run.subdivisions as usize;
            let times = (0..=points).map(|point| point as f64 / points as f64).collect();
            let value_trace = ValueTrace { low: 0.0, high: 1.0, differences: [Vec::new(), Vec::new()] };
            Rc::make_mut(run).trace = Trace { times, value_traces: vec![value_trace], ..Trace::default() };
        }
        search
    }

    /// Jumps in `count` base steps.
    fn discontinuities(count: usize) -> Vec<DiscontinuityBracket> {
        let discontinuity = |at: usize| {
            let (step, time) = (10 + at, (10 + at) as f64 / STEPS as f64);
            DiscontinuityBracket { value: 0, point: 8 * step, time, step, width: 1e-3, size: 0.1, share: 1e5, jumps: true }
        };
        (0..count).map(discontinuity).collect()
    }

    #[test]
    fn places_that_do_not_fall_are_refined() {
        let mut search = of_many_steps();
        assert!(matches!(search.refine(&discontinuities(1), false, &mut Fake::new(|_| 1.0)), Ok(Some(Turn::Restart))));
        assert!(search.base.n_steps() > STEPS && search.is_refined);
    }

    #[test]
    fn what_is_rough_in_many_steps_is_not_refined() {
        let mut search = of_many_steps();
        let worthwhile = (SHARE * STEPS as f64) as usize;
        assert!(matches!(search.refine(&discontinuities(worthwhile + 1), false, &mut Fake::new(|_| 1.0)), Ok(None)));
        assert_eq!(search.base.n_steps(), STEPS);
    }

    /// Each refinement reveals more places: signals are rough everywhere.
    #[test]
    fn refinement_is_given_up_where_places_multiply() {
        let (first, last) = (1, MULTIPLY.0 + MULTIPLY.1);
        for (count, refines) in [(last, true), (last + 1, false)] {
            let mut search = of_many_steps();
            search.refine(&discontinuities(first), false, &mut Fake::new(|_| 1.0)).unwrap();
            search.refine(&discontinuities(count), false, &mut Fake::new(|_| 1.0)).unwrap();
            assert_eq!(search.refines, refines, "{count}");
            assert_eq!(search.base.n_steps() == STEPS, !refines);
        }
    }

    /// Neither an order nor smoother places after all these steps: the original base is cheaper.
    #[test]
    fn refinement_without_effect_is_undone() {
        let refined = |finest: u32| {
            let mut search = search(ErrorExpansion::Even, &[(finest, 1.0)]);
            (search.base, search.first_base) = (base(4 * STEPS), base(STEPS));
            (search.n_refinements, search.first_places) = (3, Some((1, 1e5)));
            search
        };
        let smoother = DiscontinuityBracket { share: 1e2, ..discontinuities(1)[0] };
        assert!(refined(24).reverts(false, &discontinuities(1)));
        assert!(!refined(24).reverts(true, &discontinuities(1)), "orders show");
        assert!(!refined(24).reverts(false, &[smoother]));
        assert!(!refined(12).reverts(false, &discontinuities(1)), "finer runs may show an order");
        let mut search = refined(24);
        search.reverts(false, &discontinuities(1));
        assert_eq!((search.base.n_steps(), search.refines), (STEPS, false));
    }
}
