//! Where instances run, and what their sandboxes and libraries need.

use std::path::PathBuf;

use fmu::{are_nested, user_cache};
use lotka_instance::HostOptions;
use lotka_message::{Code, Findings};
use lotka_system::{Guard, InstanceSettings, Isolation, resolve_isolation};

use super::System;

impl System {
    /// Where the instances run.
    pub(super) fn guards(&self, findings: &mut Findings) -> Vec<Guard> {
        let mut guards = resolve_isolation(&self.description, findings);
        for (instance, guard) in self.description.instances.iter().zip(&mut guards) {
            if self.is_linked(&instance.name.value) && guard.place == Isolation::Process {
                guard.place = Isolation::None;
                let message = format!("instance `{}` cannot run in a separate process", instance.name.value);
                findings.error(
                    Code::NotIsolated,
                    &None,
                    message,
                    "its FMU is linked into this program; name the file of an FMU instead".to_owned(),
                );
            }
            guard.options.program.clone_from(&self.host_program);
            guard.options.cache.clone_from(&self.cache);
            self.locate_lists(instance, &mut guard.options, findings);
            self.locate_libraries(instance, &mut guard.options, findings);
        }
        guards
    }

    /// Paths of a sandbox are relative to the folder of the system file, and must exist.
    fn locate_lists(&self, instance: &InstanceSettings, options: &mut HostOptions, findings: &mut Findings) {
        let Some(sandbox) = &mut options.sandbox else { return };
        let settings = instance.isolation.sandbox.as_ref().or(self.description.isolation.sandbox.as_ref());
        let span = settings.and_then(|settings| settings.span.clone());
        for path in sandbox.read.iter_mut().chain(&mut sandbox.write) {
            *path = self.base.join(&path);
            if !path.exists() {
                let message =
                    format!("the sandbox of instance `{}` lists {}, which does not exist", instance.name.value, path.display());
                findings.error(Code::MissingPath, &span, message, "create it or remove it from the list".to_owned());
            }
        }
        let caches: Vec<_> = self.cache.iter().cloned().chain(user_cache()).collect();
        let cache_in = |path: &PathBuf| caches.iter().find(|cache| are_nested(path, cache));
        for (path, cache) in sandbox.write.iter().filter_map(|path| Some((path, cache_in(path)?))) {
            let message = format!(
                "the sandbox of instance `{}` permits writing to {}, and so to the contents of other FMUs in {}",
                instance.name.value,
                path.display(),
                cache.display()
            );
            findings.error(Code::WritableCache, &span, message, "list a folder that does not contain them".to_owned());
        }
        // A host is started nevertheless, to find further problems.
        sandbox.read.retain(|path| path.exists());
        sandbox.write.retain(|path| path.exists() && cache_in(path).is_none());
    }

    /// Paths of preloaded libraries are relative to the folder of the system file, and must exist. The dynamic linker resolves
    /// names without a slash.
    fn locate_libraries(&self, instance: &InstanceSettings, options: &mut HostOptions, findings: &mut Findings) {
        let settings = instance.isolation.preload_global.as_ref().or(self.description.isolation.preload_global.as_ref());
        let Some(settings) = settings else { return };
        for (library, written) in options.preload_global.iter_mut().zip(&settings.value) {
            if library.components().count() < 2 && !library.is_absolute() {
                continue;
            }
            let path = self.base.join(&library);
            *library = std::path::absolute(&path).unwrap_or(path);
            if !library.is_file() {
                let message = format!(
                    "`preload-global` of instance `{}` lists {}, which does not exist",
                    instance.name.value,
                    library.display()
                );
                findings.error(
                    Code::MissingPath,
                    &written.span,
                    message,
                    "set the path of a library, or a name without a slash for the dynamic linker to find".to_owned(),
                );
            }
        }
        options.preload_global.retain(|library| !library.is_absolute() || library.is_file());
    }
}

#[cfg(test)]
mod tests {
    use lotka_instance::Sandbox;

    use super::*;

    #[test]
    fn no_host_gets_a_sandbox_that_permits_writing_to_the_cache() {
        let dir = tempfile::tempdir().unwrap();
        let [own, cache] = ["own", "cache"].map(|name| dir.path().join(name));
        std::fs::create_dir(&own).unwrap();
        let sandbox = Sandbox { write: vec![dir.path().to_owned(), own.clone()], ..Sandbox::default() };
        let system = System::new().instance("a", "a.fmu").sandbox(sandbox).cache(cache);
        let mut findings = Findings::default();
        let guards = system.guards(&mut findings);
        assert_eq!(guards[0].options.sandbox.as_ref().unwrap().write, [own]);
        let problems = findings.finish((), None).unwrap_err().to_string();
        assert!(problems.contains("instance `a` permits writing to"), "{problems}");
    }
}
