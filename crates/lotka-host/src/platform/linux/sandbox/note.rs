//! The possible influence of the sandbox on a failure.

use super::Sandbox;

/// A sentence for the error of a confined FMU. `denied` are the denied system calls; `was_killed` means that the process ended by
/// `SIGSYS`.
pub(crate) fn note(sandbox: &Sandbox, denied: &[String], was_killed: bool) -> String {
    let what = match denied {
        [] if was_killed => {
            "a system call was denied while the FMU blocked signals, as functions that start programs do".to_owned()
        }
        [] => {
            let memory = sandbox.memory.map(|bytes| format!(", and memory is limited to {bytes} bytes")).unwrap_or_default();
            format!("no system call was denied; it can open only its own files and those listed{memory}")
        }
        [call] => format!("the system call {call} was denied"),
        calls => format!("the system calls {} were denied", calls.join(", ")),
    };
    format!("the FMU ran in a sandbox: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_the_calls_or_says_what_else_it_can_be() {
        let sandbox = Sandbox { memory: Some(5), ..Sandbox::default() };
        let note =
            |denied: &[&str], was_killed| note(&sandbox, &denied.iter().map(ToString::to_string).collect::<Vec<_>>(), was_killed);
        assert_eq!(note(&["socket"], false), "the FMU ran in a sandbox: the system call socket was denied");
        assert!(note(&["execve", "socket"], true).ends_with("the system calls execve, socket were denied"));
        assert!(note(&[], true).ends_with("as functions that start programs do"));
        assert!(note(&[], false).ends_with("and memory is limited to 5 bytes"));
    }
}
