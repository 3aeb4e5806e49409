//! `lotka check`: finds problems before a run and, with `--run`, tests what an FMU does in one.

mod findings;
mod hostile;
mod probe;
mod together;

use std::{
    collections::BTreeSet,
    env,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use lotka::{Code, ProbeReport, System, fmi2::description::Severity};

use crate::{
    behavior, console::Console, console_flags::Verbosity, data, exit::ExitCode, failure::Failure, json, kind::Kind,
    supervise::CrashReport, unconnected,
};
use findings::Findings;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// FMU or system file.
    path: PathBuf,
    /// More FMUs, with --together.
    #[arg(value_name = "FMU", requires = "together")]
    others: Vec<PathBuf>,
    /// Treat warnings as errors, but never notes.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Judge the file alone; load and run nothing of an FMU.
    #[arg(long = "static", conflicts_with_all = ["run", "hostile"])]
    file_only: bool,
    /// Run the FMU in separate processes, and test what it does.
    ///
    /// The tests are rollback, reset, times, internal steps, and what the FMU leaves behind. Lotka keeps what they have shown for later runs and for
    /// `lotka inspect`. The FMU is sound (exit code 0), usable with restrictions (19), or
    /// unusable (11, or 17 if it ended its process).
    #[arg(long, group = "running")]
    run: bool,
    /// Watch what the FMU does to its surroundings, in a sandbox.
    ///
    /// This covers network, programs, files, process, memory, threads and the stop time. Without a sandbox the FMU runs only if it does not
    /// work in one. The exit code is 0 if nothing was found, 19 for findings, and 11 or 17 if the FMU cannot be watched.
    #[arg(long, group = "running")]
    hostile: bool,
    /// The folder of a command with --hostile that watches the FMU.
    #[arg(long, hide = true, requires = "hostile")]
    site: Option<PathBuf>,
    /// Limit the duration of a call with --run and --hostile.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, requires = "running")]
    time_limit: f64,
    /// Run FMUs alone and together, and compare the results.
    ///
    /// Nothing connects the FMUs. Results that differ show that they influence each other in one process, for example because both bring a library
    /// of one name. The FMUs are independent (exit code 0), or not (19).
    #[arg(long, conflicts_with_all = ["run", "hostile", "file_only", "strict"], requires = "others")]
    together: bool,
}

/// Checks an FMU or a system. Findings go to stderr; a sentence that reports success goes to stdout. With `--json`, everything goes to stdout.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    console.end(check(arguments, console))
}

/// Returns what the parent reports if FMUs end the process of the check; `None` if no FMU is loaded into it. If they do so between calls, each FMU of a
/// system is checked alone.
pub(crate) fn crash_report(arguments: &Arguments) -> Option<CrashReport> {
    if arguments.hostile {
        return None;
    }
    let path = arguments.path.clone();
    let culprits = move || match Kind::of(&path) {
        Kind::Fmu => vec![path.clone()],
        Kind::System => {
            let files = System::from_file(&path).map(|system| system.fmu_files()).unwrap_or_default();
            let files: BTreeSet<_> = files.into_iter().map(|(_, file)| file).collect();
            files.into_iter().filter(|file| ends_its_process(file)).collect()
        }
    };
    Some(CrashReport { culprits: Some(Box::new(culprits)), ..CrashReport::default() })
}

/// Whether a check of this FMU alone loses its process.
fn ends_its_process(fmu: &Path) -> bool {
    let check = env::current_exe().and_then(|lotka| Command::new(lotka).arg("check").arg(fmu).stdin(Stdio::null()).output());
    check.is_ok_and(|output| output.status.code() == Some(ExitCode::Process as i32))
}

fn check(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let kind = Kind::of(&arguments.path);
    if arguments.together {
        return together::check(arguments);
    }
    if arguments.hostile {
        return hostile::check(arguments, console);
    }
    let (mut findings, code) = match kind {
        Kind::Fmu if arguments.run || arguments.file_only => {
            (Findings::of_fmu(lotka::check_fmu_file(&arguments.path)?), ExitCode::Fmu)
        }
        Kind::Fmu => (Findings::of_fmu(lotka::check_fmu(&arguments.path)?), ExitCode::Fmu),
        Kind::System if arguments.run => {
            let reason = format!("--run is for FMUs; use `lotka run` for the system {}", arguments.path.display());
            return Err(Failure::Usage { code: Code::WrongKindOfFile, reason });
        }
        Kind::System if arguments.file_only => {
            let reason = format!("--static is for FMUs; use `lotka inspect` for the system {}", arguments.path.display());
            return Err(Failure::Usage { code: Code::WrongKindOfFile, reason });
        }
        Kind::System => {
            let system = System::from_file(&arguments.path)?;
            let simulation = system.build_to_examine()?;
            let unconnected = unconnected::lines(system.description(), simulation.graph());
            (Findings::of_system(simulation.warnings(), unconnected), ExitCode::System)
        }
    };
    look_at_memory();
    if arguments.strict {
        findings.be_strict();
    }
    let is_usable = findings.count(Severity::Error) == 0;
    let probed = (arguments.run && is_usable).then(|| probe::run(arguments)).transpose()?;
    if let Some(report) = &probed {
        behavior::keep(&arguments.path, &report.record);
    }
    print_report(arguments, console, &findings, probed.as_ref())?;
    Ok(match probed {
        _ if !is_usable => code,
        Some(report) => probe::exit_code(&report, arguments.strict),
        None => ExitCode::Done,
    })
}

/// Has the allocator find damage that an FMU did to the memory of this process, and end it: it looks at memory that it does not have ready.
fn look_at_memory() {
    /// More than it has ready; each block is smaller than those that come from the system one by one.
    const BLOCKS: [usize; 64] = [1 << 16; 64];
    drop(black_box(BLOCKS.map(Vec::<u8>::with_capacity)));
}

fn print_report(
    arguments: &Arguments,
    console: &Console,
    findings: &Findings,
    probed: Option<&ProbeReport>,
) -> Result<(), Failure> {
    if arguments.json {
        let mut object = findings.json(&arguments.path);
        object["run"] = probed.map(probe::json).into();
        return data::print(&json::lines(&object));
    }
    print_findings(arguments, console, findings);
    let summary = findings.summary();
    let path = arguments.path.display();
    match probed {
        _ if findings.count(Severity::Error) > 0 => {
            console.conclude(&format!("{path}: {summary}"));
            Ok(())
        }
        Some(report) => {
            let words = [report.soundness().name(), &findings.counts()].join(", ");
            data::print(&format!("{path}: {}\n{}", words.trim_end_matches(", "), probe::table(report)))
        }
        None => data::print(&format!("{path}: {summary}\n")),
    }
}

fn print_findings(arguments: &Arguments, console: &Console, findings: &Findings) {
    for (severity, line) in findings.lines(&arguments.path, console.style()) {
        let from = if severity == Severity::Error { Verbosity::Quiet } else { Verbosity::Normal };
        console.show(from, &line);
    }
}
