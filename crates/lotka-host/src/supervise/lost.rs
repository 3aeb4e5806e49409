//! A child that an FMU brought to an end.

use std::fmt;

use fmi2::{CallError, Cause, ProcessEnd};
use fmu::OpenCall;

use super::LeftRows;

/// How a child ended that did not mean to, and the last calls into FMUs: at most one per thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// How it ended.
    pub end: ProcessEnd,
    /// The calls.
    pub calls: Vec<OpenCall>,
    /// Rows of results that it had not written yet.
    pub rows: LeftRows,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.calls.split_first() else {
            return write!(f, "outside of all calls to FMUs, the process came to its end: {}", self.end);
        };
        f.write_str(&sentence(first, &self.end))?;
        others.iter().try_for_each(|call| write!(f, "\nor, on another thread, {}", sentence(call, &self.end)))
    }
}

fn sentence(call: &OpenCall, end: &ProcessEnd) -> String {
    let cause = Cause::ProcessEnded(end.clone());
    match call {
        OpenCall::Loading { fmu } => format!("{fmu}: loading its library {cause}"),
        OpenCall::OfFmu { fmu, function } => format!("{fmu}: {function} {cause}"),
        OpenCall::OfInstance { instance, function, time } => {
            let instance = instance.clone().unwrap_or_else(|| "(one of many)".to_owned());
            CallError { instance, function: *function, time: *time, cause, log: Vec::new() }.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmi2::Function;

    fn lost(calls: Vec<OpenCall>) -> String {
        Lost { end: ProcessEnd::Signal(11), calls, rows: LeftRows::default() }.to_string()
    }

    const CRASH: &str = "the FMU crashed its process: SIGSEGV (invalid memory access)";

    #[test]
    fn the_calls_are_named_with_instance_function_time_and_end() {
        let step = |time| OpenCall::OfInstance { instance: Some("prey".into()), function: Function::DoStep, time: Some(time) };
        assert_eq!(lost(vec![step(2.5)]), format!("instance `prey`: fmi2DoStep at t = 2.5 s did not return: {CRASH}"));
        let killed = Lost { end: ProcessEnd::Signal(9), calls: vec![step(2.5)], rows: LeftRows::default() };
        assert!(
            killed.to_string().starts_with("instance `prey`: fmi2DoStep at t = 2.5 s was under way or just over: "),
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
        let version = OpenCall::OfFmu { fmu: fmu(), function: Function::GetVersion };
        assert_eq!(lost(vec![version]), format!("a.fmu: fmi2GetVersion did not return: {CRASH}"));
        assert!(lost(Vec::new()).starts_with("outside of all calls to FMUs"));
    }
}
