//! Rows of a run, from any source.

use lotka::{Memory, Results, Values};
use serde_json::Value;

/// Times and columns.
#[derive(Debug, Default)]
pub struct Table {
    /// Times of the rows \[s\].
    pub time: Vec<f64>,
    /// The columns, without the time.
    pub columns: Vec<Column>,
}

/// A recorded variable.
#[derive(Debug)]
pub struct Column {
    /// `instance.variable`.
    pub name: String,
    /// Its unit, if known.
    pub unit: Option<String>,
    /// Its description, if known.
    pub description: Option<String>,
    /// The values of all rows.
    pub values: Data,
    /// Numbers of the items of an enumeration, and their names.
    pub items: Vec<(f64, String)>,
    /// Estimated absolute errors of the values, if known.
    pub errors: Option<Vec<f64>>,
}

/// The values of a column.
#[derive(Debug)]
pub enum Data {
    /// Numbers that change continuously.
    Real(Vec<f64>),
    /// Integers and items of enumerations, which hold from row to row.
    Whole(Vec<f64>),
    /// Booleans as 0 and 1.
    Boolean(Vec<f64>),
    /// Texts.
    Text(Vec<String>),
}

impl Data {
    /// Returns the values as numbers; `None` if they are texts.
    #[must_use]
    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Real(values) | Self::Whole(values) | Self::Boolean(values) => Some(values),
            Self::Text(_) => None,
        }
    }

    /// Returns whether all rows have the same value.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Text(values) => values.windows(2).all(|pair| pair[0] == pair[1]),
            Self::Real(values) | Self::Whole(values) | Self::Boolean(values) => {
                values.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits())
            }
        }
    }
}

impl Table {
    /// Converts the rows of a run that has just ended; `about` describes the columns, as in a manifest.
    #[must_use]
    pub fn of_memory(memory: &Memory, about: &Value) -> Self {
        let column = |column: &lotka::Column| {
            let name = &column.name;
            let numbers = || memory.real(name).unwrap_or_default().to_vec();
            let texts = || match memory.binary(name) {
                Some(binaries) => binaries.iter().map(|bytes| lotka::hash_of(bytes)).collect(),
                None => memory.text(name).unwrap_or_default().to_vec(),
            };
            let values = data(&column.value_type, numbers, texts);
            Column { errors: memory.error_estimates(name).map(<[f64]>::to_vec), ..Column::new(name, values, about) }
        };
        Self { time: memory.time().to_vec(), columns: memory.columns().iter().map(column).collect() }
    }

    /// Converts the rows of a file. Estimated errors are attached to the columns that they refer to. Without `about`, the file
    /// itself may describe its columns.
    #[must_use]
    pub fn of_results(results: &Results, about: &Value) -> Self {
        let own: Value = results.about().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let about = if about.is_null() { &own["columns"] } else { about };
        let errors = |name: &str| {
            let of = results.values(name).filter(|values| is_numeric(values));
            of.and(results.values(&format!("{name}{}", lotka::ERROR_BARS)))
                .filter(|errors| is_blank(errors) || is_numeric(errors))
        };
        let is_error = |name: &str| name.strip_suffix(lotka::ERROR_BARS).is_some_and(|of| errors(of).is_some());
        // Only Real columns have errors.
        let column = |column: &lotka::ResultColumn| {
            Column::of_file(column, errors(&column.name).filter(|errors| is_numeric(errors)).map(numbers), about)
        };
        let columns = results.columns().iter().filter(|column| !is_error(&column.name)).map(column).collect();
        Self { time: results.time().to_vec(), columns }
    }

    /// Returns the times of events, which have two rows: the values before and after the event.
    #[must_use]
    pub fn events(&self) -> Vec<f64> {
        let mut times: Vec<_> = self.time.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        times.dedup();
        times
    }
}

fn is_numeric(values: &Values) -> bool {
    !matches!(values, Values::Text(_))
}

/// Whether a column has no value at all.
fn is_blank(values: &Values) -> bool {
    matches!(values, Values::Text(texts) if texts.iter().all(String::is_empty))
}

/// All values as numbers; none of texts.
fn numbers(values: &Values) -> Vec<f64> {
    (0..values.len()).filter_map(|row| values.number(row)).collect()
}

fn data(kind: &lotka::ValueType, numbers: impl Fn() -> Vec<f64>, texts: impl Fn() -> Vec<String>) -> Data {
    match kind {
        lotka::ValueType::Real => Data::Real(numbers()),
        lotka::ValueType::Integer => Data::Whole(numbers()),
        lotka::ValueType::Boolean => Data::Boolean(numbers()),
        lotka::ValueType::Text | lotka::ValueType::Binary => Data::Text(texts()),
    }
}

impl Column {
    /// Converts a column of a file, with its estimated errors; `about` describes the columns.
    pub(crate) fn of_file(column: &lotka::ResultColumn, errors: Option<Vec<f64>>, about: &Value) -> Self {
        let is_real = about[&column.name]["type"] == "Real" || errors.is_some();
        let values = match &column.values {
            Values::Text(texts) => Data::Text(texts.clone()),
            Values::Boolean(_) => Data::Boolean(numbers(&column.values)),
            Values::Integer(_) if !is_real => Data::Whole(numbers(&column.values)),
            Values::Integer(_) | Values::Real(_) => Data::Real(numbers(&column.values)),
        };
        let new = Self::new(&column.name, values, about);
        Self { errors, unit: new.unit.or_else(|| column.unit.clone()), ..new }
    }

    fn new(name: &str, values: Data, about: &Value) -> Self {
        let about = &about[name];
        let text = |key: &str| about[key].as_str().map(str::to_owned);
        let items = about["items"].as_object().into_iter().flatten();
        let item = |(number, item): (&String, &Value)| Some((number.parse().ok()?, item.as_str()?.to_owned()));
        Self {
            name: name.to_owned(),
            unit: text("unit"),
            description: text("description"),
            values,
            items: items.filter_map(item).collect(),
            errors: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn table(csv: &str, about: &Value) -> Table {
        let results = Results::read(std::io::Cursor::new(csv.to_owned())).unwrap_or_else(|error| panic!("{error}"));
        Table::of_results(&results, about)
    }

    #[test]
    fn error_columns_belong_to_their_variables_and_whole_numbers_may_be_real() {
        let about = json!({ "a.x": { "type": "Real", "unit": "m" }, "a.n": { "type": "Enumeration", "items": { "1": "off" } } });
        let table = table("time,a.x,a.x (error),a.n,a.b,a.t\n0,1,1e-9,1,true,u\n1,2,2e-9,1,false,v\n", &about);
        let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a.x", "a.n", "a.b", "a.t"]);
        assert!(matches!(&table.columns[0].values, Data::Real(values) if *values == [1.0, 2.0]));
        assert_eq!((table.columns[0].unit.as_deref(), table.columns[0].errors.as_deref()), (Some("m"), Some(&[1e-9, 2e-9][..])));
        assert!(matches!(table.columns[1].values, Data::Whole(_)) && table.columns[1].values.is_constant());
        assert_eq!(table.columns[1].items, [(1.0, "off".to_owned())]);
        assert!(matches!(table.columns[2].values, Data::Boolean(_)) && !table.columns[2].values.is_constant());
        assert!(table.columns[3].values.numbers().is_none());
    }

    #[test]
    fn missing_values_are_gaps_and_missing_errors_are_none() {
        let csv = "time,a.x,a.x (error),b.x,b.x (error),c.x,c.x (error)\n0,1,2,1,,,1\n1,2,,,,x,1\n";
        let table = table(csv, &Value::Null);
        let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
        // Text has no errors: the column beside it is one of its own.
        assert_eq!(names, ["a.x", "b.x", "c.x", "c.x (error)"]);
        assert!(matches!(table.columns[0].errors.as_deref(), Some([2.0, missing]) if missing.is_nan()));
        assert!(table.columns[1].errors.is_none());
        assert!(matches!(&table.columns[1].values, Data::Real(values) if values[0] == 1.0 && values[1].is_nan()));
    }

    #[test]
    fn units_are_those_of_the_manifest_or_of_the_file() {
        let units = |about: &Value| table("time,x [m],y [s]\n0,1,2\n", about).columns.into_iter().map(|column| column.unit);
        assert_eq!(units(&Value::Null).collect::<Vec<_>>(), [Some("m".to_owned()), Some("s".to_owned())]);
        let about = json!({ "x": { "unit": "mm" } });
        assert_eq!(units(&about).collect::<Vec<_>>(), [Some("mm".to_owned()), Some("s".to_owned())]);
    }

    #[test]
    fn rows_of_the_same_time_are_events() {
        assert_eq!(table("time,x\n0,1\n1,2\n1,3\n1,4\n2,5\n", &Value::Null).events(), [1.0]);
    }
}
