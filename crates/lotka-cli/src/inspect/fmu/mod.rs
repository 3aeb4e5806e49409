//! An FMU: model, capabilities, variables. `text` is for people, `json` for machines.

mod json;
mod text;
mod variables;

use lotka::FmuInfo;

use super::Description;

/// All of an FMU; the text lists only some variables of each causality, unless it is to list all.
pub(super) fn describe(info: &FmuInfo, lists_all: bool) -> Description {
    let width = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    Description { text: text::text(info, lists_all, width), json: json::json(info) }
}
