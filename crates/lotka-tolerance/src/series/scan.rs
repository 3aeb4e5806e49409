//! Scan of the instances without inputs, which step alone before the first run: where their signals jump or have kinks, and where
//! they need base points.

use std::{ops::ControlFlow, sync::Arc};

use lotka_prepare::{
    mesh::{self, Base, Scan, Suspect},
    trial::{plain, save},
};
use lotka_run::{
    InstanceSet, InstanceSetFactory, SharedSystem, describe,
    record::{Notification, Observer, emit},
};
use lotka_step::{
    Error,
    corner::{Corner, Kind},
    resolved::Verified,
};

use super::{
    amended::with_corners,
    flow::refused,
    runs::{Runs, Spent},
};

/// Maximum number of parts of the whole time: more rows do not require a closer scan.
const MOST_PARTS: usize = 100;

/// Maximum number of places that are scanned more closely.
const MOST_SUSPECTS: usize = 2000;

/// Times are distinguished up to this share of the largest one.
const LEAST: f64 = 4.0 * f64::EPSILON;

/// Maximum number of corners that are named.
const NAMED: usize = 3;

/// A corner of a signal of an instance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FoundCorner {
    pub(crate) instance: usize,
    pub(crate) corner: Corner,
}

/// The result of a scan, or how an FMU ended its process.
type Looked = Result<Option<(InstanceSetFactory, SharedSystem)>, Box<Error>>;

/// Returns the same system with steps that end where signals of instances without inputs jump or have kinks, and the properties
/// of these signals. Returns `None` if there are no such instances, or if they cannot step alone.
pub(super) fn look(
    set_factory: &InstanceSetFactory,
    instance_set: &mut InstanceSet,
    system: &SharedSystem,
    verified: &Verified,
    observers: &mut [&mut dyn Observer],
) -> (Box<Spent>, Looked) {
    let mut runs = Runs::new(set_factory, instance_set, system, verified, None);
    let found = runs.look();
    let spent = Box::new(runs.spent());
    let found = found.map(|found| {
        let (scan, corners) = found?;
        let scanned = SharedSystem { scan: Some(Arc::new(scan)), ..system.clone() };
        if corners.is_empty() {
            return Some((set_factory.clone(), scanned));
        }
        let located: Vec<Corner> = corners.iter().map(|found| found.corner).collect();
        let (set_factory, system) = with_corners(set_factory, &scanned, &located)?;
        set_factory.couple_again(instance_set);
        let what = format!("{}; algorithm: {}", found_at(&set_factory, &corners), describe(&system, &set_factory));
        emit(observers, &Notification::MethodChanged { what: &what });
        Some((set_factory, system))
    });
    (spent, found)
}

/// Describes the findings.
fn found_at(set_factory: &InstanceSetFactory, corners: &[FoundCorner]) -> String {
    let what = corners.iter().take(NAMED).map(|FoundCorner { instance, corner }| {
        let does = match corner.kind {
            Kind::Jump => "jumps",
            Kind::Kink => "has a kink",
        };
        format!("`{}` {does} at t = {:?} s", set_factory.names[*instance], corner.time)
    });
    let mut what: Vec<String> = what.collect();
    what.extend((corners.len() > NAMED).then(|| format!("and at {} other times", corners.len() - NAMED)));
    format!("{}, as trial steps show; from now on, steps end there", what.join(", "))
}

impl Runs<'_> {
    /// The signals that others read from instances without inputs, and their corners. `None` if there are none, or if the
    /// instances cannot step alone. Instances must be initialized again afterwards, as in every run.
    fn look(&mut self) -> Result<Option<(Scan, Vec<FoundCorner>)>, Box<Error>> {
        let free = self.free();
        if free.is_empty() {
            return Ok(None);
        }
        let (start, stop) = self.system.span();
        let base = self.base();
        let base = if base.n_steps() > MOST_PARTS { Base::equal((start, stop), MOST_PARTS) } else { base };
        let (mut scan, mut last) = (None, 0.0);
        for density in mesh::densities(&base) {
            let closer = self.walk(&free, &base, density);
            self.count();
            let Some(closer) = closer? else { return Ok(None) };
            let unresolved = closer.unresolved(&base, self.verified.tolerance);
            let (is_resolved, falls) = (unresolved <= mesh::SHORT, scan.is_some() && 2.0 * unresolved <= last);
            if scan.is_none() || is_resolved {
                scan = Some(closer);
            }
            // Jumps are never resolved, but the unresolved share of the time decreases. Signals that no points resolve, such as
            // noise, need no closer scan.
            if is_resolved || falls {
                break;
            }
            last = unresolved;
        }
        let Some(scan) = scan else { return Ok(None) };
        let corners = self.corners(&free, &scan, &base);
        self.count();
        Ok(Some((scan, corners?)))
    }

    /// Counts the calls made to the instances.
    fn count(&mut self) {
        let calls: Vec<_> = self.instance_set.coupled.calls().collect();
        self.instance_set.log.take();
        self.add_trials(&calls);
        self.instance_set.coupled.begin();
    }

    /// Instances without inputs whose signals others read.
    fn free(&self) -> Vec<usize> {
        let coupled = &self.instance_set.coupled;
        let plan = &coupled.plan;
        let is_free = |index: &usize| !plan.instances[*index].reads() && !plan.instances[*index].connected().is_empty();
        let free: Vec<usize> = (0..plan.n_stepping).filter(is_free).collect();
        let can_step = |index: &usize| coupled.instances[*index].inner.capabilities().variable_step;
        if free.iter().all(can_step) { free } else { Vec::new() }
    }

    /// The signals of these instances, in the order of [`Runs::signals_of`].
    fn walk(&mut self, free: &[usize], base: &Base, density: usize) -> Result<Option<Scan>, Box<Error>> {
        let signals = self.signals_of(free);
        let coupled = &mut self.instance_set.coupled;
        coupled.begin();
        self.system.initialize(coupled, &self.system.set_up)?;
        let times = mesh::points(base, density);
        let mut columns: Vec<Vec<f64>> = signals.iter().map(|&(_, signal)| vec![coupled.newest.reals[signal]]).collect();
        for pair in times.windows(2) {
            for &index in free {
                if let ControlFlow::Break(stop) = coupled.step_with_newest(index, pair[0], pair[1] - pair[0]) {
                    return refused(*stop);
                }
            }
            columns.iter_mut().zip(&signals).for_each(|(column, &(_, signal))| column.push(coupled.newest.reals[signal]));
        }
        Ok(Some(Scan::new(times, columns)))
    }

    /// Signals, each with its instance.
    fn signals_of(&self, free: &[usize]) -> Vec<(usize, usize)> {
        let plans = &self.instance_set.coupled.plan.instances;
        free.iter().flat_map(|&index| plans[index].outputs.clone().map(move |signal| (index, signal))).collect()
    }

    /// The corners of these signals, for instances that support rollback.
    fn corners(&mut self, free: &[usize], scan: &Scan, base: &Base) -> Result<Vec<FoundCorner>, Box<Error>> {
        let signals = self.signals_of(free);
        let suspects = scan.suspects(self.verified.tolerance);
        if suspects.len() > MOST_SUSPECTS {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for &index in free {
            let of_it: Vec<_> = suspects.iter().filter(|suspect| signals[suspect.column].0 == index).copied().collect();
            let capabilities = self.instance_set.coupled.instances[index].inner.capabilities();
            if !of_it.is_empty() && capabilities.save_state {
                let signal = |suspect: &Suspect| signals[suspect.column].1;
                found.extend(self.corners_of(index, scan, base, &of_it, signal)?);
            }
        }
        found.sort_by(|a, b| a.corner.time.total_cmp(&b.corner.time));
        Ok(found)
    }

    /// Takes an instance along the base to each place, and samples its values from there.
    fn corners_of(
        &mut self,
        index: usize,
        scan: &Scan,
        base: &Base,
        suspects: &[Suspect],
        signal: impl Fn(&Suspect) -> usize,
    ) -> Result<Vec<FoundCorner>, Box<Error>> {
        let (start, stop) = self.system.span();
        let coupled = &mut self.instance_set.coupled;
        self.system.initialize(coupled, &self.system.set_up)?;
        let Ok(slot) = save(coupled, index) else { return Ok(Vec::new()) };
        let least = LEAST * start.abs().max(stop.abs());
        let (mut found, mut now) = (Vec::new(), start);
        'suspects: for suspect in suspects {
            let begin = scan.time(suspect.point.saturating_sub(1));
            let on_the_way = base.times().iter().copied().filter(|time| *time > now && *time < begin);
            for time in on_the_way.chain([begin]).filter(|time| *time > start).collect::<Vec<_>>() {
                if let ControlFlow::Break(stop) = coupled.step_with_newest(index, now, time - now) {
                    refused::<()>(*stop)?;
                    break 'suspects;
                }
                now = time;
            }
            if coupled.instances[index].inner.save(slot).is_err() {
                break;
            }
            let (mut is_here, mut lost) = (true, None);
            let corner = scan.locate(suspect, least, |time| {
                if !is_here {
                    coupled.instances[index].inner.restore(slot).ok()?;
                }
                is_here = false;
                if let ControlFlow::Break(stop) = coupled.step_with_newest(index, begin, time - begin) {
                    lost = refused::<()>(*stop).err();
                    return None;
                }
                Some(coupled.newest.reals[signal(suspect)])
            });
            if let Some(error) = lost {
                return Err(error);
            }
            found.extend(corner.map(|corner| {
                let time = plain::near(corner.time, corner.within.max(least));
                FoundCorner { instance: index, corner: Corner { time, ..corner } }
            }));
            if coupled.instances[index].inner.restore(slot).is_err() {
                break;
            }
        }
        let _ = coupled.instances[index].inner.free_slot(slot);
        Ok(found)
    }

    /// A base mesh whose points resolve the signals of instances without inputs.
    pub(super) fn resolved(&self, base: Base) -> Base {
        match &self.system.scan {
            Some(scan) => scan.resolved(base, self.verified.tolerance),
            None => base,
        }
    }
}
