//! Runs a comparison of methods, from the flags to the table.

use lotka::{Code, Memory, Observer, RunFailure, System};

use super::{attempt::attempt, common::CommonSettings, reference::Reference, table};
use crate::{
    console::Console, console_flags::Verbosity, data, exit::ExitCode, explain::Explain, failure::Failure, json, log::Log,
    request::Arguments,
};

/// Runs the reference and all methods, and prints the table to stdout.
pub(crate) fn run(arguments: &Arguments, console: &Console) -> ExitCode {
    console.end(compare(arguments, console))
}

/// Runs the comparison. It succeeds unless all methods fail, or the reference does not keep its tolerance.
fn compare(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let system = arguments.system()?;
    let built = system.build().map_err(|error| arguments.blame(error))?;
    built.warnings().iter().for_each(|warning| console.warn(&arguments.blame_in(warning)));
    drop(built);
    let of_file = arguments.system_of_file()?.description().experiment.tolerance.as_ref().map(|tolerance| tolerance.value);
    let common = CommonSettings::new(system, of_file);
    let mut log = Log::new(arguments.log_level, console);
    let reference = refer(&common.reference(), console, &mut log)?;
    let mut tried = Vec::new();
    for method in &arguments.methods {
        let outcome = attempt(method, &common, &reference, &mut log);
        if let Ok(measured) = &outcome {
            console.say(Verbosity::Verbose, &format!("{}: {}", method.name, measured.algorithm));
        }
        tried.push((method.name.as_str(), outcome));
    }
    data::print(&match arguments.json {
        true => json::lines(&table::json(&common, &reference, &tried)),
        false => table::text(&common, &reference, &tried),
    })?;
    let failures: Vec<_> = tried.iter().filter_map(|(_, outcome)| outcome.as_ref().err()).collect();
    let compared = if reference.error.reached { ExitCode::Done } else { ExitCode::Tolerance };
    Ok(failures.first().filter(|_| failures.len() == tried.len()).map_or(compared, |refusal| refusal.code))
}

fn refer(system: &System, console: &Console, log: &mut Log) -> Result<Reference, Failure> {
    let mut simulation = system.build()?;
    console.say(Verbosity::Verbose, &format!("reference: {}", simulation.describe_algorithm()));
    let (mut results, mut explain) = (Memory::new(), Explain::new(console));
    let mut observers: Vec<&mut dyn Observer> = vec![log, &mut explain, &mut results];
    let result = simulation.run(&mut observers).or_else(RunFailure::accept_missed_tolerance);
    let report = result.map_err(|failure| Failure::from(*failure))?;
    Reference::new(results, &report)
        .ok_or_else(|| Failure::Usage { code: Code::EndedEarly, reason: "the reference run ended without a result".to_owned() })
}
