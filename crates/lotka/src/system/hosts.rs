//! FMUs in processes of their own, where the feature `isolation` is on.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use lotka_instance::{HostOptions, InstanceFactory, InstantiationError, Structure};
use lotka_run::ConcurrentModel;

pub(super) use self::way::{is_available, open};
use crate::{
    profile::{Profiled, Stopwatch},
    sampled::{SampleTimes, Sampled},
};

/// The FMU of this file in separate processes, for concurrent runs, with these values of structural parameters, timed and sampled
/// as in others.
pub(super) fn concurrent_model(
    path: &Path,
    options: HostOptions,
    structure: Structure,
    (stopwatch, times): (Option<&Stopwatch>, Option<SampleTimes>),
) -> Arc<dyn ConcurrentModel> {
    Arc::new(HostedModel { path: path.to_owned(), options, structure, stopwatch: stopwatch.cloned(), times })
}

#[derive(Debug)]
struct HostedModel {
    path: PathBuf,
    options: HostOptions,
    structure: Structure,
    stopwatch: Option<Stopwatch>,
    times: Option<SampleTimes>,
}

impl ConcurrentModel for HostedModel {
    fn is_available(&self) -> bool {
        is_available(&self.options)
    }

    fn open(&self) -> Option<Arc<dyn InstanceFactory>> {
        let hosted = open(&self.path, &self.options).ok()?;
        let hosted = if self.structure.is_empty() { hosted } else { hosted.with_structure(&self.structure).ok()? };
        Some(Sampled::wrap(Profiled::wrap(hosted, self.stopwatch.as_ref()), self.times))
    }
}

#[cfg(feature = "isolation")]
mod way {
    use lotka_host::HostedFmu;

    use super::*;

    /// Opens an FMU whose instances have processes of their own.
    pub(in super::super) fn open(
        path: &Path,
        options: &HostOptions,
    ) -> Result<Arc<dyn InstanceFactory>, Box<dyn InstantiationError>> {
        Ok(Arc::new(HostedFmu::open(path, options.clone())?))
    }

    /// Whether hosts can be started.
    pub(in super::super) fn is_available(options: &HostOptions) -> bool {
        lotka_host::has_program(options)
    }
}

#[cfg(not(feature = "isolation"))]
mod way {
    use lotka_message::{Code, Coded};

    use super::*;

    /// This program does not support FMUs in separate processes.
    #[derive(Debug, thiserror::Error)]
    #[error(
        "{}: this program does not support FMUs in separate processes; build it with the feature `isolation` of the crate lotka",
        .0.display()
    )]
    struct NotBuilt(PathBuf);

    impl Coded for NotBuilt {
        fn code(&self) -> Code {
            Code::NoHostProgram
        }
    }

    impl InstantiationError for NotBuilt {}

    pub(in super::super) fn open(path: &Path, _: &HostOptions) -> Result<Arc<dyn InstanceFactory>, Box<dyn InstantiationError>> {
        Err(Box::new(NotBuilt(path.to_owned())))
    }

    pub(in super::super) fn is_available(_: &HostOptions) -> bool {
        false
    }
}
