//! Arbitrary descriptions that a lenient read keeps unchanged: references exist, values are finite, names are unique.

use fmi2::ModelDescription;
use fmi2::description::*;
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
            }
            let (model_exchange, co_simulation) = interfaces.clone();
            ModelDescription { model_exchange, co_simulation, variables, model_structure, ..join(&root, &definitions) }
        })
    })
}

fn join(root: &ModelDescription, definitions: &ModelDescription) -> ModelDescription {
    let ModelDescription { units, types, log_categories, default_experiment, vendor_annotations, .. } = definitions.clone();
    ModelDescription { units, types, log_categories, default_experiment, vendor_annotations, ..root.clone() }
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

prop_compose! {
    fn root()(
        texts in vec(some_text(), 8),
        model_name in text(),
        guid in text(),
        naming in of(select(vec![NamingConvention::Flat, NamingConvention::Structured])),
        number_of_event_indicators in of(any::<u32>()),
    ) -> ModelDescription {
        let mut texts = texts.into_iter();
        let mut next = || texts.next().flatten();
        ModelDescription {
            fmi_version: "2.0".to_owned(),
            model_name,
            guid: format!("{{{guid}}}"),
            description: next(),
            author: next(),
            version: next(),
            copyright: next(),
            license: next(),
            generation_tool: next(),
            generation_date_and_time: next(),
            variable_naming_convention: naming,
            number_of_event_indicators,
            ..ModelDescription::default()
        }
    }
}

fn interfaces() -> impl Strategy<Value = (Option<Interface>, Option<CoSimulation>)> {
    (of(interface()), of(co_simulation())).prop_filter("at least one", |(a, b)| a.is_some() || b.is_some())
}

prop_compose! {
    fn interface()(
        model_identifier in "[A-Za-z_][A-Za-z0-9_]{0,8}",
        flags in vec(any::<Option<bool>>(), 7),
        files in vec(text(), 0..3),
    ) -> Interface {
        Interface {
            model_identifier,
            needs_execution_tool: flags[0],
            can_be_instantiated_only_once_per_process: flags[1],
            can_not_use_memory_management_functions: flags[2],
            can_get_and_set_fmu_state: flags[3],
            can_serialize_fmu_state: flags[4],
            provides_directional_derivative: flags[5],
            completed_integrator_step_not_needed: flags[6],
            source_files: files.into_iter().map(|name| SourceFile { name }).collect(),
        }
    }
}

prop_compose! {
    fn co_simulation()(
        interface in interface(),
        flags in vec(any::<Option<bool>>(), 3),
        max_output_derivative_order in any::<Option<u32>>(),
    ) -> CoSimulation {
        CoSimulation {
            interface,
            can_handle_variable_communication_step_size: flags[0],
            can_interpolate_inputs: flags[1],
            max_output_derivative_order,
            can_run_asynchronuously: flags[2],
        }
    }
}

prop_compose! {
    fn definitions()(
        units in vec(unit(), 0..3),
        types in vec(simple_type(), 0..4),
        log_categories in vec((text(), some_text()), 0..3),
        default_experiment in of(experiment()),
        vendor_annotations in annotations(),
    ) -> ModelDescription {
        let log_categories = log_categories.into_iter().map(|(name, description)| LogCategory { name, description }).collect();
        ModelDescription { units, types, log_categories, default_experiment, vendor_annotations, ..ModelDescription::default() }
    }
}

prop_compose! {
    fn unit()(
        name in text(),
        exponents in of(vec(any::<Option<i32>>(), 8)),
        factor in of(real()),
        offset in of(real()),
        display in vec((text(), of(real()), of(real())), 0..3),
    ) -> Unit {
        let base_unit = exponents.map(|e| BaseUnit {
            kg: e[0], m: e[1], s: e[2], a: e[3], k: e[4], mol: e[5], cd: e[6], rad: e[7], factor, offset,
        });
        let display_units =
            display.into_iter().map(|(name, factor, offset)| DisplayUnit { name, factor, offset }).collect();
        Unit { name, base_unit, display_units }
    }
}

prop_compose! {
    fn simple_type()(name in text(), description in some_text(), kind in type_kind()) -> SimpleType {
        SimpleType { name, description, kind }
    }
}

fn type_kind() -> impl Strategy<Value = TypeKind> {
    let item =
        (text(), any::<i32>(), some_text()).prop_map(|(name, value, description)| EnumerationItem { name, value, description });
    prop_oneof![
        real_variable(1).prop_map(|v| TypeKind::Real {
            quantity: v.quantity,
            unit: v.unit,
            display_unit: v.display_unit,
            relative_quantity: v.relative_quantity,
            min: v.min,
            max: v.max,
            nominal: v.nominal,
            unbounded: v.unbounded,
        }),
        integer_variable().prop_map(|v| TypeKind::Integer { quantity: v.quantity, min: v.min, max: v.max }),
        Just(TypeKind::Boolean {}),
        Just(TypeKind::String {}),
        (some_text(), vec(item, 1..4)).prop_map(|(quantity, items)| TypeKind::Enumeration { quantity, items }),
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

fn annotations() -> impl Strategy<Value = Vec<Annotation>> {
    let xml =
        select(vec!["", "text", "<a/>", " <a b=\"&lt;\">\n&#10;<![CDATA[ <&> ]]></a> ", "<p:a xmlns:p='u'/><!-- c -->", "\r\n"]);
    vec((text(), xml).prop_map(|(tool, xml)| Annotation { tool, xml: xml.to_owned() }), 0..3)
}

prop_compose! {
    fn variable(count: usize)(
        name in text(),
        value_reference in prop_oneof![0..4_u32, any::<u32>()],
        description in some_text(),
        declared_causality in of(select(vec![
            Causality::Parameter, Causality::CalculatedParameter, Causality::Input, Causality::Output, Causality::Local,
            Causality::Independent,
        ])),
        declared_variability in of(select(vec![
            Variability::Constant, Variability::Fixed, Variability::Tunable, Variability::Discrete, Variability::Continuous,
        ])),
        declared_initial in of(select(vec![Initial::Exact, Initial::Approx, Initial::Calculated])),
        can_handle_multiple_set_per_time_instant in any::<Option<bool>>(),
        kind in variable_kind(count),
        annotations in annotations(),
    ) -> ScalarVariable {
        ScalarVariable {
            name,
            value_reference,
            description,
            declared_causality,
            declared_variability,
            declared_initial,
            can_handle_multiple_set_per_time_instant,
            kind,
            annotations,
        }
    }
}

fn variable_kind(count: usize) -> impl Strategy<Value = VariableKind> {
    prop_oneof![
        real_variable(count).prop_map(VariableKind::Real),
        integer_variable().prop_map(VariableKind::Integer),
        (some_text(), any::<Option<bool>>())
            .prop_map(|(declared_type, start)| VariableKind::Boolean(BooleanVariable { declared_type, start })),
        (some_text(), some_text())
            .prop_map(|(declared_type, start)| VariableKind::String(StringVariable { declared_type, start })),
        (text(), integer_variable()).prop_map(|(declared_type, v)| {
            let IntegerVariable { quantity, min, max, start, .. } = v;
            VariableKind::Enumeration(EnumerationVariable { declared_type, quantity, min, max, start })
        }),
    ]
}

prop_compose! {
    fn real_variable(count: usize)(
        texts in vec(some_text(), 4),
        flags in vec(any::<Option<bool>>(), 3),
        numbers in vec(of(real()), 4),
        derivative in of(1..=u32::try_from(count).unwrap()),
    ) -> RealVariable {
        let [declared_type, quantity, unit, display_unit] = texts.try_into().unwrap();
        RealVariable {
            declared_type,
            quantity,
            unit,
            display_unit,
            relative_quantity: flags[0],
            min: numbers[0],
            max: numbers[1],
            nominal: numbers[2],
            unbounded: flags[1],
            start: numbers[3],
            derivative,
            reinit: flags[2],
        }
    }
}

prop_compose! {
    fn integer_variable()(
        declared_type in some_text(),
        quantity in some_text(),
        numbers in vec(any::<Option<i32>>(), 3),
    ) -> IntegerVariable {
        IntegerVariable { declared_type, quantity, min: numbers[0], max: numbers[1], start: numbers[2] }
    }
}

prop_compose! {
    fn structure(count: usize)(
        outputs in vec(unknown(count), 0..4),
        derivatives in vec(unknown(count), 0..3),
        initial_unknowns in vec(unknown(count), 0..4),
    ) -> ModelStructure {
        ModelStructure { outputs, derivatives, initial_unknowns }
    }
}

fn unknown(count: usize) -> impl Strategy<Value = Unknown> {
    let index = 1..=u32::try_from(count).unwrap();
    let kind = select(vec![
        DependencyKind::Dependent,
        DependencyKind::Constant,
        DependencyKind::Fixed,
        DependencyKind::Tunable,
        DependencyKind::Discrete,
    ]);
    (index.clone(), of(vec((index, kind), 0..4)), any::<bool>()).prop_map(|(index, dependencies, with_kinds)| Unknown {
        index,
        dependencies: dependencies.as_ref().map(|list| list.iter().map(|(index, _)| *index).collect()),
        dependency_kinds: dependencies.filter(|_| with_kinds).map(|list| list.into_iter().map(|(_, kind)| kind).collect()),
    })
}
