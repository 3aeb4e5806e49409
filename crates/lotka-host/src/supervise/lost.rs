//! A child that ended unexpectedly.

use std::fmt;

use fmu::OpenCall;
use lotka_instance::{CallError, Cause, ProcessEnd};
use lotka_message::{Code, Coded};

use super::LeftRows;

/// How a child ended unexpectedly, and the last calls into FMUs: one per thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// How it ended.
    pub end: ProcessEnd,
    /// The calls that had not returned.
    pub calls: Vec<OpenCall>,
    /// The calls that had returned.
    pub returned: Vec<OpenCall>,
    /// Rows of results that it had not yet written.
    pub rows: LeftRows,
}

impl Lost {
    /// Whether it failed while no FMU was called, without being killed from outside.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        self.calls.is_empty() && !self.end.is_from_outside()
    }

    fn write_internal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the process ended inside Lotka, outside FMU calls: {}", self.end.of_process())?;
        self.returned.iter().try_for_each(|call| write!(f, "; the last call was {}", name(call)))?;
        f.write_str("; report it as a bug in Lotka, unless memory was short or a run with --isolate blames an FMU")
    }
}

impl Coded for Lost {
    fn code(&self) -> Code {
        if self.is_internal() { Code::InternalError } else { self.end.code() }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.calls.split_first() else {
            return match self.is_internal() {
                true => self.write_internal(f),
                false => write!(f, "the process ended outside FMU calls: {}", self.end.of_process()),
            };
        };
        f.write_str(&sentence(first, &self.end))?;
        others.iter().try_for_each(|call| write!(f, "\nor, on another thread, {}", sentence(call, &self.end)))
    }
}

fn sentence(call: &OpenCall, end: &ProcessEnd) -> String {
    let cause = Cause::ProcessEnded(end.clone());
    match call {
        OpenCall::Loading { fmu } => format!("{fmu}: loading its library {}", end.of_call()),
        OpenCall::OfFmu { fmu, function } => format!("{fmu}: {function} {}", end.of_call()),
        OpenCall::OfInstance { instance, function, time } => {
            let instance = instance.clone().unwrap_or_else(|| "(one of many)".to_owned());
            CallError { instance, function: function.clone(), variables: Vec::new(), time: *time, cause, log: Vec::new() }
                .to_string()
        }
    }
}

fn name(call: &OpenCall) -> String {
    match call {
        OpenCall::Loading { fmu } => format!("the loading of {fmu}"),
        OpenCall::OfFmu { fmu, function } => format!("{function} of {fmu}"),
        OpenCall::OfInstance { instance, function, time } => {
            let instance =
                instance.as_ref().map_or_else(|| "one of many instances".to_owned(), |name| format!("instance `{name}`"));
            let time = time.map(|time| format!(" at t = {time} s")).unwrap_or_default();
            format!("{function} of {instance}{time}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmi2::Function;

    fn of_signal(signal: i32, calls: Vec<OpenCall>, returned: Vec<OpenCall>) -> Lost {
        Lost { end: ProcessEnd::Signal(signal), calls, returned, rows: LeftRows::default() }
    }

    fn lost(calls: Vec<OpenCall>) -> String {
        of_signal(11, calls, Vec::new()).to_string()
    }

    const CRASH: &str = "the FMU crashed its process: SIGSEGV (invalid memory access)";

    #[test]
    fn the_calls_are_named_with_instance_function_time_and_end() {
        let step =
            |time| OpenCall::OfInstance { instance: Some("prey".into()), function: Function::DoStep.into(), time: Some(time) };
        assert_eq!(lost(vec![step(2.5)]), format!("instance `prey`: fmi2DoStep at t = 2.5 s did not return: {CRASH}"));
        let killed = of_signal(9, vec![step(2.5)], Vec::new());
        assert!(
            killed.to_string().starts_with("instance `prey`: fmi2DoStep at t = 2.5 s was running or had just returned: "),
            "{killed}"
        );
        assert_eq!(
            lost(vec![step(2.5), step(3.0)]),
            format!(
                "instance `prey`: fmi2DoStep at t = 2.5 s did not return: {CRASH}\n\
                 or, on another thread, instance `prey`: fmi2DoStep at t = 3 s did not return: {CRASH}"
            )
        );
    }

    #[test]
    fn what_has_no_instance_is_named_too() {
        let fmu = || "a.fmu".to_owned();
        assert_eq!(lost(vec![OpenCall::Loading { fmu: fmu() }]), format!("a.fmu: loading its library did not return: {CRASH}"));
        let version = OpenCall::OfFmu { fmu: fmu(), function: Function::GetVersion.into() };
        assert_eq!(lost(vec![version]), format!("a.fmu: fmi2GetVersion did not return: {CRASH}"));
    }

    #[test]
    fn what_happens_between_calls_is_not_blamed_on_an_fmu() {
        let step = || OpenCall::OfInstance { instance: Some("prey".into()), function: Function::DoStep.into(), time: Some(2.5) };
        let report = "; report it as a bug in Lotka, unless memory was short or a run with --isolate blames an FMU";
        let inside = "the process ended inside Lotka, outside FMU calls: SIGABRT (abort)";
        let internal = of_signal(6, Vec::new(), vec![step()]);
        assert!(internal.is_internal());
        assert_eq!(
            internal.to_string(),
            format!("{inside}; the last call was fmi2DoStep of instance `prey` at t = 2.5 s{report}")
        );
        assert_eq!(of_signal(6, Vec::new(), Vec::new()).to_string(), format!("{inside}{report}"));
        let killed = of_signal(9, Vec::new(), vec![step()]);
        assert!(!killed.is_internal() && !of_signal(6, vec![step()], vec![step()]).is_internal());
        let expected = "the process ended outside FMU calls: SIGKILL (possibly from outside, or out of memory)";
        assert_eq!(killed.to_string(), expected);
    }
}
