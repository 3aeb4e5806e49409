//! Describes a system: instances, connections, and the results of the analysis.

use std::{collections::HashMap, path::Path};

use lotka::{
    Analysis, Connection, Equation, Error, EvaluationSet, Graph, Interpolation, Override, Port, SourceSettings, SourceSignal,
    StartSetting, Summand, System, SystemDescription, TypedValue, UnconnectedInput, UnitConversion, Warning,
};
use serde_json::{Value, json};

use super::description::{Description, codes, section, texts, warning_section};
use crate::table::{self, clean};

/// Analyzes a system file without loading a library.
pub(super) fn describe(path: &Path) -> Result<Description, Error> {
    let system = System::from_file(path)?;
    let Analysis { graph, conversions, warnings, .. } = system.analyze()?;
    let view = View { system: system.description(), graph: &graph, conversions: &conversions, warnings: &warnings };
    Ok(Description { text: format!("{}\n{}", clean(&path.display().to_string()), view.text()), json: view.json(path) })
}

struct View<'a> {
    system: &'a SystemDescription,
    graph: &'a Graph,
    conversions: &'a [UnitConversion],
    warnings: &'a [Warning],
}

impl View<'_> {
    fn name(&self, index: usize) -> &str {
        self.system.name_of(index)
    }

    fn names(&self, indices: &[usize]) -> Vec<&str> {
        indices.iter().map(|&index| self.name(index)).collect()
    }

    /// Lists names in one line.
    fn list(&self, indices: &[usize]) -> String {
        clean(&self.names(indices).join(", "))
    }

    fn text(&self) -> String {
        let instances: Vec<_> =
            self.system.instances.iter().map(|i| vec![i.name.value.clone(), i.fmu.value.display().to_string()]).collect();
        let sources: Vec<_> = self.system.sources.iter().map(source_row).collect();
        let sources = if sources.is_empty() { String::new() } else { section("sources", &table::columns("  ", &sources)) };
        let scenario: Vec<_> = self.system.scenario.iter().flat_map(override_rows).collect();
        let scenario = if scenario.is_empty() { String::new() } else { section("scenario", &table::columns("  ", &scenario)) };
        let connections: Vec<_> = self.system.connections.iter().map(connection_row).collect();
        let unconnected: Vec<_> =
            self.graph.unconnected.iter().map(|input| vec![self.port(&input.port), format!("= {}", input.kept())]).collect();
        let conversions: Vec<_> = self.conversions.iter().map(conversion_row).collect();
        let mut algebraic: HashMap<usize, Vec<&EvaluationSet>> = HashMap::new();
        let component_of = self.component_of();
        for set in self.graph.algebraic_loops() {
            if let Some(number) = set.members().first().and_then(|first| component_of.get(first)) {
                algebraic.entry(*number).or_default().push(set);
            }
        }
        let components = self.graph.components.iter().enumerate().filter(|(_, component)| component.is_loop);
        let loops: String = components
            .map(|(number, component)| self.component_lines(component, algebraic.get(&number).map_or(&[], Vec::as_slice)))
            .collect();
        let feedthrough: String = self
            .graph
            .immediate
            .iter()
            .map(|&(from, to)| format!("  {} -> {}\n", clean(self.name(from)), clean(self.name(to))))
            .collect();
        let or_none = |lines: String| if lines.is_empty() { "  none\n".to_owned() } else { lines };
        [
            section("instances", &table::columns("  ", &instances)),
            sources,
            section("connections (input = output)", &table::columns("  ", &connections)),
            section("inputs without a source, and the values that they keep", &or_none(table::columns("  ", &unconnected))),
            section("conversions of units", &or_none(table::columns("  ", &conversions))),
            scenario,
            section("evaluation order", &format!("  {}\n", self.list(&self.graph.order))),
            section("evaluation order of the outputs at a communication point", &or_none(self.evaluation())),
            section("loops (strongly connected components)", &or_none(loops)),
            section("connections into direct feedthrough", &or_none(feedthrough)),
            warning_section(self.warnings),
        ]
        .concat()
    }

    /// Per instance: the number of its strongly connected component.
    fn component_of(&self) -> HashMap<usize, usize> {
        let components = self.graph.components.iter().enumerate();
        components.flat_map(|(number, component)| component.members.iter().map(move |member| (*member, number))).collect()
    }

    /// Formats a strongly connected component, and its algebraic loops with the connections that close them.
    fn component_lines(&self, component: &lotka::StronglyConnectedComponent, loops: &[&EvaluationSet]) -> String {
        let states = if loops.is_empty() { ": no algebraic loop (broken by states)" } else { "" };
        let mut text = format!("  {}{states}\n", self.list(&component.members));
        for found in loops {
            let connection = |(from, to): &(Port, Port)| clean(&format!("{} -> {}", self.port(from), self.port(to)));
            let connections: Vec<_> = found.loop_connections.iter().map(connection).collect();
            text += &format!("    algebraic loop of {}: {}\n", self.list(&found.members()), connections.join(", "));
        }
        text
    }

    /// Formats one line per output. Brackets mark the outputs of an algebraic loop, because they are solved together.
    fn evaluation(&self) -> String {
        let brackets = |position: usize, count: usize| match (position, count) {
            (_, 1) => " ",
            (0, _) => "┌",
            (position, count) if position + 1 == count => "└",
            _ => "│",
        };
        let mut rows = Vec::new();
        for set in self.graph.evaluation.iter() {
            let count = set.equations.len();
            let bracket = |position| if set.is_loop() && count == 1 { "[" } else { brackets(position, count) };
            rows.extend(set.equations.iter().enumerate().map(|(position, equation)| {
                vec![format!("{} {}", bracket(position), self.port(&equation.output)), self.what_it_needs(equation)]
            }));
        }
        table::columns("  ", &rows)
    }

    fn what_it_needs(&self, equation: &Equation) -> String {
        let needs: Vec<_> = equation.needs.iter().map(|port| self.port(port)).collect();
        let is_source = equation.output.instance >= self.system.instances.len();
        if is_source {
            return "is known before the run".to_owned();
        }
        if needs.is_empty() { "follows no connected input".to_owned() } else { format!("follows {}", needs.join(", ")) }
    }

    fn port(&self, port: &Port) -> String {
        format!("{}.{}", self.name(port.instance), port.variable)
    }

    fn ports(&self, ports: &[Port]) -> Vec<String> {
        ports.iter().map(|port| self.port(port)).collect()
    }

    fn json(&self, path: &Path) -> Value {
        let instance = |i: &lotka::InstanceSettings| json!({ "name": i.name.value, "fmu": i.fmu.value });
        let component =
            |c: &lotka::StronglyConnectedComponent| json!({ "members": self.names(&c.members), "is_loop": c.is_loop });
        let feedthrough = |&(from, to): &(usize, usize)| json!({ "from": self.name(from), "to": self.name(to) });
        let equation = |e: &Equation| json!({ "output": self.port(&e.output), "follows": self.ports(&e.follows), "needs": self.ports(&e.needs) });
        let set = |set: &EvaluationSet| json!({ "is_loop": set.is_loop(), "outputs": set.equations.iter().map(equation).collect::<Vec<_>>() });
        let connection = |(from, to): &(Port, Port)| json!({ "from": self.port(from), "to": self.port(to) });
        let algebraic = |set: &EvaluationSet| {
            let connections: Vec<_> = set.loop_connections.iter().map(connection).collect();
            json!({ "members": self.names(&set.members()), "connections": connections })
        };
        let unconnected = |input: &UnconnectedInput| json!({ "input": self.port(&input.port), "value": input.value.as_ref().map(value_json), "unit": input.unit });
        json!({
            "kind": "system",
            "path": path,
            "instances": self.system.instances.iter().map(instance).collect::<Vec<_>>(),
            "sources": self.system.sources,
            "scenario": self.system.scenario,
            "connections": self.system.connections.iter().map(connection_json).collect::<Vec<_>>(),
            "unconnected": self.graph.unconnected.iter().map(unconnected).collect::<Vec<_>>(),
            "conversions": self.conversions.iter().map(conversion_json).collect::<Vec<_>>(),
            "order": self.names(&self.graph.order),
            "components": self.graph.components.iter().map(component).collect::<Vec<_>>(),
            "evaluation": self.graph.evaluation.iter().map(set).collect::<Vec<_>>(),
            "algebraic_loops": self.graph.algebraic_loops().map(algebraic).collect::<Vec<_>>(),
            "direct_feedthrough": self.graph.immediate.iter().map(feedthrough).collect::<Vec<_>>(),
            "warnings": texts(self.warnings),
            "warning_codes": codes(self.warnings),
        })
    }
}

/// Returns a value as JSON; bytes are a list of numbers.
fn value_json(value: &TypedValue) -> Value {
    match value {
        TypedValue::Real(value) => json!(value),
        TypedValue::Integer(value) => json!(value),
        TypedValue::Boolean(value) => json!(value),
        TypedValue::Text(text) => json!(text),
        TypedValue::Binary(bytes) => json!(bytes),
    }
}

/// Formats the time of an override and its values.
fn override_rows(entry: &Override) -> Vec<Vec<String>> {
    let until = entry.until.as_ref().map_or("on".to_owned(), |until| format!("to {} s", until.value));
    let when = format!("from {} s {until}", entry.at.value);
    let row = |setting: &StartSetting, sign: &str| {
        let unit = setting.unit.as_ref().map_or(String::new(), |unit| format!(" {}", unit.value));
        vec![when.clone(), format!("{} {sign} {}{unit}", setting.variable.value, setting.value.value.plain())]
    };
    let set = entry.set.iter().map(|value| row(value, "="));
    set.chain(entry.add.iter().map(|value| row(value, "+="))).collect()
}

/// Formats name, kind and details of a source.
fn source_row(source: &SourceSettings) -> Vec<String> {
    let what = match &source.signal {
        SourceSignal::Csv(csv) => {
            let interpolation = if csv.interpolation == Interpolation::Linear { "linear" } else { "previous value" };
            format!("{} ({interpolation})", csv.path.value.display())
        }
        SourceSignal::Constant { value } => value.plain(),
        SourceSignal::Step { time, from, to } => format!("from {} to {} at {time} s", from.plain(), to.plain()),
        SourceSignal::Ramp { time, duration, from, to } => format!("from {from} to {to}, from {time} s to {} s", time + duration),
        SourceSignal::Sine { amplitude, frequency, phase, offset, .. } => {
            format!("{offset} + {amplitude} sin(2 pi {frequency} t + {phase})")
        }
    };
    vec![source.name.value.clone(), source.signal.kind().to_owned(), what]
}

fn connection_row(connection: &Connection) -> Vec<String> {
    let sources: Vec<_> = connection.sources.iter().map(summand).collect();
    vec![connection.input.value.clone(), format!("= {}", sources.join(" + "))]
}

fn conversion_row(conversion: &UnitConversion) -> Vec<String> {
    let UnitConversion { from, to, factor, offset, .. } = conversion;
    let offset = if *offset == 0.0 { String::new() } else { format!(" + {offset}") };
    let formula = format!("{to} = {factor} * {from}{offset}");
    vec![conversion.input.clone(), format!("= {}", conversion.output), formula]
}

fn conversion_json(conversion: &UnitConversion) -> Value {
    let UnitConversion { input, output, from, to, factor, offset, .. } = conversion;
    json!({ "input": input, "output": output, "from": from, "to": to, "factor": factor, "offset": offset })
}

fn summand(source: &Summand) -> String {
    let factor = if source.factor == 1.0 { String::new() } else { format!("{} * ", source.factor) };
    let offset = if source.offset == 0.0 { String::new() } else { format!(" + {}", source.offset) };
    format!("{factor}{}{offset}", source.from.value)
}

fn connection_json(connection: &Connection) -> Value {
    let source = |source: &Summand| json!({ "from": source.from.value, "factor": source.factor, "offset": source.offset });
    json!({ "input": connection.input.value, "sources": connection.sources.iter().map(source).collect::<Vec<_>>() })
}
