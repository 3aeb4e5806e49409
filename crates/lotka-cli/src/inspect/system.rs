//! A system: instances, connections, and what follows from them.

use std::path::Path;

use lotka::{Connection, Error, Graph, Source, System, SystemDescription, Warning};
use serde_json::{Value, json};

use super::{Description, section, texts, warning_section};
use crate::table;

/// Analyzes a system file; no library is loaded.
pub(super) fn describe(path: &Path) -> Result<Description, Error> {
    let system = System::from_file(path)?;
    let (graph, warnings) = system.analyze()?;
    let view = View { system: system.description(), graph: &graph, warnings: &warnings };
    Ok(Description { text: format!("{}\n{}", path.display(), view.text()), json: view.json(path) })
}

struct View<'a> {
    system: &'a SystemDescription,
    graph: &'a Graph,
    warnings: &'a [Warning],
}

impl View<'_> {
    fn name(&self, index: usize) -> &str {
        &self.system.instances[index].name.value
    }

    fn names(&self, indices: &[usize]) -> Vec<&str> {
        indices.iter().map(|&index| self.name(index)).collect()
    }

    fn text(&self) -> String {
        let instances: Vec<_> =
            self.system.instances.iter().map(|i| vec![i.name.value.clone(), i.fmu.value.display().to_string()]).collect();
        let connections: Vec<_> = self.system.connections.iter().map(connection_row).collect();
        let components = self.graph.components.iter().filter(|component| component.is_loop);
        let loops: String = components.map(|component| format!("  {}\n", self.names(&component.members).join(" -> "))).collect();
        let feedthrough: String =
            self.graph.immediate.iter().map(|&(from, to)| format!("  {} -> {}\n", self.name(from), self.name(to))).collect();
        let or_none = |lines: String| if lines.is_empty() { "  none\n".to_owned() } else { lines };
        [
            section("instances", &table::columns("  ", &instances)),
            section("connections (input = output)", &table::columns("  ", &connections)),
            section("evaluation order", &format!("  {}\n", self.names(&self.graph.order).join(", "))),
            section("loops", &or_none(loops)),
            section("connections into direct feedthrough", &or_none(feedthrough)),
            warning_section(self.warnings),
        ]
        .concat()
    }

    fn json(&self, path: &Path) -> Value {
        let instance = |i: &lotka::InstanceSettings| json!({ "name": i.name.value, "fmu": i.fmu.value });
        let component = |c: &lotka::Component| json!({ "members": self.names(&c.members), "is_loop": c.is_loop });
        let feedthrough = |&(from, to): &(usize, usize)| json!({ "from": self.name(from), "to": self.name(to) });
        json!({
            "kind": "system",
            "path": path,
            "instances": self.system.instances.iter().map(instance).collect::<Vec<_>>(),
            "connections": self.system.connections.iter().map(connection_json).collect::<Vec<_>>(),
            "order": self.names(&self.graph.order),
            "components": self.graph.components.iter().map(component).collect::<Vec<_>>(),
            "direct_feedthrough": self.graph.immediate.iter().map(feedthrough).collect::<Vec<_>>(),
            "warnings": texts(self.warnings),
        })
    }
}

fn connection_row(connection: &Connection) -> Vec<String> {
    let sources: Vec<_> = connection.sources.iter().map(summand).collect();
    vec![connection.input.value.clone(), format!("= {}", sources.join(" + "))]
}

fn summand(source: &Source) -> String {
    let factor = if source.factor == 1.0 { String::new() } else { format!("{} * ", source.factor) };
    let offset = if source.offset == 0.0 { String::new() } else { format!(" + {}", source.offset) };
    format!("{factor}{}{offset}", source.from.value)
}

fn connection_json(connection: &Connection) -> Value {
    let source = |source: &Source| json!({ "from": source.from.value, "factor": source.factor, "offset": source.offset });
    json!({ "input": connection.input.value, "sources": connection.sources.iter().map(source).collect::<Vec<_>>() })
}
