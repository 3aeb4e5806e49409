//! Describes an FMU: model, capabilities, variables. `text` is for people, `json` for machines.

mod json;
mod text;
mod variables;

use lotka::FmuInfo;

use super::Description;
use crate::data;

/// Describes an FMU. The text lists all variables of each causality only if `lists_all` is set.
pub(super) fn describe(info: &FmuInfo, lists_all: bool) -> Description {
    Description { text: text::text(info, lists_all, data::terminal_width()), json: json::json(info) }
}
