//! The sources of a run: their signals at each moment of a step.

use std::sync::Arc;

use lotka_plan::{
    graph::{DiscreteSource, InstancePlan, Mapped, Plan},
    source::{Channel, Piece, SourceModel},
};

use crate::algorithm::Signals;

/// A moment of the present step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Just after its beginning.
    Begin,
    /// Halfway.
    Middle,
    /// Just before its end.
    End,
}

/// All source signals with readers.
pub struct Sources {
    models: Vec<Arc<SourceModel>>,
    /// Model, channel and signal of those that change during a step.
    moving: Vec<(usize, usize, usize)>,
    pieces: Vec<Piece>,
    /// The same for those that are held; their channel determines their type.
    held: Vec<(usize, usize, usize)>,
    /// Integers that follow others by a map.
    mapped: Vec<Mapped>,
    /// Real signals that follow integers and booleans.
    converted: Vec<(usize, DiscreteSource)>,
    /// The present step.
    t: f64,
    h: f64,
    /// Maximum distance between the end of a step and a time event at which it ends \[s\].
    slack: f64,
}

impl Sources {
    /// Creates the sources from the last instances of a plan; `None` if there are no readers.
    #[must_use]
    pub fn new(plan: &Plan, models: Vec<Arc<SourceModel>>, slack: f64) -> Option<Box<Self>> {
        let source_plans = &plan.instances[plan.instances.len() - models.len()..];
        let (mut moving, mut held, mut mapped, mut converted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (model, instance_plan) in source_plans.iter().enumerate() {
            for (channel, place) in places(instance_plan) {
                let is_moving = matches!(models[model].channels[channel], Channel::Moving(_));
                if is_moving { &mut moving } else { &mut held }.push((model, channel, place));
            }
            mapped.extend(instance_plan.discrete.iter().flat_map(|discrete| discrete.mapped.iter().cloned()));
            converted.extend(instance_plan.discrete.iter().flat_map(|discrete| discrete.converted.iter().copied()));
        }
        let pieces = vec![Piece::default(); moving.len()];
        let is_read = !(moving.is_empty() && held.is_empty());
        is_read.then(|| Box::new(Self { models, moving, pieces, held, mapped, converted, t: 0.0, h: 0.0, slack }))
    }

    /// Begins a step; the time events at which it ends do not lie inside.
    pub fn begin_step(&mut self, t: f64, h: f64) {
        (self.t, self.h) = (t, h);
        let slack = self.slack;
        for (&(model, channel, _), piece) in self.moving.iter().zip(&mut self.pieces) {
            if let Channel::Moving(waveform) = &self.models[model].channels[channel] {
                *piece = waveform.piece(t, h, slack);
            }
        }
    }

    /// Returns the signals that change during the present step, with their course.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &Piece)> {
        self.moving.iter().map(|(_, _, signal)| *signal).zip(&self.pieces)
    }

    /// Writes the values at a moment of the present step into `signals`.
    pub fn put(&self, moment: Moment, signals: &mut Signals) {
        for (&(model, channel, signal), piece) in self.moving.iter().zip(&self.pieces) {
            signals.reals[signal] = match (moment, &self.models[model].channels[channel]) {
                (Moment::Begin, _) => piece.begin,
                (Moment::End, _) => piece.end,
                (Moment::Middle, Channel::Moving(waveform)) => waveform.after(self.t + 0.5 * self.h, 0.0),
                (Moment::Middle, _) => piece.mean,
            };
        }
    }

    /// Writes the values just after `time` into `signals`.
    pub fn enter(&self, time: f64, signals: &mut Signals) {
        let after = time + self.slack;
        for &(model, channel, place) in self.moving.iter().chain(&self.held) {
            match &self.models[model].channels[channel] {
                Channel::Moving(waveform) => signals.reals[place] = waveform.after(time, self.slack),
                Channel::Held(steps) => signals.reals[place] = *steps.after(after),
                Channel::Integer(steps) => signals.integers[place] = *steps.after(after),
                Channel::Boolean(steps) => signals.booleans[place] = *steps.after(after),
                Channel::Unread => {}
                Channel::Text(steps) => signals.texts[place].clone_from(steps.after(after)),
            }
        }
        for mapped in &self.mapped {
            signals.integers[mapped.integer] = mapped.value(signals.whole(mapped.of));
        }
        for &(signal, source) in &self.converted {
            signals.reals[signal] = signals.whole(source) as f64;
        }
    }
}

/// The outputs of a source that are in the plan: channels, equal to their value references, and the indices of their signals.
fn places(instance_plan: &InstancePlan) -> Vec<(usize, usize)> {
    let reals = instance_plan.output_references.iter().map(|reference| reference.0 as usize).zip(instance_plan.outputs.clone());
    let mut places: Vec<_> = reals.collect();
    if let Some(discrete) = &instance_plan.discrete {
        let (integers, booleans, texts) = (&discrete.integer_outputs, &discrete.boolean_outputs, &discrete.text_outputs);
        places.extend(integers.0.iter().map(|reference| reference.0 as usize).zip(integers.1.clone()));
        places.extend(booleans.0.iter().map(|reference| reference.0 as usize).zip(booleans.1.clone()));
        places.extend(texts.0.iter().map(|reference| reference.0 as usize).zip(texts.1.clone()));
    }
    places
}
