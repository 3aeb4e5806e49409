//! Units, types, log categories and the default experiment.

use fmi3::ModelDescription;
use fmi3::description::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::variables::{clock, float, integer};
use super::{annotations, real, single, some_text, text};

prop_compose! {
    pub(super) fn definitions()(
        units in vec(unit(), 0..3),
        types in vec(type_definition(), 0..4),
        log_categories in vec((text(), some_text(), annotations()), 0..3),
        default_experiment in of(experiment()),
        experiment_annotations in annotations(),
    ) -> ModelDescription {
        let category = |(name, description, annotations)| LogCategory { name, description, annotations };
        let default_experiment_annotations = if default_experiment.is_some() { experiment_annotations } else { Vec::new() };
        ModelDescription {
            units,
            types,
            log_categories: log_categories.into_iter().map(category).collect(),
            default_experiment,
            default_experiment_annotations,
            ..ModelDescription::default()
        }
    }
}

prop_compose! {
    fn unit()(
        name in text(),
        exponents in of(vec(any::<Option<i32>>(), 8)),
        numbers in vec(of(real()), 2),
        display_units in vec(display_unit(), 0..3),
        annotations in annotations(),
    ) -> Unit {
        let base_unit = exponents.map(|e| BaseUnit {
            kg: e[0], m: e[1], s: e[2], a: e[3], k: e[4], mol: e[5], cd: e[6], rad: e[7], factor: numbers[0], offset: numbers[1],
        });
        Unit { name, base_unit, display_units, annotations }
    }
}

prop_compose! {
    fn display_unit()(
        name in text(),
        numbers in vec(of(real()), 2),
        inverse in any::<Option<bool>>(),
        annotations in annotations(),
    ) -> DisplayUnit {
        DisplayUnit { name, factor: numbers[0], offset: numbers[1], inverse, annotations }
    }
}

prop_compose! {
    fn type_definition()(
        name in text(),
        description in some_text(),
        kind in type_kind(),
        annotations in annotations(),
    ) -> TypeDefinition {
        TypeDefinition { name, description, kind, annotations }
    }
}

fn float_type(v: FloatVariable, is_single: bool) -> TypeKind {
    TypeKind::Float {
        is_single,
        quantity: v.quantity,
        unit: v.unit,
        display_unit: v.display_unit,
        relative_quantity: v.relative_quantity,
        unbounded: v.unbounded,
        min: v.min,
        max: v.max,
        nominal: v.nominal,
    }
}

fn type_kind() -> impl Strategy<Value = TypeKind> {
    let item = (text(), any::<i64>(), some_text(), annotations())
        .prop_map(|(name, value, description, annotations)| EnumerationItem { name, value, description, annotations });
    prop_oneof![
        float(1, real().boxed()).prop_map(|v| float_type(v, false)),
        float(1, single().boxed()).prop_map(|v| float_type(v, true)),
        integer().prop_map(|(of, v)| TypeKind::Integer { of, quantity: v.quantity, min: v.min, max: v.max }),
        Just(TypeKind::Boolean {}),
        Just(TypeKind::String {}),
        (some_text(), any::<Option<u64>>()).prop_map(|(mime_type, max_size)| TypeKind::Binary { mime_type, max_size }),
        (some_text(), any::<[Option<i64>; 2]>(), vec(item, 1..4))
            .prop_map(|(quantity, [min, max], items)| TypeKind::Enumeration { quantity, min, max, items }),
        clock().prop_map(|clock| TypeKind::Clock { clock }),
    ]
}

prop_compose! {
    fn experiment()(
        start_time in of(-1e3..1e3),
        length in of(1e-3..1e3),
        tolerance in of(1e-12..1.0),
        fraction in of(1e-6..0.9),
    ) -> DefaultExperiment {
        let start = start_time.unwrap_or(0.0);
        DefaultExperiment {
            start_time,
            stop_time: length.map(|length| start + length),
            tolerance,
            step_size: fraction.map(|fraction| fraction * length.unwrap_or(1.0)),
        }
    }
}
