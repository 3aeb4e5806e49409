//! What travels over connections: sums, factors and offsets, all types, and what is read as another type.

use lotka::{Connection, StartValue, Summand, System};
use tests::joined;

use super::{
    column, last,
    models::{Assorted, Gain, Ladder},
    problems, run,
};

/// Two instances with variables of all types, for three steps; `b` comes after `a`.
fn assorted() -> System {
    let fmu = joined::<Assorted>();
    System::new().instance_of("a", &fmu).instance_of("b", &fmu).stop(3.0).step(1.0)
}

#[test]
fn outputs_are_summed_with_factors_and_offset() {
    let fmu = joined::<Gain>();
    let mut system = System::new()
        .instance_of("a", &fmu)
        .instance_of("b", &fmu)
        .instance_of("sum", &fmu)
        .connect_sum("sum.u", &[("a.y", 2.0), ("b.y", -0.5)])
        .start_value("a.d", 3)
        .start_value("b.d", 8)
        .stop(1.0)
        .step(1.0);
    assert_eq!(column(&run(&system).1, "sum.y"), [2.0, 2.0]);
    let sources = &mut system.description_mut().connections[0].sources;
    (sources[0].offset, sources[1].offset) = (100.0, 0.25);
    assert_eq!(column(&run(&system).1, "sum.y"), [102.25, 102.25]);
}

#[test]
fn one_output_feeds_many_and_an_instance_may_feed_itself() {
    let fmu = joined::<Assorted>();
    let system = System::new()
        .instance_of("a", &fmu)
        .instance_of("b", &fmu)
        .connect("a.n", "a.count")
        .connect("b.n", "a.count")
        .start_value("a.count", 1)
        .stop(3.0)
        .step(1.0);
    let refused = problems(&system);
    assert!(refused.contains("the start value of `a.count` cannot be set: it is a calculated output"), "{refused}");
    let mut system = system;
    system.description_mut().start_values.clear();
    let (_, results) = run(&system.connect("a.u", "a.total").start_value("a.u", 1));
    assert_eq!(column(&results, "a.count"), [0.0; 4], "the input of `a` is its own output, at the start, too");
    assert_eq!(column(&results, "b.count"), [0.0; 4]);
}

#[test]
fn integers_booleans_and_strings_are_handed_on_in_the_same_step() {
    let system = assorted().connect("b.n", "a.count").connect("b.on", "a.odd").connect("b.label", "a.text");
    let (_, results) = run(&system);
    assert_eq!(column(&results, "a.count"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(column(&results, "b.count"), [0.0, 1.0, 3.0, 6.0]);
    assert_eq!(column(&results, "a.odd"), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(column(&results, "b.total"), [0.0, 1.0, 1.0, 2.0]);
    assert_eq!(results.text("b.text").unwrap(), ["none", "start 1 1", "start 2 3", "start 3 6"]);
}

#[test]
fn a_jacobi_sweep_hands_them_on_one_step_later() {
    let system = assorted().sweep("jacobi").connect("b.n", "a.count").connect("b.on", "a.odd").connect("b.label", "a.text");
    let (_, results) = run(&system);
    assert_eq!(column(&results, "b.count"), [0.0, 0.0, 1.0, 3.0]);
    assert_eq!(column(&results, "b.total"), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(results.text("b.text").unwrap(), ["none", "none 0", "start 1 1", "start 2 3"]);
}

#[test]
fn iteration_rolls_all_types_back() {
    let system = assorted().connect("b.n", "a.count").connect("b.label", "a.text").connect("b.u", "a.total");
    let mut system = system.connect_sum("a.u", &[("b.total", 0.25)]).iterations(200, None);
    system.description_mut().connections[3].sources[0].offset = 1.0;
    let (report, results) = run(&system);
    assert!(report.counters.n_rollbacks > 3, "{:?}", report.counters);
    assert_eq!(column(&results, "a.count"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(column(&results, "b.count"), [0.0, 1.0, 3.0, 6.0]);
    assert_eq!(results.text("b.text").unwrap().last().unwrap(), "start 3 6");
}

#[test]
fn booleans_and_integers_feed_real_inputs_with_a_warning() {
    let mut system = assorted();
    system.description_mut().connections.push(Connection {
        input: "b.u".to_owned().into(),
        sources: vec![
            Summand { factor: 10.0, offset: 0.5, ..Summand::new("a.odd".to_owned()) },
            Summand::new("a.count".to_owned()),
        ],
    });
    let simulation = system.build().unwrap();
    let warnings: Vec<_> = simulation.warnings().iter().map(|warning| warning.text.as_str()).collect();
    assert_eq!(
        warnings,
        ["`a.odd` to `b.u`: a Boolean is converted to a Real", "`a.count` to `b.u`: an Integer is converted to a Real"]
    );
    assert_eq!(column(&run(&system).1, "b.total"), [0.0, 11.5, 14.0, 27.5]);
}

#[test]
fn a_boolean_feeds_an_integer_with_a_warning() {
    let (report, results) = run(&assorted().connect("b.n", "a.odd"));
    assert_eq!(column(&results, "b.count"), [0.0, 1.0, 1.0, 2.0]);
    assert_eq!(report.warnings.len(), 1, "{:?}", report.warnings);
}

#[test]
fn what_is_no_real_is_neither_scaled_nor_summed() {
    let summed = problems(&assorted().connect_sum("b.n", &[("a.count", 1.0), ("a.odd", 1.0)]));
    assert!(summed.contains("`b.n` is not a Real variable, so several outputs cannot be summed into it"), "{summed}");
    let scaled = problems(&assorted().connect_sum("b.n", &[("a.count", 2.0)]));
    assert!(scaled.contains("`factor` and `offset` need a Real input"), "{scaled}");
}

#[test]
fn rows_hold_what_nobody_is_connected_to() {
    let (_, results) = run(&assorted());
    assert_eq!(results.text("a.text").unwrap(), ["none", "start 1", "start 2", "start 3"]);
    assert_eq!(last(&results, "b.count"), 3.0);
}

#[test]
fn a_loop_of_integers_is_iterated_until_they_agree() {
    let fmu = joined::<Ladder>();
    for sweep in ["jacobi", "gauss-seidel"] {
        let system = System::new().instance_of("a", &fmu).instance_of("b", &fmu).connect("a.n", "b.m").connect("b.n", "a.m");
        let (report, results) = run(&system.sweep(sweep).iterations(10, None).stop(1.0).step(1.0));
        assert_eq!([last(&results, "a.m"), last(&results, "b.m")], [3.0, 3.0], "{sweep}");
        assert!(report.counters.n_iterations > 2, "{sweep}");
    }
}

#[test]
fn a_loop_of_integers_that_keep_changing_says_so() {
    let fmu = joined::<Ladder>();
    let system = System::new().instance_of("a", &fmu).instance_of("b", &fmu).connect("a.n", "b.m").connect("b.n", "a.m");
    let system = system.sweep("jacobi").iterations(2, None).stop(1.0).step(1.0);
    let sentence = system.build().unwrap().run(&mut []).unwrap_err().error.to_string();
    let expected = "did not converge within 2 iterations at t = 0 s with h = 1 s: integers, booleans or strings keep changing; use a smaller `step`;";
    assert!(sentence.contains(expected), "{sentence}");
}

/// A source whose values are replaced on their way.
fn mapped(from: &str, map: &[(&str, StartValue)]) -> Summand {
    let entry = |(key, value): &(&str, StartValue)| (StartValue::Unparsed((*key).to_owned()).into(), value.clone().into());
    Summand { map: map.iter().map(entry).collect(), ..Summand::new(from.to_owned()) }
}

fn connect(system: System, input: &str, source: Summand) -> System {
    let mut system = system;
    system.description_mut().connections.push(Connection { input: input.to_owned().into(), sources: vec![source] });
    system
}

#[test]
fn values_that_a_map_names_are_replaced_and_others_stay() {
    let system = connect(assorted(), "b.n", mapped("a.count", &[("1", StartValue::Integer(10)), ("2", StartValue::Integer(-4))]));
    let system =
        connect(system, "b.on", mapped("a.odd", &[("true", StartValue::Boolean(false)), ("false", StartValue::Boolean(true))]));
    let (_, results) = run(&system);
    assert_eq!(column(&results, "a.count"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(column(&results, "b.count"), [0.0, 10.0, 6.0, 9.0], "1 is 10, 2 is -4, 3 stays");
    assert_eq!(column(&results, "b.total"), [0.0, 0.0, 1.0, 1.0], "on while the count of `a` is even");
    let jacobi = run(&system.sweep("jacobi")).1;
    assert_eq!(column(&jacobi, "b.count"), [0.0, 0.0, 10.0, 6.0], "one step later");
}

#[test]
fn the_same_output_is_mapped_for_one_input_and_not_for_another() {
    let to_real = mapped("a.count", &[("2", StartValue::Integer(100))]);
    let system = connect(connect(assorted(), "b.u", to_real), "b.n", Summand::new("a.count".to_owned()));
    let (_, results) = run(&system);
    assert_eq!(column(&results, "b.total"), [0.0, 1.0, 101.0, 104.0]);
    assert_eq!(column(&results, "b.count"), [0.0, 1.0, 3.0, 6.0]);
}

#[test]
fn maps_are_checked_against_the_types_of_both_ends() {
    let wrong =
        mapped("a.count", &[("one", StartValue::Integer(1)), ("2", StartValue::Boolean(true)), ("3", StartValue::Integer(1))]);
    let refused = problems(&connect(assorted(), "b.n", wrong));
    for part in ["`one` is not a value of `count`, which has type Integer", "true is not a value of `n`, which has type Integer"]
    {
        assert!(refused.contains(part), "{refused}");
    }
    let twice = mapped("a.count", &[("1", StartValue::Integer(1)), ("1", StartValue::Integer(2))]);
    let refused = problems(&connect(assorted(), "b.n", twice));
    assert!(refused.contains("`a.count` maps the value `1` twice"), "{refused}");
    let real = mapped("a.total", &[("1", StartValue::Integer(1))]);
    let refused = problems(&connect(assorted(), "b.u", real));
    assert!(refused.contains("`a.total` to `b.u`: `map` does not support a Real"), "{refused}");
}
