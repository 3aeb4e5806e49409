//! The mesh of a run that is repeated on finer meshes.

use super::{
    refuse::Reason,
    stepping::{Judgment, Proposal, Stepping},
};
use crate::{
    algorithm::{Attempt, Coupled, Level, Method, Step},
    checkpoint::Persistent,
    error_control::Estimates,
    source::Knot,
};

/// Every distance between neighboring rows and events is divided into equal steps: as many in every run, times its subdivisions.
///
/// Where events lie is known from the run before, up to the errors of its steps. An event that comes earlier or later than that moves the
/// steps after it, but hardly their size, so that the errors of the runs still have an expansion in powers of the step size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mesh<'a> {
    rows: Rows,
    /// Steps per row of the coarsest run, and how often this one divides them.
    base: u32,
    subdivisions: u32,
    /// Times at which events are expected \[s\], ascending.
    expected: &'a [f64],
    /// Events so far.
    events: usize,
    /// Points of time that are known before the run, and how many of them have passed.
    knots: &'a [Knot],
    passed: usize,
    /// The row before the present step.
    row: u64,
    /// The present segment, which ends at a row or an expected event, and the steps done in it.
    begin: f64,
    end: f64,
    steps: u32,
    done: u32,
    /// All steps are told to the FMUs as one size, without the rounding of times.
    same_size: bool,
}

/// Times that differ by less than this share of the duration are the same.
const ROUNDING: f64 = 1e-12;

/// Sizes of steps that differ by less than this share are the same.
const SAME: f64 = 1e-6;

/// Where rows are due.
#[derive(Debug, Clone, Copy)]
struct Rows {
    start: f64,
    stop: f64,
    interval: f64,
}

impl Rows {
    /// Time of a row \[s\].
    fn time(self, row: u64) -> f64 {
        let time = self.start + row as f64 * self.interval;
        // A rest below 1e-9 of the duration is rounding.
        if time >= self.stop - 1e-9 * (self.stop - self.start) { self.stop } else { time }
    }
}

impl<'a> Mesh<'a> {
    /// Rows every `interval` from start to stop, `base * subdivisions` steps per row; `expected` are the times of the events, `knots` are known.
    pub(crate) fn new(
        (start, stop): (f64, f64),
        interval: f64,
        (base, subdivisions): (u32, u32),
        expected: &'a [f64],
        knots: &'a [Knot],
    ) -> Self {
        let mut mesh = Self {
            rows: Rows { start, stop, interval },
            base,
            subdivisions,
            expected,
            events: 0,
            knots,
            passed: 0,
            row: 0,
            begin: start,
            end: start,
            steps: 1,
            done: 0,
            same_size: false,
        };
        mesh.begin_segment(start);
        mesh
    }

    /// The same mesh, which must be uniform, with steps that are equal to the last bit.
    pub(crate) fn of_same_size(self) -> Self {
        Self { same_size: true, ..self }
    }

    /// Whether all steps are equal, but for rounding.
    pub(crate) fn is_uniform(self) -> bool {
        let step = self.step();
        self.is_everywhere(|h| (h / step - 1.0).abs() <= SAME)
    }

    /// Whether all steps are multiples of `unit` \[s\], but for rounding.
    pub(crate) fn is_multiple_of(self, unit: f64) -> bool {
        self.is_everywhere(|h| {
            let units = h / unit;
            units > 0.5 && (units - units.round()).abs() <= SAME * units.max(1.0)
        })
    }

    /// Whether the steps between all rows and knots are so; where events will lie is not known.
    fn is_everywhere(mut self, is_so: impl Fn(f64) -> bool) -> bool {
        loop {
            if !is_so((self.end - self.begin) / f64::from(self.steps)) {
                return false;
            }
            if self.end == self.rows.stop {
                return true;
            }
            self.row += u64::from(self.end == self.rows.time(self.row + 1));
            self.begin_segment(self.end);
        }
    }

    /// Size of a step \[s\], but for the last row and about events.
    pub(crate) fn step(&self) -> f64 {
        self.rows.interval / f64::from(self.steps_per_row())
    }

    /// Distance of the rows \[s\].
    pub(crate) fn row_distance(&self) -> f64 {
        self.rows.interval
    }

    /// Steps from one row to the next, but about events.
    pub(crate) fn steps_per_row(&self) -> u32 {
        self.base.saturating_mul(self.subdivisions)
    }

    /// A segment begins at `time` and ends at the next expected event or row.
    fn begin_segment(&mut self, time: f64) {
        let row = self.rows.time(self.row + 1);
        let event = self.expected.iter().skip(self.events).copied().find(|event| *event > time);
        // What is as good as the row, or as the beginning of the segment, is there.
        let slack = ROUNDING * (self.rows.stop - self.rows.start);
        self.passed += self.knots[self.passed..].iter().take_while(|knot| knot.time <= time + slack).count();
        let knot = self.knots.get(self.passed).map(|knot| knot.time).filter(|knot| *knot < row - slack);
        let end = event.filter(|event| *event < row).unwrap_or(row);
        (self.begin, self.end) = (time, knot.map_or(end, |knot| knot.min(end)));
        let share = (self.end - self.begin) / (row - self.rows.time(self.row));
        // Rounding makes no step more.
        let base = (f64::from(self.base) * share * (1.0 - 1e-9)).ceil().max(1.0) as u32;
        (self.steps, self.done) = (base.saturating_mul(self.subdivisions), 0);
    }
}

/// The runs of a series are repeated, not gone on with.
impl Persistent for Mesh<'_> {}

impl Stepping for Mesh<'_> {
    fn propose(&self, t: f64) -> Proposal {
        let completes = self.done + 1 == self.steps;
        let share = f64::from(self.done + 1) / f64::from(self.steps);
        let end = if completes { self.end } else { self.begin + share * (self.end - self.begin) };
        let row = completes && self.end == self.rows.time(self.row + 1);
        let h = if self.same_size { self.step() } else { end - t };
        Proposal { h, end, row, last: row && end == self.rows.stop, lands: true, is_event: false, jumps: false }
    }

    fn attempt(&mut self, method: &mut Method, coupled: &mut Coupled, t: f64, proposal: &Proposal) -> Attempt<Option<Estimates>> {
        let step = Step { t, h: proposal.h };
        method.advance(coupled, step, proposal.is_due(), Level::Communication).map_continue(|()| None)
    }

    fn judge(&mut self, proposal: &Proposal, _: Option<Estimates>) -> Judgment {
        self.events += usize::from(proposal.is_event);
        if proposal.lands {
            self.done += 1;
            self.row += u64::from(proposal.row);
        }
        if proposal.is_event || self.done == self.steps {
            self.begin_segment(proposal.end);
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

    /// Ends of the steps, with an event (once) in the step that passes each of these times.
    fn walk(mut mesh: Mesh<'_>, events: &[f64]) -> Vec<f64> {
        let (mut t, mut ends, mut events) = (mesh.rows.start, Vec::new(), events.iter().peekable());
        loop {
            let mut proposal = mesh.propose(t);
            assert!(proposal.h > 0.0);
            if let Some(event) = events.next_if(|event| **event <= proposal.end) {
                let lands = *event == proposal.end;
                proposal = Proposal { h: event - t, end: *event, lands, is_event: true, ..proposal };
                proposal = if lands { proposal } else { Proposal { row: false, last: false, ..proposal } };
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
    fn steps_divide_the_distance_between_rows() {
        assert_eq!(walk(Mesh::new((0.0, 2.0), 1.0, (1, 2), &[], &[]), &[]), [0.5, 1.0, 1.5, 2.0]);
        assert_eq!(walk(Mesh::new((0.0, 1.25), 1.0, (2, 1), &[], &[]), &[]), [0.5, 1.0, 1.125, 1.25]);
    }

    #[test]
    fn expected_events_divide_the_mesh_too() {
        let expected = [0.5];
        assert_eq!(walk(Mesh::new((0.0, 1.0), 1.0, (1, 2), &expected, &[]), &expected), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(walk(Mesh::new((0.0, 1.0), 1.0, (1, 2), &expected, &[]), &[0.375]), [0.25, 0.375, 0.6875, 1.0]);
        assert_eq!(walk(Mesh::new((0.0, 1.0), 1.0, (1, 2), &expected, &[]), &[0.625]), [0.25, 0.5, 0.625, 0.8125, 1.0]);
    }

    #[test]
    fn known_points_are_in_every_mesh() {
        let knots = [Knot { time: 0.5, jumps: true }, Knot { time: 1.0 + 1e-14, jumps: false }];
        assert_eq!(walk(Mesh::new((0.0, 1.5), 1.0, (1, 2), &[], &knots), &[]), [0.25, 0.5, 0.75, 1.0, 1.25, 1.5]);
        assert_eq!(walk(Mesh::new((0.0, 1.0), 1.0, (1, 1), &[0.75], &knots), &[0.75]), [0.5, 0.75, 1.0]);
    }

    #[test]
    fn all_steps_are_compared() {
        let mesh = |stop, base, knots| Mesh::new((0.0, stop), 0.1, (base, 1), &[], knots);
        assert!(mesh(100.0, 3, &[]).is_uniform());
        assert!(!mesh(100.05, 3, &[]).is_uniform(), "the last row is nearer");
        let knot = [Knot { time: 0.25, jumps: true }];
        assert!(!mesh(1.0, 1, &knot).is_uniform());
        assert!(mesh(100.0, 5, &[]).is_multiple_of(0.01));
        assert!(!mesh(100.0, 4, &[]).is_multiple_of(0.01));
        assert!(mesh(1.0, 1, &knot).is_multiple_of(0.05));
        assert!(!mesh(1.0, 1, &knot).is_multiple_of(0.1));
        assert!(!mesh(1.0, 4, &[]).is_multiple_of(0.1), "a quarter of it");
    }

    #[test]
    fn steps_of_one_size_are_equal_to_the_last_bit() {
        let mut mesh = Mesh::new((0.0, 1.0), 0.1, (3, 1), &[], &[]).of_same_size();
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

    #[test]
    fn the_size_of_steps_is_that_of_the_coarsest_run_by_the_subdivisions() {
        for subdivisions in [1, 2, 3] {
            let expected = [0.4];
            let ends = walk(Mesh::new((0.0, 1.0), 1.0, (5, subdivisions), &expected, &[]), &expected);
            assert_eq!(ends.len(), 5 * subdivisions as usize, "{ends:?}");
        }
    }
}
