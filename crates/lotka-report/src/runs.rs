//! Rows of several runs, to be drawn over each other.

use crate::table::{Column, Table};

/// The rows of a run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// Name that follows the names of its curves, such as that of its file; empty if none is needed.
    pub name: &'a str,
    /// The rows.
    pub table: &'a Table,
}

impl<'a> Run<'a> {
    /// The column with this name, if it has numbers.
    pub(crate) fn numeric(&self, name: &str) -> Option<&'a Column> {
        self.table.columns.iter().find(|column| column.name == name && column.values.numbers().is_some())
    }

    /// The name of a curve of this run.
    pub(crate) fn label(&self, variable: &str) -> String {
        if self.name.is_empty() { variable.to_owned() } else { format!("{variable} ({})", self.name) }
    }
}

/// The columns of all runs, each name once, with the number of the first run that has it.
pub(crate) fn variables<'a>(runs: &[Run<'a>]) -> Vec<(usize, &'a Column)> {
    let mut names = std::collections::HashSet::new();
    let all = runs.iter().enumerate().flat_map(|(number, run)| run.table.columns.iter().map(move |column| (number, column)));
    all.filter(|(_, column)| names.insert(column.name.as_str())).collect()
}
