//! `cargo xtask package-fmus`: builds the libraries under `fmus/` in one go and packs each.
//!
//! Which model an FMU holds stands in one place, [`MODELS`]; everything else follows from the folders.

use std::path::{Path, PathBuf};

use fmu_package::{Cdylib, Declared, GlibcVersion, Packed, Workspace};
use tests::interop::Zig;

use crate::TaskResult;

/// Every model that is an FMU, as the crate `fmus/NAME` exports it.
const MODELS: &[fn() -> Declared] = &[
    Declared::of::<models::Prey>,
    Declared::of::<models::Predator>,
    Declared::of::<models::PredatorPrey>,
    Declared::of::<models::Mass>,
    Declared::of::<models::SprungMass>,
    Declared::of::<models::SprungMassForce>,
    Declared::of::<models::VanDerPolPosition>,
    Declared::of::<models::VanDerPolVelocity>,
    Declared::of::<models::Species>,
    Declared::of::<models::ThreeSpecies>,
    Declared::of::<models::Population>,
    Declared::of::<models::Reproduction>,
    Declared::of::<models::Starvation>,
    Declared::of::<models::Predation>,
    Declared::of::<models::BouncingBall>,
    Declared::of::<models::TwoStatePlant>,
    Declared::of::<models::TwoStateSwitch>,
    Declared::of::<models::TwoStateOde>,
    Declared::of::<models::Circle>,
    Declared::of::<models::Stiff>,
    Declared::of::<models::Expression>,
];

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder for the FMUs [default: fmus in cargo's target folder].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Only the FMU of this name; can be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Build for systems with this GNU C library or a newer one, as 2.17, with zig, which is installed in target/zig (about 400 MB).
    #[arg(long, value_name = "VERSION")]
    glibc: Option<GlibcVersion>,
}

/// Packs all FMUs and prints for each its path, number of exported symbols and needed C library.
pub fn run(arguments: &Arguments) -> TaskResult {
    let mut workspace = workspace()?.for_glibc(arguments.glibc);
    if arguments.glibc.is_some() {
        println!("Installing zig under target/zig, if it is not there …");
        let variables = Zig::prepare(&workspace.root)?.variables();
        workspace = variables.into_iter().fold(workspace, |workspace, (name, value)| workspace.env(name, value));
    }
    package(&workspace, arguments.output.as_deref(), &arguments.only)?.iter().for_each(Packed::report);
    Ok(())
}

/// Builds and packs all FMUs, or only those of some names, into `fmus` in the target folder unless `output` says otherwise.
///
/// # Errors
/// There is no FMU of one of these names, the build fails, an FMU is not fit to be packed, or a crate exports a model that [`MODELS`] does not
/// have.
fn package(workspace: &Workspace, output: Option<&Path>, only: &[String]) -> TaskResult<Vec<Packed>> {
    let fmus = workspace.root.join("fmus");
    let crates = workspace.cdylibs().into_iter().filter(|cdylib| cdylib.folder.starts_with(&fmus));
    let mut crates = crates.map(with_model).collect::<TaskResult<Vec<_>>>()?;
    if let Some(unknown) = only.iter().find(|name| !crates.iter().any(|(cdylib, _)| cdylib.target == **name)) {
        return Err(format!("there is no FMU `{unknown}` in {}", fmus.display()).into());
    }
    crates.retain(|(cdylib, _)| only.is_empty() || only.contains(&cdylib.target));
    let output = output.map_or_else(|| workspace.fmu_folder(), Path::to_owned);
    Ok(workspace.pack(&crates, &output)?)
}

/// Absolute path of the folder of FMUs to work with: `given`, or the one where they are built and packed now.
///
/// # Errors
/// As [`package`], or `given` is not there.
pub fn folder(given: Option<&Path>) -> TaskResult<PathBuf> {
    match given {
        Some(folder) => folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()).into()),
        None => {
            let workspace = workspace()?;
            package(&workspace, None, &[])?;
            Ok(workspace.fmu_folder())
        }
    }
}

/// The workspace of the project.
fn workspace() -> TaskResult<Workspace> {
    Ok(Workspace::of(Path::new(env!("CARGO_MANIFEST_DIR")))?)
}

/// A crate with the model that it exports: the model identifier is the name of the library.
fn with_model(cdylib: Cdylib) -> TaskResult<(Cdylib, Declared)> {
    let is_exported = |model: &Declared| {
        let co_simulation = model.description.co_simulation.as_ref();
        co_simulation.is_some_and(|co_simulation| co_simulation.interface.model_identifier == cdylib.target)
    };
    match MODELS.iter().map(|declared| declared()).find(is_exported) {
        Some(model) => Ok((cdylib, model)),
        None => Err(format!("{}: add its model `{}` to MODELS in {}", cdylib.folder.display(), cdylib.target, file!()).into()),
    }
}
