//! `Annotation`, whose content is not interpreted.

use fmi_xml::elements;

elements! {
    /// An `Annotation`. Its inner XML is kept as text and not interpreted.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Annotation {
        /// `type`: a name that identifies its meaning, in reverse domain notation.
        kind: String = "type" key,
        /// The content.
        xml: String,
    }
}
