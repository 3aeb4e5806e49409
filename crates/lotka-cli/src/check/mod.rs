//! `lotka check`: finds problems before a run and, with `--run`, tests what an FMU does in one.

mod arguments;
mod findings;
mod hostile;
mod probe;
mod together;

use std::{
    collections::BTreeSet,
    env,
    hint::black_box,
    path::Path,
    process::{Command, Stdio},
};

use lotka::{Code, ProbeReport, System, fmi2::description::Severity};

use crate::{
    behavior, console::Console, data, exit::ExitCode, failure::Failure, json, kind::Kind, supervise::CrashReport, unconnected,
};
pub(crate) use arguments::Arguments;

use findings::Findings;

/// Returns what the parent reports if FMUs end the process of the check; `None` if no FMU is loaded into it. If they do so
/// between calls, each FMU of a system is checked alone.
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

/// Checks an FMU or a system. Findings go to stderr; a sentence that reports success goes to stdout. With `--json`, everything
/// goes to stdout.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
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

/// Has the allocator find damage that an FMU did to the memory of this process, and end it: it looks at memory that it does not
/// have ready.
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
    findings.show(&arguments.path, console);
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
