//! Tables from files, as signals.

use std::{path::Path, sync::Arc};

use lotka_message::{Code, Coded};
use lotka_plan::{
    link::SignalType,
    source::{Channel, Points, Steps, Waveform},
};
use lotka_results::{Request, ResultColumn, Results, ResultsError, ResultsProblem, UnfinishedLine, Values, Wanted, whole};

use super::model::Reader;
use crate::Interpolation;

/// Maximum number of reported problems per file, because a table of another kind has one in every row.
const MOST_PROBLEMS: usize = 20;

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Its unit in the file.
    pub(super) unit: Option<String>,
    pub(super) channel: Channel,
}

/// A table, and its first and last time \[s\].
#[derive(Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) span: (f64, f64),
    pub(super) unfinished: Option<UnfinishedLine>,
}

/// Reads a table of any format, with the time in its first column. Only connected columns have values.
///
/// # Errors
/// All problems, each with file, line and column.
pub(super) fn read<'a>(
    path: &Path,
    interpolation: Interpolation,
    reader_of: impl Fn(&str) -> Option<Reader<'a>>,
) -> Result<Table, Vec<(Code, String)>> {
    let wanted = |name: &str| match reader_of(name).map(|reader| (reader.signal, reader.integers.range())) {
        None => Wanted::Nothing,
        Some((SignalType::Real, _)) => Wanted::Reals,
        Some((SignalType::Integer, (least, most))) => Wanted::Integers(least, most),
        Some((SignalType::Boolean, _)) => Wanted::Booleans,
        // No source has bytes: the connection is refused.
        Some((SignalType::Text | SignalType::Binary, _)) => Wanted::Texts,
    };
    let read = Results::open_as(path, &Request { is_timed: true, has_rows: true, wanted: &wanted });
    let results = read.map_err(|problems| described(path, problems))?;
    let times: Arc<[f64]> = results.time().into();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        let problem = ResultsError::from(ResultsProblem::NoRows).of_file(path);
        return Err(described(path, vec![problem]));
    };
    let unfinished = results.unfinished();
    let column = |ResultColumn { name, unit, values, .. }| {
        let channel = match wanted(&name) {
            Wanted::Nothing => Channel::Unread,
            wanted => channel(values, wanted, times.clone(), interpolation),
        };
        Column { name, unit, channel }
    };
    let columns = results.into_columns().into_iter().map(column).collect();
    Ok(Table { columns, span: (first, last), unfinished })
}

/// Describes the problems of a file, up to the maximum number.
fn described(path: &Path, problems: Vec<ResultsError>) -> Vec<(Code, String)> {
    let rest = problems.len().saturating_sub(MOST_PROBLEMS);
    let more = problems.get(MOST_PROBLEMS).map(|next| (next.code(), format!("{}: and {rest} more problems", path.display())));
    problems.into_iter().take(MOST_PROBLEMS).map(|error| (error.code(), error.to_string())).chain(more).collect()
}

fn channel(values: Values, wanted: Wanted, times: Arc<[f64]>, interpolation: Interpolation) -> Channel {
    match values {
        Values::Real(values) if interpolation == Interpolation::Linear => {
            Channel::Moving(Waveform::Points(Points::new(times, values)))
        }
        Values::Real(values) => Channel::Held(Steps::new(times, values)),
        Values::Boolean(values) => Channel::Boolean(Steps::new(times, values)),
        Values::Text(texts) if wanted == Wanted::Texts => Channel::Text(Steps::new(times, texts)),
        Values::Text(texts) => Channel::Integer(Steps::new(times, texts.iter().filter_map(|text| whole(text)).collect())),
        // Whole numbers are read as text.
        Values::Integer(_) => Channel::Unread,
    }
}
