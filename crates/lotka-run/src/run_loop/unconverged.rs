//! Steps that were kept at the user's request although a loop did not converge: reported once, and counted.

use lotka_message::{Code, Warning};
use lotka_plan::time::Shown;
use lotka_step::algorithm::{Coupled, Unconverged};

use super::{RunLoop, statistics::UnconvergedSteps};
use crate::{refuse::member_names, stepping::Proposal};

/// Maximum number of outputs named in a warning.
const MOST_NAMES: usize = 4;

impl RunLoop<'_, '_> {
    /// Records an accepted step in which a loop did not converge.
    #[cold]
    pub(super) fn keep_unconverged(&mut self, proposal: &Proposal) {
        let Some(unconverged) = self.method.unconverged() else { return };
        let steps = &mut self.statistics.unconverged;
        let is_first = steps.count == 0;
        *steps = UnconvergedSteps { count: steps.count + 1, latest: proposal.end, largest: steps.largest.max(unconverged.norm) };
        if is_first {
            let iterations = self.method.iteration_limit();
            self.reporter.warn(Warning::new(
                Code::LastIterateKept,
                format!(
                    "the loop {} did not converge within {iterations} iterations at t = {} s with h = {} s, and Lotka keeps the \
                 last iterate: {} (norm of the change: {:.3e} times the iteration tolerance); a warning at the end counts all \
                 such steps",
                    member_names(self.coupled, unconverged.component).join(" -> "),
                    self.clock.time,
                    Shown(proposal.h),
                    changes(unconverged, self.coupled),
                    unconverged.norm
                ),
            ));
        }
    }

    /// Warns about the number of steps in which a loop did not converge.
    pub(crate) fn warn_of_unconverged(&mut self) {
        let UnconvergedSteps { count, latest, largest } = self.statistics.unconverged;
        if count > 1 {
            let steps = self.statistics.counters.n_steps;
            self.reporter.warn(Warning::new(
                Code::LastIterateKept,
                format!(
                    "a loop did not converge in {count} of {steps} steps, and Lotka kept the last iterate; the last such step ended \
                 at t = {latest} s; the largest norm of a change was {largest:.3e} times the iteration tolerance"
                ),
            ));
        }
    }
}

/// Describes the changes in the last iteration.
fn changes(unconverged: &Unconverged, coupled: &Coupled) -> String {
    let discrete = unconverged.changed.iter().map(|name| format!("`{name}` still changes"));
    let change = |&(signal, residual): &(usize, f64)| format!("`{}` has residual {residual:.3e}", coupled.signal_name(signal));
    let reals = unconverged.residuals.iter().take(MOST_NAMES).map(change);
    let rest = unconverged.residuals.len().saturating_sub(MOST_NAMES);
    let rest = (rest > 0).then(|| format!("{rest} more outputs have residuals above the tolerance"));
    discrete.chain(reals).chain(rest).collect::<Vec<_>>().join(", ")
}
