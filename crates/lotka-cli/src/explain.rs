//! What a run is about, line by line, for those who ask with `-v` or `-vv`.

use lotka::{Event, Observer};

use crate::console::{Console, Verbosity};

/// Tells finished runs of a verified simulation.
pub(crate) struct Explain {
    console: Console,
}

impl Explain {
    pub(crate) fn new(console: &Console) -> Self {
        Self { console: console.clone() }
    }
}

impl Observer for Explain {
    fn wants_steps(&self) -> bool {
        false
    }

    fn observe(&mut self, event: &Event<'_>) {
        if let Event::RunFinished { steps_per_row, estimate } = event {
            self.console.say(Verbosity::Verbose, &finished(*steps_per_row, *estimate));
        }
    }
}

/// A finished run, and what is known after it.
pub(crate) fn finished(steps_per_row: u32, estimate: Option<f64>) -> String {
    let steps = if steps_per_row == 1 { "step" } else { "steps" };
    match estimate {
        Some(estimate) => format!("run with {steps_per_row} {steps} per row: estimate {estimate:.1e}"),
        None => format!("run with {steps_per_row} {steps} per row: no estimate yet"),
    }
}
