//! The inputs of all instances over one step.

use lotka_plan::{
    graph::{Gather, InstancePlan, Plan},
    source::Piece,
};

use super::{
    Block, History, Sources,
    course::{CompiledInputs, Course, Origin, SignalFacts},
    exact,
    polynomial::{CONDITIONS, Functional},
    rules::{Blend, Datum, KNOWS_END, Known, Rules, place_of_rule},
};
use crate::{
    algorithm::Signals,
    checkpoint::{Mismatch, Persistent, Transfer, Transferred},
    signal::DeliveredInput,
};

/// How inputs are delivered to an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Delivery {
    /// The exact mean of the polynomial over the step.
    Mean,
    /// Value and derivatives.
    Derivatives,
    /// The value at the end of the step: for memoryless instances.
    End,
}

/// Settings of the input signals.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct InputSettings {
    /// Degree for connections that specify none.
    pub degree: usize,
    /// Degree of the signal in each summand of an input, indexed like [`Plan::terms`].
    pub degrees: Vec<usize>,
    /// How inputs are delivered to each instance.
    pub deliveries: Vec<Delivery>,
}

/// Which values count as known at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// Those at the beginning of the pass.
    Held,
    /// The newest.
    Newest,
}

/// The input signals of a step.
pub struct InputSignals {
    settings: InputSettings,
    /// The settings with a degree one lower, or the original ones while the two are swapped.
    lower: Option<(InputSettings, CompiledInputs)>,
    facts: SignalFacts,
    compiled: CompiledInputs,
    history: History,
    rules: Rules,
    block: Option<Block>,
    in_block: bool,
    pieces: Vec<Piece>,
    /// Per instance: whether its newest values are those at the end of the step; the last entry, for held signals, is false.
    /// `held_known` is the same at the beginning of the pass.
    newest_known: Vec<bool>,
    held_known: Vec<bool>,
    h: f64,
}

impl InputSignals {
    pub(crate) fn new(settings: InputSettings, plan: &Plan, signals: &Signals) -> Self {
        let facts = SignalFacts::new(plan);
        // Held signals have degree 0.
        let degrees = settings.degrees.iter().copied().chain([0, settings.degree]);
        Self {
            rules: Rules::new(degrees, !signals.slopes.is_empty()),
            history: History::new(signals),
            block: None,
            in_block: false,
            lower: None,
            compiled: facts.compile(plan, &settings.degrees),
            facts,
            pieces: Vec::new(),
            newest_known: vec![false; plan.instances.len() + 1],
            held_known: vec![false; plan.instances.len() + 1],
            h: 0.0,
            settings,
        }
    }

    /// Sets which signals are known over each step.
    pub(crate) fn know(&mut self, sources: &Sources, plan: &Plan) {
        for (signal, piece) in sources.pieces() {
            self.facts.pieces[signal] = Some(self.pieces.len());
            self.pieces.push(*piece);
        }
        self.compile(plan);
    }

    /// Compiles the inputs after a change.
    fn compile(&mut self, plan: &Plan) {
        self.compiled = self.facts.compile(plan, &self.settings.degrees);
        if let Some((settings, compiled)) = &mut self.lower {
            *compiled = self.facts.compile(plan, &settings.degrees);
        }
    }

    /// Changes how an input is computed from now on.
    pub(crate) fn compute_input(&mut self, input: usize, gather: &Gather) {
        let lower = self.lower.as_mut().map(|(_, compiled)| compiled);
        [&mut self.compiled].into_iter().chain(lower).for_each(|compiled| compiled.compute_input(input, gather));
    }

    /// Sets the course of these signals over the step that begins.
    pub(crate) fn set_pieces(&mut self, sources: &Sources) {
        for (kept, (_, piece)) in self.pieces.iter_mut().zip(sources.pieces()) {
            *kept = *piece;
        }
    }

    /// Ignores the slopes of some signals from now on.
    pub(crate) fn give_up_slopes(&mut self, plan: &Plan, given_up: impl Fn(usize) -> bool) {
        let mut is_changed = false;
        for (signal, slope) in self.facts.slopes.iter_mut().enumerate() {
            is_changed |= slope.take_if(|_| given_up(signal)).is_some();
        }
        if is_changed {
            self.compile(plan);
        }
    }

    /// Clears the past: at the start, and where signals are not smooth.
    pub fn restart(&mut self) {
        self.history.restart();
        self.block = None;
    }

    #[inline]
    pub(crate) fn delivery(&self, instance: usize) -> Delivery {
        self.settings.deliveries[instance]
    }

    /// Whether some instance receives the mean of this signal over each step, instead of its value at the end.
    #[must_use]
    pub fn is_averaged(&self, plan: &Plan, signal: usize) -> bool {
        let reads = |instance_plan: &InstancePlan| {
            let mut terms = instance_plan.gathers.clone().flat_map(|gather| plan.gathers[gather].terms.clone());
            terms.any(|term| plan.terms[term].signal == signal && self.settings.degrees[term] > 0)
        };
        let mut deliveries = plan.instances.iter().zip(&self.settings.deliveries);
        deliveries.any(|(instance_plan, delivery)| *delivery == Delivery::Mean && reads(instance_plan))
    }

    /// Sets the block that steps within it use.
    pub(crate) fn set_block(&mut self, block: Block) {
        self.block = Some(block);
    }

    /// The block, if there is one.
    pub(crate) fn block(&mut self) -> Option<&mut Block> {
        self.block.as_mut()
    }

    /// Begins a step; `signals` are the values at its beginning.
    #[inline]
    pub(crate) fn begin_step(&mut self, t: f64, h: f64, signals: &Signals) {
        self.history.begin(t, signals);
        self.rules.prepare(&self.history, h);
        self.newest_known.fill(false);
        self.h = h;
        if let Some(block) = &mut self.block {
            self.in_block = block.contains(t);
            if self.in_block {
                block.prepare(t, h);
            } else {
                self.block = None;
            }
        } else {
            self.in_block = false;
        }
    }

    /// Makes the newest values the held ones.
    #[inline]
    pub(crate) fn hold(&mut self) {
        self.held_known.copy_from_slice(&self.newest_known);
    }

    /// Whether the newest values of all these instances are end values.
    #[inline]
    pub(crate) fn knows_ends(&self, instances: &[usize]) -> bool {
        instances.iter().all(|&instance| self.newest_known[instance])
    }

    /// Records that the instance has stepped: its newest values are end values.
    #[inline]
    pub(crate) fn arrived(&mut self, instance: usize) {
        self.newest_known[instance] = true;
    }

    /// Fills the inputs of an instance: means, end values for a memoryless one, or values at the beginning if derivatives follow.
    #[inline]
    pub(crate) fn values(&self, instance: usize, ends: &Signals, knowledge: Knowledge, into: &mut [f64]) {
        let functional = match self.delivery(instance) {
            Delivery::Mean => Functional::Mean,
            Delivery::End => Functional::End,
            Delivery::Derivatives => Functional::Coefficient(0),
        };
        self.fill(instance, (ends, knowledge), functional, into);
    }

    /// The input delivered to an instance for the signal of one summand.
    pub(crate) fn delivered(&self, instance: usize, term: usize, ends: &Signals, knowledge: Knowledge) -> DeliveredInput {
        let course = self.compiled.summands[term].course;
        let value = |functional| self.value(course, functional, ends, self.known(knowledge));
        match self.delivery(instance) {
            Delivery::Mean => {
                DeliveredInput { is_mean: self.settings.degrees[term] > 0, ..DeliveredInput::held(value(Functional::Mean)) }
            }
            Delivery::End => DeliveredInput::held(value(Functional::End)),
            Delivery::Derivatives => {
                let coefficient = |order: usize| value(Functional::Coefficient(order)) / self.h.powi(order as i32);
                DeliveredInput { coefficients: std::array::from_fn(coefficient), is_mean: false }
            }
        }
    }

    /// Fills the inputs of an instance with their values at the end of the step.
    pub(crate) fn end_values(&self, instance: usize, ends: &Signals, knowledge: Knowledge, into: &mut [f64]) {
        self.fill(instance, (ends, knowledge), Functional::End, into);
    }

    /// Fills the derivatives of `order` of the inputs of an instance at the beginning of the step \[1/s^order\].
    pub(crate) fn derivatives(&self, instance: usize, order: usize, ends: &Signals, knowledge: Knowledge, into: &mut [f64]) {
        const FACTORIALS: [f64; CONDITIONS] = [1.0, 1.0, 2.0, 6.0];
        let scale = FACTORIALS[order] / self.h.powi(order as i32);
        let known = self.known(knowledge);
        let coefficient = |course| scale * self.value(course, Functional::Coefficient(order), ends, known);
        self.compiled.fill(instance, false, into, coefficient);
    }

    /// Writes the values (and slopes) at the end of the step, extrapolated by the signals, into `signals`, and marks them as
    /// known. The polynomial through them and the previously known values is the same.
    pub(crate) fn predict(&mut self, instances: &[usize], indices: &[usize], signals: &mut Signals) {
        for &signal in indices {
            if self.settings.degree == 0 || self.facts.sources[signal].is_none() {
                continue;
            }
            let course = self.facts.course(signal, self.settings.degree);
            let end = self.value(course, Functional::End, signals, &self.newest_known);
            signals.reals[signal] = end;
            if let Some(slope) = self.facts.slopes[signal] {
                signals.slopes[slope] = self.value(course, Functional::EndSlope, signals, &self.newest_known) / self.h;
            }
        }
        instances.iter().for_each(|&instance| self.arrived(instance));
    }

    /// Highest degree among the inputs of an instance.
    #[inline]
    pub(crate) fn degree(&self, instance: usize) -> usize {
        self.compiled.degrees[instance]
    }

    /// Allocates what [`InputSignals::swap_degrees`] needs.
    pub(crate) fn allow_lower(&mut self, plan: &Plan) {
        let mut lower = self.settings.clone();
        for degree in lower.degrees.iter_mut().chain([&mut lower.degree]) {
            *degree = degree.saturating_sub(1);
            self.rules.allow(*degree);
        }
        let compiled = self.facts.compile(plan, &lower.degrees);
        self.lower = Some((lower, compiled));
    }

    /// Switches from the degrees of the method to those one lower, and back.
    pub(crate) fn swap_degrees(&mut self) {
        if let Some((settings, compiled)) = &mut self.lower {
            std::mem::swap(&mut self.settings, settings);
            std::mem::swap(&mut self.compiled, compiled);
        }
    }

    /// Highest degree of each signal over the inputs that read it.
    pub(crate) fn signal_degrees(&self, plan: &Plan) -> Vec<usize> {
        let mut degrees = vec![0; plan.signal_names.len()];
        for (term, &degree) in plan.terms.iter().zip(&self.settings.degrees) {
            degrees[term.signal] = degree.max(degrees[term.signal]);
        }
        degrees
    }

    /// Extrapolates a signal to the end of the last step, with a polynomial of this degree through its past.
    pub(crate) fn extrapolate(&self, signal: usize, degree: usize, newest: &Signals) -> f64 {
        if let Some(piece) = self.facts.pieces[signal] {
            let piece = &self.pieces[piece];
            return if degree == 0 { piece.begin } else { piece.begin + piece.begin_slope };
        }
        let slope = self.facts.slopes[signal];
        let rule = place_of_rule(degree, Known { slope: slope.is_some(), end: false });
        self.combine(rule, Functional::End, (signal, slope.unwrap_or(0)), newest)
    }

    /// The mean error of a signal over the step, relative to the error of [`InputSignals::extrapolate`]; `end` states whether its
    /// end value was used.
    pub(crate) fn mean_error(&self, signal: usize, degree: usize, end: bool) -> f64 {
        let rule = |end| self.rules.get(place_of_rule(degree, Known { slope: self.facts.slopes[signal].is_some(), end }));
        rule(end).share(rule(false))
    }

    #[inline]
    fn known(&self, knowledge: Knowledge) -> &[bool] {
        match knowledge {
            Knowledge::Held => &self.held_known,
            Knowledge::Newest => &self.newest_known,
        }
    }

    #[inline]
    fn fill(&self, instance: usize, (ends, knowledge): (&Signals, Knowledge), functional: Functional, into: &mut [f64]) {
        let known = self.known(knowledge);
        let compiled = &self.compiled;
        if let Some(blends) = compiled.common_rule(instance).and_then(|rule| self.blends(usize::from(rule), functional, ends)) {
            let value = |course: Course| blends[usize::from(known[course.source as usize])].value(course.signal as usize);
            compiled.fill(instance, true, into, value);
        } else {
            compiled.fill(instance, true, into, |course| self.value(course, functional, ends, known));
        }
    }

    /// A functional of all signals with this rule: with unknown, and with known end values.
    #[inline]
    fn blends<'a>(&'a self, rule: usize, functional: Functional, ends: &'a Signals) -> Option<[Blend<'a>; 2]> {
        let blend = |rule| {
            Blend::new(self.rules.get(rule), functional, |datum| match datum {
                Datum::End => Some(&ends.reals[..]),
                Datum::Past(age) => Some(self.history.values(age)),
                Datum::EndSlope | Datum::PastSlope(_) => None,
            })
        };
        if self.in_block { None } else { Some([blend(rule)?, blend(rule + KNOWS_END)?]) }
    }

    /// The value of a functional of a signal over the step.
    #[inline]
    fn value(&self, course: Course, functional: Functional, ends: &Signals, known: &[bool]) -> f64 {
        let signal = course.signal as usize;
        match (course.origin, &self.block) {
            (Origin::Piece, _) => exact::value(&self.pieces[course.index as usize], usize::from(course.degree), functional),
            (Origin::Values, Some(block)) if self.in_block && block.serves(usize::from(course.degree)) => {
                block.value(functional, signal)
            }
            _ => {
                let knows_end = usize::from(known[course.source as usize]);
                self.combine(usize::from(course.rule) + KNOWS_END * knows_end, functional, (signal, course.index as usize), ends)
            }
        }
    }

    /// The value of a functional of the polynomial of a rule.
    #[inline]
    fn combine(&self, rule: usize, functional: Functional, (signal, slope): (usize, usize), ends: &Signals) -> f64 {
        self.rules.get(rule).value(functional, |datum| match datum {
            Datum::End => ends.reals[signal],
            Datum::EndSlope => self.h * ends.slopes[slope],
            Datum::Past(age) => self.history.value(age, signal),
            Datum::PastSlope(age) => self.h * self.history.slope(age, slope),
        })
    }
}

/// Weights and known end values are computed when a step begins.
impl Persistent for InputSignals {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.history.transfer(transfer)?;
        transfer.value(&mut self.block)?;
        if self.block.as_ref().is_none_or(|block| block.fits(self.facts.sources.len())) { Ok(()) } else { Err(Mismatch) }
    }
}
