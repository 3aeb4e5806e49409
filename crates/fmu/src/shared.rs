//! What the instances of an FMU have in common.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lotka_instance::{Capabilities, ModelDescription};

use crate::archive::Folder;
use crate::platform::OwnState;
use crate::{Description, Warning};

/// The common data of the instances of an FMU; `V` is what one version of FMI needs.
pub(crate) struct Shared<V> {
    pub path: PathBuf,
    pub description: Arc<Description>,
    pub interface: ModelDescription,
    pub capabilities: Capabilities,
    pub warnings: Vec<Warning>,
    /// Also those of the same FMU with other values of its structural parameters.
    pub lost: Arc<Lost>,
    /// Their addresses.
    pub instances: Arc<Mutex<BTreeSet<usize>>>,
    /// The process state that the library left; `None` if the FMU can change none.
    pub own: Option<OwnState>,
    pub version: V,
    pub has_file: bool,
    pub folder: Option<Arc<Folder>>,
}

/// Whether an instance returned a fatal status, after which no function of any instance may be called.
#[derive(Default)]
pub(crate) struct Lost(AtomicBool);

impl Lost {
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub fn set_lost(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<V> Shared<V> {
    #[inline]
    pub fn is_lost(&self) -> bool {
        self.lost.is_lost()
    }

    /// Notes the address of an instance that was created; `false` if an instance with this address exists.
    pub fn has_created(&self, address: usize) -> bool {
        self.instances().insert(address)
    }

    /// Forgets an instance that will be freed.
    pub fn will_free(&self, address: usize) {
        self.instances().remove(&address);
    }

    fn instances(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the FMU has any instances.
    pub fn has_instances(&self) -> bool {
        !self.instances().is_empty()
    }

    /// The same FMU with another interface.
    pub fn again(&self, interface: ModelDescription, version: V) -> Self {
        Self {
            path: self.path.clone(),
            description: self.description.clone(),
            interface,
            capabilities: self.capabilities,
            warnings: self.warnings.clone(),
            lost: self.lost.clone(),
            instances: self.instances.clone(),
            own: self.own.clone(),
            version,
            has_file: self.has_file,
            folder: self.folder.clone(),
        }
    }
}

impl Shared<()> {
    /// The same with what one version of FMI needs.
    pub fn with<V>(self, version: V) -> Shared<V> {
        let Self { path, description, interface, capabilities, warnings, lost, instances, own, has_file, folder, .. } = self;
        Shared { path, description, interface, capabilities, warnings, lost, instances, own, version, has_file, folder }
    }
}
