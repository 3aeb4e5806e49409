//! Tables of the variables of an FMU.

use lotka::{
    FmuInfo,
    instance::description::{Causality, Variability, Variable, VariableKind},
};

use super::json::{start, type_name};
use crate::{
    inspect::description::section,
    table::{self, clean, shortened},
};

/// Maximum number of variables per causality that are listed without `--all`.
const MOST: usize = 20;

/// Minimum width of a description, which is otherwise cut to the rest of the line.
const LEAST_DESCRIPTION: usize = 12;

/// Groups of variables, in the order in which they are shown.
const GROUPS: [(Causality, &str); 6] = [
    (Causality::Input, "inputs"),
    (Causality::Output, "outputs"),
    (Causality::Parameter, "parameters"),
    (Causality::CalculatedParameter, "calculated parameters"),
    (Causality::Local, "local variables"),
    (Causality::Independent, "independent variable"),
];

/// Formats a table for each causality that occurs.
pub(super) fn sections(info: &FmuInfo, lists_all: bool, width: Option<usize>) -> String {
    GROUPS.iter().map(|(causality, heading)| group(info, *causality, heading, lists_all, width)).collect()
}

fn group(info: &FmuInfo, causality: Causality, heading: &str, lists_all: bool, width: Option<usize>) -> String {
    let members: Vec<_> = info.interface.variables.iter().filter(|variable| variable.causality == causality).collect();
    let shown = if lists_all { members.len() } else { members.len().min(MOST) };
    let rows: Vec<_> = members[..shown].iter().map(|variable| cells(info, variable)).collect();
    let mut lines = table(&rows, width);
    if shown < members.len() {
        lines += &format!("  … and {} more: --all lists them\n", members.len() - shown);
    }
    let count = if members.len() > 1 { format!(" ({})", members.len()) } else { String::new() };
    section(&format!("{heading}{count}"), &lines)
}

const HEADER: [&str; 7] = ["name", "type", "unit", "start", "min", "max", "description"];

fn cells(info: &FmuInfo, variable: &Variable) -> [String; 7] {
    let [min, max] = variable.range().map(|bound| bound.map(|bound| bound.to_string()).unwrap_or_default());
    [
        clean(&variable.name),
        kind(variable),
        clean(variable.unit().unwrap_or_default()),
        clean(&start_text(info, variable)),
        min,
        max,
        clean(variable.description.as_deref().unwrap_or_default()),
    ]
}

/// Returns the type of a variable, and its variability if it is not the usual one.
fn kind(variable: &Variable) -> String {
    let name = type_name(variable);
    let is_real = matches!(variable.kind, VariableKind::Real(_));
    match variable.variability {
        Variability::Discrete if is_real => format!("{name}, discrete"),
        Variability::Tunable if variable.causality == Causality::Parameter => format!("{name}, tunable"),
        Variability::Constant => format!("{name}, constant"),
        _ => name.to_owned(),
    }
}

/// Returns the start value; for an enumeration, its name.
fn start_text(info: &FmuInfo, variable: &Variable) -> String {
    let Some(value) = start(variable) else { return String::new() };
    if let VariableKind::Enumeration(enumeration) = &variable.kind
        && let items = info.interface.items(&enumeration.declared_type)
        && let Some(item) = items.iter().find(|item| Some(item.value) == enumeration.start)
    {
        return item.name.clone();
    }
    value.to_string()
}

/// Formats a table without empty columns; the last column ends at the end of the line.
fn table(rows: &[[String; 7]], width: Option<usize>) -> String {
    let is_used = |column: &usize| rows.iter().any(|row| !row[*column].is_empty());
    let used: Vec<_> = (0..HEADER.len()).filter(is_used).collect();
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([HEADER[column].len()]).max().unwrap_or_default()
    };
    let before: usize = used.iter().filter(|column| **column != 6).map(|column| widest(*column) + 2).sum();
    let left = width.map(|width| width.saturating_sub(2 + before).max(LEAST_DESCRIPTION));
    let line = |cells: &[String; 7]| -> Vec<String> {
        used.iter().map(|&column| if column == 6 { shortened(&cells[6], left) } else { cells[column].clone() }).collect()
    };
    let header = (!rows.is_empty()).then(|| line(&HEADER.map(str::to_owned)));
    table::columns("  ", &header.into_iter().chain(rows.iter().map(line)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, unit: &str, description: &str) -> [String; 7] {
        [name, "Real", unit, "", "", "", description].map(str::to_owned)
    }

    #[test]
    fn tables_have_the_columns_that_are_used_and_the_width_of_the_terminal() {
        let rows = [row("x", "m", "how far it is from here"), row("der(x)", "m/s", "")];
        let wide = "  name    type  unit  description\n  x       Real  m     how far it is from here\n  der(x)  Real  m/s\n";
        assert_eq!(table(&rows, None), wide);
        assert_eq!(table(&rows, Some(80)), wide);
        let cut = table(&rows, Some(40));
        assert!(cut.contains("how far it is fro…\n") && cut.lines().all(|line| line.chars().count() <= 40), "{cut}");
        assert!(table(&rows, Some(10)).contains("how far it …\n"));
        assert_eq!(table(&rows[1..], None), "  name    type  unit\n  der(x)  Real  m/s\n");
        assert_eq!(table(&[], None), "");
    }
}
