//! What a program that links the master learns of a run before it: files and settings.

use lotka::{FileIdentity, Manifest, System};
use serde_json::Value;
use tests::packed;

fn pair() -> System {
    let system = System::new().instance("prey", packed("prey")).instance("predator", packed("predator"));
    system.connect("prey.y", "predator.y").connect("predator.x", "prey.x").stop(100.0)
}

fn json(manifest: &Manifest) -> Value {
    serde_json::to_value(manifest).unwrap()
}

#[test]
fn settings_have_the_defaults_of_how_steps_are_made() {
    let fixed = pair().step(0.1).manifest();
    assert!(fixed.is_complete && fixed.system.is_none());
    let settings = &json(&fixed)["settings"];
    assert_eq!((&settings["experiment"]["start"], &settings["experiment"]["max-step"]), (&0.0.into(), &Value::Null));
    assert_eq!(settings["results"]["variables"], serde_json::json!(["outputs"]));
    assert_eq!(settings["algorithm"]["order"].as_array().unwrap().as_slice(), ["prey", "predator"]);

    let controlled = json(&pair().local_tolerance(1e-4).manifest());
    let (experiment, algorithm) = (&controlled["settings"]["experiment"], &controlled["settings"]["algorithm"]);
    for (key, value) in [("absolute-tolerance", 1e-4), ("first-step", 1e-2), ("max-step", 100.0)] {
        assert_eq!(experiment[key], value, "{key}");
    }
    assert!(algorithm["estimator"].is_string() && algorithm["controller"] == "pi", "{algorithm}");

    let verified = json(&pair().tolerance(1e-6).manifest());
    assert_eq!(verified["settings"]["experiment"]["output-interval"], 1.0);
}

/// A run of the completed settings is the same run.
#[test]
fn completed_settings_describe_the_same_run() {
    let system = pair().local_tolerance(1e-4).start_value("prey.x", 12);
    let mut complete = system.clone();
    *complete.description_mut() = system.manifest().settings;
    assert_eq!(complete.manifest().settings, system.manifest().settings);
    let run = |system: &System| {
        let mut simulation = system.build().unwrap();
        (simulation.describe_algorithm().split(". ").next().unwrap().to_owned(), simulation.run(&mut []).unwrap().counters)
    };
    assert_eq!(run(&system), run(&complete));
}

#[test]
fn instances_of_one_file_share_it() {
    let (prey, system) = (packed("prey"), System::new());
    let manifest = system.instance("a", &prey).instance("b", packed("predator")).instance("c", &prey).manifest();
    assert_eq!(manifest.fmus[0].instances, ["a", "c"]);
    assert_eq!(manifest.fmus[0].file, FileIdentity::of(&prey));
    assert!(!manifest.is_complete, "there is no stop time");
}

#[test]
fn files_of_sources_have_their_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    std::fs::write(&path, "time,u\n0,1\n100,2\n").unwrap();
    let system = System::new().instance("prey", packed("prey")).source_csv("table", &path).connect("prey.y", "table.u");
    let manifest = system.stop(100.0).step(0.1).manifest();
    assert!(manifest.is_complete);
    assert_eq!((manifest.sources[0].name.as_str(), &manifest.sources[0].file), ("table", &FileIdentity::of(&path)));
    let settings = &json(&manifest)["settings"];
    assert_eq!((&settings["sources"][0]["signal"], &settings["algorithm"]["order"]), (&"csv".into(), &vec!["prey"].into()));
}
