//! Values are converted to the unit of the input; units of different dimensions are refused.

use fmi2::description::{BaseUnit, Unit, VariableKind};
use fmu::Fmu;
use lotka::{StartSetting, StartValue, System, UnitConversion, UnitSettings};

use super::{last, models::Gain, problems, run};

/// A gain whose input and output have these units.
fn gain(input: &str, output: &str) -> Fmu {
    gain_of((input, None), (output, None))
}

/// The same with what is said of being relative.
fn gain_of((input, input_is_relative): (&str, Option<bool>), (output, output_is_relative): (&str, Option<bool>)) -> Fmu {
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
    for (name, unit, is_relative) in [("u", input, input_is_relative), ("y", output, output_is_relative)] {
        let variable = description.variables.iter_mut().find(|variable| variable.name == name).unwrap();
        let VariableKind::Real(real) = &mut variable.kind else { panic!("{name} is no Real") };
        real.unit = Some(unit.to_owned());
        real.relative_quantity = is_relative;
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
fn differences_are_converted_without_an_offset() {
    let (relative, absolute) = (Some(true), Some(false));
    for (source, target, expected) in [
        (("degC", relative), ("K", relative), 20.0),
        (("degC", relative), ("degF", relative), 36.0),
        (("degF", relative), ("degC", relative), 20.0 / 1.8),
        // A difference that is taken as a temperature is one.
        (("degC", relative), ("K", None), 293.15),
        (("degC", None), ("K", relative), 293.15),
        (("degC", absolute), ("K", absolute), 293.15),
        (("km", relative), ("m", relative), 20_000.0),
    ] {
        let system = System::new()
            .instance_of("source", &gain_of(("K", None), source))
            .instance_of("target", &gain_of(target, ("K", None)))
            .connect("target.u", "source.y")
            .start_value("source.d", 20);
        assert_near(last(&run(&system.stop(1.0).step(1.0)).1, "target.y"), expected);
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
    let other = lotka::Summand { factor: 2.0, ..lotka::Summand::new("other.y".to_owned()) };
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

#[test]
fn a_name_that_says_nothing_is_warned_of_where_the_other_side_has_another() {
    let warnings =
        |system: System| system.build().unwrap().warnings().iter().map(|warning| warning.text.clone()).collect::<Vec<_>>();
    let expected = "`source.y` to `target.u`: the FMU does not define `sheep`; Lotka treats values in `sheep` as `km`; define \
                    it in [units], or set convert-units = false";
    assert_eq!(warnings(pair("sheep", "km")), [expected]);
    assert_eq!(warnings(pair("sheep", "sheep")), [""; 0]);
}

/// A unit of the system file.
fn defined(name: &str, exponents: [i32; 8], factor: f64, offset: f64) -> UnitSettings {
    UnitSettings { name: name.to_owned().into(), exponents, factor, offset }
}

const KELVIN: [i32; 8] = [0, 0, 0, 0, 1, 0, 0, 0];
const METER: [i32; 8] = [0, 1, 0, 0, 0, 0, 0, 0];

#[test]
fn a_system_defines_units_that_fmus_do_not() {
    let mut system = pair("mile", "km");
    system.description_mut().units.push(defined("mile", METER, 1609.344, 0.0));
    assert_near(last(&run(&system).1, "target.y"), 32.18688);
    let mut system = pair("mile", "K");
    system.description_mut().units.push(defined("mile", METER, 1609.344, 0.0));
    let refused = problems(&system);
    assert!(refused.contains("the units of `source.y` and `target.u` differ: `mile` does not convert to `K`"), "{refused}");
}

#[test]
fn factor_and_offset_act_in_the_units_that_a_connection_names() {
    // 20 degC = 68 degF; 0.5 * 68 + 2 = 36, taken as degC = 309.15 K.
    let mut system = pair("degC", "K");
    let description = system.description_mut();
    description.units.push(defined("F", KELVIN, 5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0));
    let source = &mut description.connections[0].sources[0];
    (source.factor, source.offset) = (0.5, 2.0);
    (source.from_unit, source.to_unit) = (Some("F".to_owned().into()), Some("degC".to_owned().into()));
    assert_near(last(&run(&system).1, "target.y"), 309.15);
}

#[test]
fn what_acts_in_units_of_its_own_becomes_numbers_in_ssp() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = |name, input, output| tests::archive_of(gain(input, output).description().as_fmi2().unwrap(), folder.path(), name);
    let system = System::new().instance("source", fmu("source", "K", "degC")).instance("target", fmu("target", "K", "degC"));
    let mut system = system.connect("target.u", "source.y").stop(1.0).step(1.0);
    system.description_mut().units.push(defined("F", KELVIN, 5.0 / 9.0, 273.15 - 32.0 * 5.0 / 9.0));
    let source = &mut system.description_mut().connections[0].sources[0];
    (source.factor, source.offset) = (0.5, 2.0);
    (source.from_unit, source.to_unit) = (Some("F".to_owned().into()), Some("degC".to_owned().into()));
    let path = folder.path().join("system.ssd");
    assert_eq!(system.save(&path).unwrap(), []);
    let read = System::from_file(&path).unwrap();
    let source = &read.description().connections[0].sources[0];
    // y degC = 1.8 y + 32 degF, half of it and 2 more, taken as degC, in K.
    assert_near(source.factor, 0.9);
    assert_near(source.offset, 291.15);
    assert!(!source.convert_units);
}

#[test]
fn units_are_left_alone_where_a_connection_says_so() {
    let mut system = pair("degC", "km");
    system.description_mut().connections[0].sources[0].convert_units = false;
    assert_eq!(last(&run(&system).1, "target.y"), 20.0);
}

#[test]
fn start_values_are_converted_to_the_unit_of_their_variable() {
    let fmu = gain("degC", "K");
    let start = |unit: &str| StartSetting {
        unit: Some(unit.to_owned().into()),
        ..StartSetting::new("u".to_owned(), StartValue::Real(293.15))
    };
    let system = |unit: &str| {
        let mut system = System::new().instance_of("g", &fmu).stop(1.0).step(1.0);
        system.description_mut().instances[0].start.push(start(unit));
        system
    };
    assert_near(last(&run(&system("K")).1, "g.y"), 293.15 - 273.15);
    let refused = problems(&system("Kelvin"));
    assert!(refused.contains("the unit `Kelvin` is not defined; available: `degC`, `K`"), "{refused}");
    let mut lengths = system("m");
    lengths.description_mut().units.push(defined("m", METER, 1.0, 0.0));
    let refused = problems(&lengths);
    assert!(refused.contains("the unit of the start value of `u` is incompatible: `m` does not convert to `degC`"), "{refused}");
}

#[test]
fn what_is_converted_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = |name, input, output| tests::archive_of(gain(input, output).description().as_fmi2().unwrap(), folder.path(), name);
    let system = System::new().instance("source", fmu("source", "K", "degC")).instance("target", fmu("target", "degF", "K"));
    let system = system.connect("target.u", "source.y").stop(1.0).step(1.0);
    let conversions = system.analyze().unwrap().conversions;
    let [UnitConversion { input, output, from, to, factor, offset, .. }] = &conversions[..] else { panic!("{conversions:?}") };
    assert_eq!([input, output, from, to], ["target.u", "source.y", "degC", "degF"]);
    assert_near(*factor, 1.8);
    assert_near(*offset, 32.0);
}
