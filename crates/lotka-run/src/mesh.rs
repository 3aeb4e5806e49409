//! The mesh of one in a series of runs on finer and finer meshes.

use lotka_plan::time::ulp;
use lotka_prepare::mesh::{Base, Point};
use lotka_step::{
    algorithm::{Attempt, Comb, Coupled, Level, Method, Step},
    checkpoint::Persistent,
    error_control::Estimates,
};

use super::{
    refuse::Reason,
    stepping::{Judgment, Proposal, Stepping},
};

/// Divides every step of a base mesh into the same number of steps, or ends steps at given points.
///
/// The previous run locates events, up to its step errors. An event that comes earlier or later moves the steps after it, but
/// hardly changes their size. Therefore the errors of the runs still have an expansion in powers of the step size.
#[derive(Debug, Clone, Copy)]
pub struct Mesh<'a> {
    base: &'a Base,
    inside: Inside<'a>,
    /// Expected times of events \[s\], ascending.
    expected: &'a [f64],
    /// Number of events so far.
    events: usize,
    /// The base point before the present step.
    point: usize,
    /// The present segment, which ends at a base point, an expected event or a given point, and the number of steps made in it.
    begin: f64,
    end: f64,
    steps: u32,
    done: u32,
    /// Parts of each base step at whose ends all outputs are due.
    dues: u32,
    /// Whether the FMUs receive one size for all steps, without the rounding of times.
    same_size: bool,
    growing: Option<Growing>,
}

/// Steps that grow where signals restart, and at one other place.
#[derive(Debug, Clone, Copy)]
struct Growing {
    /// Where signals restarted last \[s\], and the number of steps on the way to the end of the segment.
    from: f64,
    left: i32,
    /// Number of such restarts so far, and whether steps have grown without one.
    restarts: u32,
    has_needle: bool,
    /// The comb that takes the place of steps that grow without a restart, and whether it has begun.
    comb: Option<Comb>,
    in_comb: bool,
}

/// The division of base steps.
#[derive(Debug, Clone, Copy)]
enum Inside<'a> {
    /// A number of steps, equal if the base step is not gradual.
    Equal(u32),
    /// Given points, and the index of the next one.
    Points(&'a [Point], usize),
}

/// Minimum size of steps, in units in the last place of the time.
const SHORTEST: f64 = 16.0;

/// Factor by which steps grow where signals restart; their number; and the least size, in units in the last place of the time.
const GROWTH: f64 = 8.0;
const GROWING: i32 = 11;
const LEAST: f64 = 64.0;

/// Number of restarts from which steps grow, and one more for so many steps.
const RESTARTS: (f64, f64) = (3.0, 100.0);

/// Share of the run after which steps grow once more: at the next base point on the mesh, or at any of its points if there are
/// few base steps.
const NEEDLE: f64 = 0.618_034;
const FEW: usize = 18;

/// Step sizes that differ by less than this share are equal.
const SAME: f64 = 1e-6;

impl<'a> Mesh<'a> {
    /// Divides each step of `base` into parts; `expected` are the times of the events.
    #[must_use]
    pub fn divided(base: &'a Base, subdivisions: u32, expected: &'a [f64]) -> Self {
        Self::new(base, Inside::Equal(subdivisions), expected)
    }

    /// Ends steps at these points, the last of which is the stop time.
    #[must_use]
    pub fn through(base: &'a Base, points: &'a [Point]) -> Self {
        Self::new(base, Inside::Points(points, 0), &[])
    }

    /// The same mesh, with steps that grow from the start, from where signals restart, and from one other point, to the next
    /// point each. A comb takes the place of the latter.
    #[must_use]
    pub fn growing(self, comb: Option<Comb>) -> Self {
        let growing = Growing { from: self.begin, left: 0, restarts: 0, has_needle: false, comb, in_comb: false };
        let mut mesh = Self { growing: Some(growing), ..self };
        mesh.grow_from_restart(self.begin);
        mesh
    }

    /// The comb in it.
    pub(crate) fn comb(&self) -> Option<Comb> {
        self.growing?.comb
    }

    /// Whether some steps grow.
    pub(crate) fn is_growing(&self) -> bool {
        self.growing.is_some()
    }

    fn new(base: &'a Base, inside: Inside<'a>, expected: &'a [f64]) -> Self {
        let begin = base.times().first().copied().unwrap_or_default();
        let dues = if let Inside::Equal(parts) = inside { base.dues(parts) } else { 1 };
        let mut mesh = Self {
            base,
            inside,
            expected,
            events: 0,
            point: 0,
            begin,
            end: begin,
            steps: 1,
            done: 0,
            dues,
            same_size: false,
            growing: None,
        };
        mesh.begin_segment(begin);
        mesh
    }

    /// The same mesh, which must be uniform, with steps that are equal to the last bit.
    #[must_use]
    pub fn of_same_size(self) -> Self {
        Self { same_size: true, ..self }
    }

    /// Whether all steps are equal up to rounding.
    #[must_use]
    pub fn is_uniform(self) -> bool {
        let step = self.step();
        self.is_everywhere(|h| (h / step - 1.0).abs() <= SAME)
    }

    /// Whether all steps are multiples of `size` \[s\] up to rounding.
    #[must_use]
    pub fn is_multiple_of(self, size: f64) -> bool {
        self.is_everywhere(|h| {
            let ratio = h / size;
            ratio > 0.5 && (ratio - ratio.round()).abs() <= SAME * ratio.max(1.0)
        })
    }

    /// Whether the condition holds for the steps between all base points; the places of future events are not known.
    fn is_everywhere(self, is_so: impl Fn(f64) -> bool) -> bool {
        let parts = f64::from(self.parts());
        self.base.times().windows(2).all(|pair| is_so((pair[1] - pair[0]) / parts))
    }

    /// Whether base steps are divided into equal ones.
    pub(crate) fn is_divided(&self) -> bool {
        matches!(self.inside, Inside::Equal(_))
    }

    /// Whether this is one of the first two meshes on its base.
    pub(crate) fn is_coarse(&self) -> bool {
        self.is_divided() && self.parts() <= 2
    }

    /// Whether there are communication points where outputs are not due.
    pub(crate) fn leaves_behind(&self) -> bool {
        self.parts() > self.dues
    }

    /// Steps per base step.
    fn parts(&self) -> u32 {
        if let Inside::Equal(parts) = self.inside { parts } else { 1 }
    }

    /// Size of the first steps \[s\].
    #[must_use]
    pub fn step(&self) -> f64 {
        let times = self.base.times();
        let first = times.first().zip(times.get(1)).map_or(0.0, |(start, next)| next - start);
        first / f64::from(self.parts())
    }

    /// Number of steps, without those that events add.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match self.inside {
            Inside::Equal(parts) => self.base.n_steps() as u64 * u64::from(parts),
            Inside::Points(points, _) => points.len() as u64,
        }
    }

    /// Numbers of base steps and of steps, without those that events add.
    pub(crate) fn lengths(&self) -> (usize, u64) {
        (self.base.n_steps(), self.steps())
    }

    fn stop(&self) -> f64 {
        self.base.span().1
    }

    /// Begins a segment at `time` that ends at the next expected event or point.
    fn begin_segment(&mut self, time: f64) {
        let next = match self.inside {
            Inside::Equal(parts) => {
                self.steps = parts;
                self.base.times().get(self.point + 1).copied()
            }
            Inside::Points(points, next) => {
                self.steps = 1;
                points.get(next).map(|point| point.time)
            }
        };
        let next = next.unwrap_or_else(|| self.stop());
        let event = self.expected.iter().skip(self.events).copied().find(|event| *event > time);
        (self.begin, self.end, self.done) = (time, event.filter(|event| *event < next).unwrap_or(next), 0);
        // The rest after an event may be little more than rounding.
        let shortest = SHORTEST * ulp(self.end);
        let bearable = ((self.end - self.begin) / shortest).clamp(1.0, f64::from(self.steps));
        self.steps = if bearable < f64::from(self.steps) { bearable as u32 } else { self.steps };
    }

    /// Makes the steps from a restart to the end of the segment grow. Where there are many restarts, they are evenly chosen.
    fn grow_from_restart(&mut self, time: f64) {
        let so_far = self.steps() as f64 / RESTARTS.1 * self.share_at(time);
        let Some(growing) = &mut self.growing else { return };
        if f64::from(growing.restarts) < RESTARTS.0 + so_far {
            growing.restarts += 1;
            growing.begin(time, self.end);
        }
    }

    /// Makes the steps from a point of the mesh to the end of the segment grow, at one place, or makes a comb there.
    fn grow_from_point(&mut self, time: f64, is_base: bool) {
        let (share, is_short) = (self.share_at(time), self.base.n_steps() < FEW);
        let Some(growing) = &mut self.growing else { return };
        let is_place = match growing.comb {
            Some(comb) => comb.from <= time,
            None => share >= NEEDLE && (is_base || is_short),
        };
        if !growing.has_needle && is_place && share < 1.0 {
            growing.has_needle = true;
            growing.begin_needle(time, self.end);
        }
    }

    /// The share of the run before a time.
    fn share_at(&self, time: f64) -> f64 {
        let (start, stop) = self.base.span();
        (time - start) / (stop - start)
    }

    /// The end of the next step if it is one of those that grow.
    fn growing_end(&self) -> Option<f64> {
        let growing = self.growing.filter(|growing| growing.left > 0)?;
        Some(match growing.comb.filter(|_| growing.in_comb) {
            Some(comb) => growing.from + f64::from(Comb::STEPS as i32 + 1 - growing.left) * comb.size,
            None => growing.from + (self.end - growing.from) * GROWTH.powi(-growing.left),
        })
    }

    /// Whether the present segment is a base step.
    fn is_whole(&self) -> bool {
        self.is_divided() && self.begin == self.base.times()[self.point] && self.ends_at_base()
    }

    /// Whether the present segment ends at a base point.
    fn ends_at_base(&self) -> bool {
        match self.inside {
            Inside::Equal(_) => self.base.times().get(self.point + 1) == Some(&self.end),
            Inside::Points(points, next) => points.get(next).is_some_and(|point| point.is_base),
        }
    }
}

impl Growing {
    /// Begins with steps that grow from one time to another \[s\], as far as its resolution permits.
    fn begin(&mut self, from: f64, to: f64) {
        let least = LEAST * (from.abs().next_up() - from.abs());
        let bearable = ((to - from) / least).max(1.0).log(GROWTH).floor();
        (self.from, self.left, self.in_comb) = (from, GROWING.min(bearable as i32), false);
    }

    /// The same where signals do not restart, or the comb if it fits there.
    fn begin_needle(&mut self, from: f64, to: f64) {
        self.begin(from, to);
        let Some(comb) = &mut self.comb else { return };
        *comb = comb.within(to - from);
        let fits = comb.size > LEAST * ulp(to);
        (self.in_comb, self.left) = (fits, if fits { Comb::STEPS as i32 } else { 0 });
    }
}

/// The runs of a series are repeated, never resumed.
impl Persistent for Mesh<'_> {}

impl Stepping for Mesh<'_> {
    fn propose(&self, t: f64) -> Proposal {
        if let Some(end) = self.growing_end() {
            return Proposal::inside(t, end);
        }
        let completes = self.done + 1 == self.steps;
        let share = f64::from(self.done + 1) / f64::from(self.steps);
        let end = if completes {
            self.end
        } else if self.steps == self.parts() && self.is_whole() {
            self.base.within(self.point, share)
        } else {
            self.begin + share * (self.end - self.begin)
        };
        let ends_base = completes && self.ends_at_base();
        let row = ends_base || self.dues > 1 && (self.done + 1).is_multiple_of(self.parts() / self.dues);
        let h = if self.same_size { self.step() } else { end - t };
        let last = ends_base && end == self.stop();
        Proposal { h, end, row, last, lands: true, is_event: false, jumps: false, ends_base }
    }

    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, proposal: &Proposal) -> Attempt<Option<Estimates>> {
        let step = Step { t, h: proposal.h };
        method.advance(coupled, step, proposal.is_due(), Level::Communication).map_continue(|()| None)
    }

    fn judge(&mut self, proposal: &Proposal, _: Option<Estimates>) -> Judgment {
        self.events += usize::from(proposal.is_event);
        let is_growing = self.growing_end() == Some(proposal.end);
        if is_growing && let Some(growing) = &mut self.growing {
            growing.left -= 1;
        }
        if proposal.lands {
            self.done += 1;
            self.point += usize::from(proposal.ends_base);
        }
        if proposal.lands
            && self.done == self.steps
            && let Inside::Points(_, next) = &mut self.inside
        {
            *next += 1;
        }
        if proposal.is_event || self.done == self.steps {
            self.begin_segment(proposal.end);
        }
        if proposal.is_event || proposal.jumps || !proposal.lands && !is_growing {
            self.grow_from_restart(proposal.end);
        } else if proposal.lands {
            self.grow_from_point(proposal.end, proposal.ends_base);
        }
        Judgment::Accepted
    }

    fn refused(&mut self, _: &Proposal) -> Result<(), Reason> {
        Err(Reason::Mesh)
    }

    fn needs_rollback(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lotka_prepare::mesh::Dues;

    fn base(times: &[f64]) -> Base {
        Base::new(times.iter().map(|time| (*time, true)).collect(), 1.0)
    }

    /// Ends of the steps, with one event in the step that passes each of these times.
    fn walk(mut mesh: Mesh<'_>, events: &[f64]) -> Vec<f64> {
        let (mut t, mut ends, mut events) = (mesh.begin, Vec::new(), events.iter().peekable());
        loop {
            let mut proposal = mesh.propose(t);
            assert!(proposal.h > 0.0);
            if let Some(event) = events.next_if(|event| **event <= proposal.end) {
                let lands = *event == proposal.end;
                proposal = Proposal { h: event - t, end: *event, lands, is_event: true, ..proposal };
                proposal = if lands { proposal } else { Proposal { row: false, last: false, ends_base: false, ..proposal } };
            }
            ends.push(proposal.end);
            t = proposal.end;
            assert_eq!(mesh.judge(&proposal, None), Judgment::Accepted);
            if proposal.last {
                return ends;
            }
        }
    }

    #[test]
    fn steps_divide_base_steps() {
        assert_eq!(walk(Mesh::divided(&base(&[0.0, 1.0, 2.0]), 2, &[]), &[]), [0.5, 1.0, 1.5, 2.0]);
        assert_eq!(walk(Mesh::divided(&base(&[0.0, 1.0, 1.25]), 2, &[]), &[]), [0.5, 1.0, 1.125, 1.25]);
    }

    #[test]
    fn expected_events_divide_the_mesh_too() {
        let (expected, base) = ([0.5], base(&[0.0, 1.0]));
        assert_eq!(walk(Mesh::divided(&base, 2, &expected), &expected), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(walk(Mesh::divided(&base, 2, &expected), &[0.375]), [0.25, 0.375, 0.6875, 1.0]);
        assert_eq!(walk(Mesh::divided(&base, 2, &expected), &[0.625]), [0.25, 0.5, 0.625, 0.8125, 1.0]);
    }

    /// The points of a run are those between which rows are interpolated.
    #[test]
    fn parts_of_gradual_steps_follow_the_same_curve() {
        let base = Base::with_off_mesh_rows(&[0.0, 2.0, 20.0, 21.0, 40.0], 1.0, Dues::All, true);
        let ends = walk(Mesh::divided(&base, 8, &[]), &[]);
        let within = (0..base.n_steps()).flat_map(|step| (1..=8).map(move |part| (step, f64::from(part) / 8.0)));
        let expected: Vec<f64> =
            within.map(|(step, share)| if share < 1.0 { base.within(step, share) } else { base.times()[step + 1] }).collect();
        assert_eq!(ends, expected);
        assert!(ends.windows(2).all(|pair| pair[0] < pair[1]) && ends.contains(&20.5), "{ends:?}");
    }

    #[test]
    fn steps_right_before_a_base_point_are_no_shorter_than_rounding() {
        let base = base(&[0.0, 1e4]);
        let event = 1e4 - 2e-11;
        assert_eq!(walk(Mesh::divided(&base, 100, &[event]), &[event]).len(), 101);
    }

    #[test]
    fn given_points_are_landed_on_whatever_comes_between() {
        let base = base(&[0.0, 1.0, 2.0]);
        let point = |time: f64, is_base| Point { time, is_base };
        let points = [point(0.3, false), point(1.4, false), point(2.0, true)];
        assert_eq!(walk(Mesh::through(&base, &points), &[]), [0.3, 1.4, 2.0]);
        assert_eq!(walk(Mesh::through(&base, &points), &[0.5]), [0.3, 0.5, 1.4, 2.0]);
    }

    /// From the start, from an event and from one point of the mesh, to the next point. What follows is as without.
    #[test]
    fn steps_grow_from_where_signals_restart_and_from_one_point() {
        let base = base(&[0.0, 1.0, 2.0]);
        let points = [0.5, 1.0, 1.5, 1.75, 2.0].map(|time| Point { time, is_base: time.fract() == 0.0 });
        let ends = walk(Mesh::through(&base, &points).growing(None), &[0.75]);
        let grown = |from: f64, to: f64| {
            let step = move |left: i32| from + (to - from) * GROWTH.powi(-left);
            (0..=GROWING).rev().map(step)
        };
        let expected: Vec<f64> =
            grown(0.0, 0.5).chain([0.75]).chain(grown(0.75, 1.0)).chain([1.5]).chain(grown(1.5, 1.75)).chain([2.0]).collect();
        assert_eq!(ends, expected);
    }

    /// From the first point that is not before the given time, if it fits there; otherwise with steps that are shorter.
    #[test]
    fn a_comb_takes_the_place_of_steps_that_grow_at_one_point() {
        let base = base(&[0.0, 1.0, 2.0]);
        let points = [0.5, 1.0, 1.5, 2.0].map(|time| Point { time, is_base: time.fract() == 0.0 });
        for (size, expected) in [(1e-4, 1e-4), (1.0, 0.25 / f64::from(Comb::STEPS))] {
            let ends = walk(Mesh::through(&base, &points).growing(Some(Comb { size, from: 0.9 })), &[]);
            let inside: Vec<f64> = ends.into_iter().filter(|end| (1.0..1.5).contains(end)).collect();
            assert_eq!(inside.len(), 1 + Comb::STEPS as usize, "{inside:?}");
            assert!(inside.windows(2).all(|pair| (pair[1] - pair[0] - expected).abs() < 1e-12), "{inside:?}");
        }
    }

    /// Late in time, the shortest steps are longer than its resolution; of many events, some are enough.
    #[test]
    fn steps_that_grow_are_neither_too_short_nor_too_many() {
        let late = base(&[1e9, 1e9 + 1.0]);
        let points = [Point { time: 1e9 + 1.0, is_base: true }];
        let ends = walk(Mesh::through(&late, &points).growing(None), &[]);
        assert!(ends.len() > 3 && ends[0] >= 1e9 + LEAST * (1e9_f64.next_up() - 1e9), "{ends:?}");
        let many = base(&[0.0, 100.0]);
        let points = [Point { time: 100.0, is_base: true }];
        let events: Vec<f64> = (1..100).map(f64::from).collect();
        let ends = walk(Mesh::through(&many, &points).growing(None), &events);
        assert!(ends.len() < 100 + 4 * GROWING as usize, "{}", ends.len());
    }

    #[test]
    fn all_steps_are_compared() {
        let mesh = |base, parts| Mesh::divided(base, parts, &[]);
        let tenths = |count: u32| base(&(0..=count).map(|n| f64::from(n) / 10.0).collect::<Vec<_>>());
        let (even, shorter) = (tenths(1000), base(&[0.0, 0.1, 0.2, 0.25]));
        assert!(mesh(&even, 3).is_uniform());
        assert!(!mesh(&shorter, 3).is_uniform());
        assert!(mesh(&even, 5).is_multiple_of(0.01) && mesh(&shorter, 1).is_multiple_of(0.05));
        assert!(!mesh(&even, 4).is_multiple_of(0.01) && !mesh(&shorter, 1).is_multiple_of(0.1));
        assert!(!mesh(&even, 4).is_multiple_of(0.1), "a quarter of it");
    }

    #[test]
    fn steps_of_one_size_are_equal_to_the_last_bit() {
        let base = base(&(0..=10).map(|n| f64::from(n) / 10.0).collect::<Vec<_>>());
        let mut mesh = Mesh::divided(&base, 3, &[]).of_same_size();
        let mut sizes = Vec::new();
        loop {
            let proposal = mesh.propose(sizes.iter().sum());
            sizes.push(proposal.h);
            assert_eq!(mesh.judge(&proposal, None), Judgment::Accepted);
            if proposal.last {
                break;
            }
        }
        assert_eq!(sizes, [0.1 / 3.0; 30]);
    }
}
