//! Where each FMU runs and how it is guarded: settings of instance and system together.

use std::time::Duration;

use lotka_instance::HostOptions;

use crate::{Isolation, IsolationSettings, Located, SystemDescription};
use lotka_message::{Code, Findings};

/// Where an instance runs, and how its library is loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Guard {
    /// Where it runs.
    pub place: Isolation,
    /// The libraries that come first count in this process, too.
    pub options: HostOptions,
}

/// Where each instance runs.
///
/// An instance with a setting that only a process of its own can honor gets one, even if something else is wrong: no FMU that is
/// to be guarded is loaded into this process.
pub fn resolve(system: &SystemDescription, findings: &mut Findings) -> Vec<Guard> {
    let instances = system.instances.iter();
    instances.map(|instance| guard(&instance.name.value, &instance.isolation, &system.isolation, findings)).collect()
}

fn guard(name: &str, own: &IsolationSettings, all: &IsolationSettings, findings: &mut Findings) -> Guard {
    let isolation = own.isolation.as_ref().or(all.isolation.as_ref());
    let sandbox = own.sandbox.as_ref().or(all.sandbox.as_ref()).filter(|sandbox| sandbox.value.is_some());
    let init_timeout = own.init_timeout.as_ref().or(all.init_timeout.as_ref());
    let step_timeout = own.step_timeout.as_ref().or(all.step_timeout.as_ref());
    let preload_global = own.preload_global.as_ref().or(all.preload_global.as_ref());
    let is_isolated = isolation.map_or(sandbox.is_some(), |isolation| isolation.value == Isolation::Process);
    if !is_isolated {
        if let Some(sandbox) = sandbox {
            let message = format!("instance `{name}` cannot be in a sandbox: `isolation` is \"none\"");
            findings.error(Code::NotIsolated, &sandbox.span, message, "set isolation = \"process\", or remove it".to_owned());
        }
        for (key, timeout) in [("init-timeout", init_timeout), ("step-timeout", step_timeout)] {
            let Some(timeout) = timeout else { continue };
            let message = format!("`{key}` of instance `{name}`: an FMU that runs in this process cannot be stopped");
            findings.error(Code::NotIsolated, &timeout.span, message, "also set isolation = \"process\"".to_owned());
        }
    }
    let options = HostOptions {
        program: None,
        init_timeout: duration("init-timeout", init_timeout, findings),
        step_timeout: duration("step-timeout", step_timeout, findings),
        sandbox: sandbox.and_then(|sandbox| sandbox.value.clone()),
        directory: None,
        preload_global: preload_global
            .map_or_else(Vec::new, |list| list.value.iter().map(|library| library.value.clone()).collect()),
        cache: None,
    };
    let is_guarded = sandbox.is_some() || init_timeout.is_some() || step_timeout.is_some();
    let place = if is_isolated || is_guarded { Isolation::Process } else { Isolation::None };
    Guard { place, options }
}

fn duration(key: &str, seconds: Option<&Located<f64>>, findings: &mut Findings) -> Option<Duration> {
    let seconds = seconds?;
    let duration = Duration::try_from_secs_f64(seconds.value).ok().filter(|duration| !duration.is_zero());
    if duration.is_none() {
        let message = format!("`{key}` is {}", seconds.value);
        findings.error(Code::OutOfRange, &seconds.span, message, "set a number of seconds greater than 0".to_owned());
    }
    duration
}
