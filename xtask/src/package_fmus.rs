//! `cargo xtask package-fmus`: builds the libraries under `fmus/` or `tests/fmus/` together and packs each.
//!
//! The model of each FMU is listed in one place, [`MODELS`] or [`OF_TESTS`]. Everything else follows from the folders.

use std::path::{Path, PathBuf};

use fmu_package::{Cdylib, Declared, FmiVersion, GlibcVersion, Packed, Workspace};

use crate::{TaskResult, build::Build};

/// A model as an FMU of a version.
type Exported = fn(FmiVersion) -> Declared;

/// The models of all FMUs, each exported by a crate `fmus/NAME`.
const MODELS: &[Exported] = &[
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
    Declared::of::<models::HeatRod>,
    Declared::of::<models::Expression>,
];

/// The models of the FMUs for tests only, each exported by a crate `tests/fmus/NAME`.
const OF_TESTS: &[Exported] = &[
    Declared::of::<campaign_models::Plant<false>>,
    Declared::of::<campaign_models::Plant<true>>,
    Declared::of::<campaign_models::Relay<false>>,
    Declared::of::<campaign_models::Relay<true>>,
    Declared::of::<campaign_models::Sampler>,
    Declared::of::<campaign_models::Lorenz>,
    Declared::of::<campaign_models::Signal>,
    Declared::of::<campaign_models::Vessel>,
    Declared::of::<campaign_models::Slider>,
    Declared::of::<campaign_models::Converter>,
    Declared::of::<campaign_models::Joint>,
    Declared::of::<campaign_models::Servo>,
    Declared::of::<campaign_models::Ramped>,
    Declared::of::<campaign_models::Regulator>,
    Declared::of::<campaign_models::Chart>,
    Declared::of::<campaign_models::Rival>,
    Declared::of::<campaign_models::HalfVanDerPol>,
    Declared::of::<campaign_models::Characteristic>,
];

/// Arguments of the task.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the FMUs here [default: fmus in the target folder of Cargo].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Pack only the FMU of this name; can be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Pack the FMUs that only tests couple.
    ///
    /// The default folder is then fmus/tests in the target folder of Cargo.
    #[arg(long)]
    tests: bool,
    /// Pack FMUs of this version of FMI, 2.0 or 3.0 [default: 2.0]; can be given twice.
    ///
    /// FMUs of FMI 3.0 go to the folder fmi3 inside the default folder, or inside DIR if both versions are packed.
    #[arg(long = "fmi", value_name = "VERSION")]
    versions: Vec<FmiVersion>,
    /// Build for systems with this GNU C library or a newer one, such as 2.17.
    ///
    /// The task installs zig in target/zig for that (about 400 MB).
    #[arg(long, value_name = "VERSION")]
    glibc: Option<GlibcVersion>,
}

/// Packs all FMUs. Prints path, number of exported symbols and required C library of each.
pub fn run(arguments: &Arguments) -> TaskResult {
    let workspace = Build::here("release")?.for_glibc("package-fmus", arguments.glibc)?.workspace()?;
    let set = if arguments.tests { Set::of_tests(&workspace) } else { Set::of_project(&workspace) };
    let only: Vec<_> = arguments.only.iter().map(String::as_str).collect();
    for (version, output) in FmiVersion::folders(&arguments.versions, arguments.output.as_deref(), &set.output) {
        set.package(&workspace, version, &output, &only)?.iter().for_each(Packed::report);
    }
    Ok(())
}

/// A set of FMUs that are packed together.
struct Set {
    /// Folder of their crates.
    crates: PathBuf,
    /// The models that they export, and the name of the list that contains them.
    models: &'static [Exported],
    list: &'static str,
    /// Default output folder.
    output: PathBuf,
    /// The versions of FMI that the project itself needs.
    versions: &'static [FmiVersion],
}

impl Set {
    fn of_project(workspace: &Workspace) -> Self {
        Self {
            crates: workspace.root.join("fmus"),
            models: MODELS,
            list: "MODELS",
            output: workspace.fmu_folder(),
            versions: &[FmiVersion::Fmi2, FmiVersion::Fmi3],
        }
    }

    fn of_tests(workspace: &Workspace) -> Self {
        let output = workspace.fmu_folder().join("tests");
        Self {
            crates: workspace.root.join("tests/fmus"),
            models: OF_TESTS,
            list: "OF_TESTS",
            output,
            versions: &[FmiVersion::Fmi2],
        }
    }

    /// Builds and packs all FMUs of the set, or only those with the given names.
    ///
    /// # Errors
    /// A name is unknown, the build fails, an FMU cannot be packed, or a crate exports a model that is not in the list.
    fn package(&self, workspace: &Workspace, version: FmiVersion, output: &Path, only: &[&str]) -> TaskResult<Vec<Packed>> {
        let crates = workspace.cdylibs().into_iter().filter(|cdylib| cdylib.folder.starts_with(&self.crates));
        let mut crates = crates.map(|cdylib| self.with_model(cdylib, version)).collect::<TaskResult<Vec<_>>>()?;
        if let Some(unknown) = only.iter().find(|name| !crates.iter().any(|(cdylib, _)| cdylib.target == **name)) {
            return Err(format!("{} has no FMU `{unknown}`", self.crates.display()).into());
        }
        crates.retain(|(cdylib, _)| only.is_empty() || only.contains(&&*cdylib.target));
        Ok(workspace.pack(&crates, output)?)
    }

    /// Builds and packs the FMUs of all versions that the project needs.
    fn package_all(&self, workspace: &Workspace, output: &Path, only: &[&str]) -> TaskResult {
        for (version, folder) in FmiVersion::folders(self.versions, None, output) {
            self.package(workspace, version, &folder, only)?;
        }
        Ok(())
    }

    /// Finds the model that a crate exports: its model identifier is the name of the library.
    fn with_model(&self, cdylib: Cdylib, version: FmiVersion) -> TaskResult<(Cdylib, Declared)> {
        let is_exported = |model: &Declared| model.description.model_identifier() == Some(cdylib.target.as_str());
        match self.models.iter().map(|declared| declared(version)).find(is_exported) {
            Some(model) => Ok((cdylib, model)),
            None => {
                let (folder, target, list) = (cdylib.folder.display(), &cdylib.target, self.list);
                Err(format!("{folder}: add its model `{target}` to {list} in {}", file!()).into())
            }
        }
    }
}

/// Returns the absolute path of the folder of FMUs: `given`, or the folder into which this call builds and packs them; those of
/// FMI 3.0 are in its folder `fmi3`.
///
/// # Errors
/// Those of [`Set::package`], or `given` does not exist.
pub fn folder(given: Option<&Path>) -> TaskResult<PathBuf> {
    of_set(given, Set::of_project, &[])
}

/// Same as [`folder`], but only the FMUs with these names are needed.
///
/// # Errors
/// Those of [`folder`].
pub fn folder_with(given: Option<&Path>, names: &[&str]) -> TaskResult<PathBuf> {
    of_set(given, Set::of_project, names)
}

/// Builds and packs the FMUs for tests only, and returns their folder.
///
/// # Errors
/// Those of [`folder`].
pub fn folder_of_tests() -> TaskResult<PathBuf> {
    of_set(None, Set::of_tests, &[])
}

/// Builds and packs all FMUs with the settings of a build, and returns their folder.
///
/// # Errors
/// Those of [`folder`].
pub fn folder_of(build: &Build) -> TaskResult<PathBuf> {
    let (workspace, output) = (build.workspace()?, build.fmu_folder());
    Set::of_project(&workspace).package_all(&workspace, &output, &[])?;
    Ok(output)
}

fn of_set(given: Option<&Path>, set: fn(&Workspace) -> Set, only: &[&str]) -> TaskResult<PathBuf> {
    match given {
        Some(folder) => folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()).into()),
        None => {
            let workspace = workspace()?;
            let set = set(&workspace);
            set.package_all(&workspace, &set.output, only)?;
            Ok(set.output)
        }
    }
}

/// Returns the workspace of the project.
///
/// # Errors
/// Cargo does not know it.
pub fn workspace() -> TaskResult<Workspace> {
    Ok(Workspace::of(Path::new(env!("CARGO_MANIFEST_DIR")))?)
}
