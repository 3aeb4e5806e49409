//! Completion scripts and manual pages, as a shell and the formatter of `man` take them.

use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Returns what bash completes for these words, the last of which is not finished, with a script for the command `lotka`.
///
/// # Panics
/// Panics if bash does not run, or the script completes nothing for the command.
#[must_use]
pub fn completed(script: &Path, words: &str) -> String {
    let function = format!(
        "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         _lotka lotka \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[*]}}\"; complete -p lotka",
        script.display()
    );
    let (printed, errors) = printed(Command::new("bash").args(["--norc", "-c", &function]));
    assert!(printed.contains(" -F _lotka lotka"), "{printed}{errors}");
    printed.lines().next().unwrap_or_default().to_owned()
}

/// Returns a manual page as text.
///
/// # Panics
/// Panics if groff does not run, or has something to object to.
#[must_use]
pub fn formatted(page: &Path) -> String {
    let (printed, errors) = printed(Command::new("groff").args(["-man", "-ww", "-Tascii"]).arg(page));
    assert!(errors.is_empty(), "{}: {errors}", page.display());
    printed
}

/// stdout and stderr of a command that must succeed.
fn printed(command: &mut Command) -> (String, String) {
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}; install bash and groff-base"));
    let [printed, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{command:?}: {errors}");
    (printed, errors)
}
