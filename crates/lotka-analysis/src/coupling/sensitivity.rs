//! Responses of outputs to inputs over one step.

use lotka_plan::graph::Plan;
use lotka_step::{
    Error,
    algorithm::{Attempt, Coupled, Refusal, Stop},
};

use super::{
    interface::Interface,
    report::Sensitivity,
    test_harness::{Perturbation, TestHarness},
};

/// A difference of two outputs counts if it exceeds their noise by this factor.
const OUT_OF_NOISE: f64 = 4.0;

/// Derivative of a connected output by an input, over one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    /// The output.
    signal: usize,
    /// The index of the input in [`Interface::inputs`].
    input: usize,
    derivative: f64,
}

/// Derivatives of all connected outputs by the inputs of their instance, by central differences over a step of `h` \[s\] from the
/// saved point with held inputs; entries within the noise of the rollback are omitted.
///
/// # Errors
/// A step of an instance fails or is refused.
pub(super) fn measure(harness: &mut TestHarness<'_>, interface: &Interface, h: f64) -> Result<Vec<Entry>, Box<Error>> {
    harness.restore()?;
    let mut entries = Vec::new();
    let mut outputs = [const { Vec::new() }; 4];
    for instance in 0..harness.coupled.plan.instances.len() {
        let connected = harness.coupled.plan.instances[instance].connected();
        let inputs = interface.inputs_of(instance);
        if connected.is_empty() || inputs.is_empty() {
            continue;
        }
        for repeated in &mut outputs[..2] {
            step(harness, instance, h, None, repeated)?;
        }
        for input in inputs {
            let known = &interface.inputs[input];
            for (by, changed) in [known.perturbation(), -known.perturbation()].into_iter().zip(&mut outputs[2..]) {
                step(harness, instance, h, Some(Perturbation { gather: known.gather, by, row: 0 }), changed)?;
            }
            let [first, second, above, below] = &outputs;
            for (row, signal) in connected.clone().enumerate() {
                let noise = (first[row] - second[row]).abs().max(f64::EPSILON * first[row].abs());
                let difference = above[row] - below[row];
                if difference.abs() > OUT_OF_NOISE * noise {
                    entries.push(Entry { signal, input, derivative: difference / (2.0 * known.perturbation()) });
                }
            }
        }
    }
    Ok(entries)
}

fn step(
    harness: &mut TestHarness<'_>,
    instance: usize,
    h: f64,
    perturbed: Option<Perturbation>,
    outputs: &mut Vec<f64>,
) -> Result<(), Box<Error>> {
    match harness.step_one(instance, h, perturbed, outputs)? {
        Attempt::Continue(()) => Ok(()),
        Attempt::Break(stop) => Err(match *stop {
            Stop::Failed(error) => error,
            Stop::Refused(refusal) => Box::new(refused(harness.coupled, instance, refusal, (harness.start, h))),
        }),
    }
}

#[cold]
fn refused(coupled: &Coupled, instance: usize, refusal: Refusal, (time, step): (f64, f64)) -> Error {
    match refusal {
        Refusal::NotFinite { signal, value } => {
            Error::NotFinite { variable: coupled.signal_name(signal).to_owned(), value, time: time + step }
        }
        _ => Error::Discarded {
            instance: coupled.name(instance).to_owned(),
            time,
            step,
            reason: "the analysis of the coupling needs a step that every instance accepts; choose a smaller one".to_owned(),
            log: Vec::new(),
        },
    }
}

/// Converts the entries for the report.
pub(super) fn named(entries: &[Entry], interface: &Interface, plan: &Plan) -> Vec<Sensitivity> {
    let name = |entry: &Entry| {
        let input = &interface.inputs[entry.input];
        Sensitivity {
            output: plan.signal_names[entry.signal].clone(),
            input: input.name.clone(),
            derivative: entry.derivative,
            relative: entry.derivative * input.scale / interface.scales[entry.signal],
        }
    };
    entries.iter().map(name).collect()
}

/// Sensitivities of the connected outputs to each other through the connections, row by row, and the number of outputs of each
/// instance: instances in `order`.
pub(super) fn matrix(entries: &[Entry], interface: &Interface, plan: &Plan, order: &[usize]) -> (Vec<f64>, Vec<usize>) {
    let blocks: Vec<usize> = order.iter().map(|&instance| plan.instances[instance].n_connected).collect();
    let n = blocks.iter().sum::<usize>();
    let mut places = vec![None; plan.signal_names.len()];
    let signals = order.iter().flat_map(|&instance| plan.instances[instance].connected());
    signals.enumerate().for_each(|(place, signal)| places[signal] = Some(place));
    let mut matrix = vec![0.0; n * n];
    for entry in entries {
        let Some(row) = places[entry.signal] else { continue };
        let gather = &plan.gathers[interface.inputs[entry.input].gather];
        for term in &plan.terms[gather.terms.clone()] {
            // Converted integers are held.
            if let Some(column) = places[term.signal] {
                matrix[row * n + column] += entry.derivative * term.factor;
            }
        }
    }
    (matrix, blocks)
}
