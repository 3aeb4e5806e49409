//! Sessions of systems with variables of every type. Those of Real variables are tested with the library.

use std::fs;

use lotka::{Csv, Memory, RunError, SessionRefusal, System, TypedValue, Values};
use lotka::{Override, SourceSignal, StartSetting, StartValue};
use tests::{bits, systems::machines};

/// Values of every type, connected and not.
fn changes() -> [(f64, &'static str, StartValue); 7] {
    [
        (0.3, "second.demand", StartValue::Integer(7)),
        (0.3, "second.enabled", StartValue::Boolean(false)),
        (0.3, "second.title", "set".into()),
        (0.5, "second.command", StartValue::Real(1.5)),
        (0.5, "first.gain", StartValue::Real(9.0)),
        (0.5, "first.title", "own".into()),
        (0.7, "second.demand", StartValue::Integer(-2)),
    ]
}

fn recorded() -> System {
    machines().step(0.1).record(&["*"])
}

/// The texts of all columns, which have no bits.
fn texts(rows: &Memory) -> Vec<Vec<String>> {
    rows.columns().iter().filter_map(|column| rows.text(&column.name).map(<[String]>::to_vec)).collect()
}

#[test]
fn variables_of_every_type_change_as_in_a_scenario() {
    let entry = |system: System, (at, name, value): (f64, &str, StartValue)| {
        let set = vec![StartSetting::new(name.to_owned(), value)];
        system.scenario(Override { at: at.into(), until: None, set, add: Vec::new() })
    };
    let mut expected = Memory::new();
    changes().into_iter().fold(recorded(), entry).build().unwrap().run(&mut [&mut expected]).unwrap();
    let mut rows = Memory::new();
    let mut session = recorded().build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    for (at, name, value) in changes() {
        assert!(session.advance_to(at));
        session.set(name, value).unwrap();
    }
    let now =
        ["second.demand", "second.enabled", "second.title", "first.gain", "first.title"].map(|name| session.get(name).unwrap());
    assert_eq!(now[..3], [TypedValue::Integer(-2), TypedValue::Boolean(false), TypedValue::Text("set".to_owned())]);
    assert_eq!(now[3..], [TypedValue::Real(9.0), TypedValue::Text("own".to_owned())]);
    let refused = session.real("second.title").unwrap_err().to_string();
    assert!(refused.contains("`second.title` is a String, not a number"), "{refused}");
    assert!(!session.advance_to(1.0));
    let (mut simulation, report) = session.finish();
    report.unwrap();
    assert_eq!(rows.time(), expected.time());
    assert!(bits(&rows) == bits(&expected));
    assert_eq!(texts(&rows), texts(&expected));

    // A run after the session, and a session without changes, are those of the system.
    let mut plain = Memory::new();
    recorded().build().unwrap().run(&mut [&mut plain]).unwrap();
    let mut again = Memory::new();
    simulation.run(&mut [&mut again]).unwrap();
    assert!(bits(&again) == bits(&plain) && texts(&again) == texts(&plain));
    let mut session = simulation.start(vec![Box::new(&mut again)]).unwrap();
    while session.step() {}
    session.finish().1.unwrap();
    assert!(bits(&again) == bits(&plain) && texts(&again) == texts(&plain));
}

#[test]
fn discrete_inputs_return_to_their_sources_and_sessions_to_their_points() {
    let mut plain = Memory::new();
    recorded().build().unwrap().run(&mut [&mut plain]).unwrap();
    let mut rows = Memory::new();
    let mut session = recorded().build().unwrap().start(vec![Box::new(&mut rows)]).unwrap();
    session.advance_to(0.2);
    let point = session.save().unwrap();
    for (_, name, value) in changes() {
        session.set(name, value).unwrap();
    }
    let changed = session.save().unwrap();
    session.advance_to(0.5);
    session.reconnect("second.demand").unwrap();
    assert_eq!(session.get("second.demand").unwrap(), session.get("first.parts").unwrap());
    session.restore(&changed).unwrap();
    assert_eq!(session.get("second.demand").unwrap(), TypedValue::Integer(-2));
    assert_eq!(session.get("second.title").unwrap(), TypedValue::Text("set".to_owned()));
    session.advance_to(0.9);
    session.restore(&point).unwrap();
    assert_eq!(session.get("second.title").unwrap(), session.get("first.label").unwrap());
    session.advance_to(1.0);
    session.finish().1.unwrap();
    assert_eq!(rows.time(), plain.time());
    assert!(bits(&rows) == bits(&plain) && texts(&rows) == texts(&plain));
}

/// What a session changes is no constant in its files.
#[test]
fn parameters_that_a_session_changes_are_no_constants() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut mat = lotka::Mat::new(file.reopen().unwrap());
    let mut session = machines().step(0.5).record(&["first.gain"]).build().unwrap().start(vec![Box::new(&mut mat)]).unwrap();
    session.advance_to(0.5);
    session.set("first.gain", 9.0).unwrap();
    session.advance_to(1.0);
    session.finish().1.unwrap();
    mat.finish().unwrap();
    let results = lotka::Results::read(fs::File::open(file.path()).unwrap()).unwrap();
    assert_eq!(results.time(), [0.0, 0.5, 0.5, 1.0]);
    let Some(Values::Real(gain)) = results.values("first.gain") else { panic!("no gain") };
    assert_eq!(gain[1..], [gain[0], 9.0, 9.0]);
}

/// A source that nothing reads or records has no value at a pause; one that is read has.
#[test]
fn sources_have_values_if_they_are_read() {
    let ramp = SourceSignal::Ramp { time: 0.0, duration: 1.0, from: 1.0, to: 3.0 };
    let system = machines().step(0.25).source("ramp", ramp);
    let mut session = system.clone().record(&["ramp.y"]).build().unwrap().start(Vec::new()).unwrap();
    session.advance_to(0.25);
    assert_eq!(session.real("ramp.y").unwrap(), 1.5);
    let refused = system.build().unwrap().start(Vec::new()).unwrap().get("ramp.y").unwrap_err();
    let lotka::Error::Run(error) = refused else { panic!("{refused}") };
    assert!(matches!(*error, RunError::Session(SessionRefusal::NotRecorded { .. })), "{error}");
}

/// Rows that went to a file cannot be withdrawn.
#[test]
fn a_file_reports_that_its_rows_cannot_be_withdrawn() {
    let mut text = Vec::new();
    let mut csv = Csv::new(&mut text);
    let mut session = recorded().build().unwrap().start(vec![Box::new(&mut csv)]).unwrap();
    let point = session.save().unwrap();
    session.advance_to(0.5);
    session.restore(&point).unwrap();
    session.finish().1.unwrap();
    assert!(csv.finish().unwrap_err().to_string().contains("cannot be withdrawn"));
}

/// An FMU that begins its steps where the last promised one began would compute wrong values after a point is saved.
#[test]
fn fmus_that_need_a_promise_have_no_saved_points() {
    let folder = tempfile::tempdir().unwrap();
    let fmu = tests::quirks::Quirk::new("promise").described_by("lag").named("a").build(folder.path());
    let system = System::new().instance("a", fmu).start_value("a.x0", 3.0).start_value("a.u", 2.0).stop(1.0).step(0.1);
    let mut session = system.build().unwrap().start(Vec::new()).unwrap();
    session.advance_to(0.5);
    let refused = session.save().unwrap_err().to_string();
    assert!(refused.contains("instance `a` advances only if the master promises"), "{refused}");
    session.advance_to(1.0);
    assert!((session.real("a.y").unwrap() - (2.0 + (-1.0_f64).exp())).abs() < 1e-9);
}
