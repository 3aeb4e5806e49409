//! The start values of each run of a study.

use std::path::Path;

use lotka_instance::{TypedValue, description::VariableKind};
use lotka_message::{Code, Coded as _, Findings, Severity};
use lotka_plan::column::{Column, ValueType};
use lotka_results::{Request, Results, Values, Wanted};
use lotka_step::resolved::Interface;
use lotka_system::{Axis, Located, Sampling, StartValue, SweepDescription, SweepParameter, resolve_variable};

use super::sampling::{MOST_DIMENSIONS, MOST_SOBOL, intervals, random, sobol};
use crate::{Error, Simulation};

/// The parameters, and how they vary together.
#[derive(Debug)]
pub(super) struct Plan {
    parameters: Vec<SweepParameter>,
    way: Way,
    runs: usize,
    /// How each parameter is recorded; known after [`Plan::check`].
    pub columns: Vec<Column>,
}

#[derive(Debug)]
enum Way {
    Grid,
    List,
    Random {
        seed: u64,
    },
    /// The intervals of each parameter.
    LatinHypercube {
        seed: u64,
        intervals: Vec<Vec<u32>>,
    },
    Sobol {
        seed: u64,
    },
    /// The values of each run.
    Table(Vec<Vec<StartValue>>),
}

impl Plan {
    /// Reads the table of the study, if it has one. `None` if there are problems.
    pub(super) fn new(description: &SweepDescription, base: &Path, findings: &mut Findings) -> Option<Self> {
        let SweepDescription { sampling, parameters, .. } = description;
        let counts = || parameters.iter().filter_map(|parameter| parameter.axis.count());
        let (way, runs) = match sampling {
            Sampling::Grid => (Way::Grid, counts().product()),
            Sampling::List => (Way::List, counts().next().unwrap_or(0)),
            Sampling::Random(sample) => (Way::Random { seed: sample.seed }, sample.runs),
            Sampling::LatinHypercube(sample) => {
                let intervals = (0..parameters.len()).map(|parameter| intervals(sample, parameter)).collect();
                (Way::LatinHypercube { seed: sample.seed, intervals }, sample.runs)
            }
            Sampling::Sobol(sample) => {
                for (what, found, most) in [("runs", sample.runs, MOST_SOBOL), ("parameters", parameters.len(), MOST_DIMENSIONS)]
                {
                    if found > most {
                        let message = format!("sampling = \"sobol\" has at most {most} {what}, found {found}");
                        findings.error(Code::OutOfRange, &None, message, "set sampling = \"latin-hypercube\"".to_owned());
                    }
                }
                (Way::Sobol { seed: sample.seed }, sample.runs)
            }
            Sampling::Table(path) => return Self::from_table(parameters, path, base, findings),
        };
        Some(Self { parameters: parameters.clone(), way, runs, columns: Vec::new() })
    }

    /// Reads the table. Without parameters in the study, each column is a parameter of its name.
    fn from_table(
        parameters: &[SweepParameter],
        path: &Located<std::path::PathBuf>,
        base: &Path,
        findings: &mut Findings,
    ) -> Option<Self> {
        let file = base.join(&path.value);
        let request = Request { is_timed: false, has_rows: true, wanted: &|_| Wanted::Texts };
        let table = match Results::open_as(&file, &request) {
            Ok(table) => table,
            Err(errors) => {
                errors.iter().for_each(|error| findings.error(error.code(), &path.span, error.to_string(), None));
                return None;
            }
        };
        if let Some(last) = table.unfinished().filter(|last| !last.is_kept) {
            findings.warning(Code::UnfinishedLine, &path.span, format!("{}: {last}", file.display()), None);
        }
        let header: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        let all = header.iter().map(|&name| SweepParameter { name: name.to_owned().into(), axis: Axis::Column(name.to_owned()) });
        let parameters = if parameters.is_empty() { all.collect() } else { parameters.to_vec() };
        let mut places = Vec::new();
        for parameter in &parameters {
            let Axis::Column(wanted) = &parameter.axis else { continue };
            match header.iter().position(|name| name == wanted) {
                Some(place) => places.push(&table.columns()[place].values),
                None => {
                    let help = lotka_message::nearest(wanted, header.iter().copied());
                    let message = format!("{} has no column `{wanted}`", file.display());
                    findings.error(Code::TableHeader, &parameter.name.span, message, help);
                }
            }
        }
        let rows = table.columns().first().map_or(0, |column| column.values.len());
        let value = |values: &Values, row: usize| match values {
            Values::Text(texts) => StartValue::Unparsed(texts[row].trim().to_owned()),
            // Everything is read as text.
            _ => StartValue::Unparsed(String::new()),
        };
        let values: Vec<Vec<_>> = (0..rows).map(|row| places.iter().map(|values| value(values, row)).collect()).collect();
        let runs = values.len();
        Some(Self { parameters, way: Way::Table(values), runs, columns: Vec::new() })
    }

    /// The number of runs.
    pub(super) fn len(&self) -> usize {
        self.runs
    }

    /// How each parameter is recorded.
    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The start values of a run.
    pub(super) fn values(&self, run: usize) -> Vec<(String, StartValue)> {
        let names = self.parameters.iter().map(|parameter| parameter.name.value.clone());
        match &self.way {
            Way::Table(rows) => names.zip(rows[run].iter().cloned()).collect(),
            Way::Grid => {
                let mut rest = run;
                let mut places: Vec<_> = (self.parameters.iter().rev())
                    .map(|parameter| {
                        let count = parameter.axis.count().unwrap_or(1);
                        let place = rest % count;
                        rest /= count;
                        place
                    })
                    .collect();
                places.reverse();
                let values = self.parameters.iter().zip(places).map(|(parameter, place)| nth(&parameter.axis, place));
                names.zip(values).collect()
            }
            Way::List => names.zip(self.parameters.iter().map(|parameter| nth(&parameter.axis, run))).collect(),
            Way::Random { seed } => self.sampled(|parameter| random(*seed, run, parameter)),
            Way::Sobol { seed } => self.sampled(|parameter| sobol(*seed, run, parameter)),
            Way::LatinHypercube { seed, intervals } => self.sampled(|parameter| {
                let within = random(*seed, run, parameter);
                ((f64::from(intervals[parameter][run]) + within) / self.runs as f64).min(1.0 - f64::EPSILON / 2.0)
            }),
        }
    }

    fn sampled(&self, number: impl Fn(usize) -> f64) -> Vec<(String, StartValue)> {
        let value = |(index, parameter): (usize, &SweepParameter)| {
            (parameter.name.value.clone(), at_share(&parameter.axis, number(index)))
        };
        self.parameters.iter().enumerate().map(value).collect()
    }

    /// Checks that all parameters are start values of the system that have an effect.
    pub(super) fn check(&mut self, simulation: &mut Simulation, findings: &mut Findings) {
        let known = simulation.description().start_values.clone();
        let mut names = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let name = &parameter.name;
            if names.contains(&name.value) {
                findings.error(Code::DuplicateEntry, &name.span, format!("`{}` is varied twice", name.value), None);
            }
            names.push(name.value.clone());
            let column = column(simulation, &name.value);
            if is_structural(simulation, &name.value) {
                let message =
                    format!("`{}` is a structural parameter: the runs of a study share the sizes of arrays", name.value);
                let help = "set it in `start` of its instance, and make a study for each value".to_owned();
                findings.error(Code::CannotChange, &name.span, message, help);
                self.columns.push(column);
                continue;
            }
            let tried: Vec<StartValue> = match (&parameter.axis, &self.way) {
                (Axis::Values(values), _) => decisive(values, column.value_type),
                (Axis::Span { from, to, .. }, _) => vec![StartValue::Real(*from), StartValue::Real(*to)],
                (Axis::Column(_), Way::Table(rows)) => rows.first().map(|row| row[index].clone()).into_iter().collect(),
                (Axis::Column(_), _) => Vec::new(),
            };
            for value in tried {
                let problems = match simulation.replace_starts(&known, vec![(&name.value, value)]) {
                    Err(Error::System(problems)) => problems.list,
                    _ => Vec::new(),
                };
                let problem = problems.into_iter().find(|problem| problem.severity == Severity::Error);
                let has_no_effect = simulation.warnings().iter().find(|warning| warning.code == Code::StartOfConnected);
                if let Some(problem) = problem {
                    findings.error(problem.code, &name.span, problem.message, problem.help);
                    break;
                } else if has_no_effect.is_some_and(|warning| warning.text.contains(&format!("`{}`", name.value))) {
                    let message = format!("the start value of `{}` has no effect: the input is connected", name.value);
                    findings.error(Code::StartOfConnected, &name.span, message, "vary another variable".to_owned());
                    break;
                }
            }
            self.columns.push(column);
        }
        // The start values of the system again.
        let _ = simulation.replace_starts::<&str>(&known, Vec::new());
    }

    /// The parameters of a run as they are recorded: a value that does not suit its variable is NaN, 0, false or empty.
    pub(super) fn recorded(&self, run: usize) -> impl Iterator<Item = TypedValue> {
        self.columns.iter().zip(self.values(run)).map(|(column, (_, value))| recorded(column.value_type, &value))
    }
}

fn recorded(value_type: ValueType, value: &StartValue) -> TypedValue {
    match (value_type, value) {
        (ValueType::Real, StartValue::Real(value)) => TypedValue::Real(*value),
        (ValueType::Real, StartValue::Integer(value)) => TypedValue::Real(*value as f64),
        (ValueType::Real, StartValue::Unparsed(text)) => TypedValue::Real(text.parse().unwrap_or(f64::NAN)),
        (ValueType::Real, _) => TypedValue::Real(f64::NAN),
        (ValueType::Integer, StartValue::Integer(value)) => TypedValue::Integer((*value).into()),
        (ValueType::Integer, StartValue::Unparsed(text)) => TypedValue::Integer(text.parse().unwrap_or(0)),
        (ValueType::Integer, _) => TypedValue::Integer(0),
        (ValueType::Boolean, StartValue::Boolean(value)) => TypedValue::Boolean(*value),
        (ValueType::Boolean, StartValue::Unparsed(text)) => TypedValue::Boolean(text == "true"),
        (ValueType::Boolean, _) => TypedValue::Boolean(false),
        (ValueType::Text, StartValue::Text(text) | StartValue::Unparsed(text)) => TypedValue::Text(text.clone()),
        (ValueType::Text | ValueType::Binary, value) => TypedValue::Text(value.to_string()),
    }
}

/// The values that decide whether all suit their variable: of real numbers, those that a limit refuses if it refuses any.
fn decisive(values: &[StartValue], value_type: ValueType) -> Vec<StartValue> {
    let number = |value: &StartValue| match value {
        StartValue::Real(number) => Some(*number),
        StartValue::Integer(number) => Some(*number as f64),
        _ => None,
    };
    let numbers: Option<Vec<_>> = values.iter().map(number).collect();
    let Some(numbers) = numbers.filter(|_| value_type == ValueType::Real) else { return values.to_vec() };
    let least = numbers.iter().copied().reduce(f64::min);
    let greatest = numbers.iter().copied().reduce(f64::max);
    let undefined = numbers.iter().copied().find(|number| number.is_nan());
    [least, greatest, undefined].into_iter().flatten().map(StartValue::Real).collect()
}

fn is_structural(simulation: &Simulation, name: &str) -> bool {
    let interfaces: Vec<_> = simulation.models.iter().map(Interface::of).collect();
    let place = resolve_variable(simulation.description(), &interfaces, name);
    place.is_ok_and(|(instance, variable)| interfaces[instance].description.variables[variable].is_structural)
}

/// How a parameter is recorded.
fn column(simulation: &Simulation, name: &str) -> Column {
    let interfaces: Vec<_> = simulation.models.iter().map(Interface::of).collect();
    let Ok((instance, variable)) = resolve_variable(simulation.description(), &interfaces, name) else {
        return Column::new(name, ValueType::Real);
    };
    let scalar = &interfaces[instance].description.variables[variable];
    let value_type = match scalar.kind {
        VariableKind::Real(_) => ValueType::Real,
        VariableKind::Integer(_) => ValueType::Integer,
        VariableKind::Boolean(_) => ValueType::Boolean,
        // Items of an enumeration by their names or numbers.
        VariableKind::Enumeration(_) | VariableKind::String(_) | VariableKind::Binary(_) => ValueType::Text,
    };
    let mut column = Column::new(name, value_type);
    if let VariableKind::Integer(integer) = &scalar.kind {
        column.integers = integer.width;
    }
    (column.unit, column.description) = (scalar.unit().map(str::to_owned), scalar.description.clone());
    column
}

/// A value of a grid or a list.
fn nth(axis: &Axis, place: usize) -> StartValue {
    match axis {
        Axis::Values(values) => values[place].clone(),
        Axis::Span { from, to, count, .. } if place + 1 == *count && place > 0 => {
            StartValue::Real(if *count > 1 { *to } else { *from })
        }
        Axis::Span { count, .. } => at_share(axis, if *count > 1 { place as f64 / (count - 1) as f64 } else { 0.0 }),
        Axis::Column(_) => StartValue::Real(f64::NAN),
    }
}

/// The value at this share of the way from the first to the last one.
fn at_share(axis: &Axis, share: f64) -> StartValue {
    match axis {
        Axis::Values(values) => values[(share * values.len() as f64) as usize].clone(),
        Axis::Span { from, to, is_logarithmic: false, .. } => StartValue::Real(from + (to - from) * share),
        Axis::Span { from, to, .. } => StartValue::Real(from * (to / from).powf(share)),
        Axis::Column(_) => StartValue::Real(f64::NAN),
    }
}
