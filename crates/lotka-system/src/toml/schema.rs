//! The JSON schemas of system files and studies, from the tables of keys that the reader uses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    FILE,
    form::{Definition, Form},
    keys::{Default, Key, Keys, Presence},
    sweep,
};

/// Returns the JSON schema (draft 7) of system files.
#[must_use]
pub fn schema() -> Value {
    of("Lotka system file", "FMUs, their connections, and how Lotka simulates them. Times are in seconds.", FILE)
}

/// Returns the JSON schema (draft 7) of studies.
#[must_use]
pub fn sweep_schema() -> Value {
    of("Lotka study", "A system, parameters that vary, and what is kept of each run. Times are in seconds.", sweep::FILE)
}

fn of(title: &str, description: &str, keys: Keys) -> Value {
    let mut writer = Writer::default();
    let body = writer.table(keys);
    let mut whole = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        "description": description,
    });
    merge(&mut whole, body);
    whole["definitions"] = Value::Object(writer.definitions.into_iter().map(|(name, form)| (name.to_owned(), form)).collect());
    whole
}

#[derive(Default)]
struct Writer {
    definitions: BTreeMap<&'static str, Value>,
}

impl Writer {
    fn form(&mut self, form: &Form) -> Value {
        match form {
            Form::Number => json!({ "type": "number" }),
            Form::Integer => json!({ "type": "integer" }),
            Form::Boolean => json!({ "type": "boolean" }),
            Form::Text => json!({ "type": "string" }),
            Form::Scalar => json!({ "type": ["number", "string", "boolean"] }),
            Form::Word(word) => json!({ "const": word }),
            Form::Choice(choices) => {
                let (names, helps): (Vec<_>, Vec<_>) = choices.list().into_iter().unzip();
                json!({ "enum": names, "enumDescriptions": helps, "x-taplo": { "docs": { "enumValues": helps } } })
            }
            Form::Method(names) => json!({ "enum": names() }),
            Form::List(item, least) => json!({ "type": "array", "items": self.form(item), "minItems": least }),
            Form::Table(keys) => self.table(keys),
            Form::Names(value) => json!({ "type": "object", "additionalProperties": self.form(value) }),
            Form::PlainOrDotted(plain, dotted) => json!({
                "type": "object",
                "patternProperties": { "^[^.]*$": self.form(plain), "\\.": self.form(dotted) },
            }),
            Form::Dotted(value, others) => {
                let others: Vec<_> = others.iter().map(|key| json!({ "required": [key] })).collect();
                let mut object = json!({ "type": "object", "additionalProperties": self.form(value) });
                if !others.is_empty() {
                    object["not"] = json!({ "anyOf": others });
                }
                object
            }
            Form::Any(forms) => json!({ "anyOf": forms.iter().map(|form| self.form(form)).collect::<Vec<_>>() }),
            Form::Defined(definition) => self.reference(definition),
        }
    }

    fn reference(&mut self, definition: &'static Definition) -> Value {
        if !self.definitions.contains_key(definition.name) {
            // It may refer to itself.
            self.definitions.insert(definition.name, Value::Null);
            let form = self.form(&definition.form);
            self.definitions.insert(definition.name, form);
        }
        json!({ "$ref": format!("#/definitions/{}", definition.name) })
    }

    fn table(&mut self, keys: Keys) -> Value {
        let all = || keys.iter().copied().flatten();
        let named = |presence| all().filter(move |key| key.presence == presence).map(|key| key.name).collect::<Vec<_>>();
        let properties: Map<_, _> = all().map(|key| (key.name.to_owned(), self.key(key))).collect();
        let mut object = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        let required = named(Presence::Required);
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        let one_of = named(Presence::OneOf);
        if !one_of.is_empty() {
            object["anyOf"] = one_of.iter().map(|key| json!({ "required": [key] })).collect();
        }
        object
    }

    fn key(&mut self, key: &Key) -> Value {
        let mut description = key.help.to_owned();
        let mut value = json!({});
        match key.default {
            Some(Default::Value(default)) => {
                description += &format!(" Default: {default}.");
                value["default"] = serde_json::from_str(default).unwrap_or_default();
            }
            Some(Default::Rule(rule)) => description += &format!(" Default: {rule}."),
            None => {}
        }
        value["description"] = description.into();
        match self.form(&key.form) {
            // Beside a reference, other keys do not count.
            reference if reference.get("$ref").is_some() => value["allOf"] = json!([reference]),
            form => merge(&mut value, form),
        }
        value
    }
}

/// Adds the members of an object.
fn merge(object: &mut Value, members: Value) {
    if let (Value::Object(object), Value::Object(members)) = (object, members) {
        object.extend(members);
    }
}
