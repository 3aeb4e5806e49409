//! Progress of a run: a bar, or a line of text if the simulation is repeated.
//!
//! The run stores its time and step size; a separate thread draws them a few times a second.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::HumanDuration;
use lotka::{Notification, Observer, ProgressToken, RunProgress};

use crate::{
    console::{BAR_LENGTH, Console},
    counted::counted,
    timer::Timer,
};

/// Interval between drawings. Runs that end earlier show nothing.
const TICK: Duration = Duration::from_millis(150);

/// Period over which the speed is measured; it is short, because step sizes change.
const WINDOW: Duration = Duration::from_secs(10);

/// State that the run shares with the drawing thread.
#[derive(Default)]
struct Shared {
    /// Bits of the time and the step size \[s\].
    time: AtomicU64,
    step: AtomicU64,
    /// The last estimate of a run with `tolerance`.
    estimate: Mutex<Option<f64>>,
}

/// Draws the progress of a run. Each step costs two atomic stores.
pub(crate) struct Progress {
    console: Console,
    /// Source of progress for the runs of a `tolerance`, if there is one.
    runs: Option<ProgressToken>,
    shared: Arc<Shared>,
    timer: Option<Timer>,
}

impl Progress {
    /// Returns `None` if the progress would not be visible. The number of runs that a `tolerance` takes is unknown, so such a run
    /// has no bar.
    pub(crate) fn new(console: &Console, runs: Option<ProgressToken>) -> Option<Self> {
        let is_shown = if runs.is_some() { console.start_line() } else { console.start_bar() };
        is_shown.then(|| Self { console: console.clone(), runs, shared: Arc::default(), timer: None })
    }

    fn begin(&mut self, span: (f64, f64), time: f64) {
        self.shared.time.store(time.to_bits(), Ordering::Relaxed);
        let (console, shared) = (self.console.clone(), self.shared.clone());
        let view = View { span, pace: Pace::default() };
        self.timer = Some(match self.runs.clone() {
            None => {
                let mut view = view;
                Timer::start(TICK, move || view.draw(&console, &shared))
            }
            Some(runs) => {
                let mut view = RunsView { view, runs: Vec::new() };
                Timer::start(TICK, move || view.draw(&console, runs.runs(), &shared))
            }
        });
    }
}

impl Observer for Progress {
    fn wants_steps(&self) -> bool {
        self.runs.is_none()
    }

    fn observe(&mut self, notification: &Notification<'_>) {
        match notification {
            Notification::StepAccepted { time, step, .. } => {
                self.shared.time.store(time.to_bits(), Ordering::Relaxed);
                self.shared.step.store(step.to_bits(), Ordering::Relaxed);
            }
            Notification::Started { start, stop, .. } => self.begin((*start, *stop), *start),
            Notification::Resumed { start, stop, time, .. } => self.begin((*start, *stop), *time),
            Notification::RunFinished { estimate, .. } => {
                *self.shared.estimate.lock().unwrap_or_else(PoisonError::into_inner) = *estimate;
            }
            Notification::Ended { .. } => {
                self.timer = None;
                self.console.end_bar();
            }
            _ => {}
        }
    }
}

/// Progress of one run, from start to stop \[s\].
struct View {
    span: (f64, f64),
    pace: Pace,
}

impl View {
    fn draw(&mut self, console: &Console, shared: &Shared) {
        let [time, step] = [&shared.time, &shared.step].map(|bits| f64::from_bits(bits.load(Ordering::Relaxed)));
        self.pace.add(Instant::now(), time);
        let mut text = format!("t = {} of {} s", self.rounded(time), self.span.1);
        if step > 0.0 {
            text += &format!("  h = {step:.1e} s");
        }
        if let Some(speed) = self.pace.speed() {
            text += &format!("  {} s/s  {}", brief(speed), left(self.span.1 - time, speed));
        }
        console.advance_bar((self.share(time) * BAR_LENGTH as f64) as u64, &text);
    }

    fn share(&self, time: f64) -> f64 {
        (time - self.span.0) / (self.span.1 - self.span.0)
    }

    /// Formats a time with as many digits as the bar needs.
    fn rounded(&self, time: f64) -> String {
        let digits = 4.0 - (self.span.1 - self.span.0).log10().ceil();
        format!("{time:.*}", digits.clamp(0.0, 15.0) as usize)
    }
}

/// Progress of the runs of a `tolerance`.
struct RunsView {
    view: View,
    /// Numbers of steps of the runs that the pace refers to.
    runs: Vec<u64>,
}

impl RunsView {
    fn draw(&mut self, console: &Console, runs: Vec<RunProgress>, shared: &Shared) {
        let steps: Vec<_> = runs.iter().map(|run| run.steps).collect();
        if self.runs != steps {
            (self.runs, self.view.pace) = (steps, Pace::default());
        }
        let estimate = *shared.estimate.lock().unwrap_or_else(PoisonError::into_inner);
        console.advance_bar(0, &self.text(&runs, estimate));
    }

    fn text(&mut self, runs: &[RunProgress], estimate: Option<f64>) -> String {
        let each: Vec<_> = runs
            .iter()
            .map(|run| format!("{}: {:.0} %", counted(run.steps, "step"), 100.0 * self.view.share(run.time)))
            .collect();
        let mut text = match (each.is_empty(), estimate) {
            (false, _) => format!("run with {}", each.join(" and ")),
            (true, None) => "preparing".to_owned(),
            (true, Some(_)) => "extrapolating".to_owned(),
        };
        // Of concurrent runs, the slowest one decides.
        if let Some(time) = runs.iter().map(|run| run.time).min_by(f64::total_cmp) {
            self.view.pace.add(Instant::now(), time);
            if let Some(speed) = self.view.pace.speed() {
                text += &format!(", {} in this run", left(self.view.span.1 - time, speed));
            }
        }
        match estimate {
            Some(estimate) => text + &format!("; estimate so far {estimate:.1e}"),
            None => text,
        }
    }
}

/// Recent speed of a run.
#[derive(Default)]
struct Pace(VecDeque<(Instant, f64)>);

impl Pace {
    fn add(&mut self, now: Instant, time: f64) {
        // The last entry before the window stays, so that there is a speed even if drawings are rare.
        while self.0.get(1).is_some_and(|(second, _)| now.duration_since(*second) >= WINDOW) {
            self.0.pop_front();
        }
        self.0.push_back((now, time));
    }

    /// Returns the simulated seconds per second; `None` while the speed is unknown.
    fn speed(&self) -> Option<f64> {
        let ((begin, from), (end, to)) = (self.0.front()?, self.0.back()?);
        let elapsed = end.duration_since(*begin).as_secs_f64();
        (elapsed > 0.0 && to > from).then(|| (to - from) / elapsed)
    }
}

/// Formats a number with three digits.
fn brief(number: f64) -> String {
    let digits = 2 - number.log10().floor() as i32;
    match digits {
        0..=5 => format!("{number:.*}", digits as usize),
        _ => format!("{number:.2e}"),
    }
}

/// Formats the remaining time at this speed.
fn left(duration: f64, speed: f64) -> String {
    match Duration::try_from_secs_f64(duration / speed) {
        Ok(left) if left < Duration::from_secs(1) => "less than 1 s left".to_owned(),
        Ok(left) => format!("about {} left", HumanDuration(left)),
        Err(_) => "time left unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_the_speed_of_the_last_seconds() {
        let (mut pace, begin) = (Pace::default(), Instant::now());
        assert_eq!(pace.speed(), None);
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        pace.add(at(0), 0.0);
        assert_eq!(pace.speed(), None);
        pace.add(at(10), 50.0);
        assert_eq!(pace.speed(), Some(5.0));
        // The steps become smaller.
        (11..=20).for_each(|second| pace.add(at(second), 50.0 + (second as f64 - 10.0) / 10.0));
        assert_eq!(pace.speed(), Some(0.1));
        assert_eq!(left(100.0 - 51.0, 0.1), "about 8 minutes left");
        pace.add(at(31), 51.0);
        assert_eq!(
            (pace.speed(), left(1.0, 5.0), left(1e300, 1e-300)),
            (None, "less than 1 s left".into(), "time left unknown".into())
        );
        pace.add(at(61), 54.0);
        assert_eq!(pace.speed(), Some(0.1), "it was seldom looked at");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0123, 1.0, 12.34, 123.4, 1.5e7, 1e-9].map(brief), ["0.0123", "1.00", "12.3", "123", "1.50e7", "1.00e-9"]);
        let rounded = |span| View { span, pace: Pace::default() }.rounded(0.123_456_789);
        assert_eq!([(0.0, 1.0), (0.0, 100.0), (0.0, 1e7), (0.0, 1e-3)].map(rounded), ["0.1235", "0.12", "0", "0.1234568"]);
    }

    #[test]
    fn runs_of_a_tolerance_are_reported_one_by_one() {
        let mut view = RunsView { view: View { span: (0.0, 10.0), pace: Pace::default() }, runs: Vec::new() };
        assert_eq!(view.text(&[], None), "preparing");
        let progress = ProgressToken::default();
        assert_eq!(progress.runs(), []);
        assert_eq!(view.text(&[], Some(3.21e-5)), "extrapolating; estimate so far 3.2e-5");
    }
}
