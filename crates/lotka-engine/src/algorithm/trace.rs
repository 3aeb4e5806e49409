//! How values change from step to step: their range, and differences that reveal where they are not smooth.

use super::Signals;
use crate::graph::{ColumnSource, DiscreteSource, Plan};

/// A value that an instance reads from another one, or a recorded output.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Exchanged {
    Real(usize),
    Discrete(DiscreteSource),
}

/// A value that is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Followed {
    pub(crate) value: Exchanged,
    pub(crate) instance: usize,
    /// Whether its instance has no inputs, so that it has no coupling error.
    pub(crate) is_free: bool,
    /// Whether it reflects a state, so that the effect of a switch that is noticed late persists.
    pub(crate) is_lasting: bool,
}

/// The largest difference of one order in a base step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Difference {
    /// `|divided difference| q! h^q`; 0 if unknown.
    pub(crate) size: f64,
    /// The mean distance `h` of its points \[s\].
    pub(crate) h: f64,
    /// The communication point at its center, counted from the start.
    pub(crate) at: u32,
}

/// The record of one value in a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValueTrace {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Per base step: differences of order 2 and of order 4.
    pub(crate) differences: [Vec<Difference>; 2],
}

/// The records of all followed values in a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Trace {
    /// Communication points \[s\].
    pub(crate) times: Vec<f64>,
    /// In the order of [`followed`].
    pub(crate) value_traces: Vec<ValueTrace>,
    /// Base steps in which signals restart for a known reason, and whether they jump there.
    pub(crate) restarts: Vec<(usize, bool)>,
}

/// Maximum number of points in a difference.
const POINTS: usize = 5;

/// Points closer than this share of their mean distance produce differences of rounding errors.
const NEAR: f64 = 1e-3;

impl ValueTrace {
    fn new(value: f64) -> Self {
        Self { low: value, high: value, differences: [Vec::new(), Vec::new()] }
    }

    /// Largest absolute value.
    pub(crate) fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(crate) fn range(&self) -> f64 {
        self.high - self.low
    }

    fn take(&mut self, value: f64) {
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
    }

    /// Records a difference of order `2 (which + 1)` in a base step.
    fn note(&mut self, which: usize, step: usize, difference: Difference) {
        let largest = &mut self.differences[which];
        if largest.len() <= step {
            largest.resize(step + 1, Difference::default());
        }
        if difference.size > largest[step].size {
            largest[step] = difference;
        }
    }
}

/// Follows values from step to step.
///
/// With steps of size h, differences of order q of smooth signals fall with `h^q`, and those of signals with kinks fall with h. Those of signals that
/// jump do not fall. No difference spans a point where signals are known not to be smooth.
///
/// The instance that a coupling scheme leaves behind has different errors in the middle of steps: its values in the middle are used.
#[derive(Debug)]
pub(crate) struct Tracer {
    followed: Vec<Followed>,
    late: Option<usize>,
    /// Values of the lagging instance in the middle of the present step.
    middle: Vec<f64>,
    rings: Vec<Ring>,
    base: usize,
    trace: Trace,
    /// Differences that end at the last point: value, order, base step.
    newest: Vec<(usize, usize, usize, Difference)>,
}

/// The last points of a value.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    /// The newest one is last.
    points: [Point; POINTS],
    /// Number of points since the signals restarted.
    count: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Point {
    time: f64,
    value: f64,
    /// Counted from the start.
    number: u32,
    /// The base step that begins here, or contains this point.
    step: usize,
    is_base: bool,
}

impl Ring {
    fn push(&mut self, point: Point) {
        self.points.rotate_left(1);
        self.points[POINTS - 1] = point;
        self.count += 1;
    }
}

impl Tracer {
    /// Starts from the values at time `t` \[s\]. `late` is the instance that the coupling scheme leaves behind by half a step where outputs are
    /// not due, if there is one.
    pub(crate) fn new(plan: &Plan, start: &Signals, t: f64, late: Option<usize>) -> Self {
        Self::of(followed(plan), start, t, late)
    }

    fn of(followed: Vec<Followed>, start: &Signals, t: f64, late: Option<usize>) -> Self {
        let value_trace = |followed: &Followed| ValueTrace::new(followed.value.of(start));
        let value_traces = followed.iter().map(value_trace).collect();
        let rings = vec![Ring::default(); followed.len()];
        let mut tracer = Self {
            rings,
            trace: Trace { times: vec![t], value_traces, restarts: Vec::new() },
            middle: vec![0.0; followed.len()],
            followed,
            late,
            base: 0,
            newest: Vec::new(),
        };
        tracer.begin(start);
        tracer
    }

    /// Records values of the lagging instance in the middle of a step at whose end outputs are due.
    pub(crate) fn pass_middle(&mut self, newest: &Signals) {
        for (middle, followed) in self.middle.iter_mut().zip(&self.followed).filter(|(_, of)| self.late == Some(of.instance)) {
            *middle = followed.value.of(newest);
        }
    }

    /// Records the values at the end of a step of size `h` that ends at `t` \[s\]. `due` is as in [`Sweep::pass`](super::Sweep::pass);
    /// `is_base` marks the end of a base step.
    pub(crate) fn follow(&mut self, newest: &Signals, (t, h): (f64, f64), due: bool, is_base: bool) {
        self.count_newest();
        let step = self.base;
        self.base += usize::from(is_base);
        let number = self.trace.times.len() as u32;
        self.trace.times.push(t);
        for (position, followed) in self.followed.iter().enumerate() {
            let is_late = self.late == Some(followed.instance);
            let value = followed.value.of(newest);
            let (value_trace, ring) = (&mut self.trace.value_traces[position], &mut self.rings[position]);
            value_trace.take(value);
            ring.push(match is_late {
                true => {
                    let value = if due { self.middle[position] } else { value };
                    Point { time: t - 0.5 * h, value, number, step, is_base: false }
                }
                false => Point { time: t, value, number, step: self.base, is_base },
            });
            differences(ring, |which, step, difference| self.newest.push((position, which, step, difference)));
        }
    }

    fn count_newest(&mut self) {
        for (position, which, step, difference) in self.newest.drain(..) {
            self.trace.value_traces[position].note(which, step, difference);
        }
    }

    /// Restarts the differences at a point where values are known not to be smooth. If the values may have jumped already, differences that end
    /// here are discarded.
    pub(crate) fn restart(&mut self, newest: &Signals, jumps: bool, may_have_jumped: bool) {
        if may_have_jumped {
            self.newest.clear();
        }
        self.trace.restarts.push((self.base, jumps));
        self.begin(newest);
    }

    fn begin(&mut self, newest: &Signals) {
        let number = self.trace.times.len().saturating_sub(1);
        let time = self.trace.times.last().copied().unwrap_or_default();
        for (followed, ring) in self.followed.iter().zip(&mut self.rings) {
            ring.count = 0;
            if self.late != Some(followed.instance) {
                let value = followed.value.of(newest);
                ring.push(Point { time, value, number: number as u32, step: self.base, is_base: true });
            }
        }
    }

    /// Returns the records of a finished run with `steps` base steps.
    pub(crate) fn finish(mut self, steps: usize) -> Trace {
        self.count_newest();
        for differences in self.trace.value_traces.iter_mut().flat_map(|value_trace| &mut value_trace.differences) {
            differences.resize(steps, Difference::default());
        }
        self.trace
    }
}

/// Computes the differences that end at the last point, with their orders and base steps.
fn differences(ring: &Ring, mut note: impl FnMut(usize, usize, Difference)) {
    for (which, count) in [3, POINTS].into_iter().enumerate().filter(|(_, count)| ring.count >= *count) {
        let points = &ring.points[POINTS - count..];
        let Point { number, step, is_base, .. } = points[count / 2];
        let (size, h) = difference(points);
        if points.windows(2).any(|pair| pair[1].time - pair[0].time < NEAR * h) {
            continue;
        }
        let difference = Difference { size, h, at: number };
        note(which, step, difference);
        if is_base && step > 0 {
            note(which, step - 1, difference);
        }
    }
}

/// Returns `|divided difference| q! h^q` of q + 1 points, and their mean distance `h`.
fn difference(points: &[Point]) -> (f64, f64) {
    let order = points.len() - 1;
    let mut divided = [0.0; POINTS];
    divided.iter_mut().zip(points).for_each(|(divided, point)| *divided = point.value);
    for level in 1..=order {
        for place in (level..=order).rev() {
            divided[place] = (divided[place] - divided[place - 1]) / (points[place].time - points[place - level].time);
        }
    }
    let h = (points[order].time - points[0].time) / order as f64;
    let factor: f64 = (1..=order).map(|level| level as f64 * h).product();
    ((divided[order] * factor).abs(), h)
}

impl Exchanged {
    pub(crate) fn of(self, signals: &Signals) -> f64 {
        match self {
            Self::Real(signal) => signals.reals[signal],
            Self::Discrete(source) => f64::from(signals.whole(source)),
        }
    }

    /// `instance.variable`.
    pub(crate) fn name(self, plan: &Plan) -> Option<&str> {
        let name = match self {
            Self::Real(signal) => plan.signal_names.get(signal),
            Self::Discrete(DiscreteSource::Integer(index)) => plan.integers.get(index),
            Self::Discrete(DiscreteSource::Boolean(index)) => plan.booleans.get(index),
        };
        name.map(String::as_str)
    }
}

/// Returns all numbers that instances read from others, and recorded outputs that may have a coupling error. Instances that react to events
/// read their inputs at the end of a step, so earlier values do not matter to them.
pub(crate) fn followed(plan: &Plan) -> Vec<Followed> {
    let mut is_followed = vec![false; plan.signal_names.len()];
    for instance_plan in plan.instances.iter().filter(|instance_plan| !instance_plan.is_reactor) {
        let terms = plan.gathers[instance_plan.gathers.clone()].iter().flat_map(|gather| &plan.terms[gather.terms.clone()]);
        terms.for_each(|term| is_followed[term.signal] = true);
    }
    for (column, source) in plan.columns.iter().zip(&plan.column_sources) {
        if let ColumnSource::Real(signal) = source
            && column.can_have_error()
            && !plan.is_held[*signal]
            && plan.owner(*signal).is_some_and(|instance| instance < plan.n_stepping && plan.instances[instance].reads())
        {
            is_followed[*signal] = true;
        }
    }
    // Sources are known exactly, and their jumps end steps.
    let instances = || plan.instances[..plan.n_stepping].iter().enumerate();
    let mut all = Vec::new();
    for (instance, instance_plan) in instances() {
        let of = |signal| Followed {
            value: Exchanged::Real(signal),
            instance,
            is_free: !instance_plan.reads(),
            is_lasting: instance_plan.reads() && !plan.is_immediate[signal],
        };
        all.extend(instance_plan.outputs.clone().filter(|signal| is_followed[*signal]).map(of));
    }
    for (instance, instance_plan) in instances() {
        let Some(discrete) = &instance_plan.discrete else { continue };
        // The instance does not matter here: these values never lag.
        let of = |value| Followed { value, instance, is_free: false, is_lasting: false };
        all.extend(discrete.converted.iter().map(|(signal, _)| of(Exchanged::Real(*signal))));
        all.extend(discrete.integer_inputs.iter().map(|(_, source)| of(Exchanged::Discrete(*source))));
        all.extend(discrete.boolean_inputs.iter().map(|(_, source)| of(Exchanged::Discrete(*source))));
    }
    all
}
