//! Places where signals are not smooth at the scale of the mesh, and the refinement of the base mesh there.

use std::{collections::HashSet, rc::Rc};

use super::{
    super::{Extrapolation, Ladder, Run, base::Base},
    Explained, Place, Runner, Search, Stop, Turn,
};
use crate::{Error, algorithm::Followed};

/// Share of the tolerance, relative to the range of a value, above which differences count.
pub(super) const SIGNIFICANT: f64 = 0.01;

/// The share of that above which differences count for values near 0, where the base was refined within so many steps.
const LEFT_OVER: f64 = 0.02;
const BESIDE: f64 = 4.0;

/// A kink shows in differences of order 4 in so many base steps beside the one where it shows in those of order 2.
const ABOUT: usize = 2;

/// The same where no order shows, so that something must be there.
const SLIGHT: f64 = 1e-7;

/// The powers of the ratio of step sizes with which differences of smooth signals fall at least: of order 2; of order 4 where powers of the error
/// are even, or there is none; of order 4 elsewhere; of methods of order 1.
const POWERS: [f64; 4] = [1.5, 2.5, 1.5, 0.5];

/// The same in the first and the last base step, and after a known kink, where differences of a coarse run do not reach as far as those of a fine one: of order 2, of
/// order 4.
const FIRST: [f64; 2] = [1.1, 1.5];

/// Those of order 2 there where errors are of order 1: those of a kink fall with 1.
const FIRST_OF_ONE: f64 = 1.25;

/// Steps per base step of the coarser run from which on a place where differences do not fall at all is believed at once.
const BELIEVED: u32 = 3;

/// Differences below so many times the rounding of the value are rounding: of order 2, of order 4.
const ROUNDING: [f64; 2] = [256.0 * f64::EPSILON, 2048.0 * f64::EPSILON];

/// The same as multiples of the noise of the FMUs.
const NOISE: [f64; 2] = [8.0, 32.0];

/// The share of the coarser run's difference above which it does not fall at all.
const JUMP: f64 = 0.7;

/// Base steps after the start in which differences of order 4 are not judged where steps begin with held inputs.
const START: usize = 2;

/// Bounds of refinement: share of the base steps that are not smooth, restarts, base steps as a multiple of those at first and beside that, change
/// from the coarser to the finest run relative to the largest value.
const SHARE: f64 = 0.25;
const RESTARTS: u32 = 20;
const GROWTH: (usize, usize) = (16, 512);

/// Refinement is in vain where places multiply: beyond this multiple of those at first, and so many beside that.
const MULTIPLY: (usize, usize) = (2, 4);
const CHANGE: f64 = 0.15;

/// Steps per base step from which on a refined base that shows no order is given up, if it has so many times the base steps of the first, and
/// places are hardly smoother than there.
const REVERT: (u32, usize) = (24, 3);
const SMOOTHER: f64 = 1e-2;

/// A place where a value is not smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// In the order of [`followed`](crate::algorithm::followed).
    pub(crate) value: usize,
    /// Communication point of the finest run, its time \[s\] and its base step.
    pub(super) point: usize,
    pub(crate) time: f64,
    pub(super) step: usize,
    /// Distance of the communication points there \[s\].
    pub(crate) width: f64,
    /// The difference, and the same relative to the tolerance and the range of the value.
    pub(super) size: f64,
    pub(crate) share: f64,
    /// It does not fall with the step size.
    pub(crate) jumps: bool,
}

impl Search {
    /// Where values of the finest run are not smooth, against the finest run with steps twice as large at least; at most one place for each
    /// communication point.
    pub(super) fn spots(&self, significance: f64) -> Vec<Spot> {
        let Some(fine) = self.runs.last() else { return Vec::new() };
        let Some(coarse) = self.coarser() else { return Vec::new() };
        let mut spots: Vec<Spot> = Vec::new();
        let mut points = HashSet::new();
        let floors = self.floors();
        for (value, followed) in self.settings.followed.iter().enumerate() {
            for order in 0..2 {
                let found = self.spots_of((value, *followed, order), floors[value], (fine, coarse), significance);
                spots.extend(found.into_iter().filter(|spot| points.insert(spot.point)));
            }
        }
        spots
    }

    /// What is left where the base was refined. A switch that is noticed late in a step is so in all runs, whose steps begin at the same base point: they agree, and are
    /// off by this difference. It is small beside the range of the value, but need not be beside the value where that passes 0. Then these places are not smooth.
    pub(super) fn left_over(&self, table: &mut Extrapolation) -> Vec<Spot> {
        let is_refined = |spot: &Spot| {
            let instance = |spot: &Spot| self.settings.followed[spot.value].instance;
            let is_there =
                |place: &Spot| (place.time - spot.time).abs() <= BESIDE * place.width && instance(place) == instance(spot);
            self.settings.followed[spot.value].is_lasting && self.places.iter().any(is_there)
        };
        let mut spots = if self.places.is_empty() { Vec::new() } else { self.spots(LEFT_OVER * SIGNIFICANT) };
        spots.retain(is_refined);
        let (columns, Some(run)) = (self.weights.columns(), self.runs.last()) else { return Vec::new() };
        for (column, course) in self.settings.promise.courses.iter().enumerate() {
            for spot in spots.iter().filter(|spot| *course == Some(spot.value)) {
                let after = run.times.partition_point(|time| *time < spot.time);
                table.estimate.iter_mut().skip(column).step_by(columns).skip(after).for_each(|estimate| *estimate += spot.size);
            }
        }
        if spots.is_empty() {
            return spots;
        }
        table.measure(&self.weights);
        if table.largest <= self.settings.promise.tolerance { Vec::new() } else { spots }
    }

    /// What a kink in the last step would leave in the last row. No point lies behind it in any run, so that no difference shows it. Where values have kinks elsewhere,
    /// it is taken for as large as the largest of those: they fall with h where the slope jumps, with h^2 where the curvature does.
    pub(super) fn left_at_the_end(&self, table: &mut Extrapolation) -> Vec<Spot> {
        let (Some(fine), Some(coarse)) = (self.runs.last(), self.coarser()) else { return Vec::new() };
        let (columns, floors) = (self.weights.columns(), self.floors());
        let [.., before, end] = fine.trace.times[..] else { return Vec::new() };
        let is_place = |spot: &Spot| self.places.iter().any(|place| (place.time - spot.time).abs() <= BESIDE * place.width);
        let mut ends = Vec::new();
        for (column, course) in self.settings.promise.courses.iter().enumerate() {
            let Some((value, followed)) = course.and_then(|value| Some((value, *self.settings.followed.get(value)?))) else {
                continue;
            };
            if !followed.is_lasting || self.places.is_empty() {
                continue;
            }
            let kinks = |order| {
                let mut kinks = self.spots_of((value, followed, order), floors[value], (fine, coarse), SLIGHT);
                kinks.retain(is_place);
                kinks
            };
            let (slopes, mut curvatures) = (kinks(0), kinks(1));
            curvatures.retain(|kink| slopes.iter().all(|slope| slope.step.abs_diff(kink.step) > ABOUT));
            let of = |kinks: &[Spot], power| {
                kinks.iter().map(|kink| kink.size * ((end - before) / kink.width).powi(power)).fold(0.0, f64::max)
            };
            let size = of(&slopes, 1).max(of(&curvatures, 2));
            let Some(estimate) = table.estimate.iter_mut().skip(column).step_by(columns).next_back() else { continue };
            *estimate += size;
            if size > 0.0 {
                let (step, point) = (self.base.len().saturating_sub(1), fine.trace.times.len() - 1);
                ends.push(Spot { value, point, time: end, step, width: end - before, size, share: 1.0, jumps: true });
            }
        }
        if ends.is_empty() {
            return ends;
        }
        table.measure(&self.weights);
        if table.largest <= self.settings.promise.tolerance { Vec::new() } else { ends }
    }

    fn coarser(&self) -> Option<&Rc<Run>> {
        let fine = self.runs.last()?;
        self.runs.iter().rev().find(|run| 2 * run.subdivisions <= fine.subdivisions)
    }

    fn spots_of(
        &self,
        (value, followed, order): (usize, Followed, usize),
        floor: f64,
        (fine, coarse): (&Run, &Run),
        significance: f64,
    ) -> Vec<Spot> {
        let (Some(course), Some(other)) = (fine.trace.courses.get(value), coarse.trace.courses.get(value)) else {
            return Vec::new();
        };
        let range = course.range().max(floor);
        if course.range() <= 0.0 || !range.is_finite() {
            return Vec::new();
        }
        let (power, first, is_late_start) = self.power(followed, order);
        let ratio = f64::from(coarse.subdivisions) / f64::from(fine.subdivisions);
        // Its points are not equally far apart.
        let is_late = self.settings.late == Some(followed.instance);
        let (fines, coarses) = (&course.differences[order], &other.differences[order]);
        let mut spots = Vec::new();
        for (step, difference) in fines.iter().enumerate().skip(if is_late_start { START } else { 0 }) {
            let beside = step.saturating_sub(order + 1)..=(step + order + 1).min(coarses.len().saturating_sub(1));
            let others = coarses.get(beside).unwrap_or_default().iter();
            // Between two points where signals begin anew, a coarse run may have too few points for a difference.
            if others.clone().all(|other| other.h == 0.0) {
                continue;
            }
            let largest = others.copied().max_by(|a, b| a.size.total_cmp(&b.size)).unwrap_or_default();
            let falls_by = if largest.size > 0.0 { difference.size / largest.size } else { f64::INFINITY };
            let ratio = if is_late && largest.size > 0.0 { ratio.max(difference.h / largest.h) } else { ratio };
            // What depends on time or inputs alone acts on others, over the step; a state is off by all that a late switch makes.
            let effect = if followed.is_lasting { 1.0 } else { (difference.h / self.base.distance()).min(1.0) };
            let share = difference.size * effect / (self.settings.promise.tolerance * range);
            let restart =
                fine.trace.restarts.iter().filter(|(begin, _)| *begin == step).map(|(_, jumps)| *jumps).reduce(|a, b| a || b);
            if restart == Some(true) {
                continue;
            }
            let is_end = step == 0 || step + 1 == self.base.len();
            let power = if is_end || restart.is_some() { first.min(power) } else { power };
            if falls_by > ratio.powf(power)
                && share > significance
                && difference.size > (ROUNDING[order] + NOISE[order] * self.settings.noise) * course.size()
            {
                let point = difference.at as usize;
                let time = fine.trace.times.get(point).copied().unwrap_or_default();
                let (width, size) = (difference.h, difference.size);
                spots.push(Spot { value, point, time, step, width, size, share, jumps: falls_by > JUMP });
            }
        }
        spots
    }

    /// What is too small to matter in each value that is followed; 0 for those that are not recorded.
    fn floors(&self) -> Vec<f64> {
        let mut floors = vec![0.0; self.settings.followed.len()];
        for (column, course) in self.settings.promise.courses.iter().enumerate() {
            if let Some(value) = course {
                floors[*value] = self.weights.floor(column);
            }
        }
        floors
    }

    /// The powers with which differences fall, everywhere and at ends, and whether the first base steps do not count.
    fn power(&self, followed: Followed, order: usize) -> (f64, f64, bool) {
        // The values of an instance that is left behind have an error of their own, which changes with the step size.
        let is_late = self.settings.late == Some(followed.instance);
        let is_even = self.settings.ladder == Ladder::Even && !is_late;
        let power = match order {
            0 => POWERS[0],
            _ if self.settings.ladder == Ladder::FromOne && !followed.is_free => POWERS[3],
            _ if is_even || followed.is_free => POWERS[1],
            _ => POWERS[2],
        };
        // Where powers of the error are even, a switch that comes late by a share of a step spoils them; an error of order 1 hides it.
        let hides_kinks = self.settings.ladder == Ladder::FromOne;
        let first = if hides_kinks && order == 0 { FIRST_OF_ONE } else { FIRST[order] };
        (power, first, is_late && !(hides_kinks && order == 0) || order == 1 && !is_even && !followed.is_free)
    }

    /// Has places that are not smooth in two runs explained, or refines the base mesh there, if that is worth while: what comes then.
    pub(super) fn refine(
        &mut self,
        spots: &[Spot],
        is_without_order: bool,
        runner: &mut dyn Runner,
    ) -> Result<Option<Turn>, Stop> {
        let mut spots = spots.to_vec();
        if spots.is_empty() && is_without_order && self.runs.len() > super::FEWEST {
            spots = self.spots(SLIGHT);
        }
        let now: HashSet<usize> = spots.iter().map(|spot| spot.step).collect();
        let share = now.len() as f64 / self.base.len().max(1) as f64;
        let was_there = |step: usize| {
            self.suspected.contains(&step)
                || self.suspected.contains(&(step + 1))
                || step.checked_sub(1).is_some_and(|step| self.suspected.contains(&step))
        };
        let is_believed = self.coarser().is_some_and(|coarse| coarse.subdivisions >= BELIEVED);
        spots.retain(|spot| spot.jumps && is_believed || was_there(spot.step));
        self.suspected = now;
        let limit = GROWTH.0 * self.first_base.len() + GROWTH.1;
        let is_bearable = share <= SHARE && self.n_refinements < RESTARTS && self.base.len() < limit && self.change() <= CHANGE;
        if spots.is_empty() || self.settings.admitted.is_some() {
            return Ok(None);
        }
        match self.explain(&spots, runner)? {
            Explained::Not => {}
            Explained::ByOtherRuns => return Ok(Some(Turn::Explained)),
            Explained::Within(instance) => {
                // Nothing it does is late by a step.
                let of_it = self.settings.followed.iter_mut().filter(|followed| followed.instance == instance);
                of_it.for_each(|followed| followed.is_lasting = false);
                self.within.insert(instance);
                return Ok(None);
            }
        }
        if !is_bearable || !self.refines {
            return Ok(None);
        }
        if self.settings.apart.is_some() {
            self.land();
            return Ok(Some(Turn::Anew));
        }
        let roughness = spots.iter().map(|spot| spot.share).fold(0.0, f64::max);
        let (places, _) = *self.first_places.get_or_insert((spots.len(), roughness));
        if spots.len() > MULTIPLY.0 * places + MULTIPLY.1 {
            self.revert();
            return Ok(Some(Turn::Anew));
        }
        let Some(run) = self.runs.last() else { return Ok(None) };
        let mut base = Base::clone(&self.base);
        let mut points: Vec<_> = spots.iter().map(|spot| spot.point).collect();
        // What has kinks may have one in the last step: it is as short as theirs.
        let is_kink = |spot: &&Spot| self.settings.followed[spot.value].is_lasting && spot.step >= START;
        let width = spots.iter().filter(is_kink).map(|spot| spot.width).fold(f64::INFINITY, f64::min);
        if let [.., before, end] = run.trace.times[..]
            && end - before > width
        {
            points.push(run.trace.times.len() - 1);
        }
        base.refine(&points, &run.trace.times);
        self.places.extend(spots);
        self.base = Rc::new(base);
        self.n_refinements += 1;
        self.is_refined = true;
        Ok(Some(Turn::Anew))
    }

    /// Has the roughest place of each instance explained.
    fn explain(&self, spots: &[Spot], runner: &mut dyn Runner) -> Result<Explained, Box<Error>> {
        let Some(run) = self.runs.last() else { return Ok(Explained::Not) };
        let mut roughest: Vec<&Spot> = spots.iter().collect();
        roughest.sort_by(|a, b| b.share.total_cmp(&a.share));
        let mut places: Vec<Place> = Vec::new();
        for spot in roughest {
            let instance = self.settings.followed[spot.value].instance;
            // What switches within steps has been tried.
            let is_tried = self.within.contains(&instance);
            if places.iter().all(|place| place.instance != instance) && !is_tried {
                places.push(Place { instance, time: spot.time, width: spot.width });
            }
        }
        runner.explain(&self.base, run, &places)
    }

    /// Largest change from the coarser to the finest run, relative to the largest value of the column; coupling has an error in it.
    pub(super) fn change(&self) -> f64 {
        let (Some(fine), Some(coarse)) = (self.runs.last(), self.coarser()) else { return f64::INFINITY };
        let columns = self.weights.columns();
        let (mut largest, mut changes) = (vec![0.0_f64; columns], vec![0.0_f64; columns]);
        for (index, (a, b)) in fine.values.iter().zip(&coarse.values).enumerate() {
            let column = index % columns;
            largest[column] = largest[column].max(self.weights.scale(column, *a));
            changes[column] = changes[column].max((a - b).abs());
        }
        let judged = (0..columns).filter(|&column| !self.weights.is_free(column) && largest[column] > 0.0);
        judged.map(|column| changes[column] / largest[column]).fold(0.0, f64::max)
    }

    /// Goes back to the first base if a refined one shows no order although its runs are fine. Whether it did.
    pub(super) fn reverts(&mut self, has_order: bool, spots: &[Spot]) -> bool {
        let finest = self.runs.last().map_or(0, |run| run.subdivisions);
        let is_large = self.base.len() > REVERT.1 * self.first_base.len() && self.refines && self.n_refinements > 0;
        let roughness = spots.iter().map(|spot| spot.share).fold(0.0, f64::max);
        let is_smoother = self.first_places.is_some_and(|(_, first)| roughness < SMOOTHER * first);
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
