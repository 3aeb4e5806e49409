//! The text of a draft: TOML with comments, short enough to be read.

use lotka_instance::description::{Causality, Variable, VariableKind};
use lotka_message::printable_line;
use lotka_plan::link::VariableIndex;
use toml_writer::{ToTomlKey, ToTomlValue, TomlKeyBuilder, TomlStringBuilder};

use super::{
    DraftInstance, experiment,
    guess::{Candidate, Guess},
    lines::{Line, block},
};
use crate::hex;

/// Maximum numbers: start values per instance, candidates per input, all inputs without a source, and characters of a
/// description.
const MOST_STARTS: usize = 20;
const MOST_CANDIDATES: usize = 5;
const MOST_OPEN: usize = 50;
const MOST_CHARACTERS: usize = 80;

const HEADER: &str = "\
# Draft by `lotka new`. Check the connections; lines that begin with # are suggestions and have no effect.
# Every key is explained in docs/system-file.md. Then: lotka check SYSTEM; lotka graph SYSTEM; lotka run SYSTEM --output-file rows.csv
";

/// The whole file.
pub fn write(instances: &[DraftInstance], guesses: &[Guess]) -> String {
    let mut text = format!("{HEADER}\n[experiment]\n{}", block(&experiment::lines(instances)));
    // The order of the instances is that of the columns and often that of the steps, so all are written in the same form.
    if instances.iter().all(|instance| starts(instance).is_empty()) {
        let lines = instances.iter().map(|instance| Line::new(fmu(&key(&instance.name), instance), about(instance)));
        text += &format!("\n[instances]\n{}", block(&lines.collect::<Vec<_>>()));
    } else {
        text.extend(instances.iter().map(instance_section));
    }
    text + &connections(instances, guesses)
}

fn fmu(key: &str, instance: &DraftInstance) -> String {
    format!("{key} = {}", string(&instance.path.to_string_lossy()))
}

fn about(instance: &DraftInstance) -> String {
    instance.description.description.as_deref().map(shortened).unwrap_or_default()
}

fn instance_section(instance: &DraftInstance) -> String {
    let name = key(&instance.name);
    let fmu = block(&[Line::new(fmu("fmu", instance), about(instance))]);
    let mut text = format!("\n[instances.{name}]\n{fmu}");
    let starts = starts(instance);
    let mut lines: Vec<_> = starts.iter().take(MOST_STARTS).map(|variable| start(instance, variable)).collect();
    if starts.len() > MOST_STARTS {
        let more = starts.len() - MOST_STARTS;
        lines.push(Line::comment(format!("… and {more} more: lotka inspect {} --all", instance.path.display())));
    }
    if !lines.is_empty() {
        text += &format!("[instances.{name}.start]  # values that replace those of the FMU\n{}", block(&lines));
    }
    text
}

/// Variables that can be set before a run, parameters first.
fn starts(instance: &DraftInstance) -> Vec<&Variable> {
    let settable = |variable: &&Variable| {
        variable.start_is_settable() && variable.causality != Causality::Input && value(instance, variable).is_some()
    };
    let mut starts: Vec<_> = instance.description.variables.iter().filter(settable).collect();
    starts.sort_by_key(|variable| variable.causality != Causality::Parameter);
    starts
}

fn start(instance: &DraftInstance, variable: &Variable) -> Line {
    let value = value(instance, variable).unwrap_or_default();
    Line::suggestion(format!("{} = {value}", key(&variable.name)), explanation(instance, variable))
}

/// Unit and description.
fn explanation(_instance: &DraftInstance, variable: &Variable) -> String {
    let unit = variable.unit().map(str::to_owned);
    let description = variable.description.as_deref().map(shortened).filter(|text| !text.is_empty());
    unit.into_iter().chain(description).collect::<Vec<_>>().join(", ")
}

/// The start value in TOML; that of an enumeration by its name.
fn value(instance: &DraftInstance, variable: &Variable) -> Option<String> {
    Some(match &variable.kind {
        VariableKind::Real(real) => format!("{:?}", real.start?),
        VariableKind::Integer(integer) => integer.start?.to_string(),
        VariableKind::Boolean(boolean) => boolean.start?.to_string(),
        VariableKind::String(text) => string(text.start.as_deref()?),
        VariableKind::Binary(binary) => string(&hex::text(binary.start.as_ref()?)),
        VariableKind::Enumeration(enumeration) => {
            let start = enumeration.start?;
            let items = instance.description.items(&enumeration.declared_type);
            items.iter().find(|item| item.value == start).map_or_else(|| start.to_string(), |item| string(&item.name))
        }
    })
}

fn connections(instances: &[DraftInstance], guesses: &[Guess]) -> String {
    let writer = Connections(instances);
    let connected = guesses.iter().filter_map(|guess| Some((guess, guess.source.as_ref()?)));
    let connected: Vec<_> = connected.map(|(guess, source)| writer.connection(guess, source, Line::new)).collect();
    let open: Vec<_> = guesses.iter().filter(|guess| guess.source.is_none()).collect();
    let mut text = String::new();
    if !connected.is_empty() {
        text += &format!("\n[connections]  # input = output\n{}", block(&connected));
    } else if !open.is_empty() {
        text += "\n[connections]  # \"input\" = \"output\"; no connection is certain\n";
    }
    if !open.is_empty() {
        text += "\n# Not connected: these inputs keep their start values. Uncomment the right line, or write your own.\n";
    }
    for guess in open.iter().take(MOST_OPEN) {
        text += &format!("\n{}", writer.open(guess));
    }
    if open.len() > MOST_OPEN {
        text += &format!("\n# … and {} more inputs, which `lotka inspect FMU --all` lists\n", open.len() - MOST_OPEN);
    }
    text
}

struct Connections<'a>(&'a [DraftInstance]);

impl Connections<'_> {
    fn variable(&self, place: VariableIndex) -> &Variable {
        &self.0[place.0].description.variables[place.1]
    }

    fn name(&self, place: VariableIndex) -> String {
        format!("{}.{}", self.0[place.0].name, self.variable(place).name)
    }

    fn connection(&self, guess: &Guess, source: &Candidate, line: impl Fn(String, String) -> Line) -> Line {
        let code = format!("{} = {}", quoted_key(&self.name(guess.input)), string(&self.name(source.output)));
        line(code, source.to_string())
    }

    /// An input without a source, its type and unit, and its candidates.
    fn open(&self, guess: &Guess) -> String {
        let variable = self.variable(guess.input);
        let explanation = explanation(&self.0[guess.input.0], variable);
        let separator = if explanation.is_empty() { "" } else { ": " };
        let mut lines = vec![Line::comment(format!("{}{separator}{explanation}", self.name(guess.input)))];
        let candidates = guess.candidates.iter().take(MOST_CANDIDATES);
        lines.extend(candidates.map(|candidate| self.connection(guess, candidate, Line::suggestion)));
        let more = guess.candidates.len().saturating_sub(MOST_CANDIDATES);
        if more > 0 {
            lines.push(Line::comment(format!("… or one of {more} more outputs of this type")));
        }
        let refused = guess.refused.iter().take(MOST_CANDIDATES);
        lines.extend(refused.map(|(place, reason)| Line::comment(format!("not {}: {reason}", self.name(*place)))));
        block(&lines)
    }
}

/// A key, quoted if necessary. A dot in a name does not separate keys of TOML.
fn key(name: &str) -> String {
    name.to_toml_key()
}

fn quoted_key(name: &str) -> String {
    TomlKeyBuilder::new(name).as_basic().to_toml_key()
}

fn string(text: &str) -> String {
    TomlStringBuilder::new(text).as_basic().to_toml_value()
}

fn shortened(text: &str) -> String {
    let words: Vec<_> = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    let text = printable_line(&words.join(" ")).into_owned();
    if text.chars().count() <= MOST_CHARACTERS {
        return text;
    }
    text.chars().take(MOST_CHARACTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use lotka_instance::{ModelDescription, description::RealKind};

    use super::*;
    use crate::draft::draft;

    fn variable(name: String, causality: Causality) -> Variable {
        let kind = RealKind { start: Some(1e300), unit: Some("\n1\"".to_owned()), ..RealKind::default() };
        let description = Some("two\nlines\u{7} and \"more\" # of\u{7f} it ".repeat(20));
        Variable { description, ..Variable::new(name, 0, causality, VariableKind::Real(kind)) }
    }

    fn instance(name: &str, count: usize, inputs: Causality) -> DraftInstance {
        let of = |causality: Causality, prefix: &'static str| {
            (0..count).map(move |n| variable(format!("{prefix} \"{n}\"\n\\= # é"), causality))
        };
        let variables = of(Causality::Parameter, "p").chain(of(inputs, "u")).collect();
        let description = ModelDescription { variables, description: Some("a\r\nb".to_owned()), ..ModelDescription::default() };
        DraftInstance { name: name.to_owned(), path: "a \"b\"\\\n.fmu".into(), description }
    }

    /// The file with all suggestions in effect, except those of `[experiment]`.
    fn taken(text: &str) -> String {
        let (head, instances) = text.split_once("\n[instances").unwrap_or_default();
        let bare = |line: &str| match line.strip_prefix("# ").filter(|code| code.starts_with('"')) {
            Some(code) => format!("{code}\n"),
            None => format!("{line}\n"),
        };
        format!("{head}\n[instances{}", instances.lines().map(bare).collect::<String>())
    }

    #[test]
    fn whatever_the_names_are_the_file_can_be_read() {
        let instances = [instance("a \"\n", 3, Causality::Input), instance("b#", 3, Causality::Output)];
        let text = draft(&instances, &[]).unwrap().text;
        for text in [text.clone(), taken(&text)] {
            let (system, findings) = crate::toml::read("system.toml".as_ref(), &text).unwrap();
            assert!(findings.is_empty(), "{findings:?} in\n{text}");
            let names: Vec<_> = system.instances.iter().map(|instance| instance.name.value.as_str()).collect();
            assert_eq!((names, system.connections.len()), (vec!["a \"\n", "b#"], 3), "{text}");
            assert_eq!(system.instances[0].fmu.value.to_str(), Some("a \"b\"\\\n.fmu"));
            assert_eq!(system.connections[1].sources[0].from.value, "b#.u \"1\"\n\\= # é");
        }
        let (system, _) = crate::toml::read("system.toml".as_ref(), &taken(&text)).unwrap();
        assert_eq!(system.instances[0].start[2].variable.value, "p \"2\"\n\\= # é");
    }

    #[test]
    fn many_variables_do_not_make_a_long_file() {
        let text = draft(&[instance("a", 2000, Causality::Input), instance("b", 2000, Causality::Local)], &[]).unwrap().text;
        assert!(text.contains("# … and 1980 more: lotka inspect") && text.contains("# … and 1950 more inputs"), "{text}");
        assert!(text.lines().count() < 250 && text.lines().all(|line| line.chars().count() < 200), "{text}");
    }
}
