//! Every method has its place in `docs/methods`, and every place its method.

use fmu_sdk::{Integration, Ode, Step, Time};

use crate::guide::page::{Page, markdown_below};

/// Names of the methods that a key of a system file takes.
fn named(key: &str) -> Vec<&'static str> {
    lotka::methods().filter(|(of, _)| *of == key).map(|(_, name)| name).collect()
}

/// Names in the first column of the table whose head begins so.
fn listed(page: &Page, head: &str) -> Vec<String> {
    let rows = page.rows().skip_while(|cells| cells[0] != format!("`{head}`")).skip(1);
    let first = rows.map(|cells| cells[0].to_owned()).take_while(|cell| cell.starts_with('`'));
    first.map(|cell| cell.trim_matches('`').to_owned()).collect()
}

/// Lines of the headings of this depth that are lists of names.
fn headed(page: &Page, depth: &str) -> Vec<String> {
    let headings = page.prose().filter_map(|line| line.strip_prefix(depth)?.strip_prefix(' '));
    let names = headings.flat_map(|heading| heading.split(", ")).filter(|name| name.chars().all(|c| !c.is_uppercase()));
    names.map(str::to_owned).collect()
}

fn sorted<T: AsRef<str>>(names: Vec<T>) -> Vec<String> {
    let mut names: Vec<_> = names.iter().map(|name| name.as_ref().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_sweep_has_its_section() {
    let page = Page::read("docs/methods/sweeps.md");
    for name in named("sweep") {
        assert!(page.prose().any(|line| line.starts_with(&format!("`sweep = \"{name}\"`: "))), "{name}");
    }
    assert_eq!(page.text.matches("\n`sweep = \"").count(), named("sweep").len());
}

#[test]
fn every_acceleration_has_its_section() {
    assert_eq!(sorted(headed(&Page::read("docs/methods/iteration.md"), "##")), sorted(named("acceleration")));
}

#[test]
fn every_estimator_and_every_controller_has_its_place() {
    let page = Page::read("docs/methods/local-error.md");
    assert_eq!(sorted(headed(&page, "###")), sorted(named("estimator")));
    assert_eq!(sorted(listed(&page, "controller")), sorted(named("controller")));
}

#[test]
fn every_integrator_has_its_row_and_its_section() {
    let page = Page::read("docs/methods/integrators.md");
    let names: Vec<_> = Integration::names().collect();
    assert_eq!(listed(&page, "integrator"), names);
    assert_eq!(sorted(headed(&page, "##")), sorted(names));
}

/// x' = y, y' = -x.
struct Circle;

impl Ode for Circle {
    fn derivatives(&self, _: Time, x: &[f64], dx: &mut [f64]) {
        (dx[0], dx[1]) = (x[1], -x[0]);
    }
}

/// Error after a second with so many internal steps, and evaluations of the right-hand side.
fn error_and_evaluations(integrator: &str, steps: u32) -> (f64, i32) {
    let mut integration = Integration::new(integrator, 1.0 / f64::from(steps));
    let mut x = [1.0, 0.0];
    integration.step(&Circle, &Step { t: 0.0, h: 1.0, tolerance: None }, &mut x).unwrap();
    let (sin, cos) = 1.0_f64.sin_cos();
    ((x[0] - cos).hypot(x[1] + sin), integration.work().n_evaluations)
}

#[test]
fn orders_and_evaluations_of_integrators_with_fixed_steps_are_those_of_the_table() {
    let page = Page::read("docs/methods/integrators.md");
    let rows: Vec<_> = page.rows().filter(|cells| cells.get(2) == Some(&"fixed")).collect();
    assert_eq!(rows.len(), 9);
    for cells in rows {
        let name = cells[0].trim_matches('`');
        let number = |cell: &str| cell.split(';').next().unwrap().parse::<i32>().unwrap();
        let [coarse, fine] = [32, 64].map(|steps| error_and_evaluations(name, steps));
        let order = (coarse.0 / fine.0).log2();
        assert!((order - f64::from(number(cells[1]))).abs() < 0.2, "{name}: {order}");
        assert_eq!(fine.1 - coarse.1, 32 * number(cells[3]), "{name}");
    }
}

#[test]
fn every_page_on_methods_has_symbols_formulas_and_references() {
    let names = markdown_below("docs/methods");
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let page = Page::read(&name);
        assert!(page.rows().any(|cells| cells == ["symbol", "meaning"]), "{name}: no table of symbols");
        assert!(page.blocks().iter().any(|block| block.language == "text"), "{name}: no formula");
        let references = page.text.split("\n## References\n").nth(1).unwrap_or_default();
        assert!(references.contains("doi 10."), "{name}: no references with DOI");
    }
}
