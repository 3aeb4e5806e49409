//! The packer that an author has in the own crate: `src/bin/pack.rs` with one line.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use fmu_sdk::Model;

use crate::{Declared, Error, Packed, Result, Workspace};

/// Builds the library of the package it belongs to, which exports the model `M`, and packs it to
/// `target/fmus/NAME.fmu`, or into another folder: `cargo run --bin pack -- --output DIR`.
///
/// The package has `crate-type = ["cdylib", "rlib"]` under `[lib]`; what lies in its folder `package/` goes along, see
/// [`Package::crate_files`](crate::Package::crate_files). Prints the path, the number of exported symbols and the C library that the FMU needs.
/// Exit codes: 0 packed, 1 not packed, 2 wrong usage; the reason is on stderr.
pub fn main<M: Model>() -> ExitCode {
    let packed = output_folder(env::args().skip(1)).and_then(|output| pack(Declared::of::<M>(), output));
    match packed {
        Ok(packed) => {
            packed.iter().for_each(Packed::report);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(if matches!(error, Error::Usage { .. }) { 2 } else { 1 })
        }
    }
}

fn pack(model: Declared, output: Option<PathBuf>) -> Result<Vec<Packed>> {
    let folder = package_folder()?;
    let workspace = Workspace::of(&folder)?;
    let own = workspace.cdylibs().into_iter().find(|cdylib| cdylib.folder == folder);
    let own = own.ok_or_else(|| Error::NoCdylib { folder: folder.clone() })?;
    let output = output.unwrap_or_else(|| workspace.fmu_folder());
    workspace.pack(&[(own, model)], &output)
}

/// The package whose binary runs, as `cargo run` says; without cargo, the current folder.
fn package_folder() -> Result<PathBuf> {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => Ok(folder.into()),
        None => env::current_dir().map_err(|source| Error::Read { path: ".".into(), source }),
    }
}

fn output_folder(mut arguments: impl Iterator<Item = String>) -> Result<Option<PathBuf>> {
    match (arguments.next(), arguments.next(), arguments.next()) {
        (None, ..) => Ok(None),
        (Some(option), Some(folder), None) if option == "--output" => Ok(Some(folder.into())),
        (Some(option), None, _) if option == "--output" => Err(Error::Usage { argument: option }),
        (Some(option), _, Some(argument)) if option == "--output" => Err(Error::Usage { argument }),
        (Some(argument), ..) => Err(Error::Usage { argument }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Option<PathBuf>> {
        output_folder(arguments.iter().map(|argument| argument.to_string()))
    }

    #[test]
    fn only_the_output_folder_can_be_chosen() {
        assert_eq!(parse(&[]).unwrap(), None);
        assert_eq!(parse(&["--output", "out"]).unwrap(), Some("out".into()));
        for (bad, named) in [(&["-o"][..], "-o"), (&["--output"], "--output"), (&["--output", "a", "b"], "b")] {
            assert!(matches!(parse(bad), Err(Error::Usage { argument }) if argument == named), "{bad:?}");
        }
    }
}
