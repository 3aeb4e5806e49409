//! The steps of a single run, fixed or controlled, and the warnings about them.

use lotka_message::{Code, Warning};
use lotka_plan::time::Shown;
use lotka_prepare::trial::grids;
use lotka_step::{Error, algorithm::Grid, resolved::ControlledSteps};

use super::{
    End,
    checkpoint::Contents,
    controlled::ControlledRun,
    run_loop::RunLoop,
    shared_system::SharedSystem,
    single::{RunOptions, set_up},
    start_up::make_start_block,
    stepping::{FixedSteps, Stepping},
};

/// Steps of a single run, fixed or controlled.
pub(super) enum OnlySteps {
    Fixed { steps: FixedSteps, size: f64 },
    Controlled(Box<ControlledRun>),
}

impl OnlySteps {
    /// Takes the instances to the first communication point, or to that of a checkpoint; steps have this size \[s\].
    pub(super) fn start_fixed<'a>(
        run_loop: &mut RunLoop<'a, '_>,
        system: &'a SharedSystem,
        options: RunOptions<'a>,
        size: f64,
    ) -> Result<Self, Box<Error>> {
        set_up(run_loop, system, options)?;
        run_loop.coupled.nominal = size;
        let (experiment, span) = (&system.resolved.experiment, system.span());
        if options.from.is_none() && !system.cancel.is_canceled() {
            // The start block takes its steps at once, so it cannot contain a time event.
            let end = system.resolved.time_events.list.first().map_or(span.1, |time_event| time_event.time);
            make_start_block(run_loop, (span.0, end), size)?;
        }
        let steps = FixedSteps::new(span, size, experiment.output_interval, system.same_size);
        let mut steps = steps.spaced(experiment.min_output_interval);
        begin(run_loop, &mut steps, options.from)?;
        Ok(Self::Fixed { steps, size })
    }

    /// Does the same with controlled steps.
    pub(super) fn start_controlled<'a>(
        run_loop: &mut RunLoop<'a, '_>,
        system: &'a SharedSystem,
        options: RunOptions<'a>,
        steps: &ControlledSteps,
    ) -> Result<Self, Box<Error>> {
        set_up(run_loop, system, options)?;
        let mut controlled = ControlledRun::new(run_loop, steps, &system.resolved.experiment)?;
        begin(run_loop, &mut controlled.steps, options.from)?;
        Ok(Self::Controlled(Box::new(controlled)))
    }

    /// Steps until the first communication point at or after `until` \[s\], or the end of the run.
    pub(super) fn advance(&mut self, run_loop: &mut RunLoop<'_, '_>, until: f64) -> Result<Option<End>, Box<Error>> {
        match self {
            Self::Fixed { steps, .. } => run_loop.advance(steps, until),
            Self::Controlled(controlled) => run_loop.advance(&mut controlled.steps, until),
        }
    }

    /// Issues the warnings about the whole run.
    pub(super) fn conclude(&self, run_loop: &mut RunLoop<'_, '_>) {
        match self {
            Self::Fixed { size, .. } => {
                run_loop.warn_of_unconverged();
                warn_of_pauses(run_loop, *size, true);
                warn_of_exact_sizes(run_loop, *size);
            }
            Self::Controlled(controlled) => {
                controlled.warn(run_loop);
                warn_of_pauses(run_loop, controlled.first(), false);
            }
        }
    }
}

/// Sends the first row, or restores a checkpoint.
fn begin<S: Stepping>(run_loop: &mut RunLoop<'_, '_>, stepping: &mut S, from: Option<&Contents>) -> Result<(), Box<Error>> {
    match from {
        None => run_loop.row(run_loop.clock.time),
        Some(contents) => run_loop.recall(stepping, contents),
    }
}

/// Warns about instances whose internal steps are longer than the communication steps, of this size \[s\] or initially so, except
/// those that were known before the run.
fn warn_of_pauses(run_loop: &mut RunLoop<'_, '_>, size: f64, is_fixed: bool) {
    for pauses in run_loop.coupled.pauses.take().map_or_else(Vec::new, |pauses| pauses.finish()) {
        let grid = Grid::from(&pauses);
        if run_loop.system.own_steps[grid.instance].is_none() {
            let (name, own) = (run_loop.coupled.name(grid.instance), format!("about {}", grid.shown(size)));
            let warning = grids::warning(name, &own, is_fixed.then_some(size));
            run_loop.reporter.warn(warning);
        }
    }
}

/// Warns about instances that receive steps of this size \[s\] without the rounding of times.
fn warn_of_exact_sizes(run_loop: &mut RunLoop<'_, '_>, size: f64) {
    let coupled = &run_loop.coupled;
    let is_exact = |index: &usize| coupled.instances[*index].rounding.wants_exact();
    let names: Vec<_> = (0..coupled.instances.len()).filter(is_exact).map(|index| coupled.name(index).to_owned()).collect();
    for name in names {
        let text = format!(
            "instance `{name}` refuses steps whose size is off by the rounding of times; Lotka made all later steps of this \
             instance with exactly {} s",
            Shown(size)
        );
        run_loop.reporter.warn(Warning::new(Code::ExactSteps, text));
    }
}
