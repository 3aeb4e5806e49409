//! `[results]`

use super::Section;
use crate::ResultSettings;
use lotka_message::Findings;

pub(super) fn read(mut section: Section<'_>, findings: &mut Findings) -> ResultSettings {
    let variables = section.texts("variables", ("names and patterns of variables", "a name or a pattern"), findings);
    section.finish(findings);
    ResultSettings { variables }
}
