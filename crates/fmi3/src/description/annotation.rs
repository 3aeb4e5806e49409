//! `Annotation`, whose content is not interpreted.

/// An `Annotation`. Its inner XML is kept as text and not interpreted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotation {
    /// `type`: a name that identifies its meaning, in reverse domain notation.
    pub kind: String,
    /// The content.
    pub xml: String,
}
