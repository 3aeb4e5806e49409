//! Resources and log of a model.

use std::{fs, path::Path, ptr};

use fmu_sdk::{Declaration, Environment, Experiment, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use crate::host::{ERROR, Host, OK, WARNING};

/// `y = n gain` after `n` steps; the gain is read from the resources at the start.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Steps {
    environment: Environment,
    gain: f64,
    y: f64,
    limit: f64,
}

impl Model for Steps {
    const NAME: &'static str = "steps";
    const DESCRIPTION: &'static str = "Counts in units that are read from a file";

    fn declare(v: &mut Declaration<Self>) {
        v.environment(|m| &mut m.environment);
        v.output("y", |m| &mut m.y).depends_on([]);
        v.parameter("limit", |m| &mut m.limit);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        let path = self.environment.resources()?.join("gain.txt");
        let text = fs::read_to_string(&path).map_err(|error| Refusal::error(format!("{}: {error}", path.display())))?;
        self.gain = text.trim().parse().map_err(|error| Refusal::error(format!("{}: {error}", path.display())))?;
        self.environment.event(format!("the gain is {}", self.gain));
        Ok(())
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        self.y += self.gain;
        if self.limit > 0.0 && self.y > self.limit {
            self.environment.warning(format!("{} is above the limit", self.y));
        }
        if self.y > 2.0 * self.limit {
            return Err(Refusal::error("far above the limit"));
        }
        Ok(())
    }
}

const Y: u32 = 0;
const LIMIT: u32 = 1;

/// A folder of resources with a gain, and its URI.
fn resources(gain: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gain.txt"), gain).unwrap();
    let uri = format!("file://{}", folder.path().display());
    (folder, uri)
}

/// Ready for the first step, with a limit of 4.
fn started(debug: bool, location: &str) -> Host {
    let host = Host::of::<Steps>(debug, Some(location));
    host.enter();
    assert_eq!(host.set_reals(&[LIMIT], &[4.0]), OK);
    host.exit();
    host
}

fn line(status: i32, category: &str, text: &str) -> (i32, String, String) {
    (status, category.to_owned(), text.to_owned())
}

#[test]
fn a_model_reads_its_resources_and_the_importer_what_it_logs() {
    let (_folder, location) = resources("2.5");
    let host = started(true, &location);
    assert!(host.lines().contains(&line(OK, "logEvents", "the gain is 2.5")));
    assert_eq!(host.do_step(0.0, 0.1), OK);
    assert_eq!(host.lines(), []);
    assert_eq!(host.do_step(0.1, 0.1), WARNING);
    assert_eq!(host.lines(), [line(WARNING, "logStatusWarning", "5 is above the limit")]);
    assert_eq!(host.reals(&[Y]), [5.0]);
}

#[test]
fn events_wait_to_be_asked_for_and_warnings_do_not() {
    let (_folder, location) = resources("2.5");
    let host = started(false, &location);
    assert_eq!((host.do_step(0.0, 0.1), host.do_step(0.1, 0.1)), (OK, WARNING));
    assert_eq!(host.lines(), [line(WARNING, "logStatusWarning", "5 is above the limit")]);
}

#[test]
fn what_was_logged_before_a_refusal_comes_before_it() {
    let (_folder, location) = resources("9");
    let host = started(false, &location);
    assert_eq!(host.do_step(0.0, 0.1), ERROR);
    let expected = [
        line(WARNING, "logStatusWarning", "9 is above the limit"),
        line(ERROR, "logStatusError", "fmi2DoStep: far above the limit"),
    ];
    assert_eq!(host.lines(), expected);
}

#[test]
fn the_environment_is_that_of_the_instance_whatever_state_it_is_in() {
    let ((_one, here), (_two, there)) = (resources("2.5"), resources("3"));
    let (host, other) = (started(true, &here), started(true, &there));
    let mut state = ptr::null_mut();
    other.save(&mut state);
    let bytes = other.serialize(state);
    other.free(&mut state);
    host.lines();

    assert_eq!(host.deserialize(&bytes, &mut state), OK);
    host.restore(state);
    assert_eq!((host.do_step(0.0, 0.1), host.do_step(0.1, 0.1)), (OK, WARNING));
    assert_eq!(host.lines(), [line(WARNING, "logStatusWarning", "6 is above the limit")], "in the state of the other one");

    assert_eq!(host.reset(), OK);
    host.enter();
    host.exit();
    assert!(host.lines().contains(&line(OK, "logEvents", "the gain is 2.5")));
    host.free(&mut state);
    assert!(other.lines().iter().all(|(_, category, _)| category == "logEvents"));
}

#[test]
fn without_a_place_or_a_file_there_is_no_start() {
    let (folder, _) = resources("many");
    let unfit = format!("file://{}", folder.path().display());
    for (location, reason) in [
        (None, "the importer passed no location of the resources"),
        (Some(""), "the importer passed no location of the resources"),
        (Some("http://a/b"), "expected a `file:` URI as location of the resources, found `http://a/b`"),
        (Some("file:///does/not/exist"), "/does/not/exist/gain.txt: No such file"),
        (Some(unfit.as_str()), "gain.txt: invalid float literal"),
    ] {
        let host = Host::of::<Steps>(false, location);
        host.enter();
        // SAFETY: a live instance.
        assert_eq!(unsafe { (host.f.exit_initialization_mode)(host.c) }, ERROR);
        host.explained("logStatusError", reason);
    }
}

#[test]
fn tests_of_a_model_need_no_fmu() {
    let (folder, _) = resources("2.5");
    let start = |environment| {
        let mut model = Steps { environment, ..Steps::default() };
        model.initialize(&Experiment { start: 0.0, stop: None, tolerance: None }).map(|()| model.gain)
    };
    assert_eq!(start(Environment::with_resources(folder.path())).unwrap(), 2.5);
    assert_eq!(Environment::with_resources(folder.path()).resources().unwrap(), Path::new(folder.path()));
    assert!(start(Environment::default()).is_err());
}
