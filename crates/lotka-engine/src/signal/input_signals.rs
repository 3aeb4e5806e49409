//! The inputs of all instances over one step.

use super::{
    Block, History, exact,
    polynomial::CONDITIONS,
    rules::{Datum, Known, Rules},
    weighting::Weighting,
};
use crate::{
    algorithm::{DeliveredInput, Signals},
    checkpoint::{Mismatch, Persistent, Transfer, Transferred},
    graph::{InstancePlan, Plan},
    source::{Piece, Sources},
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
    lower: Option<InputSettings>,
    history: History,
    rules: Rules,
    block: Option<Block>,
    in_block: bool,
    /// Per signal: the index of its slope, if its source provides one.
    slopes: Vec<Option<usize>>,
    /// Per signal: its source instance; `None` for discrete ones, which are held.
    sources: Vec<Option<usize>>,
    /// Per signal: its index among the pieces, if it is known over the whole step.
    known: Vec<Option<usize>>,
    pieces: Vec<Piece>,
    /// Per instance: whether its newest values are those at the end of the step. `held_known` is the same at the beginning of the pass.
    newest_known: Vec<bool>,
    held_known: Vec<bool>,
    h: f64,
}

impl InputSignals {
    pub(crate) fn new(settings: InputSettings, plan: &Plan, signals: &Signals) -> Self {
        let mut slopes = vec![None; plan.signal_names.len()];
        let mut sources = vec![None; plan.signal_names.len()];
        for (instance, instance_plan) in plan.instances.iter().enumerate() {
            for signal in instance_plan.outputs.clone().filter(|signal| !plan.is_held[*signal]) {
                sources[signal] = Some(instance);
            }
            for (&signal, slope) in instance_plan.slope_signals.iter().zip(instance_plan.slopes.clone()) {
                slopes[signal] = Some(slope);
            }
        }
        // Held signals have degree 0.
        let degrees = settings.degrees.iter().copied().chain([0, settings.degree]);
        Self {
            rules: Rules::new(degrees, !signals.slopes.is_empty()),
            history: History::new(signals),
            block: None,
            in_block: false,
            lower: None,
            slopes,
            sources,
            known: vec![None; plan.signal_names.len()],
            pieces: Vec::new(),
            newest_known: vec![false; plan.instances.len()],
            held_known: vec![false; plan.instances.len()],
            h: 0.0,
            settings,
        }
    }

    /// Sets which signals are known over each step.
    pub(crate) fn know(&mut self, sources: &Sources) {
        for (signal, piece) in sources.pieces() {
            self.known[signal] = Some(self.pieces.len());
            self.pieces.push(*piece);
        }
    }

    /// Sets the course of these signals over the step that begins.
    pub(crate) fn set_pieces(&mut self, sources: &Sources) {
        for (kept, (_, piece)) in self.pieces.iter_mut().zip(sources.pieces()) {
            *kept = *piece;
        }
    }

    /// Ignores the slopes of some signals from now on.
    pub(crate) fn give_up_slopes(&mut self, given_up: impl Fn(usize) -> bool) {
        for (signal, slope) in self.slopes.iter_mut().enumerate() {
            *slope = slope.filter(|_| !given_up(signal));
        }
    }

    /// Clears the past: at the start, and where signals are not smooth.
    pub fn restart(&mut self) {
        self.history.restart();
        self.block = None;
    }

    pub(crate) fn delivery(&self, instance: usize) -> Delivery {
        self.settings.deliveries[instance]
    }

    /// Whether some instance receives the mean of this signal over each step, instead of its value at the end.
    pub(crate) fn is_averaged(&self, plan: &Plan, signal: usize) -> bool {
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
    pub(crate) fn begin_step(&mut self, t: f64, h: f64, signals: &Signals) {
        self.history.begin(t, signals);
        self.rules.prepare(&self.history, h);
        self.newest_known.fill(false);
        self.held_known.fill(false);
        self.h = h;
        self.in_block = self.block.as_ref().is_some_and(|block| block.contains(t));
        match &mut self.block {
            Some(block) if self.in_block => block.prepare(t, h),
            _ => self.block = None,
        }
    }

    /// Makes the newest values the held ones.
    pub(crate) fn hold(&mut self) {
        self.held_known.copy_from_slice(&self.newest_known);
    }

    /// Whether the newest values of all these instances are end values.
    pub(crate) fn knows_ends(&self, instances: &[usize]) -> bool {
        instances.iter().all(|&instance| self.newest_known[instance])
    }

    /// Records that the instance has stepped: its newest values are end values.
    pub(crate) fn arrived(&mut self, instance: usize) {
        self.newest_known[instance] = true;
    }

    /// Fills the inputs of an instance: means, end values for a memoryless one, or values at the beginning if derivatives follow.
    pub(crate) fn values(&self, plan: &Plan, instance: usize, ends: &Signals, knowledge: Knowledge, into: &mut [f64]) {
        let weights: fn(&Self, Weighting<'_>) -> [f64; CONDITIONS] = match self.delivery(instance) {
            Delivery::Mean => |_, weighting| weighting.mean(),
            Delivery::End => |_, weighting| weighting.end(),
            Delivery::Derivatives => |signals, weighting| weighting.derivative(0, signals.h),
        };
        self.fill(plan, &plan.instances[instance], (ends, knowledge), true, weights, into);
    }

    /// The input delivered to an instance for the signal of one summand.
    pub(crate) fn delivered(
        &self,
        plan: &Plan,
        instance: usize,
        term: usize,
        ends: &Signals,
        knowledge: Knowledge,
    ) -> DeliveredInput {
        const FACTORIALS: [f64; CONDITIONS] = [1.0, 1.0, 2.0, 6.0];
        let signal = plan.terms[term].signal;
        let weighting = self.weighting(self.settings.degrees[term], signal, self.known(knowledge));
        let value = |weights: [f64; CONDITIONS]| self.combine(weighting, &weights, signal, ends);
        match self.delivery(instance) {
            Delivery::Mean => {
                DeliveredInput { is_mean: self.settings.degrees[term] > 0, ..DeliveredInput::held(value(weighting.mean())) }
            }
            Delivery::End => DeliveredInput::held(value(weighting.end())),
            Delivery::Derivatives => {
                let coefficient = |order| value(weighting.derivative(order, self.h)) / FACTORIALS[order];
                DeliveredInput { coefficients: std::array::from_fn(coefficient), is_mean: false }
            }
        }
    }

    /// Fills the inputs of an instance with their values at the end of the step.
    pub(crate) fn end_values(&self, plan: &Plan, instance: usize, ends: &Signals, knowledge: Knowledge, into: &mut [f64]) {
        self.fill(plan, &plan.instances[instance], (ends, knowledge), true, |_, weighting| weighting.end(), into);
    }

    /// Fills the derivatives of `order` of the inputs of an instance at the beginning of the step \[1/s^order\].
    pub(crate) fn derivatives(
        &self,
        plan: &Plan,
        instance: usize,
        order: usize,
        ends: &Signals,
        knowledge: Knowledge,
        into: &mut [f64],
    ) {
        let weights = |signals: &Self, weighting: Weighting<'_>| weighting.derivative(order, signals.h);
        self.fill(plan, &plan.instances[instance], (ends, knowledge), false, weights, into);
    }

    /// Writes the values (and slopes) at the end of the step, extrapolated by the signals, into `signals`, and marks them as known.
    /// The polynomial through them and the previously known values is the same.
    pub(crate) fn predict(&mut self, instances: &[usize], indices: &[usize], signals: &mut Signals) {
        for &signal in indices {
            let weighting = self.weighting(self.settings.degree, signal, &self.newest_known);
            if self.settings.degree == 0 || self.sources[signal].is_none() {
                continue;
            }
            signals.reals[signal] = self.combine(weighting, &weighting.end(), signal, signals);
            if let Some(slope) = self.slopes[signal] {
                signals.slopes[slope] = self.combine(weighting, &weighting.end_slope(self.h), signal, signals);
            }
        }
        instances.iter().for_each(|&instance| self.arrived(instance));
    }

    /// Highest degree among the inputs of an instance.
    pub(crate) fn degree(&self, plan: &Plan, instance_plan: &InstancePlan) -> usize {
        let terms = plan.gathers[instance_plan.gathers.clone()].iter().flat_map(|gather| gather.terms.clone());
        terms.map(|term| self.settings.degrees[term]).max().unwrap_or(0)
    }

    /// Allocates what [`InputSignals::swap_degrees`] needs.
    pub(crate) fn allow_lower(&mut self) {
        let mut lower = self.settings.clone();
        for degree in lower.degrees.iter_mut().chain([&mut lower.degree]) {
            *degree = degree.saturating_sub(1);
            self.rules.allow(*degree);
        }
        self.lower = Some(lower);
    }

    /// Switches from the degrees of the method to those one lower, and back.
    pub(crate) fn swap_degrees(&mut self) {
        if let Some(lower) = &mut self.lower {
            std::mem::swap(&mut self.settings, lower);
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
        if let Some(piece) = self.known[signal] {
            let piece = &self.pieces[piece];
            return if degree == 0 { piece.begin } else { piece.begin + piece.begin_slope };
        }
        let rule = self.rules.get(degree, Known { slope: self.slopes[signal].is_some(), end: false });
        self.combine(Weighting::Rule(rule), &rule.end, signal, newest)
    }

    /// The mean error of a signal over the step, relative to the error of [`InputSignals::extrapolate`]; `end` states whether its end value
    /// was used.
    pub(crate) fn mean_error(&self, signal: usize, degree: usize, end: bool) -> f64 {
        let rule = |end| self.rules.get(degree, Known { slope: self.slopes[signal].is_some(), end });
        rule(end).share(rule(false))
    }

    fn known(&self, knowledge: Knowledge) -> &[bool] {
        match knowledge {
            Knowledge::Held => &self.held_known,
            Knowledge::Newest => &self.newest_known,
        }
    }

    fn fill(
        &self,
        plan: &Plan,
        instance_plan: &InstancePlan,
        (ends, knowledge): (&Signals, Knowledge),
        with_offset: bool,
        weights: impl Fn(&Self, Weighting<'_>) -> [f64; CONDITIONS],
        into: &mut [f64],
    ) {
        let known = self.known(knowledge);
        for (value, index) in into.iter_mut().zip(instance_plan.gathers.clone()) {
            let gather = &plan.gathers[index];
            let offset = if with_offset { gather.offset } else { 0.0 };
            *value = gather.terms.clone().fold(offset, |sum, index| {
                let term = plan.terms[index];
                let weighting = self.weighting(self.settings.degrees[index], term.signal, known);
                sum + term.factor * self.combine(weighting, &weights(self, weighting), term.signal, ends)
            });
        }
    }

    fn weighting(&self, degree: usize, signal: usize, known: &[bool]) -> Weighting<'_> {
        let Some(source) = self.sources[signal] else {
            return Weighting::Rule(self.rules.get(0, Known { slope: false, end: true }));
        };
        match &self.block {
            _ if self.known[signal].is_some() => self.weighting_of_known(degree, signal),
            Some(block) if self.in_block && (degree > 1 || degree == block.steps()) => Weighting::Block(block),
            _ => Weighting::Rule(self.rules.get(degree, Known { slope: self.slopes[signal].is_some(), end: known[source] })),
        }
    }

    /// A held signal has its delivered value, like any other.
    fn weighting_of_known(&self, degree: usize, signal: usize) -> Weighting<'_> {
        match self.known[signal] {
            Some(piece) if degree > 0 => Weighting::Exact(&self.pieces[piece], degree),
            _ => Weighting::Rule(self.rules.get(0, Known { slope: false, end: true })),
        }
    }

    fn combine(&self, weighting: Weighting<'_>, weights: &[f64; CONDITIONS], signal: usize, ends: &Signals) -> f64 {
        let rule = match weighting {
            Weighting::Block(block) => return block.combine(weights, signal),
            Weighting::Exact(piece, _) => {
                return exact::data(piece).iter().zip(weights).map(|(datum, weight)| datum * weight).sum();
            }
            Weighting::Rule(rule) => rule,
        };
        let slope = self.slopes[signal].unwrap_or(0);
        let datum = |datum: Datum| match datum {
            Datum::End => ends.reals[signal],
            Datum::EndSlope => ends.slopes[slope],
            Datum::Past(age) => self.history.value(age, signal),
            Datum::PastSlope(age) => self.history.slope(age, slope),
        };
        rule.data[..rule.count].iter().zip(weights).map(|(&known, weight)| weight * datum(known)).sum()
    }
}

/// Weights and known end values are computed when a step begins.
impl Persistent for InputSignals {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        self.history.transfer(transfer)?;
        transfer.value(&mut self.block)?;
        if self.block.as_ref().is_none_or(|block| block.fits(self.sources.len())) { Ok(()) } else { Err(Mismatch) }
    }
}
