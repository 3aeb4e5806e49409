//! What is kept of each run.

use lotka_instance::TypedValue;
use lotka_message::{Code, Coded as _, Findings};
use lotka_plan::column::{Column, ValueType};
use lotka_run::{Report, record::Memory};
use lotka_system::{Keep, Located};

use crate::{Error, Member, Simulation};

/// The record of one run of a study.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunRecord {
    /// Number of the run.
    pub run: usize,
    /// `ok`, `tolerance-not-reached`, `terminated-by-instance`, or the code of the message with which the run failed.
    pub status: String,
    /// All values, in the order of [`Sweep::columns`](super::Sweep::columns).
    pub values: Vec<TypedValue>,
    /// The rows, if the study keeps them.
    pub rows: Option<Memory>,
    /// The message of a run that failed, or did not reach its tolerance.
    pub message: Option<String>,
}

/// What is kept of each run.
#[derive(Debug)]
pub(super) struct Selection {
    /// The recorded variables.
    recorded: Vec<Column>,
    keep: Keep,
    /// Times that differ by no more than this are equal \[s\].
    slack: f64,
}

/// A value that is kept of the rows of one variable.
#[derive(Debug, Clone, Copy)]
enum Recorded {
    Final,
    Minimum,
    Maximum,
    At(f64),
}

impl Recorded {
    fn name(self, variable: &str) -> String {
        match self {
            Self::Final => format!("final({variable})"),
            Self::Minimum => format!("minimum({variable})"),
            Self::Maximum => format!("maximum({variable})"),
            Self::At(time) => format!("at({variable}, {time})"),
        }
    }

    /// Whether there is such a value of this variable.
    fn suits(self, column: &Column) -> bool {
        column.value_type.is_number() || !matches!(self, Self::Minimum | Self::Maximum)
    }
}

impl Selection {
    /// Checks that the values of a study can be kept.
    pub(super) fn new(keep: &Keep, simulation: &Simulation, findings: &mut Findings) -> Self {
        for Located { value: time, span } in &keep.times {
            if !simulation.engine.has_row_at(*time) {
                let message = format!("the runs have no row at {time} s, so its values cannot be kept");
                let help = "choose a multiple of `output-interval`, and set it in the system".to_owned();
                findings.error(Code::OutOfRange, span, message, help);
            }
        }
        Self { recorded: simulation.columns().to_vec(), keep: keep.clone(), slack: simulation.engine.slack() }
    }

    fn kept(&self) -> impl Iterator<Item = (&Column, Recorded)> {
        let Keep { finals, minima, maxima, times, .. } = &self.keep;
        let wanted = [(*finals, Recorded::Final), (*minima, Recorded::Minimum), (*maxima, Recorded::Maximum)];
        let wanted = wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, kept)| kept);
        let wanted: Vec<_> = wanted.chain(times.iter().map(|time| Recorded::At(time.value))).collect();
        let of = move |column| wanted.clone().into_iter().filter(move |kept| kept.suits(column)).map(move |kept| (column, kept));
        self.recorded.iter().flat_map(of)
    }

    pub(super) fn columns(&self, parameters: &[Column]) -> Vec<Column> {
        let described = |name: &str, value_type, description: &str| {
            let mut column = Column::new(name, value_type);
            column.description = Some(description.to_owned());
            column
        };
        let outcome = [
            described("status", ValueType::Text, "how the run ended"),
            described("reached", ValueType::Boolean, "whether the run is complete, with its tolerance"),
            described("error", ValueType::Real, "largest estimated error, relative"),
            described("time", ValueType::Real, "time reached in s"),
            described("calls", ValueType::Integer, "steps of single instances"),
        ];
        let kept = self.kept().map(|(column, kept)| {
            let value_type = if column.value_type.is_number() { ValueType::Real } else { column.value_type };
            let mut own = Column::new(kept.name(&column.name), value_type);
            (own.unit, own.description) = (column.unit.clone(), column.description.clone());
            own
        });
        let run = described("run", ValueType::Integer, "number of the run");
        [run].into_iter().chain(parameters.iter().cloned()).chain(outcome).chain(kept).collect()
    }

    pub(super) fn row_columns(&self) -> Vec<Column> {
        if self.keep.rows { self.recorded.clone() } else { Vec::new() }
    }

    /// The record of a run.
    pub(super) fn record(&self, run: usize, parameters: impl Iterator<Item = TypedValue>, member: &Member<'_>) -> RunRecord {
        let (report, error) = match member.outcome {
            Ok(report) => (Some(report), None),
            Err(Error::RunFailed(failure)) => (Some(&failure.report), Some(failure.error.code())),
            Err(error) => (None, Some(error.code())),
        };
        let has_values = matches!(error, None | Some(Code::ToleranceNotReached));
        let status = match (report, error) {
            (_, Some(code)) => code.to_string(),
            (Some(report), None) if report.end.is_complete() => "ok".to_owned(),
            (Some(report), None) => report.end.name().to_owned(),
            (None, None) => String::new(),
        };
        let is_reached = error.is_none() && report.is_some_and(|report| report.end.is_complete());
        let estimate = |report: &Report| report.global_error.as_ref().map(|global| global.largest);
        let calls = report.map_or(0, |report| report.counters.n_do_step_calls);
        let first = [TypedValue::Integer(run as i128)];
        let outcome = [
            TypedValue::Text(status.clone()),
            TypedValue::Boolean(is_reached),
            TypedValue::Real(report.and_then(estimate).unwrap_or(f64::NAN)),
            TypedValue::Real(report.map_or(f64::NAN, |report| report.time)),
            TypedValue::Integer(calls.into()),
        ];
        let rows = has_values.then_some(member.rows);
        let kept = self.kept().map(|(column, kept)| self.value(column, kept, rows));
        RunRecord {
            run,
            values: first.into_iter().chain(parameters).chain(outcome).chain(kept).collect(),
            status,
            rows: self.keep.rows.then(|| member.rows.clone()),
            message: member.outcome.as_ref().err().map(ToString::to_string),
        }
    }

    /// A value of the rows of a variable.
    fn value(&self, column: &Column, kept: Recorded, rows: Option<&Memory>) -> TypedValue {
        let row = rows.and_then(|rows| match kept {
            Recorded::At(time) => self.last_row_at(rows, time),
            _ => rows.time().len().checked_sub(1),
        });
        if column.value_type == ValueType::Text {
            let texts = rows.and_then(|rows| rows.text(&column.name));
            return TypedValue::Text(texts.and_then(|texts| texts.get(row?).cloned()).unwrap_or_default());
        }
        if column.value_type == ValueType::Binary {
            let binaries = rows.and_then(|rows| rows.binary(&column.name));
            return TypedValue::Binary(binaries.and_then(|binaries| binaries.get(row?).cloned()).unwrap_or_default());
        }
        let numbers = rows.and_then(|rows| rows.real(&column.name)).unwrap_or_default();
        let extreme = |better: fn(f64, f64) -> f64| {
            numbers.iter().copied().reduce(|a, b| {
                if a.is_nan() {
                    a
                } else if b.is_nan() {
                    b
                } else {
                    better(a, b)
                }
            })
        };
        TypedValue::Real(match kept {
            Recorded::Minimum => extreme(f64::min).unwrap_or(f64::NAN),
            Recorded::Maximum => extreme(f64::max).unwrap_or(f64::NAN),
            Recorded::Final | Recorded::At(_) => row.and_then(|row| numbers.get(row).copied()).unwrap_or(f64::NAN),
        })
    }

    /// The last row of this time: at an event, the one after it.
    fn last_row_at(&self, rows: &Memory, time: f64) -> Option<usize> {
        let end = rows.time().partition_point(|row| *row <= time + self.slack);
        end.checked_sub(1).filter(|row| rows.time()[*row] >= time - self.slack)
    }
}
