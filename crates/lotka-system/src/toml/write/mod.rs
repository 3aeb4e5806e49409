//! Writes system files, which [`super::read`] reads back as the same description.

mod item;
mod sections;

use item::Item;
use toml_writer::ToTomlKey;

use crate::SystemDescription;

/// A system file. Settings that have their defaults are left out.
#[must_use]
pub fn write(description: &SystemDescription) -> String {
    let sections = [
        sections::experiment(description),
        sections::instances(description),
        sections::sources(description),
        sections::connections(&description.connections),
        sections::initialization(description),
        sections::algorithm(description),
        sections::events(description),
        sections::power_bonds(description),
        sections::results(description),
        sections::units(description),
    ];
    join(sections.into_iter().chain(sections::scenario(description)))
}

/// The settings that other formats lack: everything except times, instances, connections, start values and units; isolated
/// instances, and the connections given here.
#[cfg(feature = "ssp")]
#[must_use]
pub(crate) fn write_settings(description: &SystemDescription, connections: &[crate::Connection]) -> String {
    let mut rest = description.clone();
    (rest.experiment.start, rest.experiment.stop) = (None, None);
    rest.start_values.clear();
    let is_special = |instance: &crate::InstanceSettings| {
        let has_number = instance.fmu_tolerance.is_some() || instance.sample_time.is_some();
        !instance.pass_stop_time || has_number || instance.isolation != crate::IsolationSettings::default()
    };
    rest.instances.retain(is_special);
    rest.instances.iter_mut().for_each(|instance| instance.start.clear());
    let sections = [
        sections::experiment(&rest),
        sections::instances(&rest),
        sections::sources(&rest),
        sections::connections(connections),
        sections::initialization(&rest),
        sections::algorithm(&rest),
        sections::events(&rest),
        sections::power_bonds(&rest),
        sections::results(&rest),
    ];
    join(sections.into_iter().chain(sections::scenario(&rest)))
}

/// A section: its name, in brackets for an item of a list of sections, its keys with their values.
type Section = (&'static str, Vec<(String, Item)>);

fn join(sections: impl Iterator<Item = Section>) -> String {
    let written = sections.filter(|(_, entries)| !entries.is_empty()).map(|(name, entries)| {
        let lines = entries.iter().map(|(key, item)| format!("{} = {item}\n", key.to_toml_key()));
        format!("[{name}]\n{}", lines.collect::<String>())
    });
    written.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// All values that can be written, with their forms.
    const ALL: &str = r#"[experiment]
start = 1.0
stop = 2.5
local-tolerance = 1e-6
absolute-tolerance = 1e-9
output-interval = 0.5
first-step = 0.0001
min-step = 1e-12
max-step = 0.25
event-tolerance = 1e-10
isolation = "process"
init-timeout = 5.0
sandbox = false

[instances]
a = "a.fmu"
"sub/b c" = { fmu = "b.fmu", start = { k = 2, on = true, "p.q" = 1.5, s = 'x "y"', T = { value = 20.0, unit = "degC" } }, pass-stop-time = false, sample-time = 0.5, step-timeout = 2.0, sandbox = { memory = 2000000000, cpu-time = 2, read = ["data"], write = ["out"], allow-weaker = true } }

[sources]
w = "w.csv"
v = { csv = "v.csv", interpolation = "previous", outside = "hold", units = { T = "K", "b.c" = "m" } }
c = { signal = "constant", value = true }
s = { signal = "step", time = 1.0, to = 5, from = 2.5, unit = "V" }
r = { signal = "ramp", time = 1.0, duration = 2.0, to = 3.0, from = -1.0 }
h = { signal = "sine", amplitude = 2.0, frequency = 0.5, phase = 0.25, offset = 1.0, time = 4.0 }

[connections]
"a.u" = "sub/b c.y"
"a.v" = { from = "sub/b c.y", factor = -1.0, offset = 2.0, degree = 0, from-unit = "degF", to-unit = "K" }
"a.w" = ["sub/b c.y", { from = "a.y", convert-units = false }]
"a.mode" = { from = "sub/b c.m", map = { 0 = 3, off = "on", true = false } }

[initialization]
solve = [{ unknown = "a.k", residual = "a.u" }, { unknown = "a.l", residual = "a.y", target = 2.0 }]

[algorithm]
sweep = "jacobi"
order = ["sub/b c", "a"]
input-degree = 1
input-delivery = "mean"
output-derivatives = false
feedthrough-outputs = "re-read"
iterations = 5
iteration-tolerance = 1e-10
acceleration = "newton"
estimator = "energy"
controller = "h211"
compatibility = "mastersim"

[events]
"a.y" = [{ level = 2.0, direction = "up" }, { level = "a.z" }]
"a.z" = "down"
a = "discard"
b = "event-mode"
"sub/b c" = { every = 0.1, offset = 0.05 }

[power-bonds]
shaft = { effort = "a.torque", flow = "sub/b c.speed" }

[results]
variables = ["*.speed", "!sub/b c.*", "a.w[1,2]"]

[units]
degF = { K = 1, factor = 0.5555555555555556, offset = 255.3722222222222 }
"m/s2" = { m = 1, s = -2 }

[[scenario]]
at = 1.5
until = 2.0
set = { "a.k" = 2, "a.T" = { value = 20.0, unit = "degC" } }

[[scenario]]
at = 2.0
add = { "a.u" = 0.5 }
"#;

    fn read(text: &str) -> SystemDescription {
        let (description, findings) = super::super::read(Path::new("system.toml"), text).unwrap();
        assert!(findings.is_empty(), "{}", findings.problems(None));
        description
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        assert_eq!(write(&read(ALL)), ALL);
    }

    /// The reader refuses them at their place, which it finds only if the syntax is right.
    #[test]
    fn numbers_that_are_not_finite_are_written_as_toml_has_them() {
        let mut description = read("[instances]\na = 'a.fmu'\n");
        for (variable, value) in [("a.k", f64::NAN), ("a.l", f64::INFINITY), ("a.m", f64::NEG_INFINITY)] {
            description.start_values.push(crate::StartSetting::new(variable.to_owned(), crate::StartValue::Real(value)));
        }
        let expected = "[instances]\na = { fmu = \"a.fmu\", start = { k = nan, l = inf, m = -inf } }\n";
        assert_eq!(write(&description), expected);
    }

    #[test]
    fn start_values_from_outside_become_those_of_their_instances() {
        let mut description = read("[instances]\na = { fmu = 'a.fmu', start = { k = 1.0 } }\n");
        for (variable, text) in [("a.k", "2.5"), ("a.on", "true"), ("a.name", "x"), ("a.n", "3")] {
            let value = crate::StartValue::Unparsed(text.to_owned());
            description.start_values.push(crate::StartSetting::new(variable.to_owned(), value));
        }
        let expected = "[instances]\na = { fmu = \"a.fmu\", start = { k = 2.5, on = true, name = \"x\", n = 3 } }\n";
        assert_eq!(write(&description), expected);
    }
}
