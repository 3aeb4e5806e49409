//! The life of an instance: random sequences of calls, sound ones and others, checked against a state machine of their own.
//!
//! [`model`] is that machine, written from section 4.2.4 of FMI 2.0.5 and sections 2.3 and 4.2 of FMI 3.0.2, without the call
//! tables of the crates. The same sequences are made at three places: the C functions of an FMU of the kit ([`functions`],
//! [`functions3`]), instances in this process, and instances in processes of their own ([`instance`]). Each run has new
//! sequences; a failure prints the shortest one that fails, with the answer to each call.

mod call;
mod functions;
mod functions3;
mod instance;
mod model;

use call::{Call, calls};
use fmu::{Fmu, InstantiateOptions};
use lotka_instance::InstanceFactory;
use model::{Kind, Life, Verdict};
use proptest::{prelude::*, test_runner::TestRunner};
use tests::{hosted, joined, joined_fmi3, packed};

/// What an instance answers to a call.
#[derive(Debug, Clone, PartialEq)]
enum Answer {
    Done,
    Value(f64),
    Discarded,
    /// With the message.
    Refused(String),
}

/// An instance, wherever its calls are made.
trait Subject {
    /// Makes a call at this communication point \[s\].
    fn call(&mut self, call: Call, time: f64) -> Answer;

    /// Frees the instance before its end, where calls can be made afterwards: all are refused.
    fn free(&mut self) -> bool {
        false
    }
}

/// Makes random sequences of calls of new instances.
fn live<S: Subject>(cases: u32, kind: Kind, make: impl Fn() -> S) {
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    let outcome = runner.run(&calls(), |calls| {
        let (mut life, mut subject, mut made) = (Life::new(kind), make(), Vec::new());
        for (call, is_daring) in calls {
            let verdict = life.verdict(call);
            if verdict == Verdict::Open || verdict != Verdict::Allowed && !is_daring {
                continue;
            }
            check(&mut life, &mut subject, call, &mut made)?;
            // What the instance holds shows after each call, as far as it can be read.
            if life.verdict(Call::Get) == Verdict::Allowed {
                check(&mut life, &mut subject, Call::Get, &mut made)?;
            }
        }
        if subject.free() {
            let answer = subject.call(Call::Get, 0.0);
            prop_assert!(matches!(answer, Answer::Refused(_)), "after its end: {answer:?}");
        }
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

fn check(life: &mut Life, subject: &mut impl Subject, call: Call, made: &mut Vec<String>) -> Result<(), TestCaseError> {
    let before = life.phase();
    let answer = subject.call(call, life.time());
    made.push(format!("{before:?}: {call:?} -> {answer:?}"));
    life.take(call, &answer).map_err(|problem| TestCaseError::fail(format!("{problem}\n{}", made.join("\n"))))
}

#[test]
fn functions_of_fmi2() {
    live(200, Kind::prey_functions(), functions::Functions::new);
}

#[test]
fn functions_of_fmi3() {
    live(200, Kind::ball_functions(false), || functions3::Functions::new(false));
    live(200, Kind::ball_functions(true), || functions3::Functions::new(true));
}

fn options(event_mode: bool) -> InstantiateOptions {
    InstantiateOptions { event_mode, ..InstantiateOptions::default() }
}

fn imported(cases: u32, fmu: &Fmu, kind: Kind, event_mode: bool) {
    let description = InstanceFactory::description(fmu);
    live(cases, kind, || instance::Called::new(fmu.instantiate("it", &options(event_mode)).unwrap(), description));
}

#[test]
fn instances_in_this_process() {
    imported(120, &joined::<models::Prey>(), Kind::prey(), false);
    imported(120, &joined_fmi3::<models::BouncingBall>(), Kind::ball(false), false);
    imported(120, &joined_fmi3::<models::BouncingBall>(), Kind::ball(true), true);
    imported(30, &Fmu::open(packed("prey")).unwrap(), Kind::prey(), false);
}

fn in_processes(name: &str, kind: Kind, event_mode: bool) {
    let fmu = hosted(packed(name));
    let description = InstanceFactory::description(&fmu);
    live(25, kind, || instance::Called::new(fmu.instantiate("it", &options(event_mode)).unwrap(), description));
}

#[test]
fn instances_in_processes() {
    in_processes("prey", Kind::prey(), false);
    in_processes("fmi3/bouncing_ball", Kind::ball(false), false);
    in_processes("fmi3/bouncing_ball", Kind::ball(true), true);
}
