//! The annotation by which an FMU declares that its instances can run on several threads of one process at the same time.
//! FMI 3.0 has no standard attribute for this.

use super::{Annotation, ModelDescription};

impl Annotation {
    /// Returns `<Annotation type="Lotka"><Instances threadSafe="true"/></Annotation>`. It declares that functions of different
    /// instances may be called on different threads of one process at the same time, from `fmi3InstantiateCoSimulation` to
    /// `fmi3FreeInstance`. The results are the same as with sequential calls.
    ///
    /// # Examples
    ///
    /// ```
    /// use fmi3::{ModelDescription, description::Annotation};
    ///
    /// let mut description = ModelDescription::default();
    /// assert!(!description.is_thread_safe());
    /// description.annotations.push(Annotation::thread_safe());
    /// assert!(description.is_thread_safe());
    /// ```
    #[must_use]
    pub fn thread_safe() -> Self {
        let (kind, xml) = fmi_xml::thread_safe();
        Self { kind, xml }
    }
}

impl ModelDescription {
    /// Returns whether the FMU declares that its instances can run on several threads at the same time
    /// ([`Annotation::thread_safe`]).
    #[must_use]
    pub fn is_thread_safe(&self) -> bool {
        self.annotations.iter().any(|annotation| fmi_xml::says_thread_safe(&annotation.kind, &annotation.xml))
    }
}
