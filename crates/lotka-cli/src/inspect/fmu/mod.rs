//! Describes an FMU: model, capabilities, variables. `text` is for people, `json` for machines.

mod json;
mod text;
mod variables;

use lotka::FmuInfo;

use super::Description;

/// Describes an FMU. The text lists all variables of each causality only if `lists_all` is set.
pub(super) fn describe(info: &FmuInfo, lists_all: bool) -> Description {
    let width = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    Description { text: text::text(info, lists_all, width), json: json::json(info) }
}
