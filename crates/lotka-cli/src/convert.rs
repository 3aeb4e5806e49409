//! `lotka convert`: a system in another format.

use std::path::PathBuf;

use lotka::{Code, System};

use crate::{console::Console, exit::ExitCode, failure::Failure, kind::Kind};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The system: TOML, a description (.ssd) or package (.ssp) of the standard SSP, a project of MasterSim (.msim), an OspSystemStructure.xml or a
    /// multi-model of INTO-CPS (mm.json). Of several descriptions in a package, one is named behind a #: plant.ssp#Winter.ssd.
    from: PathBuf,
    /// The file to write; its name ends with .toml, .ssd or .ssp. A package has the FMUs in it; FMUs from a package are written to a folder beside
    /// the file.
    to: PathBuf,
    /// Replace the file if it is there.
    #[arg(long)]
    force: bool,
}

/// Converts a system; no library is loaded.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    console.end(convert(arguments, console).map(|()| ExitCode::Done))
}

fn convert(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let Arguments { from, to, force } = arguments;
    if Kind::of(from) == Kind::Fmu {
        let reason = format!("{} is an FMU; `lotka convert` converts systems", from.display());
        return Err(Failure::Usage { code: Code::WrongKindOfFile, reason });
    }
    let extension = to.extension().and_then(|extension| extension.to_str()).map(str::to_lowercase);
    if !matches!(extension.as_deref(), Some("toml" | "ssd" | "ssp")) {
        let reason = format!("cannot infer a format from `{}`; use the extension .toml, .ssd or .ssp", to.display());
        return Err(Failure::Usage { code: Code::UnknownFormat, reason });
    }
    if to.exists() && !force {
        let reason = format!("`{}` already exists; choose another file, or pass --force to overwrite it", to.display());
        return Err(Failure::Usage { code: Code::FileExists, reason });
    }
    let system = System::from_file(from)?;
    let warnings = system.save(to)?;
    warnings.iter().for_each(|warning| console.warn(warning));
    Ok(())
}
