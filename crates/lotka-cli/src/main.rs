//! The `lotka` command: runs, inspects and checks systems of FMUs.
//!
//! Each verb is a module with its arguments and a function `run`; this file only dispatches. Verbs that load FMUs run in a child
//! process ([`supervise`]). stdout is for data ([`data`]), stderr is for people ([`console`]), and every way to end has an exit
//! code ([`exit`]). Start reading at [`run`].
#![forbid(unsafe_code)]

mod accuracy;
mod behavior;
mod cache;
mod check;
mod checkpoint;
mod child;
mod compare;
mod compile;
mod console;
mod console_flags;
mod convert;
mod counted;
mod data;
mod exit;
mod explain;
mod failure;
mod graph;
mod inspect;
mod interrupt;
mod isolation;
mod json;
mod kind;
mod live;
mod log;
mod manifest;
mod message_codes;
mod method_comparison;
mod new;
mod outcome;
mod output;
mod overview;
mod pages;
mod paths;
mod platform;
mod plot;
mod problems;
mod progress;
mod report;
mod request;
mod resume;
mod rough_error;
mod run;
mod schema;
mod shown;
mod stderr;
mod summary;
mod supervise;
mod sweep;
mod table;
mod timer;
mod unconnected;
mod usage;
mod watch;

use clap::{CommandFactory, Parser, Subcommand};

use console::Console;
use console_flags::ConsoleFlags;
use exit::ExitCode;
use supervise::CrashReport;

/// Co-simulation of FMUs (FMI 2.0 and 3.0) with error control.
#[derive(Parser)]
#[command(name = "lotka", version, propagate_version = true, after_help = ExitCode::table())]
struct Arguments {
    #[command(flatten)]
    console_flags: ConsoleFlags,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write a first system file for FMUs.
    ///
    /// Connections are those that names, descriptions and units suggest. All other settings are in the file as comments.
    #[command(after_help = ExitCode::table())]
    New(new::Arguments),
    /// Run a system of FMUs, or one FMU alone.
    #[command(after_help = ExitCode::table())]
    Run(Box<request::Arguments>),
    /// Continue an interrupted run from its last checkpoint.
    ///
    /// The run must have been made with --checkpoint-every. Its result is that of an uninterrupted run.
    #[command(after_help = ExitCode::table())]
    Resume(resume::Arguments),
    /// Run a system many times with other start values: a study.
    ///
    /// The study names the parameters, how they vary, and what is kept of each run. The records go to a Parquet file; a run that
    /// fails is a record with the code of its message.
    #[command(after_help = ExitCode::table())]
    Sweep(sweep::Arguments),
    /// Show the content of an FMU or a system; only --coupling loads and steps FMUs.
    Inspect(inspect::Arguments),
    /// Draw a system: instances, connections, loops, evaluation order.
    ///
    /// This loads and runs nothing.
    Graph(graph::Arguments),
    /// Check an FMU or a system: read, load and instantiate it.
    ///
    /// Options judge an FMU by its file alone, or run it.
    Check(check::Arguments),
    /// Compile the C sources of an FMU that has no library for Linux.
    ///
    /// The result is a new FMU. This loads and runs nothing.
    #[command(after_help = ExitCode::table())]
    Compile(compile::Arguments),
    /// Convert a system of any format to a system file (TOML) or to SSP.
    ///
    /// This loads and runs nothing.
    Convert(convert::Arguments),
    /// Compare two files of results, or the manifests of two runs.
    ///
    /// Results are CSV, .mat, .parquet or .arrow files. The exit code is 14 if they differ.
    #[command(after_help = ExitCode::table())]
    Compare(compare::Arguments),
    /// Plot files of results: on the terminal, as SVG or as a page.
    ///
    /// Several files are drawn over each other.
    Plot(plot::Arguments),
    /// Write a report of an earlier run as one HTML file.
    ///
    /// It has plots, errors, steps, time per FMU, and the system as a picture.
    Report(report::Arguments),
    /// Show or clear the contents of FMUs that Lotka keeps to open them faster.
    ///
    /// It removes those that nobody used for 90 days, and the least recently used ones beyond 4 GiB.
    Cache(cache::Arguments),
    /// Explain the code of a message, such as `unknown-key`, with an example.
    Explain(message_codes::Arguments),
    /// Print the JSON schema of system files, or of studies.
    ///
    /// Editors check and complete system files with it.
    Schema(schema::Arguments),
    /// Print a completion script for a shell.
    Completions(pages::Completions),
    /// Print a manual page, or write all of them.
    Man(pages::Pages),
}

impl Verb {
    fn run(&self, console: &Console) -> ExitCode {
        let done = |()| ExitCode::Done;
        console.end(match self {
            Self::New(arguments) => Ok(new::run(arguments, console)),
            Self::Run(arguments) if arguments.watch => Ok(watch::run(arguments, console)),
            Self::Run(arguments) => Ok(run::run(arguments, console)),
            Self::Resume(arguments) => Ok(resume::run(arguments, console)),
            Self::Sweep(arguments) => sweep::run(arguments, console),
            Self::Inspect(arguments) => Ok(inspect::run(arguments, console)),
            Self::Graph(arguments) => graph::run(arguments, console).map(done),
            Self::Check(arguments) => check::run(arguments, console),
            Self::Compile(arguments) => compile::run(arguments, console),
            Self::Convert(arguments) => convert::run(arguments, console).map(done),
            Self::Compare(arguments) => compare::run(arguments, console),
            Self::Plot(arguments) => plot::run(arguments, console).map(done),
            Self::Report(arguments) => report::run(arguments, console).map(done),
            Self::Cache(arguments) => cache::run(arguments).map(done),
            Self::Explain(arguments) => Ok(message_codes::run(arguments, console)),
            Self::Schema(arguments) => schema::run(arguments).map(done),
            Self::Completions(arguments) => Ok(pages::complete(arguments, Arguments::command(), console)),
            Self::Man(arguments) => Ok(pages::man(arguments, Arguments::command(), console)),
        })
    }

    /// Returns what the parent reports if FMUs end the child process; `None` for verbs that load no FMU.
    fn crash_report(&self) -> Option<CrashReport> {
        match self {
            Self::Run(arguments) if arguments.watch => None,
            Self::Run(arguments) => Some(run::crash_report(arguments)),
            Self::Resume(arguments) => Some(resume::crash_report(arguments)),
            Self::Sweep(_) => Some(sweep::crash_report()),
            Self::Inspect(arguments) => arguments.loads_fmus().then(CrashReport::default),
            Self::New(_)
            | Self::Graph(_)
            | Self::Compile(_)
            | Self::Convert(_)
            | Self::Compare(_)
            | Self::Plot(_)
            | Self::Report(_)
            | Self::Cache(_)
            | Self::Explain(_)
            | Self::Schema(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
            Self::Check(arguments) => check::crash_report(arguments),
        }
    }
}

fn main() -> std::process::ExitCode {
    if let Some(code) = lotka::serve_if_host() {
        return code;
    }
    lotka::supervisor::survive_file_size_limit();
    let code = exit::guarded(|| {
        let Arguments { console_flags, verb } = match Arguments::try_parse() {
            Ok(arguments) => arguments,
            Err(refusal) => return usage::report(refusal, Arguments::command()),
        };
        match verb.crash_report() {
            Some(crash_report) => supervise::run(&crash_report, console_flags, || verb.run(&Console::new(console_flags))),
            None => verb.run(&Console::new(console_flags)),
        }
    });
    code.into()
}
