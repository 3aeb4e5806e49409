//! Invalid command lines.

use std::env;

use clap::{Command, Error, error::ErrorKind};
use lotka::{Code, printable_line};

use crate::{console_flags, exit::ExitCode, shown::Shown, stderr};

/// Reports an invalid command line with its code. Prints help and version, which clap returns in the same way.
pub(crate) fn report(refusal: Error, command: Command) -> ExitCode {
    if !refusal.use_stderr() || refusal.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        refusal.exit();
    }
    // A message repeats arguments: it is about printable ones.
    let arguments = env::args_os().map(|argument| printable_line(&argument.to_string_lossy()).into_owned());
    let rendered = command.try_get_matches_from(arguments).err().unwrap_or(refusal).render();
    let text = if console_flags::has_automatic_colors() { rendered.ansi().to_string() } else { rendered.to_string() };
    stderr::write_line(&Shown::rendered(Code::WrongUsage.mark(&text).trim_end()));
    ExitCode::Usage
}
