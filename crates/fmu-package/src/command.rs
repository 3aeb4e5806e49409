//! The packer in an author's crate: one line in `examples/pack.rs` or `src/bin/pack.rs`.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use fmu_sdk::Model;

use crate::{Declared, Error, FmiVersion, GlibcVersion, Packed, Result, Workspace};

/// Builds the library of the calling package, which exports the model `M`, and packs it to `target/fmus/NAME.fmu`.
///
/// To write into another folder, run `cargo run --example pack -- --output DIR`. `--fmi 3.0` packs an FMU of FMI 3.0 instead, to
/// `target/fmus/fmi3/NAME.fmu`; with `--fmi 2.0 --fmi 3.0`, there are both, the second in the folder `fmi3` of `DIR`. With
/// `--glibc 2.17`, the FMU runs on systems with that GNU C library or a newer one ([`Workspace::for_glibc`]).
///
/// The package needs `crate-type = ["cdylib", "rlib"]` under `[lib]`. The files in its folder `package/` are included, see
/// [`Package::crate_files`](crate::Package::crate_files). Prints the path, the number of exported symbols and the required
/// C library. Exit codes: 0 packed, 1 not packed, 2 wrong usage; the reason is on stderr.
pub fn main<M: Model>() -> ExitCode {
    let packed = Wishes::read(env::args().skip(1)).and_then(|wishes| pack(Declared::of::<M>, wishes));
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

fn pack(model: fn(FmiVersion) -> Declared, wishes: Wishes) -> Result<Vec<Packed>> {
    let folder = package_folder()?;
    let workspace = Workspace::of(&folder)?.for_glibc(wishes.glibc);
    let own = workspace.cdylibs().into_iter().find(|cdylib| cdylib.folder == folder);
    let own = own.ok_or_else(|| Error::NoCdylib { folder: folder.clone() })?;
    let mut packed = Vec::new();
    for (version, output) in FmiVersion::folders(&wishes.versions, wishes.output.as_deref(), &workspace.fmu_folder()) {
        packed.extend(workspace.pack(&[(own.clone(), model(version))], &output)?);
    }
    Ok(packed)
}

/// Returns the folder of the running package as set by `cargo run`; without cargo, the current folder.
fn package_folder() -> Result<PathBuf> {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(folder) => Ok(folder.into()),
        None => env::current_dir().map_err(|reason| Error::Read { path: ".".into(), reason }),
    }
}

/// Options of the command line.
#[derive(Debug, Default, PartialEq)]
struct Wishes {
    output: Option<PathBuf>,
    versions: Vec<FmiVersion>,
    glibc: Option<GlibcVersion>,
}

impl Wishes {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut wishes = Self::default();
        while let Some(option) = arguments.next() {
            let value = arguments.next();
            match (option.as_str(), value) {
                ("--output", Some(folder)) if wishes.output.is_none() => wishes.output = Some(folder.into()),
                ("--glibc", Some(version)) if wishes.glibc.is_none() => {
                    wishes.glibc = Some(version.parse().map_err(|_| Error::Usage { argument: version })?);
                }
                ("--fmi", Some(version)) => {
                    let version = version.parse().map_err(|_| Error::Usage { argument: version })?;
                    if !wishes.versions.contains(&version) {
                        wishes.versions.push(version);
                    }
                }
                _ => return Err(Error::Usage { argument: option }),
            }
        }
        Ok(wishes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Wishes> {
        Wishes::read(arguments.iter().map(|argument| argument.to_string()))
    }

    #[test]
    fn folder_version_and_c_library_can_be_chosen() {
        assert_eq!(parse(&[]).unwrap(), Wishes::default());
        assert_eq!(parse(&["--output", "out"]).unwrap(), Wishes { output: Some("out".into()), ..Wishes::default() });
        let both = parse(&["--glibc", "2.17", "--output", "out"]).unwrap();
        let glibc = Some(GlibcVersion { major: 2, minor: 17, patch: 0 });
        assert_eq!(both, Wishes { output: Some("out".into()), glibc, ..Wishes::default() });
        let versions = parse(&["--fmi", "3.0", "--fmi", "2.0", "--fmi", "3.0"]).unwrap().versions;
        assert_eq!(versions, [FmiVersion::Fmi3, FmiVersion::Fmi2]);
        for (bad, named) in [
            (&["-o"][..], "-o"),
            (&["--output"], "--output"),
            (&["--output", "a", "b"], "b"),
            (&["--output", "a", "--output", "b"], "--output"),
            (&["--glibc", "old"], "old"),
            (&["--fmi", "1.0"], "1.0"),
        ] {
            assert!(matches!(parse(bad), Err(Error::Usage { argument }) if argument == named), "{bad:?}");
        }
    }
}
