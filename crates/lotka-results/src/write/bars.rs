//! Columns of estimated errors, after all others.

use lotka_plan::column::Column;

/// Suffix of the names of columns with estimated errors, after the name of the variable.
pub const ERROR_BARS: &str = " (error)";

/// The columns for which another column holds the estimated errors of the values.
#[derive(Debug, Clone, Default)]
pub(super) struct Bars {
    are_wanted: bool,
    /// Positions of the columns with error bars.
    pub(super) positions: Vec<usize>,
}

impl Bars {
    pub(super) fn wanted() -> Self {
        Self { are_wanted: true, ..Self::default() }
    }

    /// Finds the columns that can have an error.
    pub(super) fn find(&mut self, columns: &[Column]) {
        self.positions = (0..columns.len()).filter(|&index| self.are_wanted && columns[index].can_have_error()).collect();
    }

    /// Returns the column with the errors of this column.
    pub(super) fn of(column: &Column) -> Column {
        let mut bars = Column::new(format!("{}{ERROR_BARS}", column.name), column.value_type);
        bars.unit.clone_from(&column.unit);
        bars.description = Some(format!("estimated absolute error of {}", column.name));
        bars.fmu.clone_from(&column.fmu);
        bars
    }
}
