//! The inputs of the run, from the manifest.

use maud::{Markup, html};
use serde_json::{Map, Value};

/// Lists files, settings and surroundings; empty if they are unknown.
pub(super) fn section(document: &Value) -> Markup {
    let Some(command) = document["command"].as_array() else { return html! {} };
    let command: Vec<_> = command.iter().filter_map(Value::as_str).map(quoted).collect();
    html! {
        section id="manifest" {
            h2 { "Manifest" }
            p { "Command: " code { (command.join(" ")) } @if let Some(folder) = document["folder"].as_str() { " in " code { (folder) } } }
            h3 { "Files" }
            table {
                tr { th { "what" } th { "file" } th { "SHA-256" } th { "made by" } }
                (file("system", &document["system"]))
                @for fmu in document["fmus"].as_array().into_iter().flatten() { (file(&instances(fmu), fmu)) }
                @for source in document["sources"].as_array().into_iter().flatten() { (file(source["name"].as_str().unwrap_or("source"), source)) }
                @if document["result"].is_object() { (file("rows", &document["result"])) }
            }
            (group("Settings", &document["settings"]))
            (group("Versions", &document["versions"]))
            details { summary { "As JSON" } pre { (short(document)) } }
        }
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn instances(fmu: &Value) -> String {
    fmu["instances"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn file(what: &str, file: &Value) -> Markup {
    let hash = file["sha256"].as_str().unwrap_or("–");
    html! {
        tr {
            th { (what) }
            td { (file["path"].as_str().unwrap_or("–")) }
            td { code title=(hash) { (hash.get(..12).unwrap_or(hash)) } }
            td { (file["generation_tool"].as_str().unwrap_or_default()) }
        }
    }
}

/// Formats an object as a table of its entries; nested entries have their full path as a name.
fn group(title: &str, settings: &Value) -> Markup {
    let mut entries = Vec::new();
    flatten("", settings, &mut entries);
    html! {
        @if !entries.is_empty() {
            details {
                summary { (title) }
                table { @for (name, value) in &entries { tr { th { (name) } td { (value) } } } }
            }
        }
    }
}

fn flatten(name: &str, value: &Value, entries: &mut Vec<(String, String)>) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Null => {}
        Value::Object(parts) => parts.iter().for_each(|(key, part)| flatten(&below(key), part, entries)),
        Value::Array(parts) if parts.iter().any(|part| part.is_object() || part.is_array()) => {
            let key = |(place, part): (usize, &Value)| part["name"].as_str().map_or(place.to_string(), str::to_owned);
            parts.iter().enumerate().for_each(|(place, part)| flatten(&below(&key((place, part))), part, entries));
        }
        Value::String(text) => entries.push((name.to_owned(), text.clone())),
        other => entries.push((name.to_owned(), other.to_string())),
    }
}

/// Formats the manifest without the parts that the page shows as plots and tables.
fn short(document: &Value) -> String {
    let entries = document.as_object().into_iter().flatten().filter(|(key, _)| *key != "steps" && *key != "columns");
    let document: Map<_, _> = entries.map(|(key, value)| (key.clone(), value.clone())).collect();
    format!("{:#}", Value::Object(document))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn commands_can_be_given_again() {
        assert_eq!(["lotka", "a b", "it's", "prey.*", ""].map(quoted), ["lotka", "'a b'", "'it'\\''s'", "'prey.*'", "''"]);
    }

    #[test]
    fn settings_have_the_whole_way_to_them_and_what_is_not_set_is_left_out() {
        let settings = json!({ "experiment": { "stop": 1.0, "step": null }, "instances": [{ "name": "prey", "fmu": "p.fmu" }], "list": [1, 2] });
        let mut entries = Vec::new();
        flatten("", &settings, &mut entries);
        let entries: Vec<_> = entries.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(
            entries,
            ["experiment.stop = 1.0", "instances.prey.name = prey", "instances.prey.fmu = p.fmu", "list = [1,2]"]
        );
    }
}
