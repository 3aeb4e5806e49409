//! FMUs in processes of their own, where the feature `isolation` is on.

use std::{path::Path, sync::Arc};

use lotka_instance::{HostOptions, InstanceFactory, InstantiationError, Structure};
use lotka_run::ConcurrentModel;

use crate::{profile::Stopwatch, sampled::SampleTimes};

/// Opens an FMU whose instances have processes of their own.
pub(super) fn open(path: &Path, options: &HostOptions) -> Result<Arc<dyn InstanceFactory>, Box<dyn InstantiationError>> {
    way::open(path, options)
}

/// Whether hosts can be started.
pub(super) fn is_available(options: &HostOptions) -> bool {
    way::is_available(options)
}

/// The FMU of this file in separate processes, for concurrent runs, with these values of structural parameters, timed and sampled
/// as in others.
pub(super) fn concurrent_model(
    path: &Path,
    options: HostOptions,
    structure: Structure,
    (stopwatch, times): (Option<&Stopwatch>, Option<SampleTimes>),
) -> Arc<dyn ConcurrentModel> {
    Arc::new(way::HostedModel { path: path.to_owned(), options, structure, stopwatch: stopwatch.cloned(), times })
}

#[cfg(feature = "isolation")]
mod way {
    use std::path::PathBuf;

    use lotka_host::HostedFmu;

    use super::*;
    use crate::{profile::Profiled, sampled::Sampled};

    pub(super) fn open(path: &Path, options: &HostOptions) -> Result<Arc<dyn InstanceFactory>, Box<dyn InstantiationError>> {
        Ok(Arc::new(HostedFmu::open(path, options.clone())?))
    }

    pub(super) fn is_available(options: &HostOptions) -> bool {
        lotka_host::has_program(options)
    }

    #[derive(Debug)]
    pub(super) struct HostedModel {
        pub(super) path: PathBuf,
        pub(super) options: HostOptions,
        pub(super) structure: Structure,
        pub(super) stopwatch: Option<Stopwatch>,
        pub(super) times: Option<SampleTimes>,
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
}

#[cfg(not(feature = "isolation"))]
mod way {
    use std::path::PathBuf;

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

    pub(super) fn open(path: &Path, _: &HostOptions) -> Result<Arc<dyn InstanceFactory>, Box<dyn InstantiationError>> {
        Err(Box::new(NotBuilt(path.to_owned())))
    }

    pub(super) fn is_available(_: &HostOptions) -> bool {
        false
    }

    #[derive(Debug)]
    #[allow(dead_code, reason = "shown by Debug")]
    pub(super) struct HostedModel {
        pub(super) path: PathBuf,
        pub(super) options: HostOptions,
        pub(super) structure: Structure,
        pub(super) stopwatch: Option<Stopwatch>,
        pub(super) times: Option<SampleTimes>,
    }

    impl ConcurrentModel for HostedModel {
        fn is_available(&self) -> bool {
            is_available(&self.options)
        }

        fn open(&self) -> Option<Arc<dyn InstanceFactory>> {
            None
        }
    }
}
