//! The progress bar, or where runs are repeated, a line with the last one.

use lotka::{Event, Observer};

use crate::{
    console::{BAR_LENGTH, Console},
    explain,
};

/// How often the bar is touched in a run at most: a run must not notice it.
const TOUCHES: f64 = 200.0;

/// Moves the bar of the console. Between two touches a step costs one comparison.
pub(crate) struct Progress {
    console: Console,
    is_verified: bool,
    start: f64,
    duration: f64,
    next: f64,
}

impl Progress {
    /// `None` where nobody would see it. The end of a verified run cannot be foreseen, so it has no bar.
    pub(crate) fn new(console: &Console, is_verified: bool) -> Option<Self> {
        let is_shown = if is_verified { console.start_line() } else { console.start_bar() };
        is_shown.then(|| Self { console: console.clone(), is_verified, start: 0.0, duration: 0.0, next: f64::INFINITY })
    }

    fn touch(&mut self, time: f64) {
        let share = (time - self.start) / self.duration;
        self.console.bar().set_position((share * BAR_LENGTH as f64) as u64);
        self.console.bar().set_message(format!("t = {time:.4} s"));
        self.next = time + self.duration / TOUCHES;
    }
}

impl Observer for Progress {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::StepAccepted { time, .. } if *time >= self.next => self.touch(*time),
            Event::Started { start, stop, .. } if !self.is_verified => {
                (self.start, self.duration) = (*start, stop - start);
                self.touch(*start);
            }
            Event::Resumed { start, stop, time, .. } => {
                (self.start, self.duration) = (*start, stop - start);
                self.touch(*time);
            }
            Event::RunFinished { steps_per_row, estimate } => {
                self.console.bar().set_message(explain::finished(*steps_per_row, *estimate));
            }
            Event::Ended { .. } => self.console.bar().finish_and_clear(),
            _ => {}
        }
    }
}
