//! How the models of a campaign are run.

use std::path::PathBuf;

use lotka::System;

use super::Case;

/// How the models of a campaign are run.
#[derive(Debug, Clone)]
pub enum Through {
    /// Joined statically: no archive, no library.
    Joined,
    /// As FMUs of a folder that `cargo xtask package-fmus --tests` packed.
    Fmus(PathBuf),
    /// As these, each instance in a process of this program, or of the one that is found beside this one.
    Processes(PathBuf, Option<PathBuf>),
}

impl Case {
    /// The same, its models run in this way.
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

/// A system of joined FMUs with those of a folder: the path of a joined one is its name.
fn of_files(joined: &System, folder: &std::path::Path) -> System {
    let mut system = System::new();
    *system.description_mut() = joined.description().clone();
    for instance in &mut system.description_mut().instances {
        instance.fmu.value = folder.join(&instance.fmu.value).with_extension("fmu");
    }
    system
}
