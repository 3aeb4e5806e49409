//! Systems that are written as a system file read back the same, whatever their names and values are.

#![allow(clippy::unwrap_used, reason = "a test that fails says where")]

use std::{fs, path::PathBuf};

use lotka_system::{
    Connection, InstanceSettings, StartSetting, StartValue, Summand, SystemDescription, UnitSettings, read, to_toml,
};
use proptest::{collection::vec, option::of, prelude::*, sample::select};

/// Any text, often with what TOML must escape.
fn text() -> impl Strategy<Value = String> {
    let letter =
        prop_oneof![select(vec!['"', '\'', '\\', '\n', '\r', '\t', ' ', '.', '[', '=', '#', '\0', '\u{7f}']), any::<char>()];
    vec(letter, 0..6).prop_map(|letters| letters.into_iter().collect())
}

/// Names that differ by their beginning.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    vec(text(), count).prop_map(|texts| texts.iter().enumerate().map(|(index, text)| format!("{index}{text}")).collect())
}

/// Any double that a file can name; one in four is at an edge.
fn real() -> impl Strategy<Value = f64> {
    let edges = [0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, f64::MAX, 1e16, 1e22, 0.1 + 0.2];
    prop_oneof![3 => any::<f64>().prop_filter("finite", |value| value.is_finite()), 1 => select(edges.to_vec())]
}

fn start_value() -> impl Strategy<Value = StartValue> {
    prop_oneof![
        real().prop_map(StartValue::Real),
        any::<i64>().prop_map(StartValue::Integer),
        any::<bool>().prop_map(StartValue::Boolean),
        text().prop_map(StartValue::Text),
    ]
}

prop_compose! {
    fn instance()(
        starts in (0..4_usize).prop_flat_map(|count| (names(count), vec(start_value(), count))),
        pass_stop_time in any::<bool>(),
    ) -> InstanceSettings {
        let mut instance = InstanceSettings::new(String::new().into(), PathBuf::from("a.fmu").into());
        instance.start = starts.0.into_iter().zip(starts.1).map(|(name, value)| StartSetting::new(name, value)).collect();
        instance.pass_stop_time = pass_stop_time;
        instance
    }
}

prop_compose! {
    fn summand()(from in text(), factor in real(), offset in real(), convert in any::<bool>(), units in (of(text()), of(text()))) -> Summand {
        let mut summand = Summand::new(from);
        (summand.factor, summand.offset, summand.convert_units) = (factor, offset, convert);
        (summand.from_unit, summand.to_unit) = (units.0.map(Into::into), units.1.map(Into::into));
        summand
    }
}

prop_compose! {
    fn system()(
        instances in (1..4_usize).prop_flat_map(|count| (names(count), vec(instance(), count))),
        connections in (0..4_usize).prop_flat_map(|count| (names(count), vec(vec(summand(), 1..3), count))),
        units in (0..3_usize).prop_flat_map(|count| (names(count), vec((real().prop_filter("a factor", |factor| *factor != 0.0), real()), count))),
        times in (real(), real()),
    ) -> SystemDescription {
        let mut system = SystemDescription::default();
        (system.experiment.start, system.experiment.stop) = (Some(times.0.into()), Some(times.1.into()));
        system.instances = instances.0.into_iter().zip(instances.1)
            .map(|(name, instance)| InstanceSettings { name: name.into(), ..instance }).collect();
        system.connections = connections.0.into_iter().zip(connections.1)
            .map(|(input, sources)| Connection { input: input.into(), sources }).collect();
        system.units = units.0.into_iter().zip(units.1)
            .map(|(name, (factor, offset))| UnitSettings { name: name.into(), exponents: [1, 0, -2, 0, 0, 0, 0, 0], factor, offset })
            .collect();
        system
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(system in system()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("system.toml");
        let text = to_toml(&system);
        fs::write(&path, &text).unwrap();
        let again = read(&path).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert!(again.findings.is_empty(), "{}\n{text}", again.findings.problems(None));
        prop_assert_eq!(&to_toml(&again.description), &text);
        // As values of JSON, which have no places.
        let values = |system: &SystemDescription| {
            let mut system = system.clone();
            system.file = None;
            serde_json::to_value(&system).unwrap()
        };
        prop_assert_eq!(values(&again.description), values(&system));
    }
}
