//! The measurements: perturbations, records and their evaluation.

use lotka_prepare::trial::{ResolvedInputs, find_needing_guarantee};
use lotka_run::Subject;
use lotka_step::{Error, model::Model};

use super::{
    CriticalStep, Growth, Scheme, StepRange,
    advice::{SLOW, advise, most_stable},
    contraction, critical_step, growth,
    interface::Interface,
    report::Coupling,
    requirements,
    response::{FIRST_STEPS, Signal},
    schemes::{ComparedSweep, Loops, Outputs},
    sensitivity,
    test_harness::{Perturbation, ROWS, TestHarness},
};

/// Critical steps are sought down to this share of the present step.
const SMALLEST: f64 = 1e-3;
/// Differences up to this part of the size of a signal count as linear ...
const LINEAR: f64 = 0.1;
/// ... and those up to this multiple of the largest one in the first steps.
const GROWN: f64 = 100.0;
/// Number of rows after which perturbations are repeated.
const LATER: usize = 20;
/// The size of signals is measured with steps that are smaller than the present one by this factor.
const REFINEMENT: usize = 8;

/// Analyzes the coupling at the start of the experiment; `step` \[s\] is the one in use.
///
/// Sensitivities, convergence of iterations, and the steps up to which coupling without iteration adds no growth. Without `step`,
/// it is the one that the experiment is likely to use. The instances are not told the stop time, because large steps are tried.
///
/// # Errors
/// A model cannot be rolled back or takes steps of one size only; the step is not positive or longer than the experiment; the
/// instances cannot be initialized or cannot make a single step of this size.
pub fn analyze(subject: Subject<'_>, step: Option<f64>) -> Result<Coupling, crate::Error> {
    let Subject { system, names, models, .. } = &subject;
    let (experiment, span) = (&system.resolved.experiment, system.span());
    let h = step.unwrap_or_else(|| requirements::default_step(&experiment.stepping, experiment.output_interval, span));
    requirements::check(names, models, h, span)?;
    let mut set_up = system.set_up.clone();
    set_up.iter_mut().for_each(|set_up| set_up.experiment.stop = None);
    system.initialize(subject.coupled, &set_up)?;
    Ok(measure(subject, h)?)
}

/// Measures at the present point of the initialized instances, to which they return.
fn measure(subject: Subject<'_>, h: f64) -> Result<Coupling, Box<Error>> {
    let Subject { system, coupled, names, models } = subject;
    let (start, stop) = system.span();
    let descriptions: Vec<_> = models.iter().map(Model::description).collect();
    if let Some(index) = find_needing_guarantee(coupled, start, h)? {
        let (method, help) = ("the analysis of the coupling", "run without the analysis");
        return Err(Box::new(Error::NeedsPromise { instance: names[index].clone(), method, help }));
    }
    let fresh = system.settle_fresh(coupled, h)?;
    let (plan, order) = (coupled.plan.clone(), system.graph.order.as_slice());
    let loops = Loops::new(&plan, order);
    let mut harness = TestHarness::new(coupled, order, start)?;
    let interface = Interface::new(names, &descriptions, &plan, &sizes(&mut harness, h)?);
    let entries = sensitivity::measure(&mut harness, &interface, h)?;
    let (matrix, blocks) = sensitivity::matrix(&entries, &interface, &plan, order);
    let mut perturbed = Perturbed::new(harness, &interface, &loops);
    let range = StepRange { min: SMALLEST * h, start: h, max: stop - start };
    let mut critical_steps = Vec::new();
    for scheme in loops.schemes(&fresh) {
        critical_steps.push((scheme, perturbed.critical_step(scheme, &fresh, range)?));
    }
    let stable = most_stable(&critical_steps);
    let accurate_up_to = stable.and_then(|(scheme, stable)| {
        accurate_step((range.min, stable), |h| {
            // A step that an instance refuses is too long, too.
            let Ok(entries) = sensitivity::measure(&mut perturbed.harness, &interface, h) else { return false };
            let (matrix, blocks) = sensitivity::matrix(&entries, &interface, &plan, order);
            contraction(&matrix, &blocks).is_some_and(|found| found.of(scheme.sweep) <= SLOW)
        })
    });
    perturbed.harness.finish()?;
    let contraction = contraction(&matrix, &blocks);
    Ok(Coupling {
        step: h,
        sensitivities: sensitivity::named(&entries, &interface, &plan),
        contraction,
        advice: advise(h, contraction, &critical_steps, accurate_up_to),
        critical_steps,
        stale: loops.stale(&fresh).into_iter().map(|instance| names[instance].clone()).collect(),
    })
}

/// The largest of the steps `stable`, `stable / 2`, … whose passes contract, down to `min` \[s\]; `None` if `stable` does, 0 if
/// no step does.
fn accurate_step((min, stable): (f64, f64), mut contracts: impl FnMut(f64) -> bool) -> Option<f64> {
    let mut h = stable;
    while h >= min {
        if contracts(h) {
            return (h < stable).then_some(h);
        }
        h *= 0.5;
    }
    Some(0.0)
}

/// The largest absolute value of each signal at the saved point and in small steps from there.
fn sizes(harness: &mut TestHarness<'_>, h: f64) -> Result<Vec<f64>, Box<Error>> {
    let mut sizes: Vec<f64> = harness.coupled.newest.reals.iter().map(|value| value.abs()).collect();
    let signals: Vec<usize> = (0..sizes.len()).collect();
    let record = harness.record(&mut *ComparedSweep::GaussSeidel.method().make(), (h, REFINEMENT), None, &signals)?;
    for row in record.chunks_exact(sizes.len().max(1)) {
        sizes.iter_mut().zip(row).for_each(|(size, value)| *size = size.max(value.abs()));
    }
    Ok(sizes)
}

/// Perturbs the inputs in loops and records the outputs in loops.
struct Perturbed<'a> {
    harness: TestHarness<'a>,
    interface: &'a Interface,
    signals: Vec<usize>,
    perturbations: Vec<Perturbation>,
}

impl<'a> Perturbed<'a> {
    fn new(harness: TestHarness<'a>, interface: &'a Interface, loops: &Loops<'_>) -> Self {
        let inputs = interface.inputs.iter().filter(|input| loops.contains(input.instance));
        let perturbations = inputs.map(|input| Perturbation { gather: input.gather, by: input.perturbation(), row: 0 }).collect();
        Self { harness, interface, signals: loops.signals(), perturbations }
    }

    fn critical_step(&mut self, scheme: Scheme, fresh: &ResolvedInputs, range: StepRange) -> Result<CriticalStep, Box<Error>> {
        if scheme.outputs == Some(Outputs::Fresh) {
            fresh.apply(self.harness.coupled);
        } else {
            self.harness.hold_inputs();
        }
        critical_step(range, |h, parts| self.growth(scheme.sweep, h, parts))
    }

    /// Growth of perturbations over `h` \[s\], made in `parts` steps.
    fn growth(&mut self, sweep: ComparedSweep, h: f64, parts: usize) -> Result<Growth, Box<Error>> {
        let mut sweep = sweep.method().make();
        let mut record = |perturbed| self.harness.record(&mut *sweep, (h, parts), perturbed, &self.signals);
        let (base, repeated) = (record(None)?, record(None)?);
        let mut differences = |perturbation| -> Result<Vec<f64>, Box<Error>> {
            let mut differences = record(Some(perturbation))?;
            differences.iter_mut().zip(&base).for_each(|(value, base)| *value -= base);
            Ok(differences)
        };
        let (mut experiments, mut later) = (Vec::new(), Vec::new());
        for &perturbation in &self.perturbations {
            experiments.push(differences(perturbation)?);
            later.push(differences(Perturbation { row: LATER, ..perturbation })?);
        }
        let variation = variation(&experiments, &later, self.signals.len());
        let signals = self.linear_part([&base, &repeated], &mut experiments);
        Ok(growth(&signals, &experiments, variation))
    }

    /// The recorded signals. Values that leave the linear range by more than one step are cut off, and noise there does not
    /// count.
    fn linear_part(&self, [base, repeated]: [&[f64]; 2], experiments: &mut [Vec<f64>]) -> Vec<Signal> {
        let count = self.signals.len();
        let largest = |index: usize, steps: usize, records: &mut dyn Iterator<Item = &[f64]>| {
            let rows = records.flat_map(|record| record.chunks_exact(count).take(steps));
            rows.map(|row| row[index].abs()).filter(|value| value.is_finite()).fold(0.0, f64::max)
        };
        let responses = || experiments.iter().map(Vec::as_slice);
        let limits: Vec<f64> = (0..count)
            .map(|index| {
                let first = largest(index, FIRST_STEPS, &mut responses());
                (LINEAR * self.interface.scales[self.signals[index]]).max(GROWN * first)
            })
            .collect();
        let is_linear = |step: &usize| {
            let mut rows = responses().map(|record| &record[step * count..(step + 1) * count]);
            *step < FIRST_STEPS || rows.all(|row| row.iter().zip(&limits).all(|(value, limit)| value.abs() <= *limit))
        };
        let steps = (0..ROWS).take_while(is_linear).count();
        let differences: Vec<f64> = base.iter().zip(repeated).map(|(first, second)| first - second).collect();
        let signals = (0..count).map(|index| {
            let rounding = f64::EPSILON * largest(index, steps, &mut [base].into_iter());
            let noise = largest(index, steps, &mut [differences.as_slice()].into_iter()).max(rounding);
            Signal { perturbation: self.interface.perturbation(self.signals[index]), noise, limit: limits[index] }
        });
        let signals = signals.collect();
        experiments.iter_mut().for_each(|record| record.truncate((steps + 1) * count));
        signals
    }
}

/// How much the effect of the same perturbation differs [`LATER`], relative to its effect now. If the system changes fast,
/// findings at its start are not properties of the coupling.
fn variation(experiments: &[Vec<f64>], later: &[Vec<f64>], signals: usize) -> f64 {
    let pairs = experiments.iter().zip(later).flat_map(|(first, later)| first.iter().zip(&later[LATER * signals..]).enumerate());
    let (mut sizes, mut changes) = (vec![0.0_f64; signals], vec![0.0_f64; signals]);
    for (index, (first, later)) in pairs {
        let (size, change) = (&mut sizes[index % signals], &mut changes[index % signals]);
        (*size, *change) = (size.max(first.abs()), change.max((later - first).abs()));
    }
    sizes.iter().zip(&changes).filter(|(size, _)| **size > 0.0).map(|(size, change)| change / size).fold(0.0, f64::max)
}
