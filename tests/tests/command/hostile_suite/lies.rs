//! Valid replies of a host that differ from honest ones in one place.

use std::collections::HashSet;

use ciborium::Value;
use lotka_host::{PairReport, Watched};
use lotka_instance::{
    CallError, Capabilities, Cause, Discard, DiscreteUpdate, FunctionName, ProcessEnd, Slot, Status, StepOutcome,
};
use serde::{Deserialize, Serialize};

/// The replies of the protocol, whose encoding is the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply {
    Done,
    Loaded(Capabilities, Vec<String>),
    Refused(String),
    Failed(Box<CallError>),
    Outcome(StepOutcome, Vec<f64>),
    Updated(DiscreteUpdate),
    Slot(Slot),
    Reals(Vec<f64>),
    Integers(Vec<i128>),
    Booleans(Vec<bool>),
    Strings(Vec<String>),
    Binaries(Vec<Vec<u8>>),
    Bytes(Vec<u8>),
    ProcessState(Box<Watched>),
    Pair(PairReport),
}

/// Number of elements of arrays that are much too long.
const MANY: usize = 100_000;

/// Elements of an array that are changed.
const FIRST: usize = 3;

/// All lies about a reply, each with its place. The bytes of an honest reply must be those of this mirror.
pub fn lies(honest: &[u8]) -> Vec<(String, Vec<u8>)> {
    let reply: Reply = postcard::from_bytes(honest).unwrap();
    assert_eq!(postcard::to_stdvec(&reply).unwrap(), honest, "the mirror of the protocol is out of date: {reply:?}");
    let value = Value::serialized(&reply).unwrap();
    let mut changed = Vec::new();
    change(&value, kind(&value), &mut changed);
    let encoded = |(place, value): (String, Value)| {
        let reply: Reply = value.deserialized().ok()?;
        Some((place, postcard::to_stdvec(&reply).unwrap()))
    };
    let others = others().into_iter().map(|other| ("another reply".to_owned(), postcard::to_stdvec(&other).unwrap()));
    let mut known = HashSet::new();
    let mut lies: Vec<_> = changed.into_iter().filter_map(encoded).chain(others).filter(|(_, lie)| lie != honest).collect();
    lies.retain(|(_, lie)| known.insert(lie.clone()));
    lies
}

/// The name of the variant of an enumeration.
fn kind(value: &Value) -> String {
    match value {
        Value::Text(name) => name.clone(),
        Value::Map(entries) => entries.first().and_then(|(name, _)| name.as_text()).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

/// Adds all values that differ from this one in one place.
fn change(value: &Value, place: String, changed: &mut Vec<(String, Value)>) {
    changed.extend(instead(value).into_iter().map(|other| (place.clone(), other)));
    let mut inside = |child: &Value, name: String, rebuild: &dyn Fn(Value) -> Value| {
        let mut children = Vec::new();
        change(child, format!("{place}.{name}"), &mut children);
        changed.extend(children.into_iter().map(|(place, child)| (place, rebuild(child))));
    };
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate().take(FIRST) {
                inside(item, index.to_string(), &|child| {
                    let mut items = items.clone();
                    items[index] = child;
                    Value::Array(items)
                });
            }
        }
        Value::Map(entries) => {
            for (index, (key, child)) in entries.iter().enumerate() {
                inside(child, key.as_text().unwrap_or_default().to_owned(), &|child| {
                    let mut entries = entries.clone();
                    entries[index].1 = child;
                    Value::Map(entries)
                });
            }
        }
        _ => {}
    }
}

/// What can be in place of a value, whether the protocol allows it there or not.
fn instead(value: &Value) -> Vec<Value> {
    let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, -1.0, 0.05, 1e-300, 1e308].map(Value::Float);
    let integers = [0, 1, -1, i128::from(u32::MAX), i128::from(u64::MAX), i128::from(i64::MIN)];
    let integers = integers.into_iter().filter_map(|number| ciborium::value::Integer::try_from(number).ok()).map(Value::Integer);
    let texts = ["", "\u{1b}[2J\r\u{202e}\n"].map(|text| Value::Text(text.to_owned()));
    let variants = ["Complete", "Ok", "Warning", "Discard", "Error", "Fatal", "Pending", "Unsupported"];
    let variants = variants.map(|name| Value::Text(name.to_owned()));
    match value {
        Value::Float(number) => {
            let near = [number.next_up(), number.next_down(), -number, number + 1e-9].map(Value::Float);
            numbers.into_iter().chain(near).chain([Value::Null]).collect()
        }
        Value::Integer(_) => integers.collect(),
        Value::Bool(flag) => vec![Value::Bool(!flag)],
        Value::Text(_) => texts.into_iter().chain(variants).chain([Value::Text("x".repeat(MANY))]).chain(outcomes()).collect(),
        Value::Null => numbers.into_iter().chain(integers).chain(texts).collect(),
        Value::Array(items) => {
            let shorter = items.split_last().map(|(_, rest)| rest.to_vec());
            let first = items.first().cloned().unwrap_or(Value::Float(0.0));
            let longer = [items.clone(), vec![first.clone()]].concat();
            shorter.into_iter().chain([Vec::new(), longer, vec![first; MANY]]).map(Value::Array).collect()
        }
        Value::Map(_) => outcomes(),
        _ => Vec::new(),
    }
}

/// The outcomes that a step can have.
fn outcomes() -> Vec<Value> {
    let times = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-300, 0.05, 0.1, 0.55, 1e9];
    let discards = [None, Some(0.05), Some(f64::NAN)].into_iter().flat_map(|last_successful_time| {
        [false, true].map(|terminate| StepOutcome::Discarded(Box::new(Discard { last_successful_time, terminate })))
    });
    let stops = times.into_iter().flat_map(|time| [StepOutcome::EarlyReturn(time), StepOutcome::Event(time)]);
    stops.chain(discards).map(|outcome| Value::serialized(&outcome).unwrap()).collect()
}

/// Replies of every kind.
fn others() -> Vec<Reply> {
    let causes = [
        Cause::Status(Status::Ok),
        Cause::Status(Status::Pending),
        Cause::Status(Status::Discard),
        Cause::Status(Status::Fatal),
        Cause::UnknownStatus(0),
        Cause::UnknownStatus(i32::MIN),
        Cause::Unsupported,
        Cause::PendingTimeout(f64::NAN),
        Cause::BadReply("\u{1b}]0;x\u{7}".into()),
        Cause::ProcessEnded(ProcessEnd::Exit(0)),
        Cause::ProcessEnded(ProcessEnd::TimeLimit(-1.0)),
    ];
    let failed = causes.into_iter().map(|cause| {
        let function = FunctionName::from(fmi2::Function::DoStep);
        Reply::Failed(Box::new(CallError {
            instance: "b".into(),
            function,
            variables: vec!["x".into(); 1000],
            time: Some(f64::NAN),
            cause,
            log: vec!["\n".into()],
        }))
    });
    let plain = [
        Reply::Done,
        Reply::Refused(String::new()),
        Reply::Refused("no".into()),
        Reply::Outcome(StepOutcome::Complete, Vec::new()),
        Reply::Updated(DiscreteUpdate::default()),
        Reply::Slot(Slot(0)),
        Reply::Slot(Slot(u32::MAX)),
        Reply::Reals(Vec::new()),
        Reply::Bytes(Vec::new()),
        Reply::Strings(vec![String::new(); MANY]),
    ];
    failed.chain(plain).collect()
}
