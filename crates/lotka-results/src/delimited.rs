//! Reads text: CSV, as [`crate::Csv`] and other masters write it. Its columns are separated by commas, semicolons or tabs.

use std::{collections::BTreeSet, io::Read};

use lotka_message::limits::PROBLEMS;

use crate::{
    Csv, Format, Request, ResultColumn, Results, ResultsError, ResultsProblem, Target,
    filling::{Filling, Refusal},
    format::Source,
    header::{self, Head},
    rows::{Rows, UnfinishedLine},
};

pub(crate) const FORMAT: Format = Format {
    name: "csv",
    extensions: &["csv", "txt"],
    about: "Text, RFC 4180",
    kind: "a table",
    is_text: true,
    is_resumable: true,
    has_texts: true,
    is_in: |_| false,
    read,
    write: Some(|target, options| {
        let csv = match target {
            Target::File(file) => Csv::new(Box::new(file) as Box<dyn std::io::Write + Send>),
            Target::Stream(stream) => Csv::new(stream),
        };
        let csv = if options.error_bars { csv.and_error_bars() } else { csv };
        Ok(Box::new(if options.spreadsheet { csv.spreadsheet() } else { csv }))
    }),
};

/// Reads a table; a second time from the beginning if a column begins with numbers but also contains text.
fn read(source: &mut Source<'_>, request: &Request<'_>) -> Result<Results, Vec<ResultsError>> {
    let (separator, mut texts) = (separator(source.begin()), BTreeSet::new());
    loop {
        let mut table = Table::new(Rows::new(&mut *source, separator), request, &texts)?;
        if request.has_rows {
            table.read()?;
        }
        if table.texts.is_empty() {
            return Ok(table.finish());
        }
        texts.append(&mut table.texts);
        source.rewind().map_err(|error| vec![ResultsProblem::Io(error).into()])?;
    }
}

/// Returns the first separator outside of quotes in the first line.
fn separator(begin: &[u8]) -> u8 {
    let mut is_inside = false;
    let mut outside = begin.iter().copied().skip_while(|byte| matches!(byte, b'\n' | b'\r')).filter(|byte| {
        is_inside ^= *byte == b'"';
        !is_inside
    });
    let found = outside.find(|byte| matches!(byte, b',' | b';' | b'\t' | b'\n' | b'\r'));
    found.filter(|byte| !matches!(byte, b'\n' | b'\r')).unwrap_or(b',')
}

/// A table while it is read.
struct Table<R> {
    rows: Rows<R>,
    is_timed: bool,
    heads: Vec<Head>,
    /// Unit of the times \[s\].
    seconds: f64,
    columns: Vec<Filling>,
    /// Columns that have turned out to be text; their values are incomplete.
    texts: BTreeSet<usize>,
    /// Whether commas cannot be those of decimals, because they separate columns and a time has a point.
    has_points: bool,
    results: Results,
    problems: Vec<ResultsError>,
}

impl<R: Read> Table<R> {
    /// Reads the names. The columns `texts` are text.
    fn new(mut rows: Rows<R>, request: &Request<'_>, texts: &BTreeSet<usize>) -> Result<Self, Vec<ResultsError>> {
        let heads = rows.heads().map_err(|error| vec![error])?;
        let seconds = header::check(&heads, request, |column, problem| rows.at(column, problem))?;
        let first = usize::from(request.is_timed);
        let filling = |(index, head): (usize, &Head)| Filling::new((request.wanted)(&head.name), texts.contains(&index));
        let columns = heads[first..].iter().enumerate().map(filling).collect();
        let results = Results { unfinished: rows.unfinished(true), ..Results::default() };
        Ok(Self {
            rows,
            is_timed: request.is_timed,
            heads,
            seconds,
            columns,
            texts: BTreeSet::new(),
            has_points: false,
            results,
            problems: Vec::new(),
        })
    }

    /// Reads all rows.
    fn read(&mut self) -> Result<(), Vec<ResultsError>> {
        let mut last = None;
        while self.problems.len() <= PROBLEMS {
            let row = match self.rows.advance() {
                Ok(false) => break,
                Ok(true) => self.rows.check_count(self.heads.len()).and_then(|()| self.time(last)),
                Err(error) => Err(error),
            };
            if let Some(line) = self.rows.unfinished(false) {
                let fits = |column: &Filling| self.rows.row.iter().next_back().is_some_and(|field| column.fits(field));
                let is_kept = row.is_ok() && self.columns.last().is_none_or(fits);
                self.results.unfinished = Some(UnfinishedLine { is_kept, ..line });
                if !is_kept {
                    break;
                }
            }
            match row {
                Ok(time) => {
                    last = time;
                    self.results.time.extend(time.map(|time| time * self.seconds));
                    self.push();
                }
                Err(error) => self.problems.push(error),
            }
            if self.problems.last().is_some_and(|error| error.problem.is_about_the_file()) {
                break;
            }
        }
        self.find_commas();
        if self.problems.is_empty() { Ok(()) } else { Err(std::mem::take(&mut self.problems)) }
    }

    /// Returns the time of the row, in the unit of the file.
    fn time(&mut self, last: Option<f64>) -> Result<Option<f64>, ResultsError> {
        if !self.is_timed {
            return Ok(None);
        }
        let time = self.rows.time(&self.heads[0].name, last)?;
        self.has_points |= self.rows.row.get(0).is_some_and(|field| field.contains(['.', 'e', 'E']));
        Ok(Some(time))
    }

    /// Adds the fields of the row to the columns.
    fn push(&mut self) {
        let first = usize::from(self.is_timed);
        for (index, (field, column)) in self.rows.row.iter().skip(first).zip(&mut self.columns).enumerate() {
            if self.texts.contains(&index) {
                continue;
            }
            match column.push(field, || self.rows.line()) {
                Ok(()) => {}
                Err(Refusal::Text) => drop(self.texts.insert(index)),
                Err(Refusal::Problem(problem)) => {
                    self.problems.push(self.rows.at(Some(&self.heads[first + index].name), problem));
                }
            }
        }
    }

    /// Reports columns in which all numbers have a decimal comma. What Lotka has written is text.
    fn find_commas(&mut self) {
        if self.has_points && self.rows.separator() == b',' {
            return;
        }
        let heads = &self.heads[usize::from(self.is_timed)..];
        for (head, column) in heads.iter().zip(&self.columns) {
            let Filling::Any(_, commas) = column else { continue };
            if let Some((line, found)) = commas.first() {
                let problem = ResultsProblem::DecimalComma { found: found.clone() };
                self.problems.push(ResultsError { line: Some(*line), column: Some(head.name.clone()), ..problem.into() });
            }
        }
        self.problems.sort_by_key(|error| error.line);
    }

    fn finish(self) -> Results {
        let heads = self.heads.into_iter().skip(usize::from(self.is_timed));
        let column = |(Head { name, unit }, column): (Head, Filling)| ResultColumn { name, unit, values: column.finish() };
        Results { columns: heads.zip(self.columns).map(column).collect(), ..self.results }
    }
}
