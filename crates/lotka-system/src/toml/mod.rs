//! System files in TOML: parses them to a [`SystemDescription`], without checks against FMUs.
//!
//! The tree is walked by hand in the order of the file: a table type would sort the instances by name.

mod algorithm;
mod connections;
mod events;
mod experiment;
mod form;
mod initialization;
mod instances;
mod isolation;
mod keys;
mod power_bonds;
mod results;
mod scenario;
mod schema;
mod section;
mod sources;
mod sweep;
mod units;
mod write;

pub use schema::{schema, sweep_schema};
pub(crate) use sweep::read as read_sweep;
#[cfg(feature = "ssp")]
pub(crate) use units::BASE_UNITS;
pub use write::write;
#[cfg(feature = "ssp")]
pub(crate) use write::write_settings;

use std::path::Path;

use form::Form;
use keys::{Key, Keys};
use section::Section;
use toml::de::DeTable;

use super::{StartValue, SystemDescription};
use lotka_message::Code;
use lotka_message::{Findings, Problems, SourceFile};

/// The sections of a system file.
const FILE: Keys = &[&SECTIONS];

static SECTIONS: [Key; 11] = [
    Key::new("instances", instances::INSTANCES, "The instances: a name, and the path of an FMU or a table.").required(),
    Key::new("experiment", Form::Table(experiment::TABLE), "Times, tolerances and steps, and guards of all FMUs."),
    Key::new("sources", sources::SOURCES, "Signals that are known before the run: tables in files, and formulas."),
    Key::new(
        "connections",
        connections::CONNECTIONS,
        "`\"instance.input\" = source`, where a source is `\"instance.output\"`, a table, or a list of both, which are summed.",
    ),
    Key::new(
        "initialization",
        Form::Table(initialization::TABLE),
        "Start values to solve for, and algebraic loops at the start.",
    ),
    Key::new(
        "algorithm",
        Form::Table(algorithm::TABLE),
        "The master algorithm. Without it, Lotka chooses one that suits the system.",
    ),
    Key::new("events", events::EVENTS, "Times at which a step must end, because the behavior of an instance changes."),
    Key::new(
        "power-bonds",
        power_bonds::BONDS,
        "Pairs of an effort and a flow, whose product is a power; Lotka reports their residual energy.",
    ),
    Key::new("units", units::UNITS, "Units that FMUs name but do not define, or that this file names: exponents of base units."),
    Key::new("results", Form::Table(results::TABLE), "The variables to record."),
    Key::new("scenario", scenario::LIST, "Changes of inputs and tunable parameters at known times."),
];

/// Reads the text of a system file. `path` is for messages and for the FMU paths, which are relative to it. Problems that leave
/// the rest of the system readable are returned with it, to be reported together with later ones.
pub(crate) fn read(path: &Path, text: &str) -> Result<(SystemDescription, Findings), Problems> {
    let file = SourceFile { path: path.to_owned(), text: text.into() };
    let (mut description, mut findings, has) = sections(text);
    description.file = Some(file.clone());
    if !has.instances && has.syntax {
        findings.error(
            Code::NoInstances,
            &None,
            "missing section [instances]",
            "add at least one FMU: prey = \"prey.fmu\"".to_owned(),
        );
    }
    if has.sound_instances && has.instances {
        Ok((description, findings))
    } else {
        findings.finish(description, Some(&file)).map(|(description, _)| (description, Findings::default()))
    }
}

/// Reads the list in a text such as `[1.0, 2.0]`; `None` if it is no list.
pub(crate) fn list(text: &str) -> Option<StartValue> {
    let text = Some(text.trim()).filter(|text| text.starts_with('['))?;
    let written = format!("list = {text}");
    let table = DeTable::parse(&written).ok().filter(|table| table.get_ref().len() == 1)?;
    section::value(table.get_ref().get("list")?.get_ref())
}

/// Reads the existing sections, without problems about missing ones.
#[cfg(feature = "ssp")]
pub(crate) fn read_sections(text: &str) -> (SystemDescription, Findings) {
    let (description, findings, _) = sections(text);
    (description, findings)
}

/// Findings about a text.
struct Has {
    /// No errors of syntax.
    syntax: bool,
    /// The section of the instances.
    instances: bool,
    /// Instances whose names are known.
    sound_instances: bool,
}

fn sections(text: &str) -> (SystemDescription, Findings, Has) {
    let mut findings = Findings::default();
    let (table, syntax_errors) = DeTable::parse_recoverable(text);
    for error in &syntax_errors {
        findings.error(Code::Syntax, &error.span(), error.message().trim_end(), None);
    }
    let top = Section::new("", FILE, table.get_ref(), table.span());
    let mut description = SystemDescription::default();
    let instances = top.section("instances", &mut findings);
    let mut has = Has { syntax: syntax_errors.is_empty(), instances: instances.is_some(), sound_instances: true };
    if let Some(section) = instances {
        description.instances = instances::read(&section, &mut findings);
    }
    has.sound_instances = findings.is_empty();
    if let Some(section) = top.section("experiment", &mut findings) {
        (description.experiment, description.isolation) = experiment::read(section, &mut findings);
    }
    if let Some(section) = top.section("sources", &mut findings) {
        description.sources = sources::read(&section, &mut findings);
    }
    if let Some(section) = top.section("connections", &mut findings) {
        description.connections = connections::read(&section, &mut findings);
    }
    if let Some(section) = top.section("initialization", &mut findings) {
        (description.initialization, description.loop_tolerance) = initialization::read(section, &mut findings);
    }
    if let Some(section) = top.section("algorithm", &mut findings) {
        description.algorithm = algorithm::read(section, &mut findings);
    }
    if let Some(section) = top.section("events", &mut findings) {
        description.events = events::read(&section, &mut findings);
    }
    if let Some(section) = top.section("power-bonds", &mut findings) {
        description.power_bonds = power_bonds::read(&section, &mut findings);
    }
    if let Some(section) = top.section("units", &mut findings) {
        description.units = units::read(&section, &mut findings);
    }
    if let Some(section) = top.section("results", &mut findings) {
        description.results = results::read(section, &mut findings);
    }
    if let Some(value) = top.get("scenario") {
        description.scenario = scenario::read(value, &mut findings);
    }
    // With syntax errors, the sections are uncertain.
    if has.syntax {
        top.finish(&mut findings);
    }
    (description, findings, has)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<SystemDescription, Problems> {
        let (description, findings) = read(Path::new("system.toml"), text)?;
        let file = description.file.clone();
        findings.finish(description, file.as_ref()).map(|(description, _)| description)
    }

    #[test]
    fn the_order_of_the_file_is_kept() {
        let system = read_text("[instances]\nprey = 'prey.fmu'\npredator = 'predator.fmu'\nant = 'ant.fmu'\n").unwrap();
        let names: Vec<_> = system.instances.iter().map(|i| i.name.value.as_str()).collect();
        assert_eq!(names, ["prey", "predator", "ant"]);
    }

    #[test]
    fn everything_that_can_be_written_is_read() {
        let system = read_text(
            "[experiment]\nstart = 1\nstop = 2.5\nlocal-tolerance = 1e-6\n\
             [instances]\na = { fmu = 'a.fmu', start = { k = 2, on = true, p.q = 1.5, s = 'x' }, pass-stop-time = false }\n\
             [connections]\n'a.u' = 'b.y'\n'a.v' = { from = 'b.y', factor = -1 }\n'a.w' = ['b.y', { from = 'c.y', offset = 2.0 }]\na.z = 'b.y'\n\
             [initialization]\nsolve = [{ unknown = 'a.k', residual = 'a.u' }, { unknown = 'a.l', residual = 'a.y', target = 2 }]\n\
             [algorithm]\nsweep = 'jacobi'\norder = ['a']\niterations = 5\ncompatibility = 'mastersim'\n",
        )
        .unwrap();
        assert_eq!(system.experiment.start.unwrap().value, 1.0);
        let a = &system.instances[0];
        assert!(!a.pass_stop_time);
        let start: Vec<_> =
            a.start.iter().map(|setting| (setting.variable.value.as_str(), setting.value.value.clone())).collect();
        assert_eq!(
            start,
            [
                ("k", StartValue::Integer(2)),
                ("on", StartValue::Boolean(true)),
                ("p.q", StartValue::Real(1.5)),
                ("s", StartValue::Text("x".into()))
            ]
        );
        let solved: Vec<_> = system.initialization.iter().map(|s| (s.unknown.value.as_str(), s.target)).collect();
        assert_eq!(solved, [("a.k", 0.0), ("a.l", 2.0)]);
        let inputs: Vec<_> = system.connections.iter().map(|c| (c.input.value.as_str(), c.sources.len())).collect();
        assert_eq!(inputs, [("a.u", 1), ("a.v", 1), ("a.w", 2), ("a.z", 1)]);
        assert_eq!(system.connections[1].sources[0].factor, -1.0);
        assert_eq!(system.connections[2].sources[1].offset, 2.0);
        assert_eq!(system.algorithm.iterations.unwrap().value, 5);
    }

    #[test]
    fn power_bonds_are_pairs_of_effort_and_flow() {
        let head = "[instances]\na = 'a.fmu'\n[power-bonds]\n";
        let system = read_text(&format!("{head}joint = {{ effort = 'a.f', flow = 'b.v' }}\n")).unwrap();
        let bond = &system.power_bonds[0];
        assert_eq!([&bond.name, &bond.effort, &bond.flow].map(|name| name.value.as_str()), ["joint", "a.f", "b.v"]);
        let text = format!("{head}x = 'a.f'\ny = {{ effort = 1, floww = 'b.v' }}\n");
        let problems = read_text(&text).unwrap_err().to_string();
        for part in [
            "4:5: expected a table for the power bond `x`, found a string; set x = { effort",
            "5:16: expected a string for `effort`, found an integer",
            "5:5: the power bond `y` has no `flow`",
            "5:19: unknown key `floww` in [power-bonds]; did you mean `flow`?",
        ] {
            assert!(problems.contains(part), "no `{part}` in\n{problems}");
        }
    }

    #[test]
    fn sources_are_files_or_formulas() {
        let head = "[instances]\na = 'a.fmu'\n[sources]\n";
        let system = read_text(&format!(
            "{head}w = 'w.csv'\nv = {{ csv = 'v.csv', interpolation = 'previous', outside = 'hold', units = {{ T = 'K', b.c = 'm' }} }}\n\
             c = {{ signal = 'constant', value = true }}\ns = {{ signal = 'step', time = 1, to = 5.0, unit = 'V' }}\n\
             r = {{ signal = 'ramp', time = 1, duration = 2, to = 3 }}\nh = {{ signal = 'sine', amplitude = 2, frequency = 0.5 }}\n"
        ))
        .unwrap();
        let kinds: Vec<_> = system.sources.iter().map(|source| source.signal.kind()).collect();
        assert_eq!(kinds, ["csv", "csv", "constant", "step", "ramp", "sine"]);
        let units: Vec<_> =
            system.sources[1].units.iter().map(|(name, unit)| (name.value.as_str(), unit.value.as_str())).collect();
        assert_eq!((units, &*system.sources[3].units[0].0.value), (vec![("T", "K"), ("b.c", "m")], "y"));
        let text = "w = 1\nv = { interpolation = 'linear' }\nb = { csv = 'x.csv', signal = 'step' }\nc = { signal = 'stepp' }\n\
                    s = { signal = 'step', to = [1] }\nr = { signal = 'ramp', time = 1, duration = 0, to = 'x', from = 1, tim = 2 }\n";
        let problems = read_text(&format!("{head}{text}")).unwrap_err().to_string();
        for part in [
            "4:5: expected a file or a signal for the source `w`, found an integer; write { csv = ",
            "5:5: the source `v` has neither `csv` nor `signal`",
            "6:5: the source `b` has both `csv` and `signal`",
            "7:16: unknown signal `stepp`; did you mean `step`?",
            "8:5: the source `s` has no `time`",
            "8:29: expected a number, a string, true or false for `to`, found a list",
            "9:45: expected a value greater than 0 for `duration`, found 0",
            "9:53: expected a number for `to`, found a string",
        ] {
            assert!(problems.contains(part), "no `{part}` in\n{problems}");
        }
    }

    #[test]
    fn a_scenario_is_a_list_of_what_is_set_when() {
        let head = "[instances]\na = 'a.fmu'\n";
        let system = read_text(&format!(
            "{head}[[scenario]]\nat = 1\nuntil = 2.5\nset = {{ 'a.k' = 2, a.p.q = 'x' }}\nadd = {{ a.u = 0.5 }}\n"
        ))
        .unwrap();
        let entry = &system.scenario[0];
        let names: Vec<_> = entry.set.iter().chain(&entry.add).map(|setting| setting.variable.value.as_str()).collect();
        assert_eq!((entry.at.value, names), (1.0, vec!["a.k", "a.p.q", "a.u"]));
        let problems =
            read_text(&format!("{head}[[scenario]]\nset = {{ a.k = 1979-05-27 }}\n[[scenario]]\nat = 1\nadds = {{}}\n"))
                .unwrap_err()
                .to_string();
        for part in [
            "4:15: expected a number, a string, true or false, or a list of them, for the value of `a.k`, found a date",
            "3:1: an entry of `scenario` has no `at`; write [[scenario]]",
            "5:1: an entry of `scenario` has neither `set` nor `add`",
            "7:1: unknown key `adds` in [scenario]; did you mean `add`?",
        ] {
            assert!(problems.contains(part), "no `{part}` in\n{problems}");
        }
    }

    #[test]
    fn all_problems_are_reported_with_line_and_nearest_name() {
        let problems =
            read_text("[experiment]\nstopp = 1.0\nstop = 'x'\n[instances]\na = 1\n[algoritm]\nsweep = 'jacobi'\n").unwrap_err();
        assert_eq!(
            problems.to_string(),
            "system.toml:2:1: unknown key `stopp` in [experiment]; did you mean `stop`?\nsystem.toml:3:8: expected a number for \
             `stop`, found a string\nsystem.toml:5:5: expected the path of an FMU or a table with `fmu` for `a`, found an \
             integer\nsystem.toml:6:2: unknown section [algoritm]; did you mean `algorithm`?"
        );
    }

    #[test]
    fn syntax_errors_have_positions_and_do_not_hide_each_other() {
        let problems = read_text("[experiment]\nstop = \n[instances]\na = 'a.fmu' b\n").unwrap_err();
        let lines: Vec<_> =
            problems.list.iter().filter_map(|p| p.position(&problems.file.as_ref().unwrap().text)).map(|at| at.0).collect();
        assert!(lines.contains(&2) && lines.contains(&4), "{problems}");
    }
}
