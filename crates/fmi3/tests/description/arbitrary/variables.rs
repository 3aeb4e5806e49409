//! Variables and the structure of the model.

use fmi3::description::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::{annotations, real, reference, single, some_text, text};

fn some_reference(count: usize) -> impl Strategy<Value = u32> {
    (0..count).prop_map(reference)
}

prop_compose! {
    pub(super) fn variable(count: usize)(
        texts in (text(), some_text()),
        declared_causality in of(select(vec![
            Causality::Parameter, Causality::CalculatedParameter, Causality::Input, Causality::Output, Causality::Local,
            Causality::Independent, Causality::StructuralParameter,
        ])),
        declared_variability in of(select(vec![
            Variability::Constant, Variability::Fixed, Variability::Tunable, Variability::Discrete, Variability::Continuous,
        ])),
        declared_initial in of(select(vec![Initial::Exact, Initial::Approx, Initial::Calculated])),
        flags in any::<[Option<bool>; 2]>(),
        clocks in of(vec(some_reference(count), 0..3)),
        previous in of(some_reference(count)),
        dimensions in vec((1..4_u64).prop_map(Dimension::Fixed), 0..3),
        kind in variable_kind(count),
        aliases in vec((text(), some_text(), some_text()), 0..3),
        annotations in annotations(),
    ) -> Variable {
        let is_float = matches!(kind, VariableKind::Float64(_) | VariableKind::Float32(_));
        let alias = |(name, description, unit): (_, _, Option<String>)| {
            Alias { name, description, display_unit: unit.filter(|_| is_float) }
        };
        let n_elements = dimensions.iter().map(|dimension| match dimension { Dimension::Fixed(size) => *size, Dimension::Variable(_) => 1 });
        Variable {
            name: texts.0,
            value_reference: 0,
            description: texts.1,
            declared_causality,
            declared_variability,
            can_handle_multiple_set_per_time_instant: flags[0],
            clocks,
            intermediate_update: flags[1],
            previous,
            declared_initial,
            kind: with_starts(kind, usize::try_from(n_elements.product::<u64>()).unwrap()),
            dimensions,
            aliases: aliases.into_iter().map(alias).collect(),
            annotations,
        }
    }
}

/// Repeats the first start value for all elements, if there are several.
fn with_starts(mut kind: VariableKind, length: usize) -> VariableKind {
    fn fit<T: Clone>(start: &mut Vec<T>, length: usize) {
        if start.len() > 1 {
            *start = start.iter().cycle().take(length).cloned().collect();
        }
    }
    match &mut kind {
        VariableKind::Float64(v) | VariableKind::Float32(v) => v.start.iter_mut().for_each(|start| fit(start, length)),
        VariableKind::Integer(_, v) => v.start.iter_mut().for_each(|start| fit(start, length)),
        VariableKind::Boolean(v) => v.start.iter_mut().for_each(|start| fit(start, length)),
        VariableKind::Enumeration(v) => v.start.iter_mut().for_each(|start| fit(start, length)),
        VariableKind::String(v) => fit(&mut v.start, length),
        VariableKind::Binary(v) => fit(&mut v.start, length),
        VariableKind::Clock(_) => {}
    }
    kind
}

fn variable_kind(count: usize) -> impl Strategy<Value = VariableKind> {
    prop_oneof![
        float(count, real().boxed()).prop_map(VariableKind::Float64),
        float(count, single().boxed()).prop_map(VariableKind::Float32),
        integer().prop_map(|(of, v)| VariableKind::Integer(of, v)),
        (some_text(), of(vec(any::<bool>(), 1..4)))
            .prop_map(|(declared_type, start)| VariableKind::Boolean(BooleanVariable { declared_type, start })),
        (some_text(), vec(text(), 0..4))
            .prop_map(|(declared_type, start)| VariableKind::String(StringVariable { declared_type, start })),
        (some_text(), some_text(), any::<Option<u64>>(), vec(vec(any::<u8>(), 0..4), 0..4)).prop_map(
            |(declared_type, mime_type, max_size, start)| {
                VariableKind::Binary(BinaryVariable { declared_type, mime_type, max_size, start })
            }
        ),
        (text(), some_text(), any::<[Option<i64>; 2]>(), of(vec(any::<i64>(), 1..4))).prop_map(
            |(declared_type, quantity, [min, max], start)| {
                VariableKind::Enumeration(EnumerationVariable { declared_type, quantity, min, max, start })
            }
        ),
        (some_text(), clock()).prop_map(|(declared_type, clock)| VariableKind::Clock(ClockVariable { declared_type, clock })),
    ]
}

prop_compose! {
    pub(super) fn float(count: usize, number: BoxedStrategy<f64>)(
        texts in vec(some_text(), 4),
        flags in vec(any::<Option<bool>>(), 3),
        numbers in vec(of(number.clone()), 3),
        start in of(vec(number.clone(), 1..4)),
        derivative in of(some_reference(count)),
    ) -> FloatVariable {
        let [declared_type, quantity, unit, display_unit] = texts.try_into().unwrap();
        FloatVariable {
            declared_type,
            quantity,
            unit,
            display_unit,
            relative_quantity: flags[0],
            unbounded: flags[1],
            min: numbers[0],
            max: numbers[1],
            nominal: numbers[2],
            start,
            derivative,
            reinit: flags[2],
        }
    }
}

pub(super) fn integer() -> impl Strategy<Value = (IntegerType, IntegerVariable)> {
    select(IntegerType::ALL.to_vec()).prop_flat_map(|of_type| {
        let (min, max) = of_type.range();
        let number = || prop_oneof![Just(min), Just(max), min..=max];
        (some_text(), some_text(), of(number()), of(number()), of(vec(number(), 1..4))).prop_map(
            move |(declared_type, quantity, min, max, start)| {
                (of_type, IntegerVariable { declared_type, quantity, min, max, start })
            },
        )
    })
}

prop_compose! {
    pub(super) fn clock()(
        flags in any::<[Option<bool>; 2]>(),
        priority in any::<Option<u32>>(),
        interval_variability in of(select(vec![
            IntervalVariability::Constant, IntervalVariability::Fixed, IntervalVariability::Tunable,
            IntervalVariability::Changing, IntervalVariability::Countdown, IntervalVariability::Triggered,
        ])),
        decimals in vec(of(real()), 2),
        counters in any::<[Option<u64>; 3]>(),
    ) -> ClockAttributes {
        ClockAttributes {
            can_be_deactivated: flags[0],
            priority,
            interval_variability,
            interval_decimal: decimals[0],
            shift_decimal: decimals[1],
            supports_fraction: flags[1],
            resolution: counters[0],
            interval_counter: counters[1],
            shift_counter: counters[2],
        }
    }
}

prop_compose! {
    pub(super) fn structure(count: usize)(lists in vec(vec(unknown(count), 0..3), 5)) -> ModelStructure {
        let [outputs, continuous_state_derivatives, clocked_states, initial_unknowns, event_indicators] = lists.try_into().unwrap();
        ModelStructure { outputs, continuous_state_derivatives, clocked_states, initial_unknowns, event_indicators }
    }
}

fn unknown(count: usize) -> impl Strategy<Value = Unknown> {
    let kind = select(vec![
        DependencyKind::Dependent,
        DependencyKind::Constant,
        DependencyKind::Fixed,
        DependencyKind::Tunable,
        DependencyKind::Discrete,
    ]);
    (some_reference(count), of(vec((some_reference(count), kind), 0..4)), any::<bool>(), annotations()).prop_map(
        |(value_reference, dependencies, with_kinds, annotations)| Unknown {
            value_reference,
            dependencies: dependencies.as_ref().map(|list| list.iter().map(|(reference, _)| *reference).collect()),
            dependency_kinds: dependencies.filter(|_| with_kinds).map(|list| list.into_iter().map(|(_, kind)| kind).collect()),
            annotations,
        },
    )
}
