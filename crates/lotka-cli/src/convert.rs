//! `lotka convert`: converts a system to another format.

use std::path::PathBuf;

use lotka::{Code, System};

use crate::{console::Console, failure::Failure, kind::Kind};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// System file, SSP, MasterSim project, OspSystemStructure.xml or mm.json.
    ///
    /// The formats are TOML, a description (.ssd) or package (.ssp) of the standard SSP, a project of MasterSim (.msim), a system
    /// of libcosim (OspSystemStructure.xml) and a multi-model of INTO-CPS (mm.json). Append # and a name to choose one of several
    /// descriptions in a package: plant.ssp#Winter.ssd.
    from: PathBuf,
    /// File to write, with the extension .toml, .ssd or .ssp.
    ///
    /// A package includes its FMUs. FMUs from a package go to a folder beside the file.
    to: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Converts a system without loading a library.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
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
