//! What a page shows beside the rows of a run.

use std::sync::OnceLock;

use lotka::{Graph, Report, SystemDescription};
use serde_json::{Value, json};

/// The system of a run.
pub(crate) struct About {
    algorithm: String,
    system: Option<(SystemDescription, Graph)>,
    picture: OnceLock<Option<String>>,
}

impl About {
    pub(crate) fn new(algorithm: String, system: SystemDescription, graph: Graph) -> Self {
        Self { algorithm, system: Some((system, graph)), picture: OnceLock::new() }
    }

    /// The picture of the system, drawn when it is first needed.
    fn picture(&self) -> Option<&str> {
        let draw = || self.system.as_ref().map(|(system, graph)| lotka_report::svg(system, graph));
        self.picture.get_or_init(draw).as_deref()
    }

    /// The document of a report: the parts of a manifest that a page without files shows.
    pub(crate) fn document(&self, report: &Report, history: &Value) -> Value {
        let experiment = self.system.as_ref().map(|(system, _)| &system.experiment);
        let file = self.system.as_ref().and_then(|(system, _)| system.file.as_ref());
        let name = file.and_then(|file| file.path.file_name()).map(|name| name.to_string_lossy());
        json!({
            "name": name,
            "algorithm": self.algorithm,
            "settings": { "experiment": { "tolerance": experiment.and_then(|experiment| experiment.tolerance.as_ref()).map(|tolerance| tolerance.value) } },
            "outcome": lotka_report::outcome(Some(report)),
            "steps": history,
            "picture": self.picture(),
        })
    }
}
