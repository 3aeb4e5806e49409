//! `lotka graph`: draws a system as a picture (SVG) or for Graphviz (DOT), without loading or running FMUs.

use std::{ffi::OsStr, fs, path::PathBuf};

use clap::ValueEnum;
use lotka::{Analysis, Code, Error, System};

use crate::{console::Console, console_flags::Verbosity, data, failure::Failure, kind::Kind, unconnected};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// System file.
    path: PathBuf,
    /// Write the picture to this file [default: stdout].
    #[arg(short, long, visible_alias = "output", value_name = "FILE")]
    output_file: Option<PathBuf>,
    /// Select the format, whatever the extension of the file.
    ///
    /// By default the extension selects it (`svg`; `dot` or `gv`); stdout gets `dot`.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A picture.
    Svg,
    /// The language of Graphviz.
    Dot,
}

/// Draws a system.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let format = format(arguments)?;
    if Kind::of(&arguments.path) == Kind::Fmu {
        let reason = format!("{} is an FMU; `lotka graph` draws systems, `lotka inspect` shows FMUs", arguments.path.display());
        return Err(Failure::Usage { code: Code::WrongKindOfFile, reason });
    }
    let system = System::from_file(&arguments.path)?;
    let Analysis { graph, warnings, .. } = system.analyze()?;
    warnings.iter().for_each(|warning| console.warn(warning));
    unconnected::lines(system.description(), &graph).iter().for_each(|line| console.say(Verbosity::Normal, line));
    let text = match format {
        Format::Svg => lotka_report::svg(system.description(), &graph),
        Format::Dot => lotka_report::dot(system.description(), &graph),
    };
    match &arguments.output_file {
        Some(path) => fs::write(path, text).map_err(|source| Failure::Output { path: Some(path.clone()), source }),
        None => data::print(&text),
    }
}

/// Draws a system as an SVG picture.
///
/// # Errors
/// The system is inconsistent.
pub(crate) fn picture(system: &System) -> Result<String, Error> {
    Ok(lotka_report::svg(system.description(), &system.analyze()?.graph))
}

fn format(arguments: &Arguments) -> Result<Format, Failure> {
    let Some(path) = arguments.output_file.as_ref().filter(|_| arguments.format.is_none()) else {
        return Ok(arguments.format.unwrap_or(Format::Dot));
    };
    match path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("dot" | "gv") => Ok(Format::Dot),
        _ => {
            let reason = format!("cannot infer a format from `{}`; pass --format svg or --format dot", path.display());
            Err(Failure::Usage { code: Code::UnknownFormat, reason })
        }
    }
}
