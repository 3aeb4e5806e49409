//! Related files: a multi-model, the configuration of its simulation, its FMUs.
//!
//! The tools write paths relative to the folder of a project, to its folder `FMUs`, or absolute ones of another machine.

use std::path::{Path, PathBuf};

use lotka_system::Location;

use super::json::Object;

/// Number of parent folders that are searched: a configuration is three levels below its project.
const MOST_FOLDERS: usize = 6;

/// Folders of FMUs in a project.
const FMUS: [&str; 2] = ["FMUs", "fmus"];

/// Whether it is a multi-model itself.
pub(super) fn is_model(root: &Object<'_>) -> bool {
    root.get("fmus").is_some() || root.get("multiModel").is_some()
}

/// The multi-model that a configuration names, or the only one in the folder above it.
pub(super) fn model_of(root: &Object<'_>, configuration: &Path) -> Option<PathBuf> {
    let folder = configuration.parent()?;
    if let Some(named) = root.get("multimodel_path").and_then(|path| path.string()) {
        let named = PathBuf::from(named.replace('\\', "/"));
        let around = || around(folder).map(|folder| folder.join(&named)).find(|path| path.is_file());
        let beside = || named.file_name().map(|name| folder.join(name)).filter(|path| path.is_file());
        return around().or_else(beside);
    }
    root.get("endTime")?;
    [Some(folder), folder.parent()].into_iter().flatten().find_map(|folder| only(folder, is_model_name))
}

/// The only file beside a multi-model with the name of a configuration.
pub(super) fn configuration_beside(model: &Path) -> Option<PathBuf> {
    let is_configuration = |name: &str| name == "coe.json" || name.ends_with(".coe.json") || name == "simulation-config.json";
    only(model.parent()?, is_configuration).filter(|path| path != model)
}

fn is_model_name(name: &str) -> bool {
    name == "mm.json" || name.ends_with(".mm.json") || name == "multimodel.json"
}

/// The file in a folder with a name of this kind, if there is exactly one.
fn only(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = folder.read_dir().ok()?.flatten().map(|entry| entry.file_name());
    let mut found: Vec<_> = names.filter(|name| name.to_str().is_some_and(&is_meant)).collect();
    let only = found.pop().filter(|_| found.is_empty())?;
    Some(if folder == Path::new(".") { only.into() } else { folder.join(only) })
}

/// A folder and its parents.
fn around(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let absolute = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let above: Vec<_> = absolute.ancestors().skip(1).take(MOST_FOLDERS).map(Path::to_owned).collect();
    std::iter::once(folder.to_owned()).chain(above)
}

/// Where an FMU is.
#[derive(Debug, PartialEq)]
pub(super) enum Fmu {
    /// At the path in the multi-model.
    There(PathBuf),
    /// Elsewhere, by its name.
    Elsewhere(PathBuf),
    /// Not found: loading it reports the error.
    Missing(PathBuf),
    /// The URI does not refer to a file.
    Refused(&'static str),
}

/// Finds an FMU by its path or URI, or elsewhere by its name.
pub(super) fn fmu(uri: &str, base: &Path) -> Fmu {
    let path = uri.replace('\\', "/");
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    let path = path.strip_prefix("session:/").unwrap_or(&path);
    let named = if is_drive {
        PathBuf::from(path)
    } else {
        match (Location { folder: PathBuf::new(), is_packed: false }).resolve(path) {
            Ok(target) => target.path,
            Err(reason) => return Fmu::Refused(reason),
        }
    };
    let in_folder = |folder: PathBuf| {
        let direct = std::iter::once(folder.join(&named));
        direct.chain(FMUS.map(|fmus| folder.join(fmus).join(&named)))
    };
    if let Some(path) = around(base).flat_map(in_folder).find(|path| path.is_file()) {
        return Fmu::There(relative(&path, base));
    }
    let name = named.file_name().map(PathBuf::from).unwrap_or_default();
    let in_folder = |folder: PathBuf| FMUS.map(|fmus| folder.join(fmus).join(&name)).into_iter().chain([folder.join(&name)]);
    match around(base).flat_map(in_folder).find(|path| path.is_file()) {
        Some(path) => Fmu::Elsewhere(relative(&path, base)),
        None => Fmu::Missing(named),
    }
}

/// A path relative to a project.
fn relative(path: &Path, base: &Path) -> PathBuf {
    let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    path.strip_prefix(base).unwrap_or(path).to_owned()
}
