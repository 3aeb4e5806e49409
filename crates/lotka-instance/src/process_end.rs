//! The ways in which an FMU can end its process.

use std::fmt;

use lotka_message::{Code, Coded};

/// How an FMU ended its process.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum ProcessEnd {
    /// It was killed by this signal: it crashed, aborted or was killed from outside.
    Signal(i32),
    /// It called `exit` with this code; 0 counts as a failure, too.
    Exit(i32),
    /// A call did not return within this time \[s\], so the process was killed.
    TimeLimit(f64),
    /// All its processes together needed more memory than this limit \[byte\], so they were killed.
    MemoryLimit(u64),
    /// It overwrote memory shared with the master, so the process was killed.
    Corrupted(String),
}

impl ProcessEnd {
    /// Whether such an end is usually caused from outside, not by the code in the process: it is unrelated to the last call.
    #[must_use]
    pub fn is_from_outside(&self) -> bool {
        matches!(self, Self::Signal(1 | 2 | 3 | 9 | 15))
    }

    /// Returns the description with respect to the current call, as the rest of a sentence.
    #[must_use]
    pub fn of_call(&self) -> String {
        if self.is_from_outside() {
            format!("was running or had just returned: {self}")
        } else {
            format!("did not return: {self}")
        }
    }

    /// Returns the description without an FMU as the cause: the signal or the exit code.
    #[must_use]
    pub fn of_process(&self) -> String {
        match self {
            Self::Signal(number) => match signal(*number) {
                Some((name, meaning)) => format!("{name} ({meaning})"),
                None => format!("signal {number}"),
            },
            Self::Exit(code) => format!("exit code {code}"),
            other => other.to_string(),
        }
    }
}

impl Coded for ProcessEnd {
    fn code(&self) -> Code {
        match self {
            Self::TimeLimit(_) => Code::TimeLimit,
            Self::Signal(_) | Self::Exit(_) | Self::MemoryLimit(_) | Self::Corrupted(_) => Code::ProcessEnded,
        }
    }
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(_) if self.is_from_outside() => write!(f, "the FMU's process was killed: {}", self.of_process()),
            Self::Signal(_) => write!(f, "the FMU crashed its process: {}", self.of_process()),
            Self::Exit(code) => write!(f, "the FMU ended its process with exit code {code}"),
            Self::TimeLimit(seconds) => write!(f, "no answer within {seconds} s; the FMU's process was killed"),
            Self::MemoryLimit(bytes) => {
                write!(f, "the FMU needed more memory than its limit of {bytes} bytes; its process was killed")
            }
            Self::Corrupted(what) => write!(f, "the FMU's process sent an invalid answer ({what}) and was killed"),
        }
    }
}

/// Returns name and meaning of a signal, by its number on Linux.
fn signal(number: i32) -> Option<(&'static str, &'static str)> {
    Some(match number {
        1 => ("SIGHUP", "possibly from outside"),
        2 => ("SIGINT", "possibly from outside"),
        3 => ("SIGQUIT", "possibly from outside"),
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort"),
        7 => ("SIGBUS", "bad memory access"),
        8 => ("SIGFPE", "arithmetic trap"),
        9 => ("SIGKILL", "possibly from outside, or out of memory"),
        11 => ("SIGSEGV", "invalid memory access"),
        14 => ("SIGALRM", "a timer ran out"),
        15 => ("SIGTERM", "possibly from outside"),
        24 => ("SIGXCPU", "CPU time limit"),
        25 => ("SIGXFSZ", "file size limit"),
        31 => ("SIGSYS", "system call denied by the sandbox"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_reported_in_words() {
        assert_eq!(ProcessEnd::Signal(11).to_string(), "the FMU crashed its process: SIGSEGV (invalid memory access)");
        assert_eq!(
            ProcessEnd::Signal(9).to_string(),
            "the FMU's process was killed: SIGKILL (possibly from outside, or out of memory)"
        );
        assert_eq!(ProcessEnd::Signal(50).to_string(), "the FMU crashed its process: signal 50");
        assert_eq!(ProcessEnd::Exit(0).to_string(), "the FMU ended its process with exit code 0");
        let exceeded = "the FMU needed more memory than its limit of 5 bytes; its process was killed";
        assert_eq!(ProcessEnd::MemoryLimit(5).of_call(), format!("did not return: {exceeded}"));
        assert_eq!(ProcessEnd::Exit(0).of_process(), "exit code 0");
        assert_eq!(ProcessEnd::Signal(50).of_process(), "signal 50");
    }
}
