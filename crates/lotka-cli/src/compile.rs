//! `lotka compile`: compiles the C sources of an FMU to a library.

use std::path::{Path, PathBuf};

use lotka::compile_fmu;

use crate::{console::Console, console_flags::Verbosity, counted::counted, data, exit::ExitCode, failure::Failure};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU with C sources and without a library for Linux.
    fmu: PathBuf,
    /// Write the FMU here [default: its name with -linux64 before .fmu].
    #[arg(short, long, visible_alias = "output", value_name = "FILE")]
    output_file: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Compiles an FMU without loading or running it.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let to = arguments.output_file.clone().unwrap_or_else(|| beside(&arguments.fmu));
    let compiled = compile_fmu(&arguments.fmu, &to, arguments.force)?;
    compiled.warnings.iter().for_each(|finding| console.say(Verbosity::Normal, &finding.to_string()));
    let files = counted(compiled.sources.len(), "source file");
    data::print(&format!("{}: {} from {files}\n", compiled.path.display(), compiled.library))?;
    Ok(ExitCode::Done)
}

/// Turns `plant.fmu` into `plant-linux64.fmu`.
fn beside(fmu: &Path) -> PathBuf {
    let mut name = fmu.file_stem().unwrap_or_default().to_owned();
    name.push("-linux64.fmu");
    fmu.with_file_name(name)
}
