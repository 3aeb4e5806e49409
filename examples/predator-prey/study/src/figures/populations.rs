//! Populations over time: figures 1 to 5.

use crate::{Error, Experiment, Study, Trajectory};
use gallery::chart::{Axis, Chart, Curve, Mark, Panel, color};

/// End of the time span of figure 4 \[s\].
const ZOOM: f64 = 40.0;

/// Figure 1: the exact solution.
pub(super) fn exact(study: &Study) -> Result<String, Error> {
    let exact = study.reference.trajectory();
    let curves = vec![
        Curve::line("prey x", color::BLUE, exact.over_time(0)),
        Curve::line("predators y", color::VERMILION, exact.over_time(1)),
    ];
    chart("Figure 1: exact solution", vec![vec![panel("", curves)]])
}

/// Figure 2: small steps.
pub(super) fn tenth_second(study: &Study) -> Result<String, Error> {
    let (exact, steps) = (study.reference.trajectory(), &study.outcome(Experiment::TenthSecond).trajectory);
    let curves = vec![
        Curve::line("exact", color::SHADE, exact.over_time(0)).marked(Mark::Wide),
        Curve::line("", color::SHADE, exact.over_time(1)).marked(Mark::Wide),
        Curve::line("prey x", color::BLUE, steps.over_time(0)),
        Curve::line("predators y", color::VERMILION, steps.over_time(1)),
    ];
    chart("Figure 2: Gauss–Seidel without iteration, h = 0.1 s", vec![vec![panel("", curves)]])
}

/// Figure 3: steps of half a second, with and without iteration.
pub(super) fn half_second(study: &Study) -> Result<String, Error> {
    let methods = [Experiment::HalfSecond, Experiment::HalfSecondIterated];
    comparison(study, "Figure 3: Gauss–Seidel with and without iteration, h = 0.5 s", methods, Mark::Line, f64::INFINITY)
}

/// Figure 4: steps of two seconds; the first steps.
pub(super) fn two_seconds(study: &Study) -> Result<String, Error> {
    let methods = [Experiment::TwoSeconds, Experiment::TwoSecondsIterated];
    comparison(study, "Figure 4: Gauss–Seidel with and without iteration, h = 2 s, first 40 s", methods, Mark::Dotted, ZOOM)
}

/// Figure 5: error control, with and without iteration.
pub(super) fn error_control(study: &Study) -> Result<String, Error> {
    let methods = [Experiment::MasterSim, Experiment::MasterSimIterated];
    comparison(study, "Figure 5: Gauss–Seidel under error control, local tolerance 10⁻⁶", methods, Mark::Line, f64::INFINITY)
}

/// Draws prey above and predators below: exact, without and with iteration.
fn comparison(study: &Study, title: &'static str, methods: [Experiment; 2], mark: Mark, end: f64) -> Result<String, Error> {
    let [plain, iterated] = methods.map(|method| &study.outcome(method).trajectory);
    let exact = study.reference.trajectory();
    let species = |index: usize, name: &'static str| {
        let until = |trajectory: &Trajectory| {
            let points = trajectory.over_time(index).into_iter();
            points.filter(|point| point.0 <= end).collect()
        };
        let curves = vec![
            Curve::line("exact", color::SHADE, until(&exact)).marked(Mark::Wide),
            Curve::line("no iteration", color::GREEN, until(plain)).marked(mark),
            Curve::line("iterated", color::PURPLE, until(iterated)).marked(mark),
        ];
        vec![panel(name, curves)]
    };
    chart(title, vec![species(0, "Prey"), species(1, "Predators")])
}

fn panel(title: &'static str, curves: Vec<Curve>) -> Panel {
    Panel::over_time(title, Axis::linear("population"), curves)
}

fn chart(title: &'static str, rows: Vec<Vec<Panel>>) -> Result<String, Error> {
    Ok(Chart::new(title, rows).svg()?)
}
