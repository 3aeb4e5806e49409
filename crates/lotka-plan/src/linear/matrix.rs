//! Square matrices that store the entries that may differ from zero.

use std::ops::Range;

/// A square matrix, column by column, with fixed places of its entries.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    /// Where the entries of each column begin; one more than there are columns.
    starts: Vec<usize>,
    /// Row of each entry; ascending in each column.
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// Creates a matrix of zeros with `n` rows, whose entries are at these rows and columns.
    pub fn new(n: usize, places: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut columns = vec![Vec::new(); n];
        places.into_iter().for_each(|(row, column)| columns[column].push(row));
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for mut column in columns {
            column.sort_unstable();
            column.dedup();
            rows.extend(column);
            starts.push(rows.len());
        }
        Self { values: vec![0.0; rows.len()], starts, rows }
    }

    /// Creates a matrix of zeros in which any entry may differ from zero.
    #[must_use]
    pub fn dense(n: usize) -> Self {
        Self::new(n, (0..n).flat_map(|column| (0..n).map(move |row| (row, column))))
    }

    /// Number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// The stored elements, column by column.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The stored elements, to be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The entries of a column, as indices into the values.
    pub(crate) fn entries(&self, column: usize) -> Range<usize> {
        self.starts[column]..self.starts[column + 1]
    }

    /// Rows and values of a column.
    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + Clone {
        let entries = self.entries(column);
        self.rows[entries.clone()].iter().copied().zip(self.values[entries].iter().copied())
    }

    /// Row, column and value of all entries, column by column.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        (0..self.size()).flat_map(|column| self.column(column).map(move |(row, value)| (row, column, value)))
    }

    /// Row, column and value of all entries, column by column.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (usize, usize, &mut f64)> {
        let columns = self.starts.windows(2).enumerate().flat_map(|(column, pair)| (pair[0]..pair[1]).map(move |_| column));
        columns.zip(&self.rows).zip(&mut self.values).map(|((column, row), value)| (*row, column, value))
    }

    /// Index of an entry among the values.
    #[must_use]
    pub fn index(&self, row: usize, column: usize) -> Option<usize> {
        let entries = self.entries(column);
        self.rows[entries.clone()].binary_search(&row).ok().map(|offset| entries.start + offset)
    }

    /// Sets an entry, which must have a place.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        if let Some(index) = self.index(row, column) {
            self.values[index] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_in_their_columns() {
        let mut matrix = SparseMatrix::new(3, [(2, 0), (0, 0), (1, 2), (2, 0)]);
        matrix.set(2, 0, 5.0);
        matrix.set(1, 2, -1.0);
        assert_eq!(matrix.size(), 3);
        assert!(matrix.column(0).eq([(0, 0.0), (2, 5.0)]));
        assert!(matrix.iter().eq([(0, 0, 0.0), (2, 0, 5.0), (1, 2, -1.0)]));
        let entries: Vec<_> = matrix.iter().collect();
        assert!(matrix.iter_mut().map(|(row, column, value)| (row, column, *value)).eq(entries));
        assert_eq!((matrix.index(2, 0), matrix.index(1, 1)), (Some(1), None));
        assert_eq!(SparseMatrix::dense(2).values().len(), 4);
    }
}
