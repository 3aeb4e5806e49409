//! Start values, inputs and connections of arrays by the new sizes.

use lotka::{SourceSignal, System};
use tests::joined_fmi3;

use super::sums::{Sums, sums};
use crate::fmi3::{problems, rows};

#[test]
fn start_values_of_arrays_are_lists_by_the_new_sizes() {
    let system = sums().start_value("a.rows", 2).start_value("a.columns", 3).start_value("b.columns", 1);
    let nested = [[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]];
    for system in [
        system.clone().start_array("a.u", nested),
        system.clone().start_array("a.u", nested.concat()),
        system.clone().start_value("a.u", "[[1, 2, 3], [10, 20, 30]]"),
    ] {
        let memory = rows(&system.start_value("b.u", 7.0));
        assert_eq!(["a.y[1]", "a.y[2]", "b.y[1]"].map(|name| memory.real(name).unwrap()[2]), [6.0, 60.0, 7.0]);
    }
    let text = problems(&system.clone().start_array("a.u", [[1.0, 2.0], [3.0, 4.0]]));
    assert!(text.contains("the start value of `a.u` has the wrong size: expected 2 × 3 values, found 2 × 2"), "{text}");
    let text = problems(&system.clone().start_array("a.u", [1.0, 2.0]));
    assert!(text.contains("expected 2 × 3 values, found 2; write a list of 2 × 3 values"), "{text}");
    let text = problems(&system.start_array("a.u[1,1]", [1.0]));
    assert!(text.contains("the start value of `a.u[1,1]` has the wrong type: expected Real, found [1]"), "{text}");
}

/// The declared size is 2: more inputs than that are polynomials, too.
#[test]
fn inputs_of_any_size_are_polynomials_during_a_step() {
    let ramp = SourceSignal::Ramp { time: 0.0, duration: 2.0, from: 0.0, to: 6.0 };
    let system = System::new().instance_of("a", &joined_fmi3::<Sums>()).start_value("a.rows", 3).start_value("a.columns", 2);
    let system = system.source("ramp", ramp).connect("a.u[3,2]", "ramp.y").stop(2.0).step(0.5).input_degree(1);
    let rows = rows(&system);
    for (y, expected) in rows.real("a.y[3]").unwrap().iter().zip([0.0, 1.5, 3.0, 4.5, 6.0]) {
        assert!((y - expected).abs() < 1e-12, "{y} for {expected}");
    }
}

#[test]
fn an_array_of_size_0_vanishes() {
    let empty = sums().start_value("a.rows", 0);
    let memory = rows(&empty.clone().record(&["*.*"]));
    assert!(memory.columns().iter().all(|column| !column.name.starts_with("a.y") && !column.name.starts_with("a.u")));
    let text = problems(&empty.clone().connect("b.u[1,1]", "a.y[1]"));
    assert!(text.contains("instance `a` has no variable `y[1]`"), "{text}");
    let text = problems(&empty.clone().start_value("b.rows", 0).start_value("b.columns", 1).connect("b.u", "a.u"));
    assert!(text.contains("differ"), "{text}");
    let joined = empty.start_value("b.rows", 0).connect("b.u", "a.u");
    let text = problems(&joined);
    assert!(text.contains("`a.u` and `b.u` have no elements: a structural parameter is 0; remove the connection"), "{text}");
    let ignored = sums().start_value("a.rows", 0).start_value("a.u", 1.0).build().unwrap();
    let warnings: Vec<_> = ignored.warnings().iter().map(|warning| warning.text.as_str()).collect();
    assert!(warnings.iter().any(|text| text.contains("`a.u` has no elements")), "{warnings:?}");
}
