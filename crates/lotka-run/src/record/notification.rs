//! Notifications and rows.

use std::{fmt, ops::ControlFlow};

use lotka_instance::LogMessage;
use lotka_message::Warning;
use lotka_plan::column::Column;
use lotka_step::error_control::Estimates;

use super::Row;
use crate::{Checkpoint, Counters, End, FoundStart};

/// Receives the notifications of a run, in order.
///
/// ```
/// use lotka::{Notification, Observer};
///
/// /// Counts rejected steps.
/// struct Rejections(u64);
///
/// impl Observer for Rejections {
///     fn observe(&mut self, notification: &Notification<'_>) {
///         if let Notification::StepRejected { .. } = notification {
///             self.0 += 1;
///         }
///     }
/// }
/// # let mut rejections = Rejections(0);
/// # let prey = lotka::Fmu::from_functions(fmu_sdk::description::<models::Prey>(), fmu_sdk::functions::<models::Prey>());
/// # let mut simulation = lotka::System::new().instance_of("prey", &prey).stop(10.0).local_tolerance(1e-6).build()?;
/// let report = simulation.run(&mut [&mut rejections])?;
/// assert_eq!(rejections.0, report.counters.n_error_test_failures);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// Called for every notification.
    fn observe(&mut self, notification: &Notification<'_>);

    /// Whether the observer needs [`Notification::StepAccepted`]. Called when a run starts. If all observers decline, these
    /// notifications are not sent, which saves a call per step.
    fn wants_steps(&self) -> bool {
        true
    }

    /// Whether the run continues. Called after each [`Notification::Row`]; [`ControlFlow::Break`] ends the run at that row, with
    /// [`End::Stopped`].
    ///
    /// With `tolerance`, rows arrive after all runs: then it ends the rows.
    fn flow(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Notifies all observers.
pub fn emit(observers: &mut [&mut dyn Observer], notification: &Notification<'_>) {
    for observer in observers {
        observer.observe(notification);
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn observe(&mut self, notification: &Notification<'_>) {
        (**self).observe(notification);
    }

    fn wants_steps(&self) -> bool {
        (**self).wants_steps()
    }

    fn flow(&self) -> ControlFlow<()> {
        (**self).flow()
    }
}

/// A notification of a run. Times in seconds.
#[derive(Debug)]
#[non_exhaustive]
pub enum Notification<'a> {
    /// Start values were solved for, as requested in `[initialization]`; the run begins with them.
    StartFound {
        /// The values.
        values: &'a [FoundStart],
        /// Iterations of Newton's method.
        iterations: u32,
    },
    /// Before the runs for a `tolerance`, or between them: trial steps led to another method than the model descriptions do, or
    /// later contradicted it.
    MethodChanged {
        /// The finding, and the consequence.
        what: &'a str,
    },
    /// The instances are initialized; the first row follows.
    Started {
        /// The columns of every row, without the time.
        columns: &'a [Column],
        /// Start time.
        start: f64,
        /// Stop time.
        stop: f64,
    },
    /// The run continues from a checkpoint, instead of [`Notification::Started`]; the rows before it are not sent again.
    Resumed {
        /// The columns of every row, without the time.
        columns: &'a [Column],
        /// Start time.
        start: f64,
        /// Stop time.
        stop: f64,
        /// Time of the checkpoint.
        time: f64,
        /// Number of rows before it.
        rows: u64,
    },
    /// A session returned to a saved point. Rows after the first `rows`, and everything else after that point, are withdrawn.
    Returned {
        /// Time of the point.
        time: f64,
        /// Number of rows up to it.
        rows: u64,
    },
    /// A checkpoint was requested and made. It includes the effects of all earlier notifications, above all rows: store these
    /// before you store the checkpoint.
    Checkpoint(&'a Checkpoint),
    /// A row of results is due.
    Row(Row<'a>),
    /// A communication step was accepted.
    StepAccepted {
        /// Time at its end.
        time: f64,
        /// Its size.
        step: f64,
        /// Its error estimates, under error control.
        estimates: Option<Estimates>,
        /// The output that contributes most to them, as `instance.variable`: it limits the step size.
        variable: Option<&'a str>,
    },
    /// A communication step was rejected.
    StepRejected {
        /// Time at its beginning.
        time: f64,
        /// Its size.
        step: f64,
        /// The reason.
        reason: Rejection,
        /// The decisive output, as `instance.variable`: the one that contributes most to the error estimate or
        /// to the change of a loop, or that is not finite.
        variable: Option<&'a str>,
    },
    /// An event was located. Two rows of this time follow, with the values before and after it.
    EventLocated {
        /// Time of the event.
        time: f64,
        /// Description of the event.
        what: &'a str,
    },
    /// A run of the series for a `tolerance` has finished.
    RunFinished {
        /// Its communication steps.
        steps: u64,
        /// Estimate of the largest error of the results so far, relative; `None` after the first run.
        estimate: Option<f64>,
    },
    /// An FMU logged a line.
    Log(&'a LogMessage),
    /// A warning, which does not end the run.
    Warning(&'a Warning),
    /// The run is over; nothing follows.
    Ended {
        /// Last communication point reached.
        time: f64,
        /// The reason.
        end: &'a End,
        /// Counters of the run.
        counters: &'a Counters,
    },
}

/// The reason why a step was rejected. Instances and components are numbered as in `crate::Graph`; for names see
/// [`Notification::StepRejected`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rejection {
    /// The error estimate is above 1 in units of the tolerance.
    ErrorTest {
        /// The estimate.
        estimates: Estimates,
        /// Name of the estimator, as in a system file.
        estimator: &'static str,
        /// The Real signal that contributes most to the decisive norm.
        signal: Option<usize>,
    },
    /// The iteration of a loop did not converge.
    NotConverged {
        /// The component.
        component: usize,
        /// WRMS norm of the last change in units of the iteration tolerance.
        norm: f64,
        /// The Real signal that contributes most to it; `None` if integers, booleans or strings kept changing.
        signal: Option<usize>,
        /// Whether the iteration is accelerated.
        accelerated: bool,
    },
    /// An instance discarded the step.
    Discarded {
        /// The instance.
        instance: usize,
        /// The time up to which it stepped \[s\].
        last_successful_time: Option<f64>,
        /// Whether it requests the end of the run there.
        terminate: bool,
    },
    /// An instance returned early from inside the step; the next step ends there.
    EarlyReturn {
        /// The instance.
        instance: usize,
        /// The time it reached \[s\].
        time: f64,
    },
    /// A connected output is NaN or infinite.
    NotFinite {
        /// The Real signal.
        signal: usize,
        /// Its value.
        value: f64,
    },
}

impl Rejection {
    /// A short machine-readable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ErrorTest { .. } => "error-test",
            Self::NotConverged { .. } => "not-converged",
            Self::Discarded { .. } => "discarded",
            Self::EarlyReturn { .. } => "early-return",
            Self::NotFinite { .. } => "not-finite",
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ErrorTest { estimates, estimator, .. } => {
                let norm = if estimates.slope > 0.0 { format!(", {} norm", estimates.deciding()) } else { String::new() };
                write!(f, "the error estimate is {:.3} times the tolerance ({estimator}{norm})", estimates.largest())
            }
            Self::NotConverged { signal: None, .. } => {
                write!(f, "a loop did not converge: integers, booleans or strings keep changing")
            }
            Self::NotConverged { norm, .. } => {
                write!(f, "a loop did not converge: the last change is {norm:.3e} times the iteration tolerance")
            }
            Self::Discarded { last_successful_time: Some(time), .. } => {
                write!(f, "an instance discarded the step at t = {time} s")
            }
            Self::Discarded { last_successful_time: None, .. } => write!(f, "an instance discarded the step"),
            Self::EarlyReturn { time, .. } => write!(f, "an instance stopped early, at t = {time} s"),
            Self::NotFinite { value, .. } => write!(f, "a connected output is {value}"),
        }
    }
}
