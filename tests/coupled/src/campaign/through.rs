//! How the models of a campaign are run.

use std::path::PathBuf;

use lotka::System;

use super::Case;

/// How the models of a campaign are run.
#[derive(Debug, Clone)]
pub enum Through {
    /// Linked statically: no archive, no library.
    Joined,
    /// As FMUs from a folder, packed by `cargo xtask package-fmus --tests`.
    Fmus(PathBuf),
    /// As such FMUs, each instance in its own process. The second path is the host program; `None` means the one beside this
    /// program.
    Processes(PathBuf, Option<PathBuf>),
}

impl Case {
    /// Returns the system with its models run in this way.
    #[must_use]
    pub fn through(self, way: &Through) -> Self {
        let system = match way {
            Through::Joined => self.system,
            Through::Fmus(folder) => of_files(&self.system, folder),
            Through::Processes(folder, program) => {
                let system = of_files(&self.system, folder).isolate(true);
                program.iter().fold(system, |system, program| system.host_program(program))
            }
        };
        Self { system, ..self }
    }
}

/// Replaces statically linked FMUs by those of a folder. The path of a linked FMU is its name.
fn of_files(joined: &System, folder: &std::path::Path) -> System {
    let mut system = System::new();
    *system.description_mut() = joined.description().clone();
    for instance in &mut system.description_mut().instances {
        instance.fmu.value = folder.join(&instance.fmu.value).with_extension("fmu");
    }
    system
}
