//! The conformance suite, run for every way to come by an instance.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use fmi2::{Instance, LogMessage, Status};
use fmu::{Fmu, InstantiateOptions};
use tests::conformance::{self, ModelUnderTest};
use tests::hostile::Hostile;

fn check(fmu: &Fmu) {
    let model = ModelUnderTest::new(fmu.description());
    let make = |name: &str| -> Box<dyn Instance> { Box::new(fmu.instantiate(name, &options()).unwrap()) };
    conformance::run(&mut { make }, &model);
}

/// Well-behaved FMUs do not warn.
fn options() -> InstantiateOptions {
    let log = |line: LogMessage| assert_ne!(line.status, Some(Status::Warning), "{line:?}");
    InstantiateOptions { log: Some(std::sync::Arc::new(log)), ..InstantiateOptions::default() }
}

fn linked<M: fmu_sdk::Model>() -> Fmu {
    Fmu::from_functions(fmu_sdk::description::<M>(), fmu_sdk::functions::<M>())
}

#[test]
fn prey_linked_into_this_program() {
    check(&linked::<models::Prey>());
}

#[test]
fn predator_linked_into_this_program() {
    check(&linked::<models::Predator>());
}

#[test]
fn both_species_linked_into_this_program() {
    check(&linked::<models::PredatorPrey>());
}

#[test]
fn a_c_library_with_states_of_all_types() {
    let dir = tempfile::tempdir().unwrap();
    let fmu = Fmu::open(Hostile::new("sound").build(dir.path())).unwrap();
    assert_eq!(fmu.warnings(), []);
    check(&fmu);
}

#[test]
fn a_c_library_that_is_strict_about_everything() {
    let dir = tempfile::tempdir().unwrap();
    let strict = Hostile::new("strict").define("STRICT_TIME").define("STRICT_STEP").define("STRICT_GET").define("KEEP_CALLBACKS");
    check(&Fmu::open(strict.define("MEMORY_CALLBACKS").build(dir.path())).unwrap());
}

#[test]
fn a_c_library_without_saved_states() {
    let dir = tempfile::tempdir().unwrap();
    let plain = Hostile::new("plain").capability("canGetAndSetFMUstate", false).capability("canSerializeFMUstate", false);
    check(&Fmu::open(plain.build(dir.path())).unwrap());
}
