//! A first system file for given FMUs: instances, connections suggested by names and units, and further settings as comments.
//!
//! A wrong connection costs more than a missing one: an input is connected only if exactly one output matches by name or
//! description, type and unit ([`guess`]). All other inputs are comments with their candidates. Start reading at [`draft`].

mod descriptions;
mod experiment;
mod guess;
mod instance;
mod lines;
mod names;
mod text;

use lotka_instance::description::Causality;
use lotka_message::{Findings, Problem, Problems, SourceFile};
use lotka_plan::link::VariableIndex;

use crate::{Located, locate::Names};

pub use experiment::FIXED_STEPS;
pub use instance::{DraftInstance, instance_name};

/// Draft of a system file, to check before the first run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Draft {
    /// The text of the system file.
    pub text: String,
    /// Number of connected inputs.
    pub n_connected: usize,
    /// Number of inputs that keep their start values.
    pub n_open: usize,
}

/// Connection that a draft must have, and the text that problems with it name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenConnection {
    /// `instance.variable` of the input.
    pub input: String,
    /// `instance.variable` of the output.
    pub output: String,
    /// Place of the connection, such as a flag.
    pub place: String,
}

/// Drafts a system file. Times and tolerances come from the default experiments, as far as these agree.
///
/// ```
/// use lotka::command::{DraftInstance, draft};
/// let fmu = |name: &str, description: fmi2::ModelDescription| DraftInstance { name: name.to_owned(), path: format!("{name}.fmu").into(), description: description.interface() };
/// let prey = fmu("prey", fmu_sdk::description::<models::Prey>());
/// let predator = fmu("predator", fmu_sdk::description::<models::Predator>());
///
/// let draft = draft(&[prey, predator], &[])?;
/// assert_eq!((draft.n_connected, draft.n_open), (2, 0));
/// assert!(draft.text.contains("\"prey.y\" = \"predator.y\"  # same name, same unit (1)\n"));
/// # Ok::<(), lotka::Problems>(())
/// ```
///
/// # Errors
/// The ends of the given connections that are no inputs or outputs of the instances.
pub fn draft(instances: &[DraftInstance], given: &[GivenConnection]) -> Result<Draft, Problems> {
    let guesses = guess::guesses(instances, &places(instances, given)?);
    let n_connected = guesses.iter().filter(|guess| guess.source.is_some()).count();
    Ok(Draft { text: text::write(instances, &guesses), n_connected, n_open: guesses.len() - n_connected })
}

/// The places of inputs and outputs to connect.
fn places(instances: &[DraftInstance], given: &[GivenConnection]) -> Result<Vec<(VariableIndex, VariableIndex)>, Problems> {
    let names = instances.iter().map(|instance| instance.name.as_str()).collect();
    let names = Names::new(names, instances.iter().map(|instance| &instance.description).collect());
    let (mut places, mut list) = (Vec::new(), Vec::new());
    for connection in given {
        let mut findings = Findings::default();
        let mut locate = |name: &str, wanted| names.locate_end(&Located::from(name.to_owned()), wanted, &mut findings);
        let ends = (locate(&connection.input, Causality::Input), locate(&connection.output, Causality::Output));
        places.extend(ends.0.zip(ends.1));
        let file = SourceFile { path: connection.place.clone().into(), text: "".into() };
        list.extend(findings.problems(None).list.into_iter().map(|problem| Problem { file: Some(file.clone()), ..problem }));
    }
    if list.is_empty() { Ok(places) } else { Err(Problems { file: None, list }) }
}
