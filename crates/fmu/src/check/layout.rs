//! Rules for the contents of the archive other than the model description (FMI 2.0.5, section 2.3).

use std::collections::BTreeSet;

use super::archive::Contents;
use super::finding::Findings;
use crate::Description;

/// Permitted entries at the top level.
const TOP: [&str; 8] =
    ["modelDescription.xml", "model.png", "documentation", "sources", "binaries", "resources", "terminalsAndIcons", "extra"];

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Applies the rules.
pub(super) fn check(contents: &mut Contents, description: Option<&Description>, findings: &mut Findings) {
    let has = |name: &str| contents.names().any(|there| there == name);
    let tops: BTreeSet<_> = contents.names().map(|name| name.split('/').next().unwrap_or(name)).collect();
    for top in tops.iter().filter(|top| !TOP.contains(top)) {
        let message = "the standard does not define it at the top of the archive".to_owned();
        findings.note(
            Some(top),
            "unexpected-entry",
            message,
            "move files that the FMU reads to resources/, and others to extra/",
        );
    }
    let extra = contents.names().filter_map(|name| name.strip_prefix("extra/")?.split('/').next());
    for folder in extra.filter(|folder| !folder.contains('.')).collect::<BTreeSet<_>>() {
        let message = "files in extra/ are not in a folder with a reversed domain name".to_owned();
        findings.note(
            Some(&format!("extra/{folder}")),
            "extra-name",
            message,
            "move them to a folder such as extra/com.example/",
        );
    }
    let manifests =
        contents.names().filter_map(|name| Some((name, name.strip_prefix("extra/")?.strip_suffix("/fmi-ls-manifest.xml")?)));
    for (name, standard) in manifests.collect::<BTreeSet<_>>() {
        let message = format!("the FMU follows the layered standard {standard}, which is not implemented: it is used without it");
        findings.warning(Some(name), "layered-standard", message, "make sure that the model is complete without it");
    }
    if !has("documentation/index.html") {
        let message = "there is no documentation/index.html".to_owned();
        findings.note(None, "no-documentation", message, "add a page that describes the model");
    }
    if !has("documentation/licenses/license.txt") && !has("documentation/licenses/license.html") {
        let message = "there is no documentation/licenses/license.txt or license.html".to_owned();
        findings.note(None, "no-license", message, "add the license");
    }
    if let Some(description) = description {
        sources(contents, description, findings);
    }
    if contents.read("model.png", findings).is_some_and(|picture| !picture.starts_with(PNG)) {
        findings.warning(Some("model.png"), "model-picture", "it is not a PNG image".to_owned(), "convert or remove it");
    }
}

/// Checks that all source files are listed, and all listed ones present.
fn sources(contents: &Contents, description: &Description, findings: &mut Findings) {
    let listed: BTreeSet<_> = description.source_files().collect();
    for file in &listed {
        let name = format!("sources/{file}");
        if !contents.names().any(|there| there == name) {
            let message = format!("the source file {file} is listed, but not in sources/");
            findings.warning(
                Some("modelDescription.xml"),
                "source-file",
                message,
                "add the file, or remove it from <SourceFiles>",
            );
        }
    }
    let has_sources = contents.names().any(|name| name.starts_with("sources/"));
    let has_build = contents.names().any(|name| name == "sources/buildDescription.xml");
    if has_sources && listed.is_empty() && !has_build {
        let message = "nothing specifies which sources to compile".to_owned();
        let remedy = match description {
            Description::V2(_) => "list them in <SourceFiles>, or add sources/buildDescription.xml",
            Description::V3(_) => "add sources/buildDescription.xml",
        };
        findings.note(Some("sources"), "unlisted-sources", message, remedy);
    }
}
