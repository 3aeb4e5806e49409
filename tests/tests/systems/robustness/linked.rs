//! Models that are part of the program.

use tests::{Scratch, predator_prey};

#[test]
fn linked_models_are_analyzed_like_fmus() {
    let system = predator_prey().step(0.1);
    let analysis = system.analyze().unwrap();
    assert_eq!(&analysis.graph, system.build().unwrap().graph());
    assert_eq!(analysis.graph.components.len(), 1, "prey and predator form a loop");
}

#[test]
fn linked_models_are_not_saved_and_the_error_names_the_instance() {
    let folder = Scratch::new().unwrap();
    for name in ["linked.toml", "linked.ssd", "linked.ssp"] {
        let path = folder.path().join(name);
        let error = predator_prey().step(0.1).save(&path).unwrap_err().to_string();
        let expected = "the model of instance `prey` is part of this program; only models with a file can be saved";
        assert_eq!(error, format!("cannot write the system to {}: {expected}", path.display()));
        assert!(!path.exists());
    }
}
