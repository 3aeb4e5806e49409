//! The keywords of a project, with the defaults of MasterSim.

use lotka_message::{Code, Findings, nearest};
use lotka_system::Located;

use super::lines::{Line, Word, lines};

/// A project as it is written.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) start: Option<Located<f64>>,
    pub(super) end: Option<Located<f64>>,
    pub(super) max_step: Option<Located<f64>>,
    pub(super) min_step: Option<Located<f64>>,
    pub(super) fall_back: Option<Located<f64>>,
    pub(super) first_step: Option<Located<f64>>,
    pub(super) output: Option<Located<f64>>,
    pub(super) absolute: Option<Located<f64>>,
    pub(super) relative: Option<Located<f64>>,
    pub(super) mode: Option<Located<Mode>>,
    pub(super) error_control: Option<Located<ErrorControl>>,
    pub(super) iterations: Option<Located<i64>>,
    pub(super) simulators: Vec<Simulator>,
    pub(super) graph: Vec<Edge>,
    pub(super) parameters: Vec<(Located<String>, Located<String>)>,
    /// Boolean settings by name.
    pub(super) switches: Vec<(Word, bool)>,
}

/// The exchange of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Jacobi,
    GaussSeidel,
    Newton,
}

/// The treatment of the error of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorControl {
    None,
    Check,
    StepDoubling,
}

#[derive(Debug)]
pub(super) struct Simulator {
    /// Simulators of the same priority are iterated together, lower priorities first.
    pub(super) priority: u32,
    pub(super) name: Located<String>,
    pub(super) file: Located<String>,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub(super) output: Located<String>,
    pub(super) input: Located<String>,
    pub(super) offset: f64,
    pub(super) factor: f64,
}

const MODES: &[(&str, Mode)] = &[("GAUSS_JACOBI", Mode::Jacobi), ("GAUSS_SEIDEL", Mode::GaussSeidel), ("NEWTON", Mode::Newton)];

const ERROR_CONTROLS: &[(&str, ErrorControl)] = &[
    ("NONE", ErrorControl::None),
    ("CHECK", ErrorControl::Check),
    ("STEP_DOUBLING", ErrorControl::StepDoubling),
    ("ADAPT_STEP", ErrorControl::StepDoubling),
];

/// Units of time \[s\].
const TIMES: &[(&str, f64)] = &[("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0), ("a", 31_536_000.0)];

const SWITCHES: [&str; 5] = [
    "adjustStepSize",
    "preventOversteppingOfEndTime",
    "writeInternalVariables",
    "writeUnconnectedFileReaderVars",
    "binaryOutputFiles",
];

pub(super) fn read(text: &str, findings: &mut Findings) -> Project {
    let mut project = Project::default();
    for line in lines(text) {
        match line.keyword.text.as_str() {
            "simulator" => project.simulators.extend(simulator(&line, findings)),
            "graph" => project.graph.extend(edge(&line, findings)),
            "parameter" => project.parameters.extend(parameter(&line, findings)),
            _ if line.rest.text.is_empty() => {
                error(Code::MsimForm, &line.keyword, format!("`{}` has no value", line.keyword.text), findings)
            }
            _ => setting(&line, &mut project, findings),
        }
    }
    project
}

fn setting(line: &Line, project: &mut Project, findings: &mut Findings) {
    match line.keyword.text.as_str() {
        "tStart" => project.start = time(line, findings),
        "tEnd" => project.end = time(line, findings),
        "hMax" => project.max_step = time(line, findings),
        "hMin" => project.min_step = time(line, findings),
        "hFallBackLimit" => {
            project.fall_back = time(line, findings).map(|time| Located { span: Some(line.keyword.span.clone()), ..time })
        }
        "hStart" => project.first_step = time(line, findings),
        "hOutputMin" => {
            project.output = time(line, findings).map(|time| Located { span: Some(line.keyword.span.clone()), ..time })
        }
        "absTol" => project.absolute = number(line, findings),
        "relTol" => project.relative = number(line, findings),
        "maxIterations" => project.iterations = number(line, findings),
        "MasterMode" => project.mode = choice(line, MODES, findings),
        "ErrorControlMode" => project.error_control = choice(line, ERROR_CONTROLS, findings),
        "outputTimeUnit" if line.rest.text == "s" => {}
        "outputTimeUnit" => warning(Code::MsimIgnored, &line.keyword, "times are recorded in s", findings),
        known if SWITCHES.contains(&known) => {
            project.switches.push((line.keyword.clone(), matches!(line.rest.text.as_str(), "yes" | "true" | "1")));
        }
        unknown => warning(Code::MsimIgnored, &line.keyword, format!("unknown keyword `{unknown}`: it has no effect"), findings),
    }
}

fn simulator(line: &Line, findings: &mut Findings) -> Option<Simulator> {
    // The color is optional.
    let (priority, name, file) = match &line.words[..] {
        [_, priority, name, _, file] | [_, priority, name, file] => (priority, name, file),
        _ => return malformed_simulator(line, findings),
    };
    let Ok(priority) = priority.text.parse() else { return malformed_simulator(line, findings) };
    Some(Simulator { priority, name: located(name), file: located(file) })
}

fn malformed_simulator(line: &Line, findings: &mut Findings) -> Option<Simulator> {
    error(Code::MsimForm, &line.keyword, "a simulator needs a number, a priority, a name, a color and a file", findings);
    None
}

fn edge(line: &Line, findings: &mut Findings) -> Option<Edge> {
    let edge = match &line.words[..] {
        [output, input] => Some((output, input, Some(0.0), Some(1.0))),
        // The width and the color of its line are optional.
        [output, input, offset, factor] | [output, input, offset, factor, _, _] => {
            Some((output, input, offset.text.parse().ok(), factor.text.parse().ok()))
        }
        _ => None,
    };
    let has_variables = |word: &Word| word.text.contains('.');
    match edge {
        Some((output, input, Some(offset), Some(factor))) if has_variables(output) && has_variables(input) => {
            Some(Edge { output: located(output), input: located(input), offset, factor })
        }
        _ => {
            let message = "a connection needs an output and an input, as simulator.variable, and may have an offset and a factor";
            error(Code::MsimForm, &line.keyword, message, findings);
            None
        }
    }
}

/// The name, and the value with its escapes.
fn parameter(line: &Line, findings: &mut Findings) -> Option<(Located<String>, Located<String>)> {
    let name = line.words.first();
    let Some(name) = name.filter(|name| name.text.contains('.')) else {
        error(Code::MsimForm, &line.keyword, "a parameter needs a name, as simulator.variable, and a value", findings);
        return None;
    };
    let begin = name.span.end - line.rest.span.start;
    let value = line.rest.text[begin..].trim();
    let start = line.rest.span.end - line.rest.text[begin..].trim_start().len();
    let value = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value);
    let value = Located { value: value.replace("\\\\", "\\").replace("\\n", "\n"), span: Some(start..start + value.len()) };
    Some((located(name), value))
}

fn time(line: &Line, findings: &mut Findings) -> Option<Located<f64>> {
    let parsed = match &line.words[..] {
        [number, unit] => {
            let unit = TIMES.iter().find(|(name, _)| *name == unit.text);
            unit.zip(number.text.parse().ok()).map(|((_, seconds), number): (_, f64)| number * seconds)
        }
        _ => None,
    };
    match parsed.filter(|time| time.is_finite()) {
        Some(value) => Some(Located { value, span: Some(line.rest.span.clone()) }),
        None => {
            let names: Vec<_> = TIMES.iter().map(|(name, _)| format!("`{name}`")).collect();
            let help = format!("write a number and one of {}", names.join(", "));
            findings.error(
                Code::MsimForm,
                &Some(line.rest.span.clone()),
                format!("expected a time, found `{}`", line.rest.text),
                help,
            );
            None
        }
    }
}

fn number<T: std::str::FromStr>(line: &Line, findings: &mut Findings) -> Option<Located<T>> {
    let value = line.rest.text.parse().ok();
    if value.is_none() {
        error(Code::MsimForm, &line.rest, format!("expected a number, found `{}`", line.rest.text), findings);
    }
    value.map(|value| Located { value, span: Some(line.rest.span.clone()) })
}

fn choice<T: Copy>(line: &Line, known: &[(&str, T)], findings: &mut Findings) -> Option<Located<T>> {
    let found = known.iter().find(|(name, _)| *name == line.rest.text).map(|(_, value)| *value);
    if found.is_none() {
        let help = nearest(&line.rest.text, known.iter().map(|(name, _)| *name));
        findings.error(
            Code::UnknownChoice,
            &Some(line.rest.span.clone()),
            format!("unknown {} `{}`", line.keyword.text, line.rest.text),
            help,
        );
    }
    found.map(|value| Located { value, span: Some(line.rest.span.clone()) })
}

fn located(word: &Word) -> Located<String> {
    Located { value: word.text.clone(), span: Some(word.span.clone()) }
}

fn error(code: Code, word: &Word, message: impl Into<String>, findings: &mut Findings) {
    findings.error(code, &Some(word.span.clone()), message, None);
}

fn warning(code: Code, word: &Word, message: impl Into<String>, findings: &mut Findings) {
    findings.warning(code, &Some(word.span.clone()), message, None);
}
