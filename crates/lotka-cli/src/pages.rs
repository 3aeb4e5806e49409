//! `lotka completions` and `lotka man`: shell completions and manual pages, generated from the flags.

use std::{fs, io, path::PathBuf};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use lotka::Code;

use crate::{console::Console, data, exit::ExitCode, failure::Failure};

/// Scripts for shells.
#[derive(clap::Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct Completions {
    /// Shell to complete in.
    shell: Shell,
}

const COMPLETIONS_HELP: &str = "\
Destinations of the script:
  bash        lotka completions bash > ~/.local/share/bash-completion/completions/lotka
  zsh         lotka completions zsh > DIR/_lotka, where DIR is in $fpath
  fish        lotka completions fish > ~/.config/fish/completions/lotka.fish
  powershell  lotka completions powershell >> $PROFILE
  elvish      lotka completions elvish >> ~/.config/elvish/rc.elv";

/// Manual pages.
#[derive(clap::Args)]
#[command(after_help = MAN_HELP)]
pub(crate) struct Pages {
    /// Subcommand whose page to print [default: lotka].
    subcommand: Option<String>,
    /// Write the pages of all subcommands into this folder.
    ///
    /// Their names are lotka.1, lotka-run.1 and so on.
    #[arg(long, value_name = "DIR", conflicts_with = "subcommand")]
    output_dir: Option<PathBuf>,
}

const MAN_HELP: &str = "\
Examples:
  lotka man run | man -l -
  lotka man --output-dir ~/.local/share/man/man1; man lotka-run";

/// Prints the completion script for a shell.
pub(crate) fn complete(arguments: &Completions, mut command: Command, console: &Console) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "lotka", &mut script);
    console.end(data::print(&String::from_utf8_lossy(&script)).map(|()| ExitCode::Done))
}

/// Prints a manual page, or writes all of them.
pub(crate) fn man(arguments: &Pages, command: Command, console: &Console) -> ExitCode {
    let pages = pages(command);
    let result = match &arguments.output_dir {
        Some(folder) => write(folder, &pages),
        None => print(arguments.subcommand.as_deref(), &pages),
    };
    console.end(result.map(|()| ExitCode::Done))
}

/// Returns the command and its subcommands, each complete with the global flags.
fn pages(mut command: Command) -> Vec<Command> {
    command.build();
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    let subcommands: Vec<_> = subcommands.cloned().collect();
    std::iter::once(command).chain(subcommands).collect()
}

/// Returns the title of a page, such as `lotka` or `lotka-run`.
fn title(page: &Command) -> &str {
    page.get_display_name().unwrap_or_else(|| page.get_name())
}

fn text(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    Ok(text)
}

fn print(subcommand: Option<&str>, pages: &[Command]) -> Result<(), Failure> {
    let name = subcommand.map_or_else(|| "lotka".to_owned(), |subcommand| format!("lotka-{subcommand}"));
    let Some(page) = pages.iter().find(|page| title(page) == name) else {
        let names: Vec<_> = pages.iter().filter_map(|page| title(page).strip_prefix("lotka-")).collect();
        let reason = format!("unknown subcommand `{}`; available: {}", subcommand.unwrap_or_default(), names.join(", "));
        return Err(Failure::Usage { code: Code::WrongUsage, reason });
    };
    let text = text(page).map_err(|source| Failure::Output { path: None, source })?;
    data::print(&String::from_utf8_lossy(&text))
}

fn write(folder: &PathBuf, pages: &[Command]) -> Result<(), Failure> {
    let failed = |path: &PathBuf| {
        let path = Some(path.clone());
        |source| Failure::Output { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    for page in pages {
        let path = folder.join(format!("{}.1", title(page)));
        text(page).and_then(|text| fs::write(&path, text)).map_err(failed(&path))?;
    }
    Ok(())
}
