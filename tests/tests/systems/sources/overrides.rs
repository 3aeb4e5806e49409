//! Inputs and parameters that are set at known times.

use lotka::{InputDelivery, Located, Override, StartSetting};
use tests::{
    joined,
    systems::driven::{Integrals, Lag, Panel},
};

use super::*;

type Values<'a> = &'a [(&'a str, StartValue)];

fn entry(at: f64, until: Option<f64>, set: Values<'_>, add: Values<'_>) -> Override {
    let values =
        |values: Values<'_>| values.iter().map(|(name, value)| StartSetting::new((*name).to_owned(), value.clone())).collect();
    Override { at: at.into(), until: until.map(Located::from), set: values(set), add: values(add) }
}

fn real(value: f64) -> StartValue {
    StartValue::Real(value)
}

/// A lag driven by another one, with inputs that are set, biased and released.
fn overridden() -> System {
    let constant = SourceSignal::Constant { value: real(1.0) };
    lag()
        .source("constant", constant)
        .connect("lag.u", "constant.y")
        .scenario(entry(10.0 / 3.0, Some(5.1), &[("lag.u", real(4.0))], &[]))
        .scenario(entry(4.2, Some(7.7), &[], &[("lag.u", real(-2.5))]))
        .scenario(entry(9.0, None, &[("lag.u", real(0.0))], &[]))
}

/// What the lag is told thereby.
const TOLD: [(f64, f64); 11] = [
    (0.0, 1.0),
    (10.0 / 3.0, 1.0),
    (10.0 / 3.0, 4.0),
    (4.2, 4.0),
    (4.2, 1.5),
    (5.1, 1.5),
    (5.1, -1.5),
    (7.7, -1.5),
    (7.7, 1.0),
    (9.0, 1.0),
    (9.0, 0.0),
];

#[test]
fn a_connected_input_is_set_biased_and_released() {
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        for delivery in [InputDelivery::Mean, InputDelivery::Derivatives] {
            let system = overridden().sweep(sweep).input_delivery(delivery);
            let (_, rows) = run(&system.clone().step(0.5));
            assert!(error(&rows, &TOLD) < 1e-13, "{sweep}, {delivery:?}: {:e}", error(&rows, &TOLD));
            let (report, rows) = run(&system.output_interval(2.0).tolerance(1e-6));
            assert!(report.global_error.unwrap().reached && error(&rows, &TOLD) < 1e-6, "{sweep}, {delivery:?}");
        }
    }
    let (_, rows) = run(&overridden().local_tolerance(1e-6));
    assert!(error(&rows, &TOLD) < 1e-6);
}

#[test]
fn rows_show_the_values_before_and_after_and_a_run_can_be_repeated() {
    let mut simulation = overridden().step(5.0).build().unwrap();
    let mut all = [Memory::new(), Memory::new()];
    for rows in &mut all {
        simulation.run(&mut [rows]).unwrap();
    }
    let [first, second] = all;
    assert_eq!(first.time(), [0.0, 10.0 / 3.0, 10.0 / 3.0, 4.2, 4.2, 5.0, 5.1, 5.1, 7.7, 7.7, 9.0, 9.0, 10.0]);
    // z = x + 2 u is read again.
    let (x, z) = (first.real("lag.x").unwrap(), first.real("lag.z").unwrap());
    for (row, u) in [(1, 1.0), (2, 4.0), (3, 4.0), (4, 1.5), (7, -1.5), (9, 1.0), (11, 0.0)] {
        assert!((z[row] - x[row] - 2.0 * u).abs() < 1e-12, "row {row}: {} {}", x[row], z[row]);
    }
    for column in ["lag.x", "lag.z"] {
        assert_eq!(first.real(column), second.real(column));
    }
}

/// Each input has what feeds it, wherever it stands among those of its instance and of the others.
#[test]
fn every_input_of_every_instance_is_set_by_itself() {
    const INPUTS: [&str; 4] = ["a.u", "a.v", "b.u", "b.v"];
    let integrals = joined::<Integrals>();
    let mut system = System::new().instance_of("a", &integrals).instance_of("b", &integrals).stop(1.0).step(0.25);
    for (number, input) in INPUTS.into_iter().enumerate() {
        let signal = SourceSignal::Constant { value: real(1.0 + number as f64) };
        system = system.source(&format!("s{number}"), signal).connect(input, &format!("s{number}.y"));
    }
    for (number, input) in INPUTS.into_iter().enumerate() {
        let (_, rows) = run(&system.clone().scenario(entry(0.5, None, &[(input, real(9.0))], &[])));
        let mut expected = [1.0, 2.0, 3.0, 4.0];
        expected[number] = 0.5 * (expected[number] + 9.0);
        assert_eq!(["a.x", "a.y", "b.x", "b.y"].map(|name| *rows.real(name).unwrap().last().unwrap()), expected, "{input}");
    }
}

/// The order of a loop stays where a connection between instances is cut for a while.
#[test]
fn a_loop_that_is_cut_for_a_while_keeps_its_order() {
    let system = || {
        let system = lag().instance_of("other", &joined::<Lag>()).stop(8.0);
        let system = system.connect_sum("lag.u", &[("other.x", -2.0)]).connect("other.u", "lag.x");
        system.scenario(entry(7.0 / 3.0, Some(17.0 / 3.0), &[("lag.u", real(2.0))], &[("other.u", real(0.5))]))
    };
    let last = |system: &System| *run(system).1.real("lag.x").unwrap().last().unwrap();
    let reference = last(&system().output_interval(1.0).tolerance(1e-10));
    for sweep in ["gauss-seidel", "jacobi", "symmetric"] {
        let errors = [4, 5, 6, 7, 8].map(|k| {
            let system = system().sweep(sweep).step(0.5_f64.powi(k));
            let system = if sweep == "symmetric" { system } else { system.input_degree(1) };
            (last(&system) - reference).abs()
        });
        let order = (errors[0] / errors[4]).log2() / 4.0;
        assert!((order - 2.0).abs() < 0.2, "{sweep}: order {order} of {errors:?}");
    }
}

#[test]
fn parameters_and_inputs_that_nobody_feeds_are_set_and_go_back() {
    let system = System::new().instance_of("panel", &joined::<Panel>()).stop(4.0).start_value("panel.gain", 2.0);
    let system = system
        .scenario(entry(
            -1.0,
            None,
            &[("panel.on", StartValue::Boolean(true)), ("panel.label", StartValue::Text("a".into()))],
            &[],
        ))
        .scenario(entry(1.3, Some(2.6), &[("panel.gain", real(3.0)), ("panel.n", StartValue::Integer(7))], &[]))
        .set_at(3.5, "panel.label", "b")
        .scenario(entry(3.5, None, &[], &[("panel.gain", real(-2.0))]));
    let (_, rows) = run(&system.step(1.0));
    let total = *rows.real("panel.total").unwrap().last().unwrap();
    assert!((total - (2.0 * 1.3 + 3.0 * 1.3 + 2.0 * 0.9)).abs() < 1e-12, "{total}");
    assert_eq!(rows.time(), [0.0, 1.0, 1.3, 1.3, 2.0, 2.6, 2.6, 3.0, 3.5, 3.5, 4.0]);
    let shown = rows.text("panel.shown").unwrap();
    assert_eq!([1, 4, 7, 10].map(|row| shown[row].as_str()), ["a 0", "a 7", "a 0", "b 0"]);
}

#[test]
fn connected_integers_booleans_and_texts_are_set_and_released() {
    let folder = Folder::new();
    let path = folder.write("t.csv", "time,n,on,label\n0,1,false,a\n3.5,2,false,b\n9,0,false,c\n");
    let system = System::new().instance_of("panel", &joined::<Panel>()).stop(4.0).source("t", csv(&path, Interpolation::Linear));
    let system =
        ["n", "on", "label"].iter().fold(system, |system, name| system.connect(&format!("panel.{name}"), &format!("t.{name}")));
    let set = [
        ("panel.n", StartValue::Integer(9)),
        ("panel.on", StartValue::Boolean(true)),
        ("panel.label", StartValue::Text("set".into())),
    ];
    let system = system.scenario(entry(1.5, Some(2.25), &set, &[]));
    for sweep in ["gauss-seidel", "jacobi"] {
        let (_, rows) = run(&system.clone().sweep(sweep).step(1.0));
        assert_eq!(rows.time(), [0.0, 1.0, 1.5, 1.5, 2.0, 2.25, 2.25, 3.0, 3.5, 3.5, 4.0]);
        let shown = rows.text("panel.shown").unwrap();
        assert_eq!([1, 4, 7, 10].map(|row| shown[row].as_str()), ["a 1", "set 9", "a 1", "b 2"], "{sweep}");
        assert_eq!(*rows.real("panel.total").unwrap().last().unwrap(), 0.75);
    }
}

#[test]
fn what_cannot_be_changed_is_refused_with_the_reason() {
    let system = lag().instance_of("panel", &joined::<Panel>()).instance_of("mass", &joined::<models::Mass>());
    let system = system
        .scenario(entry(1.0, Some(1.0), &[("mass.k", real(1.0)), ("lag.x", real(1.0)), ("lag.v", real(1.0))], &[]))
        .scenario(entry(2.0, None, &[("panel.n", real(1.5))], &[("panel.on", StartValue::Boolean(true))]))
        .set_at(3.0, "lag.u", 1)
        .set_at(3.0, "lag.u", 2);
    let told = system.step(1.0).build().map(|_| ()).unwrap_err().to_string();
    for part in [
        "expected `until` after `at` = 1, found 1",
        "`mass.k` cannot be changed during a run: it is a parameter that is not tunable; set it in `start` of its instance",
        "`lag.x` cannot be changed during a run: it is an output; set the inputs that read it",
        "instance `lag` has no variable `v`",
        "the value of `panel.n` has the wrong type: expected Integer",
        "`panel.on` is not a Real variable, so `add` cannot change it; use `set`",
        "`lag.u` is set twice at 3 s",
    ] {
        assert!(told.contains(part), "no `{part}` in\n{told}");
    }
}
