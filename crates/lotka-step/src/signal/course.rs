//! What an instance needs to know of the system to compute its inputs, compiled before the first step.

use std::ops::Range;

use lotka_plan::graph::{Gather, Plan};

use super::rules::{HELD, Known, place_of_rule};

/// How a signal is assumed to change during a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) signal: u32,
    /// The instance whose step makes its end value known; one past the last instance for held signals.
    pub(super) source: u32,
    /// Index of its slope, if it has one, or of its piece.
    pub(super) index: u32,
    /// Place of its rule while its end value is unknown.
    pub(super) rule: u8,
    pub(super) degree: u8,
    pub(super) origin: Origin,
}

/// What determines the polynomial of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is constant over a step.
    Held,
    /// Known values of it.
    Values,
    /// It is known over the whole step, as a piece.
    Piece,
}

/// Facts about the signals that do not change from step to step.
#[derive(Debug, Clone)]
pub(super) struct SignalFacts {
    /// Per signal: the index of its slope, if its source provides one.
    pub(super) slopes: Vec<Option<usize>>,
    /// Per signal: its source instance; `None` for discrete ones, which are held.
    pub(super) sources: Vec<Option<usize>>,
    /// Per signal: its index among the pieces, if it is known over the whole step.
    pub(super) pieces: Vec<Option<usize>>,
    n_instances: usize,
}

impl SignalFacts {
    pub(super) fn new(plan: &Plan) -> Self {
        let n = plan.signal_names.len();
        let mut facts =
            Self { slopes: vec![None; n], sources: vec![None; n], pieces: vec![None; n], n_instances: plan.instances.len() };
        for (instance, instance_plan) in plan.instances.iter().enumerate() {
            for signal in instance_plan.outputs.clone().filter(|signal| !plan.is_held[*signal]) {
                facts.sources[signal] = Some(instance);
            }
            for (&signal, slope) in instance_plan.slope_signals.iter().zip(instance_plan.slopes.clone()) {
                facts.slopes[signal] = Some(slope);
            }
        }
        facts
    }

    /// The course of a signal of this degree.
    pub(super) fn course(&self, signal: usize, degree: usize) -> Course {
        let (source, slope) = (self.sources[signal], self.slopes[signal]);
        let course = |rule: usize, source: usize, (origin, index): (Origin, usize)| Course {
            signal: signal as u32,
            source: source as u32,
            index: index as u32,
            rule: rule as u8,
            degree: degree as u8,
            origin,
        };
        match (source, self.pieces[signal]) {
            (Some(_), Some(piece)) if degree > 0 => course(HELD, self.n_instances, (Origin::Piece, piece)),
            // A held signal has its delivered value, like any other.
            (None, _) | (_, Some(_)) => course(HELD, self.n_instances, (Origin::Held, 0)),
            (Some(source), None) => {
                let known = Known { slope: slope.is_some(), end: false };
                course(place_of_rule(degree, known), source, (Origin::Values, slope.unwrap_or(0)))
            }
        }
    }

    /// The inputs of all instances for these degrees of the summands.
    pub(super) fn compile(&self, plan: &Plan, degrees: &[usize]) -> CompiledInputs {
        let terms = plan.terms.iter().zip(degrees);
        let summands = terms.map(|(term, &degree)| Summand { factor: term.factor, course: self.course(term.signal, degree) });
        let inputs = plan.gathers.iter().map(|gather| CompiledInput { offset: gather.offset, summands: gather.terms.clone() });
        let compiled = CompiledInputs {
            summands: summands.collect(),
            inputs: inputs.collect(),
            ranges: plan.instances.iter().map(|instance_plan| instance_plan.gathers.clone()).collect(),
            degrees: Vec::new(),
            common_rules: Vec::new(),
        };
        let degree = |range| compiled.courses(range).map(|course| usize::from(course.degree)).max().unwrap_or(0);
        let common_rule = |range| {
            let first = compiled.courses(range).next()?.rule;
            let is_common = |course: Course| course.origin == Origin::Values && course.rule == first;
            (compiled.courses(range).count() >= MANY && compiled.courses(range).all(is_common)).then_some(first)
        };
        let (degrees, common_rules) =
            (compiled.ranges.iter().map(degree).collect(), compiled.ranges.iter().map(common_rule).collect());
        CompiledInputs { degrees, common_rules, ..compiled }
    }
}

/// From this number of summands with the same rule on, they are computed together.
const MANY: usize = 24;

/// One summand of an input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Summand {
    pub(super) factor: f64,
    pub(super) course: Course,
}

#[derive(Debug, Clone)]
struct CompiledInput {
    offset: f64,
    summands: Range<usize>,
}

/// The Real inputs of all instances.
#[derive(Debug, Clone, Default)]
pub(super) struct CompiledInputs {
    pub(super) summands: Vec<Summand>,
    inputs: Vec<CompiledInput>,
    /// Per instance: its inputs.
    ranges: Vec<Range<usize>>,
    /// Per instance: the highest degree among them.
    pub(super) degrees: Vec<usize>,
    /// Per instance: the rule of all of its summands, if it is the same, and they are many.
    common_rules: Vec<Option<u8>>,
}

impl CompiledInputs {
    /// Computes the inputs of an instance from the values of their signals.
    #[inline]
    pub(super) fn fill(&self, instance: usize, with_offset: bool, into: &mut [f64], value: impl Fn(Course) -> f64) {
        for (into, input) in into.iter_mut().zip(&self.inputs[self.ranges[instance].clone()]) {
            let offset = if with_offset { input.offset } else { 0.0 };
            let summands = self.summands[input.summands.clone()].iter();
            *into = summands.fold(offset, |sum, summand| sum + summand.factor * value(summand.course));
        }
    }

    /// Changes how an input is computed; its summands are among those that it had.
    pub(super) fn compute_input(&mut self, input: usize, gather: &Gather) {
        self.inputs[input] = CompiledInput { offset: gather.offset, summands: gather.terms.clone() };
    }

    #[inline]
    pub(super) fn common_rule(&self, instance: usize) -> Option<u8> {
        self.common_rules[instance]
    }

    /// The signals of these inputs.
    fn courses(&self, inputs: &Range<usize>) -> impl Iterator<Item = Course> {
        let summands = self.inputs[inputs.clone()].iter().flat_map(|input| &self.summands[input.summands.clone()]);
        summands.map(|summand| summand.course)
    }
}
