//! The vendor annotation by which an FMU declares that its instances can run on several threads of one process at the same time.
//! FMI 2.0 has no standard attribute for this.

use super::{Annotation, ModelDescription};

impl Annotation {
    /// Returns `<Tool name="Lotka"><Instances threadSafe="true"/></Tool>`. It declares that functions of different instances may
    /// be called on different threads of one process at the same time, from `fmi2Instantiate` to `fmi2FreeInstance`. The results
    /// are the same as with sequential calls.
    #[must_use]
    pub fn thread_safe() -> Self {
        let (tool, xml) = fmi_xml::thread_safe();
        Self { tool, xml }
    }
}

impl ModelDescription {
    /// Returns whether the FMU declares that its instances can run on several threads at the same time
    /// ([`Annotation::thread_safe`]).
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        self.vendor_annotations.iter().any(|annotation| fmi_xml::says_thread_safe(&annotation.tool, &annotation.xml))
    }
}
