//! The files that a system is made from.

use std::path::PathBuf;

use super::System;

impl System {
    /// The files that a run of this system reads, each once, as far as they are known without reading any: the system file and the FMUs.
    ///
    /// ```
    /// let system = lotka::System::new().instance("a", "x.fmu").instance("b", "x.fmu");
    /// assert_eq!(system.files(), [std::path::PathBuf::from("x.fmu")]);
    /// ```
    pub fn files(&self) -> Vec<PathBuf> {
        let system = self.description.file.iter().map(|file| file.path.clone());
        let instances = self.description.instances.iter();
        let fmus = instances.filter(|instance| !self.fmus.contains_key(&instance.name.value));
        let all = system.chain(fmus.map(|instance| self.base.join(&instance.fmu.value)));
        let mut files = Vec::new();
        all.for_each(|path| {
            if !files.contains(&path) {
                files.push(path);
            }
        });
        files
    }
}
