//! Structural parameters.

use fmi3::description::{Causality, Dimension};
use fmu_sdk::{Declaration, Error, Experiment, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::host::{Host, Wishes};
use crate::host::{DISCARD, ERROR, OK};

/// A matrix with rows and columns, times a vector.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Product {
    rows: u64,
    columns: u64,
    a: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    forgets: bool,
}

impl Default for Product {
    fn default() -> Self {
        Self { rows: 1, columns: 2, a: vec![1.0, 2.0], x: vec![0.0; 2], y: vec![0.0], forgets: false }
    }
}

impl Product {
    fn product(&self) -> Vec<f64> {
        let row = |row: &[f64]| row.iter().zip(&self.x).map(|(a, x)| a * x).sum();
        if self.columns == 0 { vec![0.0; self.rows as usize] } else { self.a.chunks(self.columns as usize).map(row).collect() }
    }
}

impl Model for Product {
    const NAME: &'static str = "product";
    const DESCRIPTION: &'static str = "A matrix of any size";

    fn declare(v: &mut Declaration<Self>) {
        v.structural_parameter("rows", |m| &mut m.rows).min(1).max(100);
        v.structural_parameter("columns", |m| &mut m.columns);
        v.parameter("a", |m| &mut m.a).sized_by(["rows", "columns"]);
        v.input("x", |m| &mut m.x).sized_by(["columns"]);
        v.output("y", |m| &mut m.y).sized_by(["rows"]).depends_on(["x"]);
        v.parameter("forgets", |m| &mut m.forgets);
    }

    fn configure(&mut self) -> Result<(), Refusal> {
        if self.columns > 50 {
            return Err(Refusal::discard("there is no memory for so many columns"));
        }
        let (rows, columns) = (self.rows as usize, self.columns as usize);
        self.a.resize(rows * columns, 0.0);
        self.x.resize(columns, 0.0);
        if !self.forgets {
            self.y.resize(rows, 0.0);
        }
        Ok(())
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        self.y = self.product();
        Ok(())
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        self.y = self.product();
        Ok(())
    }
}

/// Value references of [`Product`] in FMI 3.0.
mod vr {
    pub const ROWS: u32 = 1;
    pub const COLUMNS: u32 = 2;
    pub const A: u32 = 3;
    pub const X: u32 = 4;
    pub const Y: u32 = 5;
    pub const FORGETS: u32 = 6;
}

impl Host {
    fn enter_configuration(&self) -> i32 {
        // SAFETY: a live instance.
        unsafe { (self.f.enter_configuration_mode.unwrap())(self.c) }
    }

    fn exit_configuration(&self) -> i32 {
        // SAFETY: a live instance.
        unsafe { (self.f.exit_configuration_mode.unwrap())(self.c) }
    }
}

fn product() -> Host {
    Host::of::<Product>(&Wishes::of::<Product>())
}

#[test]
fn arrays_get_the_sizes_that_the_importer_sets() {
    let host = product();
    assert_eq!(host.f64(&[vr::A, vr::Y], 3), Ok(vec![1.0, 2.0, 0.0]));
    assert_eq!(
        (host.enter_configuration(), host.set_u64(&[vr::ROWS, vr::COLUMNS], &[2, 3]), host.exit_configuration()),
        (OK, OK, OK)
    );
    assert_eq!(host.set_f64(&[vr::A, vr::X], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 10.0, 100.0]), OK);
    assert_eq!(host.f64(&[vr::Y], 2), Ok(vec![321.0, 654.0]));
    let host = host.started();
    assert_eq!(host.set_f64(&[vr::X], &[0.0, 0.0, 1.0]), OK);
    assert_eq!(host.do_step(0.0, 1.0).status, OK);
    assert_eq!(host.f64(&[vr::Y], 2), Ok(vec![3.0, 6.0]));
    assert_eq!(host.u64(&[vr::ROWS, vr::COLUMNS], 2), Ok(vec![2, 3]));
    let mut state = std::ptr::null_mut();
    host.save(&mut state);
    assert_eq!((host.reset(), host.f64(&[vr::Y], 1)), (OK, Ok(vec![0.0])));
    host.restore(state);
    assert_eq!(host.f64(&[vr::Y], 2), Ok(vec![3.0, 6.0]), "a state has its sizes");
    host.free(&mut state);
}

#[test]
fn arrays_may_vanish() {
    let host = product();
    assert_eq!((host.enter_configuration(), host.set_u64(&[vr::COLUMNS], &[0]), host.exit_configuration()), (OK, OK, OK));
    assert_eq!((host.set_f64(&[vr::X], &[]), host.f64(&[vr::A, vr::Y], 1)), (OK, Ok(vec![0.0])));
}

#[test]
fn the_structure_is_set_in_configuration_mode_only_and_within_its_range() {
    let host = product();
    assert_eq!(host.set_u64(&[vr::ROWS], &[2]), ERROR);
    host.explained("logStatusError", "the structural parameter `rows` can be set in configuration mode only");
    let host = product();
    assert_eq!((host.enter_configuration(), host.set_u64(&[vr::ROWS], &[0])), (OK, DISCARD));
    host.explained("logStatusDiscard", "0 is less than the minimum 1");
    assert_eq!(host.enter(0.0, None), ERROR);
    host.explained("logStatusError", "call fmi3ExitConfigurationMode first");
    assert_eq!((host.reset(), host.exit_configuration()), (OK, ERROR));
    host.explained("logStatusError", "not in configuration mode");
    let host = product().started();
    assert_eq!(host.enter_configuration(), ERROR);
    host.explained("logStatusError", "not allowed in phase `step complete`");
}

#[test]
fn a_structure_that_the_model_refuses_or_forgets_is_an_error() {
    let host = product();
    assert_eq!((host.enter_configuration(), host.set_u64(&[vr::COLUMNS], &[51]), host.exit_configuration()), (OK, OK, ERROR));
    host.explained("logStatusError", "there is no memory for so many columns");
    let host = product();
    assert_eq!(
        (host.set_booleans(&[vr::FORGETS], &[1]), host.enter_configuration(), host.set_u64(&[vr::ROWS], &[2])),
        (OK, OK, OK)
    );
    assert_eq!(host.exit_configuration(), ERROR);
    host.explained("logStatusError", "`y` has 1 elements instead of 2; resize it in Model::configure");
    let host = Host::new();
    assert_eq!(host.enter_configuration(), ERROR);
    host.explained("logStatusError", "this FMU has no structural parameters");
}

#[test]
fn dimensions_refer_to_the_parameters_and_fmi_2_has_the_default_structure() {
    let description = fmu_sdk::fmi3::description::<Product>();
    let variable = |name: &str| description.variables.iter().find(|v| v.name == name).unwrap();
    assert_eq!(variable("rows").causality(), Causality::StructuralParameter);
    assert_eq!(variable("a").dimensions, [Dimension::Variable(vr::ROWS), Dimension::Variable(vr::COLUMNS)]);
    assert_eq!(variable("y").dimensions, [Dimension::Variable(vr::ROWS)]);
    assert_eq!(fmu_sdk::problems::<Product>(), []);
    let names: Vec<_> = fmu_sdk::description::<Product>().variables.into_iter().map(|v| v.name).collect();
    assert_eq!(names, ["a[1,1]", "a[1,2]", "x[1]", "x[2]", "y[1]", "forgets"]);
    let host = crate::host::Host::of::<Product>(false, None);
    assert_eq!(host.set_reals(&[2, 3], &[1.0, 10.0]), OK);
    assert_eq!(host.reals(&[4]), [21.0]);
}

/// Refers to sizes that do not exist, or do not fit.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Wrong {
    n: u64,
    y: Vec<f64>,
    d: Vec<f64>,
}

impl Default for Wrong {
    fn default() -> Self {
        Self { n: 0, y: Vec::new(), d: vec![1.0] }
    }
}

impl Model for Wrong {
    const NAME: &'static str = "wrong_sizes";
    const DESCRIPTION: &'static str = "";

    fn declare(v: &mut Declaration<Self>) {
        v.structural_parameter("n", |m| &mut m.n);
        v.output("a", |m| &mut m.y).sized_by(["m"]);
        v.output("b", |m| &mut m.y).sized_by(["a"]);
        v.output("c", |m| &mut m.y).sized_by([]);
        v.output("d", |m| &mut m.d).sized_by(["n"]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

#[test]
fn sizes_that_do_not_exist_or_fit_are_reported() {
    let no_such = |variable: &str, on: &str| Error::NoSuchSize { variable: variable.into(), on: on.into() };
    let other = Error::OtherSize { variable: "d".into(), expected: 0, found: 1 };
    assert_eq!(fmu_sdk::fmi3::problems::<Wrong>(), [no_such("a", "m"), no_such("b", "a"), other]);
}
