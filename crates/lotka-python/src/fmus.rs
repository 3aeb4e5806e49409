//! The FMUs of a system before it is built. Those of the kit share this process; those of other tools get processes of their own,
//! if the system says nothing else. Files are opened once per process: a library is never unloaded, and each time that it is
//! loaded takes memory.

use std::{
    collections::HashMap,
    fs, mem,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf, absolute},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

use lotka::{Fmu, Isolation, IsolationSettings, System};

/// What the model descriptions of the kit begin their `generationTool` with.
const TOOL: &str = "Lotka fmu-sdk ";

/// Tells versions of a file apart: device, inode, size, times of change [s, ns].
type Version = (u64, u64, u64, [i64; 4]);

/// What is known about a file.
#[derive(Clone)]
struct Known {
    version: Version,
    /// Whether the kit made it.
    is_of_kit: bool,
    /// The FMU, if it was loaded.
    fmu: Option<Fmu>,
}

/// What this process knows.
struct Files {
    process: u32,
    known: HashMap<PathBuf, Known>,
}

static FILES: Mutex<Option<Files>> = Mutex::new(None);

fn files() -> MutexGuard<'static, Option<Files>> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(forked) = files.take_if(|files| files.process != process::id()) {
        // The parent still needs the temporary folders.
        mem::forget(forked);
    }
    files
}

fn known(files: &mut Option<Files>) -> &mut HashMap<PathBuf, Known> {
    &mut files.get_or_insert_with(|| Files { process: process::id(), known: HashMap::new() }).known
}

/// Forgets the FMUs, so that other simulations load them anew.
pub(crate) fn forget() {
    let forgotten = files().take();
    drop(forgotten);
}

fn version(file: &Path) -> Option<Version> {
    let data = fs::metadata(file).ok()?;
    Some((data.dev(), data.ino(), data.size(), [data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()]))
}

/// What is known about a file; `None` if it cannot be read, which the build reports.
fn look(file: &Path) -> Option<Known> {
    let (file, version) = (absolute(file).ok()?, version(file)?);
    if let Some(seen) = known(&mut files()).get(&file).filter(|seen| seen.version == version) {
        return Some(seen.clone());
    }
    let info = lotka::inspect_fmu(&file).ok()?;
    let is_of_kit = info.interface.generation_tool.is_some_and(|tool| tool.starts_with(TOOL));
    let seen = Known { version, is_of_kit, fmu: None };
    known(&mut files()).insert(file, seen.clone());
    Some(seen)
}

/// The loaded FMU of a file; `None` if it cannot be loaded, or not be shared.
fn load(file: &Path) -> Option<Fmu> {
    let seen = look(file)?;
    if let Some(fmu) = seen.fmu {
        return Some(fmu);
    }
    // The working directory may change.
    let file = absolute(file).ok()?;
    let fmu = Fmu::open(&file).ok()?;
    if fmu.capabilities().only_once_per_process {
        return None;
    }
    if let Some(now) = known(&mut files()).get_mut(&file).filter(|now| now.version == seen.version) {
        now.fmu = Some(fmu.clone());
    }
    Some(fmu)
}

/// Where the FMUs of a build run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Hosting {
    /// Those that other tools made have processes of their own, unless the system says where they run.
    Auto,
    /// Each in a process of its own, whatever the system says.
    Process,
    /// In this process, whatever the system says.
    Here,
}

/// Decides where the FMUs run. Returns the names of the instances that got processes of their own because another tool made their
/// FMUs.
pub(crate) fn isolate(system: &mut System, hosting: Hosting) -> Vec<String> {
    if hosting == Hosting::Here {
        *system = mem::take(system).isolate(false);
        return Vec::new();
    }
    let is_settled = system.description().isolation.isolation.is_some();
    let files: HashMap<_, _> = system.fmu_files().into_iter().collect();
    let mut isolated = Vec::new();
    for instance in &mut system.description_mut().instances {
        // Objects have no file, and stay here.
        let Some(file) = files.get(&instance.name.value) else { continue };
        let is_open = !is_settled && instance.isolation.isolation.is_none();
        let is_of_others = || look(file).is_some_and(|known| !known.is_of_kit);
        if hosting == Hosting::Process || (is_open && is_of_others()) {
            instance.isolation.isolation = Some(Isolation::Process.into());
            isolated.extend((hosting == Hosting::Auto).then(|| instance.name.value.clone()));
        }
    }
    isolated
}

/// Whether FMUs of other tools run in this process: two systems at a time would share their static data.
pub(crate) fn has_foreign(system: &System) -> bool {
    let files: HashMap<_, _> = system.fmu_files().into_iter().collect();
    let description = system.description();
    description.instances.iter().any(|instance| {
        let hosting = instance.isolation.isolation.as_ref().or(description.isolation.isolation.as_ref());
        let is_here = hosting.is_none_or(|hosting| hosting.value == Isolation::None);
        let is_of_others = |file: &PathBuf| look(file).is_some_and(|known| !known.is_of_kit);
        is_here && files.get(&instance.name.value).is_some_and(is_of_others)
    })
}

/// Uses loaded FMUs for the instances in this process.
pub(crate) fn share(mut system: System) -> System {
    let is_plain = |settings: &IsolationSettings| {
        let in_process = settings.isolation.as_ref().is_none_or(|isolation| isolation.value == Isolation::None);
        let has_timeout = settings.init_timeout.is_some() || settings.step_timeout.is_some();
        in_process && !has_timeout && settings.sandbox.is_none() && settings.preload_global.is_none()
    };
    let mut all = system.description().isolation.clone();
    let of_instances: HashMap<_, _> = {
        let instances = system.description().instances.iter();
        instances.map(|instance| (instance.name.value.clone(), instance.isolation.clone())).collect()
    };
    for (name, file) in system.fmu_files() {
        let Some(own) = of_instances.get(&name) else { continue };
        // An instance that says where it runs does not care what is said for all.
        all.isolation = own.isolation.clone().or(system.description().isolation.isolation.clone());
        if let Some(fmu) = (is_plain(&all) && is_plain(own)).then(|| load(&file)).flatten() {
            system = system.opened(&name, &fmu);
        }
    }
    system
}
