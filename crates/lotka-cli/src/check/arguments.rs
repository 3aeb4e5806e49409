//! The command line of `lotka check`.

use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU or system file.
    pub(super) path: PathBuf,
    /// More FMUs, with --together.
    #[arg(value_name = "FMU", requires = "together")]
    pub(super) others: Vec<PathBuf>,
    /// Treat warnings as errors, but never notes.
    #[arg(long)]
    pub(super) strict: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
    /// Judge the file alone; load and run nothing of an FMU.
    #[arg(long = "static", conflicts_with_all = ["run", "hostile"])]
    pub(super) file_only: bool,
    /// Run the FMU in separate processes, and test what it does.
    ///
    /// The tests are rollback, reset, times, internal steps, and what the FMU leaves behind. Lotka keeps what they have shown for
    /// later runs and for `lotka inspect`. The FMU is sound (exit code 0), usable with restrictions (19), or unusable (11, or 17
    /// if it ended its process).
    #[arg(long, group = "running")]
    pub(super) run: bool,
    /// Watch what the FMU does to its surroundings, in a sandbox.
    ///
    /// This covers network, programs, files, process, memory, threads and the stop time. Without a sandbox the FMU runs only if
    /// it does not work in one. The exit code is 0 if nothing was found, 19 for findings, and 11 or 17 if the FMU cannot be
    /// watched.
    #[arg(long, group = "running")]
    pub(super) hostile: bool,
    /// The folder of a command with --hostile that watches the FMU.
    #[arg(long, hide = true, requires = "hostile")]
    pub(super) site: Option<PathBuf>,
    /// Limit the duration of a call with --run and --hostile.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "running")]
    pub(super) time_limit: f64,
    /// Run FMUs alone and together, and compare the results.
    ///
    /// Nothing connects the FMUs. Results that differ show that they influence each other in one process, for example because
    /// both bring a library of one name. The FMUs are independent (exit code 0), or not (19).
    #[arg(long, conflicts_with_all = ["run", "hostile", "file_only", "strict"], requires = "others")]
    pub(super) together: bool,
}
