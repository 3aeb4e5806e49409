//! Errors for refusals without a remedy.

use lotka_step::{
    Error,
    algorithm::{Coupled, Refusal},
};

use crate::{event::MOST_SHORTER_STEPS, record::Rejection};

/// The reason why no other step is tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reason {
    /// Steps are fixed.
    FixedSteps,
    /// Steps are those of a mesh in a series.
    Mesh,
    /// The step size is at its minimum \[s\].
    Minimum(f64),
    /// Some instances cannot be rolled back.
    ForwardOnly,
    /// All steps are kept.
    AllKept,
}

/// The error that ends the run after `rejection` of the step from `time` by `step`; `iterations` is the limit of the iteration.
#[cold]
pub(crate) fn error(coupled: &Coupled, rejection: Rejection, reason: Reason, (time, step): (f64, f64), iterations: u32) -> Error {
    match rejection {
        Rejection::NotFinite { signal, value } => {
            Error::NotFinite { variable: coupled.signal_name(signal).to_owned(), value, time: time + step }
        }
        Rejection::NotConverged { component, norm, accelerated, .. } => Error::NotConverged {
            instances: member_names(coupled, component),
            time,
            step,
            iterations,
            norm,
            variable: variable(coupled, rejection).map(str::to_owned),
            accelerated,
            output_noise: None,
            is_smallest: matches!(reason, Reason::Minimum(_)),
        },
        Rejection::EarlyReturn { instance, time } => {
            Error::Chatter { what: format!("`{}` stops early", coupled.name(instance)), time, count: MOST_SHORTER_STEPS }
        }
        Rejection::Discarded { instance, .. } => discarded(coupled, instance, reason, time, step),
        Rejection::ErrorTest { .. } => {
            let minimum = if let Reason::Minimum(minimum) = reason { minimum } else { step };
            let most = variable(coupled, rejection).map_or_else(String::new, |name| format!(", most of it from `{name}`"));
            Error::StepTooSmall { time, minimum, reason: format!("{rejection}{most}") }
        }
    }
}

/// The output that was decisive.
pub(crate) fn variable(coupled: &Coupled, rejection: Rejection) -> Option<&str> {
    match rejection {
        Rejection::ErrorTest { signal, .. } | Rejection::NotConverged { signal, .. } => {
            signal.map(|signal| coupled.signal_name(signal))
        }
        Rejection::NotFinite { signal, .. } => Some(coupled.signal_name(signal)),
        Rejection::Discarded { .. } | Rejection::EarlyReturn { .. } => None,
    }
}

fn discarded(coupled: &Coupled, instance: usize, reason: Reason, time: f64, step: f64) -> Error {
    let reason = match reason {
        Reason::FixedSteps => {
            "the step size is fixed; replace `step` by `local-tolerance` to roll back and try smaller steps, if all FMUs \
             support it"
                .to_owned()
        }
        Reason::Mesh => "only runs on finer meshes take smaller steps".to_owned(),
        Reason::ForwardOnly => {
            "Lotka tries no smaller step because some FMUs cannot be rolled back; reduce `max-step` or `local-tolerance`"
                .to_owned()
        }
        Reason::AllKept => "libcosim repeats no step; remove `compatibility` to try smaller steps".to_owned(),
        Reason::Minimum(minimum) => format!("Lotka tried smaller steps down to the minimum of {minimum:e} s; reduce `min-step`"),
    };
    Error::Discarded { instance: coupled.name(instance).to_owned(), time, step, reason, log: Vec::new() }
}

/// Names of the instances of a component, in the order they are stepped.
pub(crate) fn member_names(coupled: &Coupled, component: usize) -> Vec<String> {
    coupled.plan.components[component].members.iter().map(|&instance| coupled.name(instance).to_owned()).collect()
}

impl From<Refusal> for Rejection {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotConverged { component, norm, signal, accelerated } => {
                Self::NotConverged { component, norm, signal, accelerated }
            }
            Refusal::NotFinite { signal, value } => Self::NotFinite { signal, value },
            Refusal::EarlyReturn { instance, time } => Self::EarlyReturn { instance, time },
            Refusal::Discarded { instance, discard } => {
                Self::Discarded { instance, last_successful_time: discard.last_successful_time, terminate: discard.terminate }
            }
        }
    }
}
