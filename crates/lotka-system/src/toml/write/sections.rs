//! The sections of a system file.

use std::path::Path;

use lotka_instance::Sandbox;
use lotka_step::resolved::Direction;

use super::{super::form::Choice, Item, Section};
use crate::{
    Connection, CsvSettings, EventLevel, IndicatorSettings, InstanceSettings, Interpolation, IsolationSettings, Located, Outside,
    Override, SourceSettings, SourceSignal, StartSetting, StartValue, Summand, SystemDescription, Times, UnitSettings,
    toml::{
        algorithm::{COMPATIBILITIES, FEEDTHROUGH_OUTPUTS, INPUT_DELIVERIES, NO_CONVERGENCE},
        events::DIRECTIONS,
        isolation::PLACES,
        sources::{INTERPOLATIONS, OUTSIDE},
        units::BASE_UNITS,
    },
};

type Entry = Option<(&'static str, Item)>;

pub(super) fn experiment(description: &SystemDescription) -> Section {
    let experiment = &description.experiment;
    let times = [
        number("start", &experiment.start),
        number("stop", &experiment.stop),
        number("step", &experiment.step),
        number("tolerance", &experiment.tolerance),
        number("local-tolerance", &experiment.local_tolerance),
        number("absolute-tolerance", &experiment.absolute_tolerance),
        number("output-interval", &experiment.output_interval),
        number("min-output-interval", &experiment.min_output_interval),
        number("first-step", &experiment.first_step),
        number("min-step", &experiment.min_step),
        number("max-step", &experiment.max_step),
        number("max-calls", &experiment.max_calls),
        number("event-tolerance", &experiment.event_tolerance),
        number("fmu-tolerance", &experiment.fmu_tolerance),
    ];
    ("experiment", entries(times.into_iter().chain(isolation(&description.isolation))))
}

pub(super) fn instances(description: &SystemDescription) -> Section {
    let written = description.instances.iter().map(|instance| {
        let prefix = format!("{}.", instance.name.value);
        let outside = description.start_values.iter().filter_map(|setting| {
            let variable = setting.variable.value.strip_prefix(&prefix)?;
            Some(StartSetting { variable: variable.to_owned().into(), ..setting.clone() })
        });
        (instance.name.value.clone(), self::instance(instance, outside))
    });
    ("instances", written.collect())
}

fn instance(instance: &InstanceSettings, outside: impl Iterator<Item = StartSetting>) -> Item {
    let mut start: Vec<(String, Item)> = Vec::new();
    for setting in instance.start.iter().cloned().chain(outside) {
        let item = start_item(&setting);
        match start.iter_mut().find(|(known, _)| *known == setting.variable.value) {
            Some((_, known)) => *known = item,
            None => start.push((setting.variable.value, item)),
        }
    }
    let start = (!start.is_empty()).then_some(("start", Item::Table(start)));
    let stop_time = (!instance.pass_stop_time).then_some(("pass-stop-time", Item::Boolean(false)));
    let tolerance = number("fmu-tolerance", &instance.fmu_tolerance);
    let sample_time = number("sample-time", &instance.sample_time);
    let special: Vec<Entry> =
        [start, stop_time, tolerance, sample_time].into_iter().chain(isolation(&instance.isolation)).collect();
    let fmu = path(&instance.fmu.value);
    if special.iter().all(Option::is_none) {
        return fmu;
    }
    Item::table(std::iter::once(Some(("fmu", fmu))).chain(special))
}

fn start_item(setting: &StartSetting) -> Item {
    let value = Item::from(&setting.value.value);
    match &setting.unit {
        Some(unit) => Item::table([Some(("value", value)), Some(("unit", Item::from(unit.value.as_str())))]),
        None => value,
    }
}

pub(super) fn sources(description: &SystemDescription) -> Section {
    let written = description.sources.iter().map(|source| (source.name.value.clone(), signal(source)));
    ("sources", written.collect())
}

fn signal(source: &SourceSettings) -> Item {
    let units: Vec<_> = source.units.iter().map(|(name, unit)| (name.value.clone(), Item::from(unit.value.as_str()))).collect();
    let kind = Some(("signal", Item::from(source.signal.kind())));
    let real = |key: &'static str, value: f64| Some((key, Item::Real(value)));
    let value = |key: &'static str, value: &StartValue| Some((key, Item::from(value)));
    let special = |key: &'static str, value: f64| (value != 0.0).then_some((key, Item::Real(value)));
    let unit = units.first().map(|(_, unit)| ("unit", unit.clone()));
    match &source.signal {
        SourceSignal::Csv(csv) => table(csv, units),
        SourceSignal::Constant { value: constant } => Item::table([kind, value("value", constant), unit]),
        SourceSignal::Step { time, from, to } => {
            let from = (*from != StartValue::Integer(0)).then(|| ("from", Item::from(from)));
            Item::table([kind, real("time", *time), value("to", to), from, unit])
        }
        SourceSignal::Ramp { time, duration, from, to } => {
            Item::table([kind, real("time", *time), real("duration", *duration), real("to", *to), special("from", *from), unit])
        }
        SourceSignal::Sine { amplitude, frequency, phase, offset, time } => {
            let shape = [kind, real("amplitude", *amplitude), real("frequency", *frequency)];
            let place = [special("phase", *phase), special("offset", *offset), time.map(|time| ("time", Item::Real(time))), unit];
            Item::table(shape.into_iter().chain(place))
        }
    }
}

fn table(csv: &CsvSettings, units: Vec<(String, Item)>) -> Item {
    let special = [
        (csv.interpolation != Interpolation::default())
            .then(|| ("interpolation", Item::from(name_of(&csv.interpolation, &INTERPOLATIONS)))),
        (csv.outside != Outside::default()).then(|| ("outside", Item::from(name_of(&csv.outside, &OUTSIDE)))),
        (!units.is_empty()).then_some(("units", Item::Table(units))),
    ];
    let file = path(&csv.path.value);
    if special.iter().all(Option::is_none) {
        return file;
    }
    Item::table(std::iter::once(Some(("csv", file))).chain(special))
}

/// A section per entry.
pub(super) fn scenario(description: &SystemDescription) -> Vec<Section> {
    let values = |key: &'static str, settings: &[StartSetting]| {
        let values = settings.iter().map(|setting| (setting.variable.value.clone(), start_item(setting)));
        (!settings.is_empty()).then(|| (key, Item::Table(values.collect())))
    };
    let entry = |entry: &Override| {
        let at = Some(("at", Item::Real(entry.at.value)));
        ("[scenario]", entries([at, number("until", &entry.until), values("set", &entry.set), values("add", &entry.add)]))
    };
    description.scenario.iter().map(entry).collect()
}

pub(super) fn connections(connections: &[Connection]) -> Section {
    let written = connections.iter().map(|connection| {
        let item = match &connection.sources[..] {
            [only] => source(only),
            sources => Item::List(sources.iter().map(source).collect()),
        };
        (connection.input.value.clone(), item)
    });
    ("connections", written.collect())
}

fn source(source: &Summand) -> Item {
    let from = Item::from(source.from.value.as_str());
    let map = source.map.iter().map(|(key, value)| (unquoted(&key.value), Item::from(&value.value)));
    let special = [
        (source.factor != 1.0).then_some(("factor", Item::Real(source.factor))),
        (source.offset != 0.0).then_some(("offset", Item::Real(source.offset))),
        integer("degree", &source.degree),
        (!source.convert_units).then_some(("convert-units", Item::Boolean(false))),
        text("from-unit", &source.from_unit),
        text("to-unit", &source.to_unit),
        (!source.map.is_empty()).then(|| ("map", Item::Table(map.collect()))),
    ];
    if special.iter().all(Option::is_none) {
        return from;
    }
    Item::table(std::iter::once(Some(("from", from))).chain(special))
}

/// A value as the key of a map.
fn unquoted(value: &StartValue) -> String {
    match Item::from(value) {
        Item::Text(text) => text,
        item => item.to_string(),
    }
}

pub(super) fn initialization(description: &SystemDescription) -> Section {
    let solve: Vec<_> = description
        .initialization
        .iter()
        .map(|solved| {
            Item::table([
                Some(("unknown", Item::from(solved.unknown.value.as_str()))),
                Some(("residual", Item::from(solved.residual.value.as_str()))),
                (solved.target != 0.0).then_some(("target", Item::Real(solved.target))),
            ])
        })
        .collect();
    let solve = (!solve.is_empty()).then_some(("solve", Item::List(solve)));
    ("initialization", entries([solve, number("loop-tolerance", &description.loop_tolerance)]))
}

pub(super) fn algorithm(description: &SystemDescription) -> Section {
    let settings = &description.algorithm;
    let [safety, smallest, largest, proportional, integral] = settings.factors.by_key().map(|(key, value)| number(key, value));
    (
        "algorithm",
        entries([
            text("sweep", &settings.sweep),
            texts("order", &settings.order),
            integer("input-degree", &settings.input_degree),
            choice("input-delivery", &settings.input_delivery, &INPUT_DELIVERIES),
            settings.output_derivatives.as_ref().map(|on| ("output-derivatives", Item::Boolean(on.value))),
            choice("feedthrough-outputs", &settings.feedthrough_outputs, &FEEDTHROUGH_OUTPUTS),
            integer("iterations", &settings.iterations),
            number("iteration-tolerance", &settings.iteration_tolerance),
            number("min-iterated-step", &settings.min_iterated_step),
            text("acceleration", &settings.acceleration),
            choice("on-no-convergence", &settings.on_no_convergence, &NO_CONVERGENCE),
            text("estimator", &settings.estimator),
            text("controller", &settings.controller),
            safety,
            smallest,
            largest,
            proportional,
            integral,
            choice("compatibility", &settings.compatibility, &COMPATIBILITIES),
        ]),
    )
}

pub(super) fn events(description: &SystemDescription) -> Section {
    let mut written: Vec<(String, Vec<Item>)> = Vec::new();
    for event in &description.events.indicators {
        let item = indicator(event);
        match written.iter_mut().find(|(known, _)| *known == event.output.value) {
            Some((_, items)) => items.push(item),
            None => written.push((event.output.value.clone(), vec![item])),
        }
    }
    let single = |items: Vec<Item>| if let [only] = &items[..] { only.clone() } else { Item::List(items) };
    let indicators = written.into_iter().map(|(output, items)| (output, single(items)));
    let discards = description.events.discards.iter().map(|name| (name.value.clone(), Item::from("discard")));
    let event_mode = description.events.event_mode.iter().map(|name| (name.value.clone(), Item::from("event-mode")));
    let times = description.events.times.iter().map(|event| (event.instance.value.clone(), times(&event.times)));
    ("events", indicators.chain(discards).chain(event_mode).chain(times).collect())
}

fn times(times: &Times) -> Item {
    match times {
        Times::Every { every, offset } => Item::table([
            Some(("every", Item::Real(every.value))),
            offset.as_ref().map(|offset| ("offset", Item::Real(offset.value))),
        ]),
        Times::At(times) => Item::table([Some(("at", Item::List(times.iter().map(|time| Item::Real(time.value)).collect())))]),
    }
}

fn indicator(event: &IndicatorSettings) -> Item {
    let direction = Item::from(name_of(&event.direction, &DIRECTIONS));
    let level = match &event.level {
        EventLevel::Value(0.0) => return direction,
        EventLevel::Value(value) => Item::Real(*value),
        EventLevel::Output(output) => Item::from(output.value.as_str()),
    };
    Item::table([Some(("level", level)), (event.direction != Direction::Both).then_some(("direction", direction))])
}

pub(super) fn power_bonds(description: &SystemDescription) -> Section {
    let bonds = description.power_bonds.iter().map(|bond| {
        let ends = [("effort", &bond.effort), ("flow", &bond.flow)];
        (bond.name.value.clone(), Item::table(ends.map(|(key, name)| Some((key, Item::from(name.value.as_str()))))))
    });
    ("power-bonds", bonds.collect())
}

pub(super) fn results(description: &SystemDescription) -> Section {
    ("results", entries([texts("variables", &description.results.variables)]))
}

pub(super) fn units(description: &SystemDescription) -> Section {
    let unit = |unit: &UnitSettings| {
        let exponents = BASE_UNITS.iter().zip(unit.exponents).filter(|(_, exponent)| *exponent != 0);
        let exponents = exponents.map(|(base, exponent)| Some((*base, Item::Integer(exponent.into()))));
        let factor = (unit.factor != 1.0).then_some(("factor", Item::Real(unit.factor)));
        let offset = (unit.offset != 0.0).then_some(("offset", Item::Real(unit.offset)));
        (unit.name.value.clone(), Item::table(exponents.chain([factor, offset])))
    };
    ("units", description.units.iter().map(unit).collect())
}

fn isolation(settings: &IsolationSettings) -> [Entry; 6] {
    let sandbox =
        settings.sandbox.as_ref().map(|sandbox| ("sandbox", sandbox.value.as_ref().map_or(Item::Boolean(false), self::sandbox)));
    let preload_global = settings.preload_global.as_ref().map(|list| {
        let items = list.value.iter().map(|library| path(&library.value)).collect();
        ("preload-global", Item::List(items))
    });
    [
        choice("isolation", &settings.isolation, &PLACES),
        number("init-timeout", &settings.init_timeout),
        number("step-timeout", &settings.step_timeout),
        sandbox,
        preload_global,
        settings.thread_safe.as_ref().map(|said| ("thread-safe", Item::Boolean(said.value))),
    ]
}

fn sandbox(sandbox: &Sandbox) -> Item {
    let default = Sandbox::default();
    let whole = |value: u64| Item::Integer(i64::try_from(value).unwrap_or(i64::MAX));
    let list = |paths: &[std::path::PathBuf]| Item::List(paths.iter().map(|path| self::path(path)).collect());
    let special = [
        sandbox.memory.filter(|_| sandbox.memory != default.memory).map(|bytes| ("memory", whole(bytes))),
        sandbox.cpu_time.map(|seconds| ("cpu-time", whole(seconds))),
        (!sandbox.read.is_empty()).then(|| ("read", list(&sandbox.read))),
        (!sandbox.write.is_empty()).then(|| ("write", list(&sandbox.write))),
        sandbox.allow_weaker.then_some(("allow-weaker", Item::Boolean(true))),
    ];
    if special.iter().all(Option::is_none) { Item::Boolean(true) } else { Item::table(special) }
}

fn entries(entries: impl IntoIterator<Item = Entry>) -> Vec<(String, Item)> {
    entries.into_iter().flatten().map(|(key, item)| (key.to_owned(), item)).collect()
}

fn number(key: &'static str, value: &Option<Located<f64>>) -> Entry {
    value.as_ref().map(|value| (key, Item::Real(value.value)))
}

fn integer(key: &'static str, value: &Option<Located<i64>>) -> Entry {
    value.as_ref().map(|value| (key, Item::Integer(value.value)))
}

fn text(key: &'static str, value: &Option<Located<String>>) -> Entry {
    value.as_ref().map(|value| (key, Item::from(value.value.as_str())))
}

fn texts(key: &'static str, value: &Option<Located<Vec<Located<String>>>>) -> Entry {
    let items = |value: &Located<Vec<Located<String>>>| value.value.iter().map(|text| Item::from(text.value.as_str())).collect();
    value.as_ref().map(|value| (key, Item::List(items(value))))
}

fn choice<T: PartialEq>(key: &'static str, value: &Option<Located<T>>, names: &[Choice<T>]) -> Entry {
    value.as_ref().map(|value| (key, Item::from(name_of(&value.value, names))))
}

/// The written name of a choice.
fn name_of<T: PartialEq>(value: &T, names: &[Choice<T>]) -> &'static str {
    names.iter().find(|choice| choice.value == *value).map_or("", |choice| choice.name)
}

fn path(path: &Path) -> Item {
    Item::Text(path.to_string_lossy().into_owned())
}
