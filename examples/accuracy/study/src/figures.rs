//! The figures: work against error, and the error band.

use gallery::chart::{Axis, Chart, Curve, Mark, Panel, RGBColor, color};
use lotka::Memory;

use crate::{Band, Case, Error, Line, Method, Results};

/// Measured cost and error of another master.
pub(crate) struct Measured {
    /// The system it ran.
    pub(crate) case: Case,
    /// Name, calls and error of each run.
    pub(crate) runs: [(&'static str, u64, f64); 2],
}

/// MasterSim 0.9.8 with error control at 1e-6.
pub(crate) const MASTER_SIM: Measured = Measured {
    case: Case::PredatorPrey,
    runs: [("MasterSim 0.9.8, measured", 51_960, 3.2e-3), ("MasterSim 0.9.8, iterated, measured", 115_550, 3.9e-2)],
};

/// Larger errors are not drawn.
const LARGEST_ERROR: f64 = 10.0;
/// Smaller errors are drawn at this value.
const SMALLEST_ERROR: f64 = 1e-13;
/// The same for the band. Exact rows at the start would otherwise stretch the axis.
const SMALLEST_IN_BAND: f64 = 1e-14;

/// Colors of the outputs.
const SOLUTION: [RGBColor; 3] = [color::BLUE, color::VERMILION, color::GREEN];

/// Draws the solution above and work against error below, as SVG.
pub(crate) fn work(results: &Results) -> Result<String, Error> {
    let rows = vec![vec![solution(results)?.high(270)], vec![work_precision(results).high(620)]];
    Ok(Chart::new(results.case.title(), rows).svg()?)
}

/// Draws the outputs with known exact values over time; for bodies only the positions.
fn solution(results: &Results) -> Result<Panel, Error> {
    let is_shown = |variable: &&str| results.case == Case::VanDerPol || !variable.ends_with(".v");
    let mut curves = Vec::new();
    for (variable, color) in results.case.exact().variables.into_iter().filter(is_shown).zip(SOLUTION) {
        curves.push(Curve::line(variable, color, over_time(&results.solution, variable)?));
    }
    Ok(Panel::over_time("Solution", Axis::linear(results.case.quantity()), curves))
}

fn over_time(results: &Memory, variable: &str) -> Result<Vec<(f64, f64)>, Error> {
    let column = results.real(variable).ok_or_else(|| Error::Column { name: variable.to_owned() })?;
    Ok(results.time().iter().copied().zip(column.iter().copied()).collect())
}

fn work_precision(results: &Results) -> Panel {
    let mut curves: Vec<_> = results.lines.iter().map(curve).collect();
    if results.case == MASTER_SIM.case {
        curves.push(master_sim("MasterSim 0.9.8"));
    }
    error_against_work("Error", curves)
}

/// Compares the choices of a user on the system that MasterSim was measured on: two methods of Lotka, two methods that most
/// masters offer, and MasterSim.
pub(crate) fn comparison(results: &Results) -> Result<String, Error> {
    let chosen = [
        (Method::GaussSeidelConstant, "fixed steps, constant inputs"),
        (Method::LocalConstant, "local error control, constant inputs"),
        (Method::Local, "Lotka, local-tolerance"),
        (Method::Verified, "Lotka, tolerance"),
    ];
    let named = |(method, label): (Method, &str)| Some(Curve { label: label.to_owned(), ..curve(results.line(method)?) });
    let mut curves: Vec<_> = chosen.into_iter().filter_map(named).collect();
    curves.push(master_sim("MasterSim 0.9.8, error control at 10⁻⁶"));
    let title = format!("{}: the largest error of the results against the work", results.case.title());
    Ok(Chart::new(title, vec![vec![error_against_work("", curves).high(420)]]).svg()?)
}

fn master_sim(label: &str) -> Curve {
    let points = MASTER_SIM.runs.map(|(_, calls, error)| (calls as f64, error)).to_vec();
    Curve::line(label, color::BLACK, points).marked(Mark::Crosses)
}

fn error_against_work(title: &str, curves: Vec<Curve>) -> Panel {
    let (calls, error) = (Axis::logarithmic("doStep calls, all runs", 1.0), Axis::logarithmic("largest error", SMALLEST_ERROR));
    Panel::new(title, calls, error, curves)
}

fn curve(line: &Line) -> Curve {
    let (color, mark) = style(line.method);
    let points = line.points().filter(|(_, error)| *error <= LARGEST_ERROR).collect();
    Curve::line(line.method.name(), color, points).marked(mark)
}

/// Returns color and mark of a method: one color per kind of inputs, rings for controlled steps.
fn style(method: Method) -> (RGBColor, Mark) {
    match method {
        Method::JacobiConstant => (color::ORANGE, Mark::Dotted),
        Method::GaussSeidelConstant => (color::VERMILION, Mark::Dotted),
        Method::JacobiLinear => (color::SKY, Mark::Dotted),
        Method::GaussSeidelLinear => (color::BLUE, Mark::Dotted),
        Method::Symmetric => (color::GREEN, Mark::Dotted),
        Method::IteratedCubic => (color::OLIVE, Mark::Dotted),
        Method::IteratedHermite => (color::PURPLE, Mark::Dotted),
        Method::LocalConstant => (color::VERMILION, Mark::Ringed),
        Method::Local => (color::BLUE, Mark::Ringed),
        Method::Verified => (color::BLACK, Mark::Bold),
    }
}

/// Draws estimated and true errors over time, as SVG.
pub(crate) fn band(band: &Band) -> Result<String, Error> {
    let names = [["prey, estimated", "prey, true"], ["predators, estimated", "predators, true"]];
    let colors = [color::BLUE, color::VERMILION];
    let over_time = |errors: &[f64]| band.time.iter().copied().zip(errors.iter().copied()).skip(1).collect::<Vec<_>>();
    let mut curves =
        vec![Curve::line("tolerance", color::BLACK, over_time(&vec![band.tolerance; band.time.len()])).marked(Mark::Wide)];
    for (([estimated, real], color), errors) in names.into_iter().zip(colors).zip(&band.species) {
        curves.push(Curve::line(estimated, color, over_time(&errors.estimated)));
        curves.push(Curve::line(real, color, over_time(&errors.real)).marked(Mark::Dotted));
    }
    let panel = Panel::over_time("", Axis::logarithmic("relative error", SMALLEST_IN_BAND), curves).high(480);
    Ok(Chart::new("Predator and prey, tolerance 10⁻⁶: estimated and true error of each row", vec![vec![panel]]).svg()?)
}
