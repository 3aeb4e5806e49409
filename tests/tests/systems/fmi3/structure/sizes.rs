//! Rods of as many nodes as the system says.

use std::{f64::consts::PI, fs};

use lotka::{Memory, System};
use tests::{bits, host_program, packed};

use super::{WAYS, rod, system};
use crate::fmi3::{problems, rows};

/// The solution of the semi-discrete heat equation from half a sine wave:
/// `sin(pi i / (n + 1)) exp(-4 a (n + 1)² sin²(pi / (2 (n + 1))) t)`, which is an eigenvector of the matrix of second differences (LeVeque, Finite Difference Methods for Ordinary and
/// Partial Differential Equations, 2007, section 2.10).
fn exact(nodes: u64, node: u64, t: f64) -> f64 {
    let intervals = (nodes + 1) as f64;
    let rate = 4.0 * 0.1 * intervals.powi(2) * (PI / (2.0 * intervals)).sin().powi(2);
    (PI * node as f64 / intervals).sin() * (-rate * t).exp()
}

#[test]
fn a_rod_has_as_many_nodes_as_the_system_file_says() {
    for nodes in [1, 3, 10, 40] {
        let mut known: Option<Vec<u64>> = None;
        for (way, change) in WAYS {
            let rows = rows(&change(system(nodes)).record(&["rod.n", "rod.T", "rod.der(T)"]));
            assert_eq!(rows.columns().len() as u64, 1 + 2 * nodes, "{way}");
            assert_eq!(rows.integer("rod.n").unwrap(), [i128::from(nodes); 5], "{way}");
            for node in 1..=nodes {
                let found = rows.real(&format!("rod.T[{node}]")).unwrap();
                for (value, t) in found.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]) {
                    let expected = exact(nodes, node, t);
                    assert!((value - expected).abs() < 1e-7, "{way}, {nodes}, T[{node}]({t}): {value} for {expected}");
                }
            }
            assert_eq!(known.get_or_insert_with(|| bits(&rows)), &bits(&rows), "{way}");
        }
    }
}

/// The heat equation itself: `T(x, t) = sin(pi x) exp(-a pi² t)` (Crank, The Mathematics of Diffusion, 1975, section 2.3).
#[test]
fn finer_rods_converge_to_the_heat_equation_with_order_2() {
    let error = |nodes: u64| {
        let rows = rows(&system(nodes));
        let middle = rows.real(&format!("rod.T[{}]", nodes.div_ceil(2))).unwrap()[4];
        (middle - (-0.1 * PI * PI).exp()).abs()
    };
    let errors = [9, 19, 39].map(error);
    assert!(errors[0] < 4e-3, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "{order}: {errors:?}");
    }
}

/// Enough runs for instances that are replaced, tried and reset.
#[test]
fn instances_have_their_sizes_in_every_run() {
    for (way, change) in WAYS {
        let mut simulation = change(system(25)).build().unwrap();
        let mut run = || {
            let mut rows = Memory::new();
            simulation.run(&mut [&mut rows]).unwrap();
            bits(&rows)
        };
        let first = run();
        for number in 2..8 {
            assert_eq!(run(), first, "run {number} {way}");
        }
    }
}

#[test]
fn runs_of_a_tolerance_have_their_sizes_on_every_thread() {
    let of = |threads| rows(&rod_with_tolerance(threads));
    assert_eq!(bits(&of(1)), bits(&of(3)));
}

fn rod_with_tolerance(threads: usize) -> System {
    let system = system(12).instance("other", packed("fmi3/heat_rod")).host_program(host_program());
    system.connect("rod.left", "other.mean").connect("other.right", "rod.T[12]").tolerance(1e-5).threads(threads)
}

#[test]
fn names_of_elements_are_those_of_the_new_sizes() {
    let (_folder, path) = rod(4, "other = 'rod.fmu'\n[connections]\n'rod.left' = 'other.T[10]'\n'other.left' = 'rod.T[4]'\n");
    fs::copy(packed("fmi3/heat_rod"), path.with_file_name("rod.fmu")).unwrap();
    let system = System::from_file(&path).unwrap();
    // Without a library, too.
    assert_eq!(system.analyze().unwrap().graph.order.len(), 2);
    assert!(rows(&system).real("rod.T[4]").is_some());
    let smaller = system.clone().start_value("rod.n", 3);
    for text in [problems(&smaller), smaller.analyze().unwrap_err().to_string()] {
        assert!(text.contains("`rod` has no variable `T[4]`"), "{text}");
    }
    let settings = serde_json::to_value(system.manifest().settings).unwrap();
    assert_eq!(settings["instances"][0]["start"][0], serde_json::json!({ "variable": "n", "value": 4 }));
}

#[test]
fn a_value_that_is_the_own_one_of_the_fmu_needs_no_configuration() {
    let given = system(10);
    let mut without = given.clone();
    without.description_mut().instances[0].start.clear();
    assert_eq!(bits(&rows(&given)), bits(&rows(&without)));
    assert_eq!(bits(&rows(&given.start_value("rod.n", 4).start_value("rod.n", 10))), bits(&rows(&without)));
}
