//! What the sandbox may have to do with a failure.

use super::Sandbox;

/// A sentence for the error of an FMU that was confined. `denied`: system calls that were; `was_killed`: the process ended by `SIGSYS`.
pub(crate) fn note(sandbox: &Sandbox, denied: &[String], was_killed: bool) -> String {
    let what = match denied {
        [] if was_killed => {
            "it was denied a system call that it made while it blocked signals; so do functions that start programs".to_owned()
        }
        [] => {
            let memory =
                sandbox.memory.map(|bytes| format!(", and no more than {bytes} bytes of memory be used")).unwrap_or_default();
            format!("no system call was denied; files other than its own and those listed cannot be opened{memory}")
        }
        [call] => format!("it was denied the system call {call}"),
        calls => format!("it was denied the system calls {}", calls.join(", ")),
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
        assert_eq!(note(&["socket"], false), "the FMU ran in a sandbox: it was denied the system call socket");
        assert!(note(&["execve", "socket"], true).ends_with("denied the system calls execve, socket"));
        assert!(note(&[], true).ends_with("so do functions that start programs"));
        assert!(note(&[], false).ends_with("and no more than 5 bytes of memory be used"));
    }
}
