//! The writer of `modelDescription.xml`.

use super::ModelDescription;

impl ModelDescription {
    /// The description as the text of a `modelDescription.xml`.
    pub fn to_xml(&self) -> String {
        format!("<fmiModelDescription fmiVersion=\"{}\"/>", self.fmi_version)
    }
}
