//! Creates a source from its settings.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use lotka_instance::{
    ModelDescription,
    description::{IntegerType, Unit},
};
use lotka_message::{Code, Findings, nearest};
use lotka_plan::{
    link::SignalType,
    source::{Channel, Points, Sine, SourceModel, Steps, Waveform},
};
use lotka_results::UnfinishedLine;

use super::{read, units};
use crate::{CsvSettings, Outside, SourceSettings, SourceSignal, StartValue, UnitSettings};

/// The output of a source that is given by a formula.
const OUTPUT: &str = "y";

/// An input, or whatever reads an output of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader<'a> {
    pub(super) signal: SignalType,
    pub(super) unit: Option<&'a str>,
    /// The integers that it can read.
    pub(super) integers: IntegerType,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Self { signal: SignalType::Real, unit: None, integers: IntegerType::default() }
    }
}

/// The context of a source.
pub(super) struct SourceContext<'a> {
    /// The folder to which paths are relative.
    pub(super) base: &'a Path,
    /// Start and stop time \[s\], if given.
    pub(super) span: (f64, Option<f64>),
    /// Units that the system file defines.
    pub(super) units: &'a [UnitSettings],
    /// The FMUs, which define units.
    pub(super) descriptions: &'a [&'a ModelDescription],
    /// All readers of outputs of this source, by the name of the output.
    pub(super) readers: BTreeMap<&'a str, Vec<Reader<'a>>>,
}

impl<'a> SourceContext<'a> {
    /// The reader that determines the type of an output: the most general type suits all readers.
    fn reader_of(&self, output: &str) -> Option<Reader<'a>> {
        let rank = |reader: &Reader<'_>| match reader.signal {
            SignalType::Real => 0,
            SignalType::Integer => 1,
            SignalType::Boolean => 2,
            SignalType::Text => 3,
            SignalType::Binary => 4,
        };
        self.readers.get(output)?.iter().copied().max_by_key(rank)
    }
}

type Output = (String, Option<String>, Channel);

/// The columns of a file; if there are problems, only the valid ones. Also returns its last line if it was left out.
fn table(
    settings: &SourceSettings,
    csv: &CsvSettings,
    context: &SourceContext<'_>,
    findings: &mut Findings,
) -> (Vec<Output>, Option<UnfinishedLine>) {
    let path = context.base.join(&csv.path.value);
    let table = match read::read(&path, csv.interpolation, |column| context.reader_of(column)) {
        Ok(table) => table,
        Err(problems) => {
            problems.into_iter().for_each(|problem| findings.error(problem.0, &csv.path.span, problem.1, None));
            return (Vec::new(), None);
        }
    };
    let ((first, last), (start, stop)) = (table.span, context.span);
    let slack = 1e-9 * (last - first);
    let is_short = first > start + slack || stop.is_some_and(|stop| last < stop - slack);
    if csv.outside == Outside::Error && is_short {
        let end = stop.map_or(String::new(), |stop| format!(" to {stop} s"));
        let message = format!(
            "{} has values from {first} s to {last} s, but the experiment with source `{}` runs from {start} s{end}",
            path.display(),
            settings.name.value
        );
        let help =
            "set outside = \"hold\" to hold the first and the last value, or change start and stop (--start-time, --stop-time)"
                .to_owned();
        findings.error(Code::SourceTooShort, &csv.path.span, message, help);
    }
    let columns = table.columns.into_iter().map(|column| (column.name, column.unit, column.channel)).collect();
    (columns, table.unfinished.filter(|last| !last.is_kept))
}

/// The signal of a formula, in the type of its readers.
fn channel(settings: &SourceSettings, signal: &SourceSignal, context: &SourceContext<'_>, findings: &mut Findings) -> Channel {
    let mut held = |times: Vec<f64>, values: &[&StartValue]| {
        let wanted = context.reader_of(OUTPUT).map(|reader| reader.signal);
        let wanted = wanted.unwrap_or_else(|| own_type(values));
        typed(times, values, wanted).unwrap_or_else(|| {
            let what = match wanted {
                SignalType::Real => "a number",
                SignalType::Integer => "a whole number",
                SignalType::Boolean => "true or false",
                SignalType::Text => "a string",
                SignalType::Binary => "bytes, which sources do not have",
            };
            let message =
                format!("source `{}` has a value that is not {what}, which the connected input needs", settings.name.value);
            findings.error(Code::ValueType, &settings.name.span, message, "set a value of the type of the input".to_owned());
            Channel::Unread
        })
    };
    match signal {
        SourceSignal::Csv(_) => Channel::Unread,
        SourceSignal::Constant { value } => held(vec![0.0], &[value]),
        SourceSignal::Step { time, from, to } => held(vec![f64::NEG_INFINITY, *time], &[from, to]),
        SourceSignal::Ramp { time, duration, from, to } => {
            Channel::Moving(Waveform::Points(Points::new([*time, time + duration].into(), vec![*from, *to])))
        }
        &SourceSignal::Sine { amplitude, frequency, phase, offset, time: begin } => {
            Channel::Moving(Waveform::Sine(Sine { amplitude, frequency, phase, offset, begin }))
        }
    }
}

/// The type of values without readers.
fn own_type(values: &[&StartValue]) -> SignalType {
    match values.first() {
        Some(StartValue::Boolean(_)) => SignalType::Boolean,
        Some(StartValue::Text(_)) => SignalType::Text,
        _ => SignalType::Real,
    }
}

/// Values of one type.
fn typed(times: Vec<f64>, values: &[&StartValue], wanted: SignalType) -> Option<Channel> {
    let real = |value: &&StartValue| match **value {
        StartValue::Real(value) => Some(value),
        StartValue::Integer(value) => Some(value as f64),
        _ => None,
    };
    let times = times.into();
    let mut values = values.iter();
    Some(match wanted {
        SignalType::Real => Channel::Held(Steps::new(times, values.map(real).collect::<Option<_>>()?)),
        SignalType::Integer => {
            let whole = |value: &&StartValue| match **value {
                StartValue::Integer(value) => Some(value.into()),
                _ => None,
            };
            Channel::Integer(Steps::new(times, values.map(whole).collect::<Option<_>>()?))
        }
        SignalType::Boolean => {
            let truth = |value: &&StartValue| match **value {
                StartValue::Boolean(value) => Some(value),
                _ => None,
            };
            Channel::Boolean(Steps::new(times, values.map(truth).collect::<Option<_>>()?))
        }
        SignalType::Text => {
            let text = |value: &&StartValue| match *value {
                StartValue::Text(value) => Some(value.clone()),
                _ => None,
            };
            let texts: Option<Vec<_>> = values.by_ref().map(text).collect();
            Channel::Text(Steps::new(times, texts?))
        }
        // No source has bytes.
        SignalType::Binary => return None,
    })
}

/// A substitute for an invalid signal.
fn placeholder(reader: Reader<'_>) -> Channel {
    let times = || [0.0].into();
    match reader.signal {
        SignalType::Real => Channel::Held(Steps::new(times(), vec![0.0])),
        SignalType::Integer => Channel::Integer(Steps::new(times(), vec![0])),
        SignalType::Boolean => Channel::Boolean(Steps::new(times(), vec![false])),
        SignalType::Text | SignalType::Binary => Channel::Text(Steps::new(times(), vec![String::new()])),
    }
}

/// Creates a source. An invalid one has all outputs that others read, so that no further problems are reported.
pub(super) fn model(settings: &SourceSettings, context: &SourceContext<'_>, findings: &mut Findings) -> SourceModel {
    let before = findings.count();
    let (mut outputs, left_out) = match &settings.signal {
        SourceSignal::Csv(csv) => table(settings, csv, context, findings),
        formula => (vec![(OUTPUT.to_owned(), None, channel(settings, formula, context, findings))], None),
    };
    if findings.count() > before {
        let known: HashSet<_> = outputs.iter().map(|(name, ..)| name.clone()).collect();
        for (&name, readers) in context.readers.iter().filter(|(name, _)| !known.contains(**name)) {
            outputs.extend(readers.first().map(|reader| (name.to_owned(), None, placeholder(*reader))));
        }
    }
    for (name, unit) in &settings.units {
        match outputs.iter_mut().find(|(known, ..)| *known == name.value) {
            Some((_, given, _)) => *given = Some(unit.value.clone()),
            None => {
                let help = nearest(&name.value, outputs.iter().map(|(name, ..)| name.as_str()));
                let message = format!("source `{}` has no output `{}`", settings.name.value, name.value);
                findings.error(Code::UnknownVariable, &name.span, message, help);
            }
        }
    }
    let path = match &settings.signal {
        SourceSignal::Csv(csv) => context.base.join(&csv.path.value),
        formula => formula.kind().into(),
    };
    if let Some(line) = left_out {
        findings.warning(Code::UnfinishedLine, &settings.name.span, format!("{}: {line}", path.display()), None);
    }
    let mut model = SourceModel::new(path, settings.signal.kind());
    for (name, unit, channel) in outputs {
        if let Some(unit) = &unit {
            define(&mut model.description, unit, &name, settings, context, findings);
        }
        model.add(name, unit, channel);
    }
    model
}

/// Defines a unit as the FMUs do, or by its standard definition.
fn define(
    description: &mut ModelDescription,
    unit: &str,
    output: &str,
    settings: &SourceSettings,
    context: &SourceContext<'_>,
    findings: &mut Findings,
) {
    if description.units.iter().any(|known| known.name == unit) {
        return;
    }
    let defined = context.descriptions.iter().flat_map(|fmu| &fmu.units);
    let base_unit = defined.filter(|known| known.name == unit).find_map(|known| known.base_unit);
    // Units of the system file are found there.
    let is_own = context.units.iter().any(|own| own.name.value == unit);
    let base_unit = base_unit.or_else(|| units::known(unit).filter(|_| !is_own));
    description.units.push(Unit { name: unit.to_owned(), base_unit, display_units: Vec::new() });
    let mut others = context.readers.get(output).into_iter().flatten().filter_map(|reader| reader.unit);
    if let Some(other) = others.find(|other| base_unit.is_none() && !is_own && *other != unit) {
        let message = format!("cannot convert the unknown unit `{unit}` of `{}.{output}` to `{other}`", settings.name.value);
        let help = format!("give the values in `{other}`, or remove the unit and set `factor` and `offset` for the connection");
        findings.error(Code::UnknownUnit, &settings.name.span, message, help);
    }
}
