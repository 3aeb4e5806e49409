//! `lotka schema`: the JSON schemas of system files and studies, for editors.

use std::{fs, path::PathBuf};

use clap::ValueEnum;
use lotka::command::{sweep_schema, system_schema};

use crate::{data, failure::Failure};

/// Name of the schema beside a system file.
pub(crate) const FILE: &str = "lotka.schema.json";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Kind of file that the schema describes.
    #[arg(value_name = "KIND", default_value = "system")]
    kind: Kind,
    /// Write the schema to this file [default: stdout].
    #[arg(short, long, visible_alias = "output", value_name = "FILE")]
    output_file: Option<PathBuf>,
}

/// Files that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// System files.
    System,
    /// Studies of `lotka sweep`.
    Sweep,
}

/// Prints a schema.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = match arguments.kind {
        Kind::System => of_systems(),
        Kind::Sweep => format!("{:#}\n", sweep_schema()),
    };
    match &arguments.output_file {
        Some(path) => fs::write(path, text).map_err(|source| Failure::Output { path: Some(path.clone()), source }),
        None => data::print(&text),
    }
}

/// Returns whether a text is a schema of system files, of this or another version.
pub(crate) fn is_of_systems(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok_and(|schema| schema["title"] == system_schema()["title"])
}

/// Returns the schema of system files as text.
pub(crate) fn of_systems() -> String {
    format!("{:#}\n", system_schema())
}
