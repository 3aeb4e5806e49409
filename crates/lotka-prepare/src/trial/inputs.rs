//! The resolved inputs of a run, determined once the instances are initialized and their behavior is known.

use lotka_message::{Code, Warning};
use lotka_plan::graph::Plan;
use lotka_step::{
    Error,
    algorithm::{Coupled, Refresh},
    resolved::{Algorithm, FeedthroughOutputs, InputDelivery, Inputs},
    signal::{Delivery, InputSettings, MAX_DEGREE},
};

use super::probe::{self, Behavior, Trials};

/// The input signals of a run and their consequences.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct ResolvedInputs {
    settings: Option<InputSettings>,
    refreshes: Vec<Refresh>,
    /// Expected order of consistency.
    pub order: u32,
    /// Whether only even powers of the step size are expected in the error.
    pub even_powers: bool,
    /// Instances whose outputs stay stale, which reduces the order by one.
    pub stale: Vec<usize>,
    /// Whether the user requests that.
    stale_as_asked: bool,
    /// Instances that cannot save their state and permit that their outputs are read after inputs were set.
    pub rereads: Vec<usize>,
    /// Instances whose outputs may follow their inputs at once, and which could not be tried.
    pub untested: Vec<usize>,
}

/// Resolves the inputs; the trials are made only if the choice depends on them.
///
/// # Errors
/// A call to an instance fails.
pub fn settle(coupled: &mut Coupled, algorithm: &Algorithm, trials: &Trials<'_>) -> Result<ResolvedInputs, Box<Error>> {
    let sweep = algorithm.sweep.make();
    let inputs = algorithm.inputs;
    let degrees: Vec<_> = coupled.plan.degrees.iter().map(|degree| degree.unwrap_or(inputs.degree)).collect();
    let highest = degrees.iter().copied().max().unwrap_or(0);
    let has_feedthrough = coupled.plan.instances.iter().any(|instance_plan| instance_plan.has_feedthrough);
    let asks_for_fresh = has_feedthrough && !matches!(inputs.feedthrough, FeedthroughOutputs::Auto | FeedthroughOutputs::Stale);
    if highest == 0 && !asks_for_fresh {
        // If no value that changes during a step is exchanged, held inputs cost no order.
        let degree = if lowest_degree(&coupled.plan, &degrees).is_some() { 0 } else { inputs.degree as u32 };
        let order = if sweep.is_symmetric() && has_feedthrough { 1 } else { sweep.order(degree) };
        let even_powers = sweep.is_symmetric() && !has_feedthrough;
        let behaviors = probe::probe(coupled, trials, false)?;
        let known = ResolvedInputs { order, even_powers, ..ResolvedInputs::default() };
        return Ok(known.with(&behaviors));
    }
    let behaviors = probe::probe(coupled, trials, true)?;
    let deliveries: Vec<_> =
        (0..coupled.instances.len()).map(|index| delivery(coupled, inputs, &degrees, index, behaviors[index])).collect();
    let refreshes: Vec<_> =
        (0..coupled.instances.len()).map(|index| refresh(coupled, inputs, index, behaviors[index], deliveries[index])).collect();
    let is_stale = |index: &usize| {
        coupled.plan.instances[*index].has_feedthrough
            && deliveries[*index] == Delivery::Mean
            && refreshes[*index] == Refresh::Stale
    };
    let stale: Vec<_> = (0..coupled.instances.len()).filter(is_stale).collect();
    let takes_means =
        |index: usize| deliveries[index] == Delivery::Mean && !coupled.plan.instances[index].input_references.is_empty();
    let loses_order = !stale.is_empty() || sweep.is_symmetric() && has_feedthrough;
    let lowest = lowest_degree(&coupled.plan, &degrees).unwrap_or(inputs.degree) as u32;
    let order = match (loses_order, (0..coupled.instances.len()).any(takes_means)) {
        (true, _) => 1,
        (false, true) => sweep.order(lowest).min(2),
        (false, false) => sweep.order(lowest),
    };
    let known = ResolvedInputs {
        settings: Some(InputSettings { degree: inputs.degree, degrees, deliveries }),
        refreshes,
        order,
        stale,
        stale_as_asked: inputs.feedthrough == FeedthroughOutputs::Stale,
        ..ResolvedInputs::default()
    };
    Ok(known.with(&behaviors))
}

/// The lowest degree of a signal that changes during a step and feeds a Real input: the worst input determines the error of a
/// step.
fn lowest_degree(plan: &Plan, degrees: &[usize]) -> Option<usize> {
    let changing = plan.terms.iter().zip(degrees).filter(|(term, _)| !plan.is_held[term.signal] && term.factor != 0.0);
    changing.map(|(_, degree)| *degree).min()
}

/// Resolves held inputs, with outputs as fresh as the FMUs allow; otherwise like [`settle`].
///
/// # Errors
/// A call to an instance fails.
pub fn settle_fresh(coupled: &mut Coupled, algorithm: &Algorithm, trials: &Trials<'_>) -> Result<ResolvedInputs, Box<Error>> {
    let delivery = Some(InputDelivery::Mean);
    // Outputs are refreshed only for inputs that change during a step.
    let inputs = Inputs { degree: 1, delivery, output_derivatives: false, feedthrough: FeedthroughOutputs::Auto };
    let mut settled = settle(coupled, &Algorithm { inputs, ..algorithm.clone() }, trials)?;
    if let Some(settings) = &mut settled.settings {
        settings.degree = 0;
        settings.degrees.fill(0);
    }
    settled.order = 1;
    Ok(settled)
}

/// Whether the resolved inputs depend on trials with the instances.
#[must_use]
pub fn depends_on_trials(coupled: &Coupled, algorithm: &Algorithm) -> bool {
    let inputs = algorithm.inputs;
    let asks_for_fresh = !matches!(inputs.feedthrough, FeedthroughOutputs::Auto | FeedthroughOutputs::Stale);
    let has_degree = inputs.degree > 0 || coupled.plan.degrees.iter().flatten().any(|degree| *degree > 0);
    let is_tried = |index| probe::is_tried(coupled, index, has_degree || asks_for_fresh, algorithm.reads_again());
    (0..coupled.plan.n_stepping).any(is_tried)
}

impl ResolvedInputs {
    /// Adds what the trials show about jumps.
    fn with(self, behaviors: &[Behavior]) -> Self {
        let which = |is_it: fn(&Behavior) -> bool| (0..behaviors.len()).filter(|&index| is_it(&behaviors[index])).collect();
        let (rereads, untested) = (which(|behavior| behavior.accepts_rereading), which(|behavior| behavior.is_untested));
        Self { rereads, untested, ..self }
    }

    /// Whether the inputs fit this plan; data from a file may be anything.
    #[must_use]
    pub fn fits(&self, plan: &Plan) -> bool {
        let n = plan.instances.len();
        let fits = |settings: &InputSettings| {
            let degrees = settings.degrees.iter().chain([&settings.degree]);
            (settings.degrees.len(), settings.deliveries.len()) == (plan.terms.len(), n) && degrees.max() <= Some(&MAX_DEGREE)
        };
        self.settings.as_ref().is_none_or(fits)
            && (self.refreshes.is_empty() || self.refreshes.len() == n)
            && self.stale.iter().chain(&self.rereads).chain(&self.untested).all(|index| *index < n)
    }

    /// Applies the inputs to the instances of a run.
    pub fn apply(&self, coupled: &mut Coupled) {
        coupled.set_inputs(self.settings.clone(), self.refreshes.clone());
    }

    /// Warnings for the user.
    #[must_use]
    pub fn warnings(&self, coupled: &Coupled) -> Vec<Warning> {
        let warning = |&index: &usize| {
            let reason = match (self.stale_as_asked, self.untested.contains(&index)) {
                (true, _) => "and `feedthrough-outputs = \"stale\"` does not refresh them",
                (_, true) => {
                    "but the FMU can neither save its state nor be instantiated again, so Lotka cannot test whether it recomputes \
                     them; set `feedthrough-outputs = \"re-read\"` if it does"
                }
                _ => "but the FMU neither recomputes them nor provides directional derivatives",
            };
            Warning::new(
                Code::StaleOutputs,
                format!(
                    "instance `{}`: its outputs have direct feedthrough, or its model description does not rule it out, \
                 {reason}: they are stale after each step; expect order 1",
                    coupled.name(index)
                ),
            )
        };
        self.stale.iter().map(warning).collect()
    }

    /// Whether all inputs that change during a step are linear in it from values alone, and no output follows one without delay.
    #[must_use]
    pub fn is_linear(&self, plan: &Plan) -> bool {
        let degrees = |settings: &InputSettings| lowest_degree(plan, &settings.degrees) == Some(1) && self.degree() == 1;
        self.settings.as_ref().is_some_and(degrees)
            && plan.slopes == 0
            && !plan.instances.iter().any(|instance_plan| instance_plan.has_feedthrough)
    }

    /// Degree of the input signals, if it is above 0.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.settings.as_ref().map_or(0, |settings| settings.degrees.iter().copied().max().unwrap_or(0))
    }
}

/// Derivatives for an FMU that interpolates: it then knows its inputs at the end, and returns better output derivatives. With
/// direct feedthrough, means with refreshed outputs allow larger steps, provided they do not reduce the order.
fn delivery(coupled: &Coupled, inputs: Inputs, degrees: &[usize], index: usize, behavior: Behavior) -> Delivery {
    let capabilities = coupled.instances[index].inner.capabilities();
    let instance_plan = &coupled.plan.instances[index];
    let terms = coupled.plan.gathers[instance_plan.gathers.clone()].iter().flat_map(|gather| gather.terms.clone());
    let degree = terms.map(|term| degrees[term]).max().unwrap_or(0);
    let stays_stale = instance_plan.has_feedthrough && !behavior.recomputes && !capabilities.directional_derivative;
    match inputs.delivery {
        _ if behavior.is_memoryless || instance_plan.is_reactor => Delivery::End,
        Some(InputDelivery::Mean) => Delivery::Mean,
        Some(InputDelivery::Derivatives) => Delivery::Derivatives,
        None if capabilities.interpolate_inputs && (degree > 1 || stays_stale || !instance_plan.has_feedthrough) => {
            Delivery::Derivatives
        }
        None => Delivery::Mean,
    }
}

/// Outputs are also refreshed if inputs are delivered as derivatives. The FMU knows only the extrapolated end of its inputs, and
/// the actual values keep larger steps stable.
fn refresh(coupled: &Coupled, inputs: Inputs, index: usize, behavior: Behavior, delivery: Delivery) -> Refresh {
    if !coupled.plan.instances[index].has_feedthrough || delivery == Delivery::End {
        return Refresh::Stale;
    }
    let has_derivatives = coupled.instances[index].inner.capabilities().directional_derivative;
    match inputs.feedthrough {
        FeedthroughOutputs::Auto | FeedthroughOutputs::Derivative if has_derivatives => Refresh::Derivative,
        FeedthroughOutputs::Auto if behavior.recomputes => Refresh::ReRead,
        FeedthroughOutputs::ReRead => Refresh::ReRead,
        FeedthroughOutputs::Auto | FeedthroughOutputs::Stale | FeedthroughOutputs::Derivative => Refresh::Stale,
    }
}
