//! The settings of a system by name: those of the library, with its argument types.

use std::path::PathBuf;

use lotka::{
    Compatibility, CsvSettings, Direction, EventLevel, FeedthroughOutputs, InputDelivery, Interpolation, NoConvergence, Outside,
    Override, Sandbox, SourceSignal, StartSetting, System,
};
use pyo3::{
    exceptions::{PyAttributeError, PyValueError},
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::signal;

/// The choice of this name.
fn choice<T: Copy>(name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(known, _)| format!("`{known}`")).collect();
        PyValueError::new_err(format!("expected one of {}, found `{name}`", names.join(", ")))
    })
}

/// Values by name.
fn values(entries: &Bound<'_, PyDict>) -> PyResult<Vec<StartSetting>> {
    let entry = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok(StartSetting::new(name.extract::<String>()?, signal::value(&value)?))
    };
    entries.iter().map(entry).collect()
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Applies a setting to a system, and returns the changed one.
pub(crate) fn apply(system: System, name: &str, given: &Bound<'_, PyTuple>) -> PyResult<System> {
    macro_rules! with {
        ($($setting:ident($($argument:ident: $type:ty),*) => $call:expr;)*) => {
            match name {
                $(stringify!($setting) => {
                    let ($($argument,)*): ($($type,)*) = given.extract()?;
                    Ok($call)
                })*
                _ => Err(PyAttributeError::new_err(format!("a system has no setting `{name}`"))),
            }
        };
    }
    with! {
        instance(name: String, fmu: PathBuf) => system.instance(&name, fmu);
        sample_time(instance: String, seconds: f64) => system.sample_time(&instance, seconds);
        source(name: String, entries: Bound<'_, PyDict>) => system.source(&name, signal::signal(&entries)?);
        source_csv(name: String, path: PathBuf, interpolation: String, outside: String) => {
            let interpolation =
                choice(&interpolation, &[("linear", Interpolation::Linear), ("previous", Interpolation::Previous)])?;
            let outside = choice(&outside, &[("error", Outside::Error), ("hold", Outside::Hold)])?;
            system.source(&name, SourceSignal::Csv(CsvSettings { path: path.into(), interpolation, outside }))
        };
        set_at(time: f64, variable: String, value: String) => system.set_at(time, &variable, value);
        scenario(at: f64, until: Option<f64>, set: Bound<'_, PyDict>, add: Bound<'_, PyDict>) => {
            system.scenario(Override { at: at.into(), until: until.map(Into::into), set: values(&set)?, add: values(&add)? })
        };
        connect(input: String, output: String) => system.connect(&input, &output);
        connect_sum(input: String, outputs: Vec<(String, f64)>) => {
            let outputs: Vec<_> = outputs.iter().map(|(output, factor)| (output.as_str(), *factor)).collect();
            system.connect_sum(&input, &outputs)
        };
        power_bond(name: String, effort: String, flow: String) => system.power_bond(&name, &effort, &flow);
        start_value(variable: String, value: String) => system.start_value(&variable, value);
        start(time: f64) => system.start(time);
        stop(time: f64) => system.stop(time);
        solve_start(unknown: String, residual: String) => system.solve_start(&unknown, &residual);
        loop_tolerance(tolerance: f64) => system.loop_tolerance(tolerance);
        absolute_tolerance(tolerance: f64) => system.absolute_tolerance(tolerance);
        fmu_tolerance(tolerance: f64) => system.fmu_tolerance(tolerance);
        event(output: String, level: Bound<'_, PyAny>, direction: String) => {
            let directions = [("up", Direction::Up), ("down", Direction::Down), ("both", Direction::Both)];
            let level = match level.extract::<String>() {
                Ok(output) => EventLevel::from(output.as_str()),
                Err(_) => EventLevel::from(level.extract::<f64>()?),
            };
            system.event(&output, level, choice(&direction, &directions)?)
        };
        event_by_discard(instance: String) => system.event_by_discard(&instance);
        event_mode(instance: String) => system.event_mode(&instance);
        max_calls(calls: u64) => system.max_calls(calls);
        event_every(instance: String, every: f64, offset: f64) => system.event_every(&instance, every, offset);
        event_at(instance: String, times: Vec<f64>) => system.event_at(&instance, times);
        event_tolerance(tolerance: f64) => system.event_tolerance(tolerance);
        output_interval(interval: f64) => system.output_interval(interval);
        min_output_interval(interval: f64) => system.min_output_interval(interval);
        record(patterns: Vec<String>) => system.record(&strs(&patterns));
        tolerance(tolerance: f64) => system.tolerance(tolerance);
        step(size: f64) => system.step(size);
        local_tolerance(tolerance: f64) => system.local_tolerance(tolerance);
        first_step(size: f64) => system.first_step(size);
        min_step(size: f64) => system.min_step(size);
        max_step(size: f64) => system.max_step(size);
        sweep(name: String) => system.sweep(&name);
        order(instances: Vec<String>) => system.order(&strs(&instances));
        input_degree(degree: u32) => system.input_degree(degree);
        input_delivery(delivery: String) => {
            let deliveries = [("mean", InputDelivery::Mean), ("derivatives", InputDelivery::Derivatives)];
            system.input_delivery(choice(&delivery, &deliveries)?)
        };
        output_derivatives(on: bool) => system.output_derivatives(on);
        feedthrough_outputs(policy: String) => {
            let policies = [
                ("auto", FeedthroughOutputs::Auto),
                ("stale", FeedthroughOutputs::Stale),
                ("re-read", FeedthroughOutputs::ReRead),
                ("derivative", FeedthroughOutputs::Derivative),
            ];
            system.feedthrough_outputs(choice(&policy, &policies)?)
        };
        iterations(limit: u32, tolerance: Option<f64>) => system.iterations(limit, tolerance);
        min_iterated_step(step: f64) => system.min_iterated_step(step);
        acceleration(name: String) => system.acceleration(&name);
        on_no_convergence(choice: String) => {
            let choices = [
                ("error", NoConvergence::Error),
                ("last-iterate", NoConvergence::LastIterate),
                ("smaller-steps", NoConvergence::SmallerSteps),
            ];
            system.on_no_convergence(self::choice(&choice, &choices)?)
        };
        estimator(name: String) => system.estimator(&name);
        controller(name: String) => system.controller(&name);
        step_factors(safety: f64, smallest: f64, largest: f64) => system.step_factors(safety, smallest, largest);
        gains(proportional: f64, integral: f64) => system.gains(proportional, integral);
        compatibility(master: String) => {
            let masters = [("mastersim", Compatibility::MasterSim), ("libcosim", Compatibility::Libcosim)];
            system.compatibility(choice(&master, &masters)?)
        };
        isolate(on: bool) => system.isolate(on);
        sandbox(memory: Option<u64>, cpu_time: Option<u64>, read: Vec<PathBuf>, write: Vec<PathBuf>, allow_weaker: bool) => {
            system.sandbox(Sandbox { memory, cpu_time, read, write, allow_weaker })
        };
        init_timeout(seconds: f64) => system.init_timeout(seconds);
        step_timeout(seconds: f64) => system.step_timeout(seconds);
        host_program(path: PathBuf) => system.host_program(path);
        cache(folder: PathBuf) => system.cache(folder);
        behavior_records(on: bool) => system.behavior_records(on);
        profile(on: bool) => system.profile(on);
        debug_logging(on: bool) => system.debug_logging(on);
        threads(most: usize) => system.threads(most);
    }
}
