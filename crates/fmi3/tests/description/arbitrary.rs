//! Arbitrary descriptions that a lenient read keeps unchanged: references exist, values are finite, names are unique.

use fmi3::ModelDescription;
use fmi3::description::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

/// Generates any description.
pub(crate) fn description() -> impl Strategy<Value = ModelDescription> {
    (root(), interfaces(), definitions(), 1..8_usize).prop_flat_map(|(root, interfaces, definitions, count)| {
        (vec(variable(count), count), structure(count)).prop_map(move |(mut variables, model_structure)| {
            for (index, variable) in variables.iter_mut().enumerate() {
                variable.name.push_str(&index.to_string());
                variable.value_reference = reference(index);
                for (position, alias) in variable.aliases.iter_mut().enumerate() {
                    alias.name.push_str(&format!("{index} {position}"));
                }
            }
            let (model_exchange, co_simulation, scheduled_execution) = interfaces.clone();
            let ModelDescription { units, types, log_categories, default_experiment, default_experiment_annotations, .. } =
                definitions.clone();
            ModelDescription {
                model_exchange,
                co_simulation,
                scheduled_execution,
                units,
                types,
                log_categories,
                default_experiment,
                default_experiment_annotations,
                variables,
                model_structure,
                ..root.clone()
            }
        })
    })
}

/// Returns the value reference of a variable. References are no indices.
fn reference(index: usize) -> u32 {
    u32::MAX - 7 * u32::try_from(index).unwrap()
}

/// Generates text with every character that needs escaping.
fn text() -> impl Strategy<Value = String> {
    let special = select(vec!['<', '>', '&', '"', '\'', '\t', '\n', '\r', ' ', ']', '\u{85}', '\u{2028}', '\u{fffd}', '😀']);
    vec(prop_oneof![special, prop::char::range(' ', '~'), prop::char::range('\u{a1}', '\u{d7ff}')], 0..6)
        .prop_map(|characters| characters.into_iter().collect())
}

fn some_text() -> impl Strategy<Value = Option<String>> {
    of(text())
}

fn real() -> impl Strategy<Value = f64> {
    let special = select(vec![0.0, 1.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 1e16, 1e-5, 0.1]);
    prop_oneof![special, any::<f64>().prop_filter("finite", |value| value.is_finite())]
}

/// Generates numbers that 32 bits can represent.
fn single() -> impl Strategy<Value = f64> {
    let special = select(vec![0.0, -0.0, 0.1, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 1e16, 3e-5]);
    prop_oneof![special, any::<f32>().prop_filter("finite", |value| value.is_finite())].prop_map(f64::from)
}

fn annotations() -> impl Strategy<Value = Vec<Annotation>> {
    let xml = select(vec![
        "",
        "text",
        "<a/><b/>",
        " <a b=\"&lt;\">\n&#10;<![CDATA[ <&> ]]></a> ",
        "<p:a xmlns:p='u'/><!-- c -->",
        "\r\n",
    ]);
    vec((text(), xml).prop_map(|(kind, xml)| Annotation { kind, xml: xml.to_owned() }), 0..2)
}

prop_compose! {
    fn root()(
        texts in vec(some_text(), 8),
        model_name in text(),
        instantiation_token in text(),
        fmi_version in select(vec!["3.0", "3.0.2", "3.0-beta.1"]),
        naming in of(select(vec![NamingConvention::Flat, NamingConvention::Structured])),
        annotations in annotations(),
    ) -> ModelDescription {
        let mut texts = texts.into_iter();
        let mut next = || texts.next().flatten();
        ModelDescription {
            fmi_version: fmi_version.to_owned(),
            model_name,
            instantiation_token,
            description: next(),
            author: next(),
            version: next(),
            copyright: next(),
            license: next(),
            generation_tool: next(),
            generation_date_and_time: next(),
            variable_naming_convention: naming,
            annotations,
            ..ModelDescription::default()
        }
    }
}

type Interfaces = (Option<ModelExchange>, Option<CoSimulation>, Option<Interface>);

fn interfaces() -> impl Strategy<Value = Interfaces> {
    (of(exchange()), of(co_simulation()), of(interface()))
        .prop_filter("at least one", |(a, b, c)| a.is_some() || b.is_some() || c.is_some())
}

prop_compose! {
    fn interface()(
        model_identifier in "[A-Za-z_][A-Za-z0-9_]{0,8}",
        flags in vec(any::<Option<bool>>(), 7),
        annotations in annotations(),
    ) -> Interface {
        Interface {
            model_identifier,
            needs_execution_tool: flags[0],
            can_be_instantiated_only_once_per_process: flags[1],
            can_get_and_set_fmu_state: flags[2],
            can_serialize_fmu_state: flags[3],
            provides_directional_derivatives: flags[4],
            provides_adjoint_derivatives: flags[5],
            provides_per_element_dependencies: flags[6],
            annotations,
        }
    }
}

fn exchange() -> impl Strategy<Value = ModelExchange> {
    (interface(), any::<[Option<bool>; 2]>()).prop_map(|(interface, flags)| ModelExchange {
        interface,
        needs_completed_integrator_step: flags[0],
        provides_evaluate_discrete_states: flags[1],
    })
}

prop_compose! {
    fn co_simulation()(
        interface in interface(),
        flags in vec(any::<Option<bool>>(), 6),
        fixed_internal_step_size in of(1e-9..1e9),
        max_output_derivative_order in any::<Option<u32>>(),
        recommended_intermediate_input_smoothness in any::<Option<i32>>(),
    ) -> CoSimulation {
        CoSimulation {
            interface,
            can_handle_variable_communication_step_size: flags[0],
            fixed_internal_step_size,
            max_output_derivative_order,
            recommended_intermediate_input_smoothness,
            provides_intermediate_update: flags[1],
            might_return_early_from_do_step: flags[2],
            can_return_early_after_intermediate_update: flags[3],
            has_event_mode: flags[4],
            provides_evaluate_discrete_states: flags[5],
        }
    }
}

prop_compose! {
    fn definitions()(
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
        Just(TypeKind::Boolean),
        Just(TypeKind::String),
        (some_text(), any::<Option<u64>>()).prop_map(|(mime_type, max_size)| TypeKind::Binary { mime_type, max_size }),
        (some_text(), any::<[Option<i64>; 2]>(), vec(item, 1..4))
            .prop_map(|(quantity, [min, max], items)| TypeKind::Enumeration { quantity, min, max, items }),
        clock().prop_map(TypeKind::Clock),
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

fn some_reference(count: usize) -> impl Strategy<Value = u32> {
    (0..count).prop_map(reference)
}

prop_compose! {
    fn variable(count: usize)(
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
    fn float(count: usize, number: BoxedStrategy<f64>)(
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

fn integer() -> impl Strategy<Value = (IntegerType, IntegerVariable)> {
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
    fn clock()(
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
    fn structure(count: usize)(lists in vec(vec(unknown(count), 0..3), 5)) -> ModelStructure {
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
