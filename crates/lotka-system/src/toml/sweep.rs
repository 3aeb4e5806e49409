//! Studies: `[sweep]` and `[parameters]`.

use std::path::Path;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    form::{Choice, Definition, Form},
    keys::{Key, Keys},
    section::{Entry, Section, entries, kind, named, scalar},
};
use crate::{Axis, Keep, Located, Sample, Sampling, SweepDescription, SweepParameter};
use lotka_message::{Code, Findings, Problems, SourceFile};

/// Most runs of a study; each has a number of 32 bits in the results.
const MOST_RUNS: usize = i32::MAX as usize;

/// How parameters vary, as written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Method {
    Grid,
    List,
    Random,
    LatinHypercube,
    Sobol,
    Table,
}

static METHODS: [Choice<Method>; 6] = [
    Choice::new("grid", Method::Grid, "All combinations of the values; the last parameter varies fastest."),
    Choice::new("list", Method::List, "The first values of all parameters, then the second ones, and so on."),
    Choice::new("random", Method::Random, "Independent random numbers."),
    Choice::new(
        "latin-hypercube",
        Method::LatinHypercube,
        "One random number in each of as many equal intervals as there are runs.",
    ),
    Choice::new("sobol", Method::Sobol, "Points of a scrambled Sobol sequence, which cover the space most evenly."),
    Choice::new("table", Method::Table, "The rows of a table in a file."),
];

/// What is kept, as written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum KeptValues {
    Final,
    Minimum,
    Maximum,
    Rows,
}

static KEPT: [Choice<KeptValues>; 4] = [
    Choice::new("final", KeptValues::Final, "The values at the end."),
    Choice::new("minimum", KeptValues::Minimum, "The smallest values of all rows."),
    Choice::new("maximum", KeptValues::Maximum, "The largest values of all rows."),
    Choice::new("rows", KeptValues::Rows, "All rows, in a second file."),
];

/// The keys of a study.
pub(super) const FILE: Keys = &[&SECTIONS];

static SECTIONS: [Key; 2] = [
    Key::new("sweep", Form::Table(TABLE), "The system, how parameters vary together, and what is kept of each run.").required(),
    Key::new("parameters", Form::Names(&Form::Defined(&AXIS)), "The start values that vary, by `instance.variable`."),
];

const TABLE: Keys = &[&KEYS];

static KEYS: [Key; 8] = [
    Key::new("system", Form::Text, "Path of the system file, relative to this file.").required(),
    Key::new("sampling", Form::Choice(&METHODS), "How the parameters vary together.")
        .or_else("\"table\" with `table`, otherwise \"grid\""),
    Key::new("runs", Form::Integer, "Number of runs of a random sampling."),
    Key::new("seed", Form::Integer, "Seed of a random sampling: other seeds make other numbers.").or("0"),
    Key::new("table", Form::Text, "Path of a CSV file with a column per parameter and a row per run."),
    Key::new("keep", Form::List(&Form::Choice(&KEPT), 0), "What is kept of each run.").or("[\"final\"]"),
    Key::new("times", NUMBERS, "Times at which values are kept, in seconds; the runs must have rows there."),
    Key::new("variables", Form::List(&Form::Text, 0), "Names and patterns of the variables that are kept.")
        .or_else("the variables that the system records"),
];

const NUMBERS: Form = Form::Any(&[Form::Number, Form::List(&Form::Number, 0)]);

static AXIS: Definition = Definition {
    name: "parameter",
    form: Form::Any(&[
        Form::List(&Form::Scalar, 1),
        Form::Table(SPAN),
        Form::Dotted(&Form::Defined(&AXIS), &["from", "to", "column"]),
    ]),
};

const SPAN: Keys = &[&SPAN_KEYS];

static SCALES: [Choice<bool>; 2] =
    [Choice::new("linear", false, "Equal distances."), Choice::new("logarithmic", true, "Equal distances of the logarithms.")];

static SPAN_KEYS: [Key; 5] = [
    Key::new("from", Form::Number, "First value."),
    Key::new("to", Form::Number, "Last value."),
    Key::new("count", Form::Integer, "Number of values in a grid or a list."),
    Key::new("scale", Form::Choice(&SCALES), "Scale on which the values are spaced.").or("\"linear\""),
    Key::new("column", Form::Text, "Column of the table."),
];

/// Reads the text of a study.
pub(crate) fn read(path: &Path, text: &str) -> Result<SweepDescription, Problems> {
    let file = SourceFile { path: path.to_owned(), text: text.into() };
    let mut findings = Findings::default();
    let (table, syntax_errors) = DeTable::parse_recoverable(text);
    for error in &syntax_errors {
        findings.error(Code::Syntax, &error.span(), error.message().trim_end(), None);
    }
    let top = Section::new("", FILE, table.get_ref(), table.span());
    let sweep = top.section("sweep", &mut findings);
    let parameters = top.section("parameters", &mut findings);
    if sweep.is_none() && syntax_errors.is_empty() {
        let help = "write [sweep] with system = \"system.toml\" and sampling = \"grid\"".to_owned();
        findings.error(Code::MissingKey, &None, "missing section [sweep]", help);
    }
    top.finish(&mut findings);
    let read = sweep.and_then(|sweep| study(sweep, parameters, &file, &mut findings));
    match read {
        Some(description) => findings.finish(description, Some(&file)).map(|(description, _)| description),
        None => Err(findings.problems(Some(&file))),
    }
}

fn study(
    section: Section<'_>,
    parameters: Option<Section<'_>>,
    file: &SourceFile,
    findings: &mut Findings,
) -> Option<SweepDescription> {
    let place = Some(section.span.clone());
    let system = section.text("system", findings);
    if system.is_none() {
        let help = "set system = \"system.toml\"".to_owned();
        findings.error(Code::MissingKey, &place, "the study names no system", help);
    }
    let method = section.choice("sampling", &METHODS, findings);
    let runs = section.integer("runs", findings);
    let seed = section.integer("seed", findings);
    let table = section.text("table", findings);
    let keep = keep(&section, findings);
    section.finish(findings);
    let method = method.or_else(|| table.as_ref().map(|_| Method::Table.into())).unwrap_or_else(|| Method::Grid.into());
    let is_random = matches!(method.value, Method::Random | Method::LatinHypercube | Method::Sobol);
    for (key, span, is_used) in [
        ("runs", runs.as_ref().map(|runs| &runs.span), is_random),
        ("seed", seed.as_ref().map(|seed| &seed.span), is_random),
        ("table", table.as_ref().map(|table| &table.span), method.value == Method::Table),
    ] {
        if let (Some(span), false) = (span, is_used) {
            let name = METHODS.iter().find(|known| known.value == method.value).map_or("", |known| known.name);
            let message = format!("`{key}` has no effect with sampling = \"{name}\"");
            findings.error(Code::MeaninglessSetting, span, message, "remove it, or choose another sampling".to_owned());
        }
    }
    let sample = is_random.then(|| sample(runs, seed, &place, findings)).flatten();
    let parameters = match parameters {
        Some(section) => list(&section, method.value, findings),
        None => Vec::new(),
    };
    if parameters.is_empty() && method.value != Method::Table {
        let help = "write [parameters] with \"instance.variable\" = [1.0, 2.0]".to_owned();
        findings.error(Code::NoEntries, &place, "the study varies no parameter", help);
    }
    let sampling = match method.value {
        Method::Grid => Sampling::Grid,
        Method::List => Sampling::List,
        Method::Random => Sampling::Random(sample?),
        Method::LatinHypercube => Sampling::LatinHypercube(sample?),
        Method::Sobol => Sampling::Sobol(sample?),
        Method::Table => match table {
            Some(table) => Sampling::Table(Located { value: table.value.into(), span: table.span }),
            None => {
                let help = "set table = \"design.csv\"".to_owned();
                findings.error(Code::MissingKey, &method.span, "the study names no table", help);
                return None;
            }
        },
    };
    check_size(&sampling, &parameters, &place, findings);
    let system = system?;
    let system = Located { value: system.value.into(), span: system.span };
    Some(SweepDescription { file: Some(file.clone()), system, sampling, parameters, keep })
}

/// The number of runs and the seed of random numbers.
fn sample(
    runs: Option<Located<i64>>,
    seed: Option<Located<i64>>,
    place: &Option<std::ops::Range<usize>>,
    findings: &mut Findings,
) -> Option<Sample> {
    let Some(runs) = runs else {
        findings.error(Code::MissingKey, place, "the number of `runs` is missing", "set runs = 100".to_owned());
        return None;
    };
    let count = usize::try_from(runs.value).ok().filter(|count| (1..=MOST_RUNS).contains(count));
    if count.is_none() {
        let message = format!("expected from 1 to {MOST_RUNS} for `runs`, found {}", runs.value);
        findings.error(Code::OutOfRange, &runs.span, message, None);
    }
    let seed = seed.map_or(Some(0), |seed| {
        let value = u64::try_from(seed.value).ok();
        if value.is_none() {
            let message = format!("expected no negative number for `seed`, found {}", seed.value);
            findings.error(Code::OutOfRange, &seed.span, message, None);
        }
        value
    });
    Some(Sample { runs: count?, seed: seed? })
}

fn keep(section: &Section<'_>, findings: &mut Findings) -> Keep {
    let words = section.texts("keep", ("words", "a word"), findings);
    let variables = section.texts("variables", ("names of variables", "the name of a variable"), findings);
    let times = section.numbers("times", findings).unwrap_or_default();
    let mut keep = Keep { variables, times, ..Keep::default() };
    match words {
        Some(words) => {
            for word in &words.value {
                match named("word", word, &KEPT, findings) {
                    Some(KeptValues::Final) => keep.finals = true,
                    Some(KeptValues::Minimum) => keep.minima = true,
                    Some(KeptValues::Maximum) => keep.maxima = true,
                    Some(KeptValues::Rows) => keep.rows = true,
                    None => {}
                }
            }
        }
        None => keep.finals = true,
    }
    keep
}

fn list(section: &Section<'_>, method: Method, findings: &mut Findings) -> Vec<SweepParameter> {
    let mut parameters = Vec::new();
    for entry in section.entries() {
        named_axes(entry.key.to_owned(), entry, method, &mut parameters, findings);
    }
    parameters
}

/// Nested tables come from dotted names: `motor.k = [1]` names the variable `motor.k`.
fn named_axes(name: String, entry: &Entry<'_>, method: Method, parameters: &mut Vec<SweepParameter>, findings: &mut Findings) {
    if let DeValue::Table(table) = entry.value.get_ref()
        && !["from", "to", "column"].iter().any(|key| table.get(*key).is_some())
    {
        for inner in entries(table) {
            named_axes(format!("{name}.{}", inner.key), &inner, method, parameters, findings);
        }
        return;
    }
    let Some(axis) = axis(&name, entry.value, method, findings) else { return };
    parameters.push(SweepParameter { name: Located { value: name, span: Some(entry.key_span.clone()) }, axis });
}

fn axis(name: &str, value: &Spanned<DeValue<'_>>, method: Method, findings: &mut Findings) -> Option<Axis> {
    let span = Some(value.span());
    let axis = match value.get_ref() {
        DeValue::Array(items) => {
            let values: Option<Vec<_>> = items.iter().map(|item| scalar(item.get_ref())).collect();
            if values.is_none() {
                let message = format!("expected numbers, strings, true or false in the values of `{name}`");
                findings.error(Code::WrongType, &span, message, None);
            }
            if items.is_empty() {
                findings.error(Code::NoEntries, &span, format!("`{name}` has no values"), "list at least one".to_owned());
            }
            Axis::Values(values?)
        }
        DeValue::Table(table) => from_table(name, Section::new(name, SPAN, table, value.span()), method, findings)?,
        other => {
            let message =
                format!("expected a list of values, or a table with `from` and `to`, for `{name}`, found {}", kind(other));
            findings.error(Code::WrongType, &span, message, format!("write \"{name}\" = [1.0, 2.0]"));
            return None;
        }
    };
    if matches!(axis, Axis::Column(_)) != (method == Method::Table) {
        let (message, help) = match method {
            Method::Table => {
                (format!("`{name}` has values of its own, but the study has a table"), "write { column = \"name\" }")
            }
            _ => (format!("`{name}` names a column, but the study has no table"), "set sampling = \"table\" and `table`"),
        };
        findings.error(Code::ConflictingSettings, &span, message, help.to_owned());
        return None;
    }
    Some(axis)
}

fn from_table(name: &str, section: Section<'_>, method: Method, findings: &mut Findings) -> Option<Axis> {
    let place = Some(section.span.clone());
    let column = section.text("column", findings);
    let (from, to) = (section.number("from", findings), section.number("to", findings));
    let count = section.integer("count", findings);
    let scale = section.choice("scale", &SCALES, findings);
    section.finish(findings);
    if let Some(column) = column {
        return Some(Axis::Column(column.value));
    }
    let (Some(from), Some(to)) = (from, to) else {
        let message = format!("`{name}` needs both `from` and `to`");
        findings.error(Code::MissingKey, &place, message, "write { from = 1.0, to = 2.0, count = 5 }".to_owned());
        return None;
    };
    let is_logarithmic = scale.is_some_and(|scale| scale.value);
    if is_logarithmic && (from.value <= 0.0 || to.value <= 0.0) {
        let message = format!("a logarithmic scale needs positive bounds, found {} and {}", from.value, to.value);
        findings.error(Code::OutOfRange, &place, message, None);
    }
    let needs_count = matches!(method, Method::Grid | Method::List);
    let (wanted, found) = match (&count, needs_count) {
        (None, true) => (Some("write count = 5"), None),
        (Some(count), true) => (None, usize::try_from(count.value).ok().filter(|count| (1..=MOST_RUNS).contains(count))),
        (Some(count), false) => {
            let message = "`count` has no effect: `runs` of [sweep] is the number of runs".to_owned();
            findings.error(Code::MeaninglessSetting, &count.span, message, "remove it".to_owned());
            (None, Some(1))
        }
        (None, false) => (None, Some(1)),
    };
    if let Some(help) = wanted {
        findings.error(Code::MissingKey, &place, format!("`{name}` has no `count` of values"), help.to_owned());
    }
    if let (Some(count), None) = (&count, found) {
        let message = format!("expected from 1 to {MOST_RUNS} for `count`, found {}", count.value);
        findings.error(Code::OutOfRange, &count.span, message, None);
    }
    Some(Axis::Span { from: from.value, to: to.value, count: found?, is_logarithmic })
}

/// Checks that the values of all parameters make a reasonable number of runs.
fn check_size(
    sampling: &Sampling,
    parameters: &[SweepParameter],
    place: &Option<std::ops::Range<usize>>,
    findings: &mut Findings,
) {
    let counts: Vec<_> = parameters.iter().filter_map(|parameter| Some((parameter, parameter.axis.count()?))).collect();
    match (sampling, counts.first()) {
        (Sampling::List, Some((first, count))) => {
            for (parameter, other) in counts.iter().filter(|(_, other)| other != count) {
                let (name, first) = (&parameter.name.value, &first.name.value);
                let message = format!("expected as many values for `{name}` as for `{first}`, {count}, found {other}");
                let help = "give all parameters of a list as many values, or set sampling = \"grid\"".to_owned();
                findings.error(Code::ConflictingSettings, &parameter.name.span, message, help);
            }
        }
        (Sampling::Grid, Some(_)) => {
            let runs = counts.iter().try_fold(1_usize, |runs, (_, count)| runs.checked_mul(*count));
            if runs.is_none_or(|runs| runs > MOST_RUNS) {
                let message = format!("the grid has more than {MOST_RUNS} runs");
                findings.error(Code::OutOfRange, place, message, "vary fewer parameters, or set sampling = \"sobol\"".to_owned());
            }
        }
        _ => {}
    }
}

impl Axis {
    /// The number of values in a grid or a list; `None` for a column.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Values(values) => Some(values.len()),
            Self::Span { count, .. } => Some(*count),
            Self::Column(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StartValue;

    fn read_text(text: &str) -> Result<SweepDescription, Vec<String>> {
        let problems = |problems: Problems| problems.list.iter().map(|problem| problem.message.clone()).collect();
        read(Path::new("study.toml"), text).map_err(problems)
    }

    #[test]
    fn a_study_has_a_system_parameters_and_what_is_kept() {
        let text = "[sweep]\nsystem = 'a.toml'\nkeep = ['final', 'maximum']\ntimes = [1, 2.5]\nvariables = ['prey.*']\n\
                    [parameters]\n'prey.a' = { from = 0.1, to = 10, count = 3, scale = 'logarithmic' }\nprey.p.q = [1, true]\n";
        let study = read_text(text).unwrap();
        assert_eq!((study.system.value.to_str(), &study.sampling), (Some("a.toml"), &Sampling::Grid));
        assert_eq!(study.parameters[0].axis, Axis::Span { from: 0.1, to: 10.0, count: 3, is_logarithmic: true });
        assert_eq!(study.parameters[1].name.value, "prey.p.q");
        assert_eq!(study.parameters[1].axis, Axis::Values(vec![StartValue::Integer(1), StartValue::Boolean(true)]));
        let keep = study.keep;
        assert!(keep.finals && keep.maxima && !keep.minima && !keep.rows && keep.times.len() == 2);
        let sobol =
            "[sweep]\nsystem = 'a.toml'\nsampling = 'sobol'\nruns = 8\nseed = 7\n[parameters]\n'a.b' = { from = 0, to = 1 }\n";
        assert_eq!(read_text(sobol).unwrap().sampling, Sampling::Sobol(Sample { runs: 8, seed: 7 }));
        let table = read_text("[sweep]\nsystem = 'a.toml'\ntable = 'd.csv'\n[parameters]\n'a.b' = { column = 'b' }\n").unwrap();
        assert!(matches!(table.sampling, Sampling::Table(_)));
        assert!(table.keep.finals);
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        assert_eq!(read_text("").unwrap_err(), ["missing section [sweep]"]);
        let text = "[sweep]\nsampling = 'random'\nseed = -1\ntable = 'x'\nkeep = ['mean']\n[parameters]\na.b = 3\na.c = { from = 1 }\n\
                    a.d = { from = 0, to = 1, scale = 'logarithmic', count = 2 }\na.e = []\n";
        assert_eq!(
            read_text(text).unwrap_err(),
            [
                "the study names no system",
                "the number of `runs` is missing",
                "`table` has no effect with sampling = \"random\"",
                "unknown word `mean`",
                "expected a list of values, or a table with `from` and `to`, for `a.b`, found an integer",
                "`a.c` needs both `from` and `to`",
                "a logarithmic scale needs positive bounds, found 0 and 1",
                "`count` has no effect: `runs` of [sweep] is the number of runs",
                "`a.e` has no values",
            ]
        );
        let list =
            "[sweep]\nsystem = 'a.toml'\nsampling = 'list'\n[parameters]\na.b = [1, 2]\na.c = [1]\na.d = { column = 'd' }\n";
        assert_eq!(
            read_text(list).unwrap_err(),
            ["expected as many values for `a.c` as for `a.b`, 2, found 1", "`a.d` names a column, but the study has no table"]
        );
        let grid = "[sweep]\nsystem = 'a.toml'\n[parameters]\na.b = { from = 0, to = 1, count = 100000 }\n\
                    a.c = { from = 0, to = 1, count = 100000 }\n";
        assert_eq!(read_text(grid).unwrap_err(), ["the grid has more than 2147483647 runs"]);
    }
}
