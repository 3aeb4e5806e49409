//! The picture of an example.

use lotka::{Column, Memory, ValueType};

use crate::{
    Error, Example, Panel,
    chart::{self, Axis, Chart, Curve, RGBColor, color},
};

/// Colors of the curves of a panel.
const COLORS: [RGBColor; 8] =
    [color::BLUE, color::VERMILION, color::GREEN, color::PURPLE, color::ORANGE, color::SKY, color::OLIVE, color::BLACK];

/// Draws the results of the system that an example's picture shows, as SVG.
///
/// # Errors
/// A variable of the picture is missing in the results, or the picture cannot be drawn.
pub fn picture(example: &Example, rows: &Memory) -> Result<String, Error> {
    let given = &example.expected.picture.panels;
    let panels = if given.is_empty() { &by_unit(example, rows) } else { given };
    let drawn: Vec<_> =
        panels.iter().map(|panel| draw(panel, example, rows).map(|panel| vec![panel])).collect::<Result<_, _>>()?;
    Ok(Chart::new(&example.title, drawn).svg()?)
}

/// Returns a panel for each unit, with the variables of the expected numbers, or all variables if there are none.
fn by_unit(example: &Example, rows: &Memory) -> Vec<Panel> {
    let expected: Vec<_> =
        example.expected.values.iter().filter(|value| value.system == example.expected.picture.system).collect();
    let is_expected = |column: &&Column| expected.is_empty() || expected.iter().any(|value| value.variable == column.name);
    let mut panels: Vec<(&Option<String>, Panel)> = Vec::new();
    for column in rows.columns().iter().filter(|column| column.value_type != ValueType::Text).filter(is_expected) {
        let place = panels.iter().position(|(unit, _)| **unit == column.unit).unwrap_or(panels.len());
        if place == panels.len() {
            panels.push((&column.unit, Panel::default()));
        }
        panels[place].1.variables.push(column.name.clone());
    }
    panels.into_iter().map(|(_, panel)| panel).collect()
}

fn draw(panel: &Panel, example: &Example, rows: &Memory) -> Result<chart::Panel, Error> {
    let numbers = |variable: &str| {
        let missing = || Error::Column {
            example: example.name.clone(),
            system: example.expected.picture.system.clone(),
            variable: variable.to_owned(),
        };
        rows.real(variable).ok_or_else(missing)
    };
    let (x, along) = match &panel.against {
        Some(variable) => (Axis::linear(with_unit(variable, unit(variable, rows))), numbers(variable)?),
        None => (Axis::linear("time in s"), rows.time()),
    };
    let mut curves = Vec::new();
    for (variable, color) in panel.variables.iter().zip(COLORS.into_iter().cycle()) {
        let points = along.iter().copied().zip(numbers(variable)?.iter().copied());
        curves.push(Curve::line(variable, color, points.filter(|point| point.0.is_finite() && point.1.is_finite()).collect()));
    }
    Ok(chart::Panel::new(&panel.title, x, Axis::linear(label(&panel.variables, rows)), curves))
}

/// Returns a label from what the variables have in common: name, unit, or both.
fn label(variables: &[String], rows: &Memory) -> String {
    let units: Vec<_> = variables.iter().map(|variable| unit(variable, rows)).collect();
    let names: Vec<_> =
        variables.iter().map(|variable| variable.split_once('.').map_or(variable.as_str(), |(_, name)| name)).collect();
    with_unit(common(&names).unwrap_or("value"), common(&units).unwrap_or_default())
}

fn with_unit(name: &str, unit: &str) -> String {
    if matches!(unit, "" | "1") { name.to_owned() } else { format!("{name} in {unit}") }
}

fn unit<'a>(variable: &str, rows: &'a Memory) -> &'a str {
    let column = rows.columns().iter().find(|column| column.name == variable);
    column.and_then(|column| column.unit.as_deref()).unwrap_or_default()
}

/// Returns the text if all texts are equal.
fn common<'a>(texts: &[&'a str]) -> Option<&'a str> {
    let first = *texts.first()?;
    texts.iter().all(|text| *text == first).then_some(first)
}
