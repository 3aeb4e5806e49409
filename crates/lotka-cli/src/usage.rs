//! Invalid command lines.

use clap::{Error, error::ErrorKind};
use lotka::Code;

use crate::{console_flags, exit::ExitCode, stderr};

/// Reports an invalid command line with its code. Prints help and version, which clap returns in the same way.
pub(crate) fn report(refusal: &Error) -> ExitCode {
    if !refusal.use_stderr() || refusal.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        refusal.exit();
    }
    let rendered = refusal.render();
    let text = if console_flags::has_automatic_colors() { rendered.ansi().to_string() } else { rendered.to_string() };
    stderr::write_line(Code::WrongUsage.mark(&text).trim_end());
    ExitCode::Usage
}
