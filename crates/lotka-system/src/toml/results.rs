//! `[results]`

use super::{
    Section,
    form::Form,
    keys::{Key, Keys},
};
use crate::ResultSettings;
use lotka_message::Findings;

pub(super) const TABLE: Keys = &[&KEYS];

static KEYS: [Key; 1] = [Key::new(
    "variables",
    Form::List(&Form::Text, 0),
    "What Lotka records: names, patterns such as `*.speed`, and the words outputs, inputs, locals and parameters; a leading ! leaves out.",
)
.or("[\"outputs\"]")];

pub(super) fn read(section: Section<'_>, findings: &mut Findings) -> ResultSettings {
    let variables = section.texts("variables", ("names and patterns of variables", "a name or a pattern"), findings);
    section.finish(findings);
    ResultSettings { variables }
}
