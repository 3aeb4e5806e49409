//! Errors of calls to an instance, with all details needed to find the cause.

use lotka_message::{Code, Coded};

use crate::{FunctionName, Phase, ProcessEnd, Shown, Status};

/// Result of a call to an instance. The error is boxed, so that the result of a successful call stays two words wide.
pub type CallResult<T> = Result<T, Box<CallError>>;

/// A call to an instance that failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error("instance `{instance}`: {function}{}{} {}{}", of(.variables), at(*.time), self.what(), log_tail(.log))]
pub struct CallError {
    /// Name of the instance.
    pub instance: String,
    /// The function that was called or requested.
    pub function: FunctionName,
    /// The variables of the call, if known, at most [`CallError::MOST_VARIABLES`]. Of variables that are read together, only
    /// those that cannot be read.
    pub variables: Vec<String>,
    /// Communication point of the instance \[s\], if it has reached one.
    pub time: Option<f64>,
    /// The reason why the call failed.
    pub cause: Cause,
    /// The last lines logged by the FMU, oldest first.
    pub log: Vec<String>,
}

/// The reason why a call failed.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Cause {
    /// The FMU returned this status.
    Status(Status),
    /// The FMU returned an integer that is not a valid status.
    UnknownStatus(i32),
    /// The call table forbids the call in this phase; the FMU was not called.
    NotAllowed(Phase),
    /// The FMU lacks the function or the capability flag; the FMU was not called.
    Unsupported,
    /// An asynchronous step did not finish within this time \[s\].
    PendingTimeout(f64),
    /// The FMU returned OK together with an invalid result (a NULL pointer, an absurd size).
    BadReply(String),
    /// The arguments of the caller are invalid (lengths that differ, a slot that is not in use); the FMU was not called.
    BadArgument(String),
    /// The model panicked; the panic was caught.
    Panic(String),
    /// The process of the FMU ended in the call, or before the next one; no function may be called any more.
    ProcessEnded(ProcessEnd),
}

impl CallError {
    /// Returns the description of the failure, as the rest of a sentence that begins with the function.
    #[must_use]
    pub fn what(&self) -> String {
        let function = &self.function;
        match &self.cause {
            Cause::Status(status) => format!("returned {}", function.status(*status)),
            Cause::UnknownStatus(n) => format!("returned {n}, which is not an FMI status"),
            Cause::NotAllowed(phase) => format!("is not allowed in phase `{phase}`"),
            Cause::Unsupported => "is not supported by this FMU".to_owned(),
            Cause::PendingTimeout(seconds) => format!("was still pending after {seconds} s"),
            Cause::BadReply(what) => format!("returned {} but {what}", function.status(Status::Ok)),
            Cause::BadArgument(what) => format!("was called with invalid arguments: {what}"),
            Cause::Panic(what) => format!("panicked: {what}"),
            Cause::ProcessEnded(end) => end.of_call(),
        }
    }
}

impl Coded for CallError {
    fn code(&self) -> Code {
        match &self.cause {
            Cause::Status(_) | Cause::UnknownStatus(_) | Cause::Panic(_) => Code::FmuError,
            Cause::NotAllowed(_) | Cause::BadArgument(_) => Code::InternalError,
            Cause::Unsupported => Code::UnsupportedCall,
            Cause::PendingTimeout(_) => Code::StepPending,
            Cause::BadReply(_) => Code::BadReply,
            Cause::ProcessEnded(end) => end.code(),
        }
    }
}

/// Maximum number of variable names in a message.
const MOST_NAMES: usize = 3;

impl CallError {
    /// Maximum number of variables that an error names; of more, it names the first ones.
    pub const MOST_VARIABLES: usize = 1000;
}

fn of(variables: &[String]) -> String {
    let names = variables.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match variables.len().saturating_sub(MOST_NAMES) {
        0 if names.is_empty() => String::new(),
        0 => format!(" of {names}"),
        _ if variables.len() >= CallError::MOST_VARIABLES => format!(" of {names} and many more"),
        more => format!(" of {names} and {more} more"),
    }
}

fn at(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| format!(" at t = {} s", Shown(time)))
}

/// The end of a message: what the FMU has logged, a line each.
#[doc(hidden)]
#[must_use]
pub fn log_tail(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  logged: {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_instance_function_status_time_and_log() {
        let error = CallError {
            instance: "prey".into(),
            function: FunctionName::new("fmi2", "DoStep"),
            variables: Vec::new(),
            time: Some(2.5),
            cause: Cause::Status(Status::Error),
            log: vec!["population became negative".into()],
        };
        assert_eq!(
            error.to_string(),
            "instance `prey`: fmi2DoStep at t = 2.5 s returned fmi2Error\n  logged: population became negative"
        );
        let named = |names: &[&str]| {
            let variables = names.iter().map(|&name| name.to_owned()).collect();
            CallError { function: FunctionName::new("fmi2", "GetReal"), variables, time: None, log: Vec::new(), ..error.clone() }
                .to_string()
        };
        assert_eq!(named(&["x"]), "instance `prey`: fmi2GetReal of `x` returned fmi2Error");
        assert_eq!(named(&["x", "y"]), "instance `prey`: fmi2GetReal of `x`, `y` returned fmi2Error");
        assert_eq!(named(&["a", "b", "c", "d"]), "instance `prey`: fmi2GetReal of `a`, `b`, `c` and 1 more returned fmi2Error");
        assert!(named(&["x"; CallError::MOST_VARIABLES]).contains("`x`, `x`, `x` and many more returned"));
    }
}
