//! The `lotka` command: runs systems of FMUs, shows and checks systems and FMUs.
//!
//! A verb is one module with its arguments and `run`; this file only dispatches. stdout is data ([`data`]), stderr is for people
//! ([`console`]), and every way to end has its exit code ([`exit`]). Start reading at [`run`].
#![forbid(unsafe_code)]

mod accuracy;
mod check;
mod console;
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
mod log;
mod output;
mod pace;
mod problems;
mod progress;
mod run;
mod summary;
mod table;
mod trial;

use clap::{Parser, Subcommand};

use exit::ExitCode;

/// Co-simulation of FMUs (FMI 2.0) with error control.
#[derive(Parser)]
#[command(name = "lotka", version, after_help = ExitCode::table())]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run a system of FMUs.
    #[command(after_help = ExitCode::table())]
    Run(run::Arguments),
    /// Show what an FMU or a system consists of; nothing is loaded or run.
    Inspect(inspect::Arguments),
    /// Draw a system: instances, connections, loops, order of evaluation; nothing is loaded or run.
    Graph(graph::Arguments),
    /// Check an FMU or a system: read, load and instantiate, but do not run.
    Check(check::Arguments),
}

fn main() -> std::process::ExitCode {
    let code = exit::guarded(|| match Arguments::parse().verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Inspect(arguments) => inspect::run(&arguments),
        Verb::Graph(arguments) => graph::run(&arguments),
        Verb::Check(arguments) => check::run(&arguments),
    });
    code.into()
}
