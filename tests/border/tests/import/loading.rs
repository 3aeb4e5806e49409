//! Libraries, and how instances come to be.

use std::path::Path;

use border::hostile::{Entry, Hostile};
use fmu::{Error, Fmu, InstantiateOptions, OpenOptions, Warning};
use lotka_instance::Cause;
use tempfile::TempDir;

use super::{open, open_with};

#[test]
fn missing_functions_are_named_or_cost_a_capability() {
    let Err(Error::MissingFunctions { names, .. }) = open(Hostile::new("m").omit("fmi2DoStep").omit("fmi2Terminate")) else {
        panic!()
    };
    assert_eq!(names, ["fmi2Terminate", "fmi2DoStep"]);
    let fmu = open(Hostile::new("few").omit("fmi2SetFMUstate").omit("fmi2Reset")).unwrap();
    assert!(!fmu.capabilities().save_state && !fmu.capabilities().serialize_state && fmu.capabilities().variable_step);
    assert!(fmu.warnings().contains(&Warning::MissingFunctions { names: vec!["fmi2Reset", "fmi2SetFMUstate"] }));
    assert!(fmu.warnings().contains(&Warning::CapabilityDropped { attribute: "canGetAndSetFMUstate" }));
    let mut instance = fmu.instantiate("few", &InstantiateOptions::default()).unwrap();
    assert_eq!(instance.reset().unwrap_err().cause, Cause::Unsupported);
    assert_eq!(instance.new_slot().unwrap_err().cause, Cause::Unsupported);
}

#[test]
fn a_neighbor_library_is_loaded_first() {
    let fmu = open(Hostile::new("near").neighbor(true)).unwrap();
    assert!(fmu.warnings().contains(&Warning::NeighborsLoaded { libraries: vec!["libneighbor.so".into()] }));
    fmu.instantiate("near", &InstantiateOptions::default()).unwrap();
}

#[test]
fn a_library_that_cannot_be_linked_is_refused_with_the_reason() {
    // The soname differs from that of the library that the other test may have loaded into this process.
    let lacking = Hostile::new("lacking").neighbor(false).edit_archive(|entries| {
        let name = b"libneighbor.so";
        let at = entries[1].data.windows(name.len()).position(|window| window == name).unwrap();
        entries[1].data[at + 3] = b'X';
        entries[1] = Entry::stored("binaries/linux64/lacking.so", std::mem::take(&mut entries[1].data));
    });
    let error = open(lacking).unwrap_err();
    assert!(matches!(error, Error::Load { .. }) && error.to_string().contains("libXeighbor.so"), "{error}");
}

#[test]
fn many_instances_share_one_unpacked_copy_that_disappears_with_the_last() {
    let dir = TempDir::new().unwrap();
    let fmu = Fmu::open(Hostile::new("shared_copy").build(dir.path())).unwrap();
    let library = mapped_library("shared_copy.so");
    assert!(Path::new(&library).is_file());
    let one = fmu.instantiate("one", &InstantiateOptions::default()).unwrap();
    let two = fmu.clone().instantiate("two", &InstantiateOptions::default()).unwrap();
    drop(fmu);
    drop(one);
    assert!(Path::new(&library).is_file());
    assert_eq!(mapped_library("shared_copy.so"), library);
    drop(two);
    assert!(!Path::new(&library).exists());
}

fn mapped_library(name: &str) -> String {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut found: Vec<_> =
        maps.lines().filter_map(|line| line.split_whitespace().nth(5)).filter(|path| path.ends_with(name)).collect();
    found.dedup();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].to_owned()
}

#[test]
fn instantiation_fails_with_what_was_logged() {
    let error =
        open(Hostile::new("license").define("INSTANTIATE_FAILS")).unwrap().instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("`it`") && error.to_string().contains("logged: no license found"), "{error}");
    let guid = Hostile::new("guid").edit_xml(|xml| *xml = xml.replace("{hostile}", "{other}"));
    let error = open(guid).unwrap().instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("the GUID is {other}, not {hostile}"), "{error}");
    let silent = open(Hostile::new("silent").define("INSTANTIATE_FAILS_SILENTLY")).unwrap();
    let error = silent.instantiate("it", &Default::default()).unwrap_err();
    assert!(error.to_string().contains("the FMU logged nothing"), "{error}");
    for name in ["", " ", "a\0b"] {
        assert!(matches!(silent.instantiate(name, &Default::default()), Err(Error::BadInstanceName { .. })));
    }
}

#[test]
fn an_fmu_for_one_instance_per_process_gets_one_at_a_time() {
    let fmu = open(Hostile::new("single").capability("canBeInstantiatedOnlyOncePerProcess", true)).unwrap();
    let first = fmu.instantiate("first", &Default::default()).unwrap();
    let error = fmu.instantiate("second", &Default::default()).unwrap_err();
    assert!(matches!(error, Error::OnlyOncePerProcess { .. }), "{error}");
    drop(first);
    fmu.instantiate("third", &Default::default()).unwrap();
}

#[test]
fn libraries_to_preload_are_loaded_first() {
    let missing = OpenOptions { preload_global: vec!["/does/not/exist.so".into()], ..OpenOptions::default() };
    let error = open_with(Hostile::new("eager"), &missing).unwrap_err();
    assert!(matches!(&error, Error::Preload { library, .. } if library == Path::new("/does/not/exist.so")), "{error}");
}
