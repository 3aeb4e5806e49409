//! Describes an FMU: model, capabilities, variables. `text` is for people, `json` for machines.

mod json;
mod text;
mod variables;

use lotka::FmuInfo;

use super::description::Description;
use crate::{behavior, data};

/// Describes an FMU. The text lists all variables of each causality only if `lists_all` is set.
pub(super) fn describe(info: &FmuInfo, lists_all: bool) -> Description {
    let record = behavior::record(&info.path);
    let text = text::text(info, record.as_ref(), lists_all, data::terminal_width());
    Description { text, json: json::json(info, record.as_ref()) }
}
