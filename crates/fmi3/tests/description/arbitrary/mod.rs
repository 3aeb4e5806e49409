//! Arbitrary descriptions that a lenient read keeps unchanged: references exist, values are finite, names are unique.

mod definitions;
mod variables;

use fmi3::ModelDescription;
use fmi3::description::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use definitions::definitions;
use variables::{structure, variable};

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
