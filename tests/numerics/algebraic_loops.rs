//! Loops of direct feedthrough, one FMU per equation: their values fit each other at the start and at every communication point.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use lotka::{Error, Fmu, LoopProblem, Memory, Report, RunError, RunFailure, System};
use models::{Expression, SprungMassForce};
use serde::{Deserialize, Serialize};
use tests::{
    joined,
    systems::fault::{Lacking, stripped},
};

/// A variable, its formula, and what its inputs `u1`, `u2` … are.
type Equation<'a> = (&'a str, &'a str, &'a [&'a str]);

/// An FMU per equation, until t = 1 s; rows every 0.1 s.
fn equations(equations: &[Equation<'_>]) -> System {
    equations_of(&joined::<Expression>(), equations)
}

fn equations_of(fmu: &Fmu, equations: &[Equation<'_>]) -> System {
    let mut system = System::new();
    for (name, formula, _) in equations {
        system = system.instance_of(name, fmu).start_value(&format!("{name}.formula"), formula);
    }
    for (name, _, sources) in equations {
        for (number, source) in sources.iter().enumerate() {
            system = system.connect(&format!("{name}.u{}", number + 1), &format!("{source}.y"));
        }
    }
    system.stop(1.0).output_interval(0.1)
}

/// x = y + 16, y = -x - z, z = 5.
const LINEAR: [Equation<'_>; 3] = [("x", "u1 + 16", &["y"]), ("y", "-u1 - u2", &["x", "z"]), ("z", "5", &[])];

/// 2 x1^2 + 5 x2 = 42, x1 - 6 x2 = 4.
const QUADRATIC: [Equation<'_>; 2] = [("x1", "4 + 6*u1", &["x2"]), ("x2", "(42 - 2*u1^2)/5", &["x1"])];

/// a + b + c = 0, 2a - 3b + 2c = 9, a^2 + b^2 + c^2 = 5.
const TWO_SOLUTIONS: [Equation<'_>; 3] =
    [("a", "-u1 - u2", &["b", "c"]), ("b", "(2*u1 + 2*u2 - 9)/3", &["a", "c"]), ("c", "(5 - u1^2 - u2^2)/u3", &["a", "b", "c"])];

/// A linear system whose coefficients move.
const MOVING: [Equation<'_>; 3] = [
    ("x1", "(1 - (0.1 + t)*u1 - 0.2*u2)/3", &["x2", "x3"]),
    ("x2", "(t - 0.1*u1 - (0.1 + t)*u2)/3", &["x1", "x3"]),
    ("x3", "(1 - (0.1 + t)*u1 - 0.2*u2)/4", &["x1", "x2"]),
];

/// Solves the moving system at one time by Cramer's rule.
fn moving(t: f64) -> [f64; 3] {
    let c = 0.1 + t;
    let matrix = [[3.0, c, 0.2], [0.1, 3.0, c], [c, 0.2, 4.0]];
    let determinant = |m: [[f64; 3]; 3]| {
        let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
        m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
    };
    std::array::from_fn(|column| {
        let mut replaced = matrix;
        for (row, right) in replaced.iter_mut().zip([1.0, t, 1.0]) {
            row[column] = right;
        }
        determinant(replaced) / determinant(matrix)
    })
}

fn run(system: &System) -> Result<(Report, Memory), Box<RunFailure>> {
    let mut results = Memory::new();
    let report = system.build().unwrap().run(&mut [&mut results])?;
    Ok((report, results))
}

/// Derivatives are exact: only rounding errors are left.
#[track_caller]
fn assert_every_row<const N: usize>(system: &System, variables: [&str; N], exact: impl Fn(f64) -> [f64; N]) -> Report {
    assert_rows_within(1e-12, system, variables, exact)
}

#[track_caller]
fn assert_rows_within<const N: usize>(
    tolerance: f64,
    system: &System,
    variables: [&str; N],
    exact: impl Fn(f64) -> [f64; N],
) -> Report {
    let (report, results) = run(system).unwrap();
    assert!(results.time().len() >= 11);
    for (row, &time) in results.time().iter().enumerate() {
        for (variable, exact) in variables.iter().zip(exact(time)) {
            let got = results.real(&format!("{variable}.y")).unwrap()[row];
            assert!((got - exact).abs() <= tolerance * exact.abs().max(1.0), "{variable} = {got} at t = {time}, not {exact}");
        }
    }
    report
}

/// The three ways to choose steps.
fn with_steps(system: &System) -> [System; 4] {
    [system.clone().step(0.1), system.clone().step(1e-3), system.clone().local_tolerance(1e-4), system.clone().tolerance(1e-4)]
}

#[test]
fn a_linear_loop_is_solved_at_the_start_and_later() {
    for system in with_steps(&equations(&LINEAR)) {
        let report = assert_every_row(&system, ["x", "y", "z"], |_| [5.5, -10.5, 5.0]);
        assert_eq!(report.warnings, []);
    }
}

#[test]
fn a_loop_whose_coefficients_move_is_solved_in_every_row() {
    for system in with_steps(&equations(&MOVING)) {
        let report = assert_every_row(&system, ["x1", "x2", "x3"], moving);
        assert_eq!(report.warnings, [], "a linear loop has one solution");
    }
}

#[test]
fn a_nonlinear_loop_is_solved_and_its_other_solution_named() {
    for system in with_steps(&equations(&QUADRATIC)) {
        let report = assert_every_row(&system, ["x1", "x2"], |_| [4.5571749758026865, 0.09286249596711442]);
        let [warning] = report.warnings.as_slice() else { panic!("{:?}", report.warnings) };
        for text in ["x1 -> x2", "x1.y = 4.5571749758", "x2.y = 0.0928624959", "another one is x1.y = -4.97384164"] {
            assert!(warning.text.contains(text), "no {text} in {warning}");
        }
    }
}

#[test]
fn start_values_of_connected_inputs_choose_the_solution() {
    let (small, large) = (0.6354248688935411, 1.164575131106459);
    for (a, c) in [(small, large), (large, small)] {
        let guesses =
            [("a.u1", -2.0), ("a.u2", 0.9 * c), ("b.u1", 1.1 * a), ("b.u2", c), ("c.u1", a), ("c.u2", -2.0), ("c.u3", c)];
        let system = equations(&TWO_SOLUTIONS).step(0.1);
        let system = guesses.iter().fold(system, |system, (input, value)| system.start_value(input, value));
        let report = assert_every_row(&system, ["a", "b", "c"], |_| [a, -1.8, c]);
        let [warning] = report.warnings.as_slice() else { panic!("{:?}", report.warnings) };
        for text in ["0.635424868", "1.16457513", "set start values of the connected inputs"] {
            assert!(warning.text.contains(text), "no {text} in {warning}");
        }
    }
}

#[test]
fn a_loop_without_solution_is_named_with_its_smallest_residual() {
    let system = equations(&[("first", "u1^2 + 1", &["second"]), ("other", "3", &[]), ("second", "u1", &["first"])]).step(0.1);
    let failure = run(&system).unwrap_err();
    let RunError::InitializationLoop { instances, problem } = &failure.error else { panic!("{failure}") };
    assert_eq!(instances, &["first", "second"]);
    let LoopProblem::Residual { variable, residual, starts, .. } = problem else { panic!("{failure}") };
    assert!(["first.y", "second.y"].contains(&variable.as_str()) && residual.abs() > 1e-3 && *starts > 5, "{failure}");
    assert!(failure.to_string().contains("first -> second"), "{failure}");
}

#[test]
fn a_loop_whose_values_are_not_determined_is_reported() {
    let system =
        equations(&[("a", "u1", &["b"]), ("b", "u1", &["a"])]).step(0.1).start_value("a.u1", 3.0).start_value("b.u1", 3.0);
    let (_, results) = run(&system).unwrap();
    assert!(results.real("a.y").unwrap().iter().all(|value| (value - 3.0).abs() < 1e-12), "as it starts");
    // Here handing values on leads away from all of them.
    let system = equations(&[("a", "2*u1 + u2 + 1", &["b", "c"]), ("b", "u1", &["c"]), ("c", "u1 - 2*u2 - 1", &["a", "b"])]);
    let system = system.step(0.1).start_value("b.u1", 1.0);
    // Whether the steps that follow converge is a matter of rounding.
    let report = run(&system).map_or_else(|failure| failure.report, |(report, _)| report);
    assert!(report.warnings.iter().any(|warning| warning.text.contains("do not determine its values")), "{:?}", report.warnings);
}

#[test]
fn starts_outside_of_the_domain_are_left_for_other_starting_points() {
    let system = equations(&[("x", "sqrt(u1 - 3)", &["y"]), ("y", "u1 + 5", &["x"])]);
    for system in with_steps(&system) {
        let report = assert_every_row(&system, ["x", "y"], |_| [2.0, 7.0]);
        assert!(
            report.warnings.iter().any(|warning| warning.text.contains("from another starting point")),
            "{:?}",
            report.warnings
        );
    }
}

#[test]
fn an_instance_can_be_a_loop_of_its_own() {
    for system in with_steps(&equations(&[("x", "cos(u1)", &["x"])])) {
        let report = assert_every_row(&system, ["x"], |_| [0.7390851332151607]);
        assert_eq!(report.warnings, []);
    }
}

#[test]
fn black_boxes_are_solved_by_differences() {
    let fmu = stripped::<Expression>(Lacking::Derivatives);
    for h in [0.1, 1e-3] {
        assert_rows_within(1e-10, &equations_of(&fmu, &MOVING).step(h), ["x1", "x2", "x3"], moving);
        let solution = [4.5571749758026865, 0.09286249596711442];
        assert_rows_within(1e-10, &equations_of(&fmu, &QUADRATIC).step(h), ["x1", "x2"], |_| solution);
    }
}

#[test]
fn black_boxes_without_rollback_are_refused_with_what_to_do_instead() {
    let fmu = stripped::<Expression>(Lacking::DerivativesAndStates);
    let Err(Error::System(problems)) = equations_of(&fmu, &LINEAR).step(0.1).build() else { panic!("refused") };
    let text = problems.to_string();
    for part in ["algebraic loop", "rollback", "instance `x`", "instance `y`", "iterations = 1"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    assert!(!text.contains("instance `z`"), "{text}");
    let (_, results) = run(&equations_of(&fmu, &LINEAR).step(0.1).iterations(1, None)).unwrap();
    assert!((results.real("x.y").unwrap()[0] - 5.5).abs() < 1e-12);
}

#[test]
fn what_is_beside_a_loop_follows_it_and_feeds_it() {
    let system = equations(&[
        ("after", "2*u1", &["x"]),
        ("x", "0.5*u1 + u2", &["y", "before"]),
        ("y", "-u1", &["x"]),
        ("before", "3*t", &[]),
    ]);
    for system in with_steps(&system) {
        assert_every_row(&system, ["after", "x", "y", "before"], |t| [4.0 * t, 2.0 * t, -2.0 * t, 3.0 * t]);
    }
}

#[test]
fn loops_are_iterated_by_default_and_the_description_says_so() {
    let simulation = equations(&LINEAR).step(0.1).build().unwrap();
    let text = simulation.describe_algorithm();
    assert!(text.contains("acceleration newton") && text.contains("algebraic loop"), "{text}");
    let simulation = tests::predator_prey().step(0.1).build().unwrap();
    assert!(simulation.describe_algorithm().contains("no iteration"));
}

#[test]
fn without_iteration_a_loop_lags_behind_and_that_is_reported() {
    let (report, results) = run(&equations(&MOVING).step(0.1).iterations(1, None)).unwrap();
    assert!((results.real("x1.y").unwrap()[10] - moving(1.0)[0]).abs() > 1e-6);
    let [warning] = report.warnings.as_slice() else { panic!("{:?}", report.warnings) };
    assert!(warning.text.contains("lag by one step") && warning.text.contains("iterations = 50"), "{warning}");
}

#[test]
fn systems_without_algebraic_loops_are_not_searched() {
    let (report, _) = run(&tests::systems::three_species_components().stop(1.0).step(0.5)).unwrap();
    assert_eq!((report.counters.n_iterations, report.warnings.len()), (0, 0));
}

/// `y = u/2 + 3` while `on`, else `y = u/2 + 1`; `high` and `low` compare it at once.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Relay {
    u: f64,
    on: bool,
}

impl Relay {
    fn y(&self) -> f64 {
        0.5 * self.u + if self.on { 3.0 } else { 1.0 }
    }
}

impl Model for Relay {
    const NAME: &'static str = "relay";
    const DESCRIPTION: &'static str = "A value that switches itself";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("on", |m| &mut m.on);
        v.computed_output("y", Self::y).depends_on(["u", "on"]);
        v.computed_output("high", |m| m.y() > 1.5).depends_on(["u", "on"]);
        v.computed_output("low", |m| m.y() < 4.0).depends_on(["u", "on"]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

/// A relay that feeds itself: its value with `y`, its switch with one of the comparisons.
fn relay(switch: &str) -> System {
    let system = System::new().instance_of("relay", &joined::<Relay>());
    system.connect("relay.u", "relay.y").connect("relay.on", switch).stop(1.0).step(0.5)
}

#[test]
fn booleans_in_a_loop_follow_until_nothing_changes() {
    let (_, results) = run(&relay("relay.high")).unwrap();
    // Off, the value would be 2, which switches on; there it stays.
    assert!(results.real("relay.y").unwrap().iter().all(|y| (y - 6.0).abs() < 1e-10), "{:?}", results.real("relay.y"));
}

#[test]
fn booleans_that_never_settle_are_named() {
    let failure = run(&relay("relay.low")).unwrap_err();
    let RunError::InitializationLoop { instances, problem: LoopProblem::Discrete { variable, .. } } = &failure.error else {
        panic!("{failure}")
    };
    assert_eq!((instances.as_slice(), variable.as_str()), (["relay".to_owned()].as_slice(), "relay.low"));
}

/// A mass on a spring to a wall, and on a spring and a damper to a foot without mass that a second damper (2 N.s/m) slows down:
/// the force on the foot follows its velocity, and the velocity the force.
fn mass_on_a_foot() -> System {
    let system = System::new().instance_of("mass", &joined::<SprungMassForce>()).instance_of("foot", &joined::<Expression>());
    let values =
        [("m", 1.0), ("k", 20.0), ("d", 0.3), ("k_other", 10.0), ("d_other", 0.5), ("x", 0.5), ("v", 0.0), ("x_other", 0.0)];
    let system = values.iter().fold(system, |system, (name, value)| system.start_value(&format!("mass.{name}"), value));
    let system = system.start_value("foot.formula", "u1/2").connect("foot.u1", "mass.f").connect("mass.v_other", "foot.y");
    system.stop(1.0).output_interval(0.1)
}

#[test]
fn loops_through_instances_with_state_fit_at_every_communication_point() {
    // f = 10 x + 0.5 (v - f/2), so that x'' = -28 x - 0.7 v.
    let exact = |t: f64| {
        let (decay, frequency) = (0.35, (28.0_f64 - 0.35 * 0.35).sqrt());
        0.5 * (-decay * t).exp() * ((frequency * t).cos() + decay / frequency * (frequency * t).sin())
    };
    let (report, results) = run(&mass_on_a_foot().tolerance(1e-6)).unwrap();
    let promised = report.global_error.unwrap();
    assert!(promised.reached, "{promised:?}");
    let scale = promised.outputs.iter().find(|output| output.name == "mass.x").unwrap().scale;
    for (x, &t) in results.real("mass.x").unwrap().iter().zip(results.time()) {
        assert!((x - exact(t)).abs() <= 1e-6 * exact(t).abs().max(scale), "x = {x} at t = {t}, not {}", exact(t));
    }
    let errors = [0.02, 0.01].map(|h| {
        let (_, results) = run(&mass_on_a_foot().step(h)).unwrap();
        let column = |name| results.real(name).unwrap();
        for (row, f) in column("mass.f").iter().enumerate() {
            let (x, v, foot) = (column("mass.x")[row], column("mass.v")[row], column("foot.y")[row]);
            assert!((f - (10.0 * x + 0.5 * (v - foot))).abs() < 1e-9 && (foot - f / 2.0).abs() < 1e-9, "row {row}");
        }
        (column("mass.x").last().unwrap() - exact(1.0)).abs()
    });
    assert!((errors[0] / errors[1]).log2() > 1.8, "order 2: {errors:?}");
}

/// x = 1 - (1 + 20 t) y, y = x: the derivative of the loop grows from -1 to -21.
const STIFFENING: [Equation<'_>; 2] = [("x", "1 - (1 + 20*t)*u1", &["y"]), ("y", "u1", &["x"])];

#[test]
fn derivatives_that_serve_no_more_are_renewed() {
    let exact = |t: f64| [1.0 / (2.0 + 20.0 * t); 2];
    for sweep in ["jacobi", "gauss-seidel"] {
        // Without directional derivatives they are differences, which are kept from step to step while they serve.
        let system = equations_of(&stripped::<Expression>(Lacking::Derivatives), &STIFFENING).sweep(sweep);
        let system = system.iterations(30, Some(1e-9)).acceleration("newton").step(0.1);
        assert_rows_within(1e-8, &system, ["x", "y"], exact);
    }
}
