//! A loop of direct feedthrough in initialization mode: outputs that depend on each other at once.

use std::{collections::HashMap, ops::Range};

use lotka_instance::Phase;
use lotka_plan::linear::SparseMatrix;
use lotka_step::{
    Error,
    algorithm::{Coupled, Signals},
    error::LoopProblem,
    error_control::{POINTS, SPACINGS, output_noise},
    renewal::{SetUp, failed},
};

use super::{
    loop_equations::LoopEquations,
    newton::{self, Accuracy, Ended, Equations},
    start::exchange,
    starting_points::starting_points,
};

/// Maximum number of rounds, each of which solves for Real values and then updates integers, booleans and strings.
const MOST_ROUNDS: usize = 50;

/// Number of passes along a loop after which each one must settle more values.
const PASSES: usize = 20;

/// Relative change below which values passed from instance to instance count as settled.
const SETTLED: f64 = 1e-12;

/// Values above this have diverged.
const OUT_OF_BOUNDS: f64 = 1e100;

/// A loop of direct feedthrough.
pub(super) struct FeedthroughLoop {
    /// In the order of their dependencies.
    pub(super) instances: Vec<usize>,
    /// Real outputs that instances of the loop read from each other: the unknowns.
    pub(super) signals: Vec<usize>,
    /// Per instance: which of the unknowns are its outputs.
    pub(super) blocks: Vec<Range<usize>>,
    /// Per unknown: the positions of the instances of the loop that read it.
    pub(super) readers: Vec<Vec<usize>>,
}

/// How the values of a loop were found.
#[derive(Debug, Clone)]
pub(super) enum Solved {
    /// The values follow each other without an actual loop, or nearly so: passing them on was enough.
    Settled,
    /// By Newton's method.
    Newton {
        /// The end of the search; its point is the solution.
        ended: Ended,
        /// Whether no solution was reached from the start values, but from another starting point.
        from_elsewhere: bool,
        /// The attainable accuracy.
        accuracy: Accuracy,
    },
}

impl FeedthroughLoop {
    /// Creates the loop; `instances` are in the order of their dependencies.
    pub(super) fn new(instances: &[usize], coupled: &Coupled) -> Self {
        let plan = &coupled.plan;
        let connected: Vec<_> = instances.iter().flat_map(|&instance| plan.instances[instance].connected()).collect();
        let all = connected.iter().copied().zip(plan.readers(instances, &connected));
        let (signals, readers): (Vec<_>, Vec<_>) = all.filter(|(_, readers)| !readers.is_empty()).unzip();
        let mut end = 0;
        let block = |&instance: &usize| {
            let start = end;
            let outputs = plan.instances[instance].connected();
            end += signals[start..].iter().take_while(|signal| outputs.contains(signal)).count();
            start..end
        };
        let blocks = instances.iter().map(block).collect();
        Self { instances: instances.to_vec(), signals, blocks, readers }
    }

    /// Names of the instances in the loop, in the order of their dependencies.
    pub(super) fn names(&self, coupled: &Coupled) -> Vec<String> {
        self.instances.iter().map(|&instance| coupled.name(instance).to_owned()).collect()
    }

    /// Names of the unknowns.
    pub(super) fn unknowns(&self, coupled: &Coupled) -> Vec<String> {
        self.signals.iter().map(|&signal| coupled.signal_name(signal).to_owned()).collect()
    }

    /// Finds consistent values, starting from the start values of the connected inputs. Afterwards the newest values are these.
    ///
    /// # Errors
    /// A call failed, or no values were found: [`Error::InitializationLoop`].
    pub(super) fn solve(&self, coupled: &mut Coupled, set_up: &[SetUp]) -> Result<Solved, Box<Error>> {
        let guesses = self.guesses(coupled, set_up);
        let mut refusal = match self.settle(coupled)? {
            Settling::Done => return Ok(Solved::Settled),
            Settling::Refused(error) => Some(error),
            Settling::NotDone => None,
        };
        for (&signal, guess) in self.signals.iter().zip(guesses) {
            coupled.newest.reals[signal] = guess;
        }
        let mut before = coupled.newest.clone();
        for _ in 0..MOST_ROUNDS {
            let solved = match (self.solve_reals(coupled), refusal) {
                // Without consistent values, the refusal of the start values by an instance is the more informative error.
                (Err(error), Some(refusal)) if matches!(*error, Error::InitializationLoop { .. }) => return Err(refusal),
                (solved, kept) => {
                    refusal = kept;
                    solved?
                }
            };
            before.copy_discrete_from(&coupled.newest);
            self.follow(coupled)?;
            if coupled.newest.same_discrete(&before) {
                return Ok(solved);
            }
        }
        let variable = coupled.newest.first_changed(&before, &coupled.plan).unwrap_or_default().to_owned();
        Err(self.no_values(coupled, LoopProblem::Discrete { variable, rounds: MOST_ROUNDS as u32 }))
    }

    /// Initial guesses of the unknowns, from the start values of the inputs that follow them; those specified by the user come
    /// first. The present output is used if every such input is a sum or has no start value.
    fn guesses(&self, coupled: &Coupled, set_up: &[SetUp]) -> Vec<f64> {
        // Not every FMU allows its inputs to be read.
        let (mut given, mut declared) = (HashMap::new(), HashMap::new());
        for &reader in &self.instances {
            let starts = set_up[reader].starts();
            for (signal, input, read_back) in coupled.plan.single_sources(reader) {
                declared.entry(signal).or_insert_with(|| starts.of(input).map(read_back));
                if let Some(start) = starts.given(input) {
                    given.entry(signal).or_insert_with(|| read_back(start));
                }
            }
        }
        let guess = |signal: &usize| given.get(signal).copied().or_else(|| declared.get(signal).copied().flatten());
        self.signals.iter().map(|signal| guess(signal).unwrap_or(coupled.newest.reals[*signal])).collect()
    }

    /// Passes values along the loop as often as it has instances, which suffices without a loop of single variables. From some
    /// number of passes on, each one must settle more values. Otherwise the previous values are restored.
    fn settle(&self, coupled: &mut Coupled) -> Result<Settling, Box<Error>> {
        let start = coupled.newest.clone();
        let mut before = start.clone();
        let mut settling = Settling::NotDone;
        let mut unsettled = self.signals.len();
        for round in 0..=self.instances.len() {
            before.copy_from(&coupled.newest);
            if let Some(refusal) = self.hand_on(coupled, &before)? {
                // Later ones may be caused by values that grow along a loop.
                if let (0, Some(error)) = (round, refusal) {
                    settling = Settling::Refused(error);
                }
                break;
            }
            let changed = |&&signal: &&usize| !is_settled(coupled.newest.reals[signal], before.reals[signal]);
            let previous = std::mem::replace(&mut unsettled, self.signals.iter().filter(changed).count());
            if unsettled == 0 && coupled.newest.same_discrete(&before) {
                return Ok(Settling::Done);
            }
            if round >= PASSES && unsettled >= previous {
                break;
            }
        }
        coupled.newest.copy_from(&start);
        Ok(settling)
    }

    /// Passes values along the loop once. Returns a value if this stopped early. It contains the error of an instance that
    /// refused its values and remains usable. It is empty if values diverged; these are not passed to instances.
    fn hand_on(&self, coupled: &mut Coupled, before: &Signals) -> Result<Option<Option<Box<Error>>>, Box<Error>> {
        for &instance in &self.instances {
            if let Err(error) = exchange(coupled, instance) {
                let is_sound = coupled.instances[instance].inner.phase() == Phase::Initialization;
                return if is_sound { Ok(Some(Some(error))) } else { Err(error) };
            }
            let mut outputs = coupled.plan.instances[instance].connected();
            let is_out = |value: f64| value.is_nan() || value.abs() > OUT_OF_BOUNDS;
            if outputs.any(|signal| is_out(coupled.newest.reals[signal]) && !is_out(before.reals[signal])) {
                return Ok(Some(None));
            }
        }
        Ok(None)
    }

    /// Reads all outputs for the newest values. Consistent values are not passed from instance to instance, because their
    /// rounding errors may grow along the loop.
    pub(super) fn follow(&self, coupled: &mut Coupled) -> Result<(), Box<Error>> {
        let mut g: Vec<f64> = self.signals.iter().map(|&signal| coupled.newest.reals[signal]).collect();
        for (&instance, block) in self.instances.iter().zip(&self.blocks) {
            exchange(coupled, instance)?;
            // The others read the values before.
            for (g, &signal) in g[block.clone()].iter_mut().zip(&self.signals[block.clone()]) {
                std::mem::swap(g, &mut coupled.newest.reals[signal]);
            }
        }
        for (&signal, g) in self.signals.iter().zip(&g) {
            coupled.newest.reals[signal] = *g;
        }
        Ok(())
    }

    /// Solves for the Real values while all others are kept.
    fn solve_reals(&self, coupled: &mut Coupled) -> Result<Solved, Box<Error>> {
        let start: Vec<f64> = self.signals.iter().map(|&signal| coupled.newest.reals[signal]).collect();
        for &instance in &self.instances {
            coupled.set_discrete_inputs(instance, false).map_err(failed)?;
        }
        let mut accuracy = Accuracy { noise: 0.0, given: coupled.plan.loop_tolerance };
        let mut closest = self.solve_from(coupled, start.clone(), accuracy)?;
        if !closest.is_solution {
            accuracy.noise = self.noise_at(coupled, &closest)?;
            if accuracy.noise > 0.0 {
                closest = self.solve_from(coupled, start.clone(), accuracy)?;
            }
        }
        let mut from_elsewhere = false;
        let mut starts = 1;
        for point in starting_points(&start) {
            if closest.is_solution {
                break;
            }
            let ended = self.solve_from(coupled, point, accuracy)?;
            starts += 1;
            if ended.is_solution || ended.largest() < closest.largest() {
                (closest, from_elsewhere) = (ended, true);
            }
        }
        if !closest.is_solution {
            let row = closest.worst();
            let problem = LoopProblem::Residual {
                variable: coupled.signal_name(self.signals[row]).to_owned(),
                value: closest.x[row],
                residual: closest.residual[row],
                share: closest.largest(),
                noise: accuracy.noise,
                starts,
            };
            return Err(self.no_values(coupled, problem));
        }
        self.put(coupled, &closest.x)?;
        Ok(Solved::Newton { ended: closest, from_elsewhere, accuracy })
    }

    /// Standard deviation of the noise of the results, relative to the size of their terms; 0 if it is rounding.
    fn noise_at(&self, coupled: &mut Coupled, at: &Ended) -> Result<f64, Box<Error>> {
        let mut least = vec![f64::INFINITY; at.x.len()];
        for spacing in SPACINGS {
            let deviations = self.deviations(coupled, &at.x, spacing)?;
            least.iter_mut().zip(deviations).for_each(|(least, deviation)| *least = least.min(deviation));
        }
        Ok(least.iter().zip(&at.sizes).map(|(deviation, size)| output_noise::relative(*deviation, *size)).fold(0.0, f64::max))
    }

    /// The scatter of each output about a smooth function of the inputs.
    fn deviations(&self, coupled: &mut Coupled, x: &[f64], spacing: f64) -> Result<Vec<f64>, Box<Error>> {
        let scales: Vec<f64> = newton::scales(x).collect();
        let mut values = vec![[0.0; POINTS]; x.len()];
        let mut equations = LoopEquations::new(self, coupled, Accuracy::default());
        let mut residual = vec![0.0; x.len()];
        for point in 0..POINTS {
            let place = |(column, (x, scale)): (usize, (&f64, &f64))| x + spacing * scale * output_noise::place(point, column);
            let moved: Vec<f64> = x.iter().zip(&scales).enumerate().map(place).collect();
            equations.residual(&moved, &mut residual)?;
            let is_inside = residual.iter().all(|r| r.is_finite());
            values.iter_mut().zip(&equations.g).for_each(|(values, g)| values[point] = if is_inside { *g } else { f64::NAN });
        }
        Ok(values.iter().map(output_noise::deviation).collect())
    }

    /// Newton's method from one starting point.
    pub(super) fn solve_from(&self, coupled: &mut Coupled, point: Vec<f64>, accuracy: Accuracy) -> Result<Ended, Box<Error>> {
        newton::solve(&mut LoopEquations::new(self, coupled, accuracy), point, accuracy)
    }

    /// The derivative of the results with respect to the unknowns, at a point.
    pub(super) fn derivative_at(
        &self,
        coupled: &mut Coupled,
        point: &[f64],
        accuracy: Accuracy,
    ) -> Result<SparseMatrix, Box<Error>> {
        let (mut residual, mut sizes) = (vec![0.0; point.len()], vec![0.0; point.len()]);
        let mut equations = LoopEquations::new(self, coupled, accuracy);
        let mut jacobian = equations.places();
        equations.residual(point, &mut residual)?;
        equations.jacobian(point, &residual, &mut jacobian, &mut sizes)?;
        Ok(jacobian)
    }

    /// Sets these values as the inputs of the instances, and reads the resulting newest values.
    fn put(&self, coupled: &mut Coupled, x: &[f64]) -> Result<(), Box<Error>> {
        LoopEquations::new(self, coupled, Accuracy::default()).residual(x, &mut vec![0.0; x.len()])
    }

    fn no_values(&self, coupled: &Coupled, problem: LoopProblem) -> Box<Error> {
        Box::new(Error::InitializationLoop { instances: self.names(coupled), problem })
    }
}

/// The result of passing values along a loop.
enum Settling {
    /// They no longer change.
    Done,
    NotDone,
    /// An instance refused its initial values.
    Refused(Box<Error>),
}

/// A change to or from zero counts as a change. An unbounded value is never settled.
fn is_settled(new: f64, old: f64) -> bool {
    new.is_finite() && (new == old || (new - old).abs() <= SETTLED * new.abs().min(old.abs()))
}
