//! The simulation with everything that watches it.

use lotka::Observer;

use super::{Arguments, outcome::Outcome};
use crate::{
    console::{Console, Verbosity},
    data,
    exit::ExitCode,
    explain::Explain,
    failure::Failure,
    interrupt, json,
    log::Log,
    output::Output,
    progress::Progress,
    supervise::Epitaph,
    trial,
};

/// Runs the system, or tries methods on it.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let console = Console::new(arguments.verbosity());
    if !arguments.methods.is_empty() {
        return trial::run(arguments, &console);
    }
    let mut outcome =
        simulate(arguments, &console).unwrap_or_else(|failure| Outcome { failures: vec![failure], ..Outcome::default() });
    if arguments.json {
        let text = json::run(outcome.report.as_ref(), outcome.failures.first());
        outcome.failures.extend(data::print(&text).err());
    }
    outcome.tell(arguments, &console);
    outcome.code()
}

/// What is told if FMUs end the process: as far as possible what a run tells that fails.
pub(crate) fn epitaph(arguments: &Arguments) -> Epitaph {
    Epitaph {
        verbosity: arguments.verbosity(),
        is_json: arguments.json && arguments.methods.is_empty(),
        rows: arguments.output_file.clone(),
    }
}

fn simulate(arguments: &Arguments, console: &Console) -> Result<Outcome, Failure> {
    let system = arguments.system()?;
    let is_verified = system.description().experiment.tolerance.is_some();
    let mut simulation = system.build()?;
    simulation.warnings().iter().for_each(|warning| console.warn(warning));
    let cancel = simulation.cancel_token();
    arguments.check_output(is_verified)?;
    let has_rows = arguments.output_file.is_some() || !arguments.json;
    let open = || Output::open(arguments.output_file.as_deref(), arguments.error_bars, cancel.clone());
    let mut output = has_rows.then(open).transpose()?;
    interrupt::install(cancel, console);
    console.say(Verbosity::Verbose, &format!("algorithm: {}", simulation.describe_algorithm()));
    let mut log = Log::new(arguments.log_level, console);
    let mut explain = Explain::new(console);
    let mut progress = Progress::new(console, is_verified);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut log, &mut explain];
    observers.extend(output.as_mut().map(|output| output as &mut dyn Observer));
    observers.extend(progress.as_mut().map(|progress| progress as &mut dyn Observer));
    let (report, failure) = match simulation.run(&mut observers) {
        Ok(report) => (report, None),
        Err(failure) => (failure.report.clone(), Some((*failure).into())),
    };
    let mut failures: Vec<Failure> = failure.into_iter().collect();
    failures.extend(output.and_then(|output| output.finish().err()));
    match simulation.close() {
        Ok(warnings) => warnings.iter().for_each(|warning| console.warn(warning)),
        Err(error) => failures.push(error.into()),
    }
    Ok(Outcome { report: Some(report), failures, is_verified })
}
