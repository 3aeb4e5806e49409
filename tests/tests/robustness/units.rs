//! Values are converted to the unit of the input; units of different dimensions are refused.

use fmi2::description::{BaseUnit, Unit, VariableKind};
use fmu::Fmu;
use lotka::System;

use super::{last, models::Gain, problems, run};

/// A gain whose input and output have these units.
fn gain(input: &str, output: &str) -> Fmu {
    let mut description = fmu_sdk::description::<Gain>();
    let of = |name: &str| {
        let base = |kelvin, meter, factor, offset| BaseUnit {
            k: Some(kelvin),
            m: Some(meter),
            factor: Some(factor),
            offset: Some(offset),
            ..BaseUnit::default()
        };
        let base_unit = match name {
            "K" => Some(base(1, 0, 1.0, 0.0)),
            "degC" => Some(base(1, 0, 1.0, 273.15)),
            "degF" => Some(base(1, 0, 5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0)),
            "m" => Some(base(0, 1, 1.0, 0.0)),
            "km" => Some(base(0, 1, 1000.0, 0.0)),
            _ => None,
        };
        Unit { name: name.to_owned(), base_unit, display_units: Vec::new() }
    };
    description.units = if input == output { vec![of(input)] } else { vec![of(input), of(output)] };
    for (name, unit) in [("u", input), ("y", output)] {
        let variable = description.variables.iter_mut().find(|variable| variable.name == name).unwrap();
        let VariableKind::Real(real) = &mut variable.kind else { panic!("{name} is no Real") };
        real.unit = Some(unit.to_owned());
    }
    Fmu::from_functions(description, fmu_sdk::functions::<Gain>())
}

/// A source of 20 in one unit that feeds an input in another one.
fn pair(source: &str, target: &str) -> System {
    System::new()
        .instance_of("source", &gain("K", source))
        .instance_of("target", &gain(target, "K"))
        .connect("target.u", "source.y")
        .start_value("source.d", 20)
        .stop(1.0)
        .step(1.0)
}

fn assert_near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 1e-14, "{value} is not {expected}");
}

#[test]
fn values_are_converted_to_the_unit_of_the_input() {
    for (source, target, expected) in [
        ("degC", "K", 293.15),
        ("degC", "degF", 68.0),
        ("K", "degC", -253.15),
        ("km", "m", 20_000.0),
        ("m", "km", 0.02),
        ("m", "m", 20.0),
    ] {
        assert_near(last(&run(&pair(source, target)).1, "target.y"), expected);
    }
}

#[test]
fn factor_and_offset_are_in_the_unit_of_the_input() {
    let mut system = pair("degC", "degF");
    let source = &mut system.description_mut().connections[0].sources[0];
    (source.factor, source.offset) = (0.5, 3.0);
    assert_near(last(&run(&system).1, "target.y"), 37.0);
}

#[test]
fn each_summand_is_converted_on_its_own() {
    let mut system = pair("km", "m").instance_of("other", &gain("K", "m")).start_value("other.d", 7);
    let other = lotka::Source { from: "other.y".to_owned().into(), factor: 2.0, offset: 0.0, degree: None };
    system.description_mut().connections[0].sources.push(other);
    assert_near(last(&run(&system).1, "target.y"), 20_014.0);
}

#[test]
fn unequal_dimensions_are_refused_with_both_units() {
    let refused = problems(&pair("degC", "km"));
    assert!(refused.contains("the units of `source.y` and `target.u` differ: `degC` does not convert to `km`"), "{refused}");
}

#[test]
fn a_unit_that_says_nothing_about_itself_fits_everything() {
    assert_eq!(last(&run(&pair("sheep", "km")).1, "target.y"), 20.0);
}
