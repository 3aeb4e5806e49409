//! Prints the model description of the lag, as the command `cargo fmi bundle` of the same project writes it.

use fmi::fmi3::schema::{Fmi3CoSimulation, Fmi3ModelDescription};
use fmi_export::fmi3::Model;
use lag::Lag;

fn main() {
    let metadata = Lag::build_toplevel_metadata();
    let description = Fmi3ModelDescription {
        fmi_version: "3.0".into(),
        model_name: "lag".into(),
        instantiation_token: Lag::INSTANTIATION_TOKEN.into(),
        generation_tool: Some("rust-fmi".into()),
        model_variables: metadata.model_variables,
        model_structure: metadata.model_structure,
        co_simulation: Some(Fmi3CoSimulation {
            model_identifier: "lag".into(),
            can_handle_variable_communication_step_size: Some(true),
            has_event_mode: Some(false),
            ..Default::default()
        }),
        ..Default::default()
    };
    println!("{}", fmi::schema::serialize(&description, false).expect("a description that can be written"));
}
