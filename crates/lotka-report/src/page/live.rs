//! The page of a run that is still running. It loads nothing but the events of the command.

use maud::html;
use serde_json::json;

use super::{LOOK, PLOTS, PLOTS_STYLE, Page, STYLE, document};
use crate::colors;

const SCRIPT: &str = include_str!("../../assets/live.js");

/// As that of a report, with a connection to where the page comes from.
const POLICY: &str =
    "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// Returns a page that reads server-sent events from `events` beside it.
#[must_use]
pub fn live_html(name: &str) -> String {
    let data = json!({ "colors": { "light": colors::LIGHT, "dark": colors::DARK }, "dashes": colors::DASHES, "plots": [] });
    let body = html! {
        header {
            h1 { (name) }
            p.verdict #state role="status" { "waiting for the run" }
            progress #progress max="1" value="0" aria-label="share of the run" {}
            dl.facts #facts {}
            p.hint #note {}
        }
        main {
            noscript { p.warning { "This page needs JavaScript." } }
            section { h2 { "Results" } div.plots #plots-rows {} }
            section { h2 { "Steps" } div.plots #plots-steps {} }
        }
    };
    let title = format!("{name} – live");
    document(
        &Page { title: &title, policy: POLICY, styles: &[PLOTS_STYLE, STYLE], data: &data, scripts: &[PLOTS, LOOK, SCRIPT] },
        &body,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_cannot_become_markup() {
        let page = live_html("<script>alert(1)</script>");
        assert!(!page.contains("<script>alert") && page.contains(POLICY.split(';').next().unwrap_or_default()));
    }
}
