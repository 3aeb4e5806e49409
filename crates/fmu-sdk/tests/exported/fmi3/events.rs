//! Events and early returns.

use fmu_sdk::{Declaration, Experiment, Input, Model, Refusal, Step, Update};
use serde::{Deserialize, Serialize};

use super::host::{self, Host, Pointer, Wishes};
use crate::host::{DISCARD, ERROR, OK};

/// `x' = sign u(t)`: a state event where `x` reaches 1, which sets it back to 0; a time event every 0.5 s; and a request for an
/// exchange at 0.125 s. Counts updates. The gate `sign` is a discrete input, which takes effect at events.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Switch {
    u: Input,
    gate: bool,
    open: bool,
    x: f64,
    n_resets: i32,
    n_ticks: i32,
    n_updates: i32,
    next: f64,
    fault: i32,
}

impl Default for Switch {
    fn default() -> Self {
        let u = Input::new(1.0);
        Self { u, gate: true, open: true, x: 0.0, n_resets: 0, n_ticks: 0, n_updates: 0, next: 0.5, fault: 0 }
    }
}

impl Model for Switch {
    const NAME: &'static str = "switch";
    const DESCRIPTION: &'static str = "Events of both kinds";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("gate", |m| &mut m.gate);
        v.output("x", |m| &mut m.x).depends_on([]);
        v.output("n_resets", |m| &mut m.n_resets).depends_on([]);
        v.output("n_ticks", |m| &mut m.n_ticks).depends_on([]);
        v.output("n_updates", |m| &mut m.n_updates).depends_on([]);
        v.output("open", |m| &mut m.open).depends_on([]);
        v.input("fault", |m| &mut m.fault);
    }

    fn initialize(&mut self, experiment: &Experiment) -> Result<(), Refusal> {
        self.next = experiment.start + 0.5;
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let end = self.x + if self.open { self.u.integral(step.h) } else { 0.0 };
        if self.fault == 1 && step.t < 0.125 && step.t + step.h > 0.125 {
            self.x += self.u.integral(0.125 - step.t);
            return Err(Refusal::early_return(0.125));
        }
        if self.fault == 2 {
            return Err(Refusal::event(step.t + 2.0 * step.h));
        }
        if self.fault == 3 {
            return Err(Refusal::event(step.t));
        }
        if self.open && end >= 1.0 {
            // The input is constant in these tests wherever the state reaches 1.
            let time = (step.t + (1.0 - self.x) / self.u.mean(step.h)).min(step.t + step.h);
            self.x = 1.0;
            return Err(Refusal::event(time));
        }
        self.x = end;
        if self.fault == 4 { Err(Refusal::discard("not now")) } else { Ok(()) }
    }

    fn update_discrete_states(&mut self, time: f64) -> Result<Update, Refusal> {
        self.n_updates += 1;
        if self.fault == 5 {
            return Ok(Update { again: true, ..Update::default() });
        }
        self.open = self.gate;
        let is_reset = self.x >= 1.0;
        if is_reset {
            (self.x, self.n_resets) = (0.0, self.n_resets + 1);
        }
        if time >= self.next {
            (self.n_ticks, self.next) = (self.n_ticks + 1, self.next + 0.5);
        }
        Ok(Update { terminate: self.fault == 6, states_changed: is_reset, next_event_time: Some(self.next), again: is_reset })
    }
}

/// Value references of [`Switch`] in FMI 3.0.
mod vr {
    pub const U: u32 = 1;
    pub const GATE: u32 = 2;
    pub const X: u32 = 3;
    pub const N_RESETS: u32 = 4;
    pub const N_TICKS: u32 = 5;
    pub const N_UPDATES: u32 = 6;
    pub const OPEN: u32 = 7;
    pub const FAULT: u32 = 8;
}

/// Answers of `fmi3UpdateDiscreteStates`.
#[derive(Debug, PartialEq)]
struct Answers {
    again: bool,
    terminate: bool,
    states_changed: bool,
    next: Option<f64>,
}

impl Host {
    fn enter_event_mode(&self) -> i32 {
        // SAFETY: a live instance.
        unsafe { (self.f.enter_event_mode.unwrap())(self.c) }
    }

    fn enter_step_mode(&self) -> i32 {
        // SAFETY: a live instance.
        unsafe { (self.f.enter_step_mode.unwrap())(self.c) }
    }

    fn update(&self) -> Result<Answers, i32> {
        let [mut again, mut terminate, mut nominals, mut states, mut defined] = [9; 5];
        let mut next = f64::NAN;
        let update = self.f.update_discrete_states.unwrap();
        // SAFETY: a live instance and room for the answers.
        let status = unsafe { update(self.c, &mut again, &mut terminate, &mut nominals, &mut states, &mut defined, &mut next) };
        if status != OK {
            return Err(status);
        }
        assert_eq!(nominals, 0);
        let boolean = |byte: u8| [false, true][usize::from(byte)];
        let next = boolean(defined).then_some(next);
        Ok(Answers { again: boolean(again), terminate: boolean(terminate), states_changed: boolean(states), next })
    }

    /// Resets, ticks and updates.
    fn counts(&self) -> [i32; 3] {
        self.i32(&[vr::N_RESETS, vr::N_TICKS, vr::N_UPDATES], 3).unwrap().try_into().unwrap()
    }
}

fn of(event_mode: bool, early_return: bool) -> Host {
    Host::of::<Switch>(&Wishes { event_mode, early_return, ..Wishes::of::<Switch>() }).started()
}

fn stop(event: bool, early: bool, time: f64) -> host::Step {
    host::Step { status: OK, event, terminate: false, early, time }
}

#[test]
fn the_importer_handles_events_in_event_mode() {
    let host = of(true, true);
    assert_eq!(host.do_step(0.0, 0.1).status, ERROR, "event mode comes first");
    let host = of(true, true);
    assert_eq!(host.update(), Ok(Answers { again: false, terminate: false, states_changed: false, next: Some(0.5) }));
    assert_eq!(host.enter_step_mode(), OK);
    assert_eq!(host.do_step(0.0, 0.375), stop(false, false, 0.375));
    assert_eq!(host.do_step(0.375, 0.5), stop(true, true, 0.5), "a time event");
    assert_eq!((host.enter_event_mode(), host.counts()), (OK, [0, 0, 1]));
    assert_eq!(host.set_f64(&[vr::U], &[2.0]), OK);
    assert_eq!(host.update(), Ok(Answers { again: false, terminate: false, states_changed: false, next: Some(1.0) }));
    assert_eq!((host.enter_step_mode(), host.counts()), (OK, [0, 1, 2]));
    assert_eq!(host.do_step(0.5, 0.5), stop(true, true, 0.75), "a state event");
    assert_eq!(host.f64(&[vr::X, 0], 2), Ok(vec![1.0, 0.75]));
    assert_eq!(host.enter_event_mode(), OK);
    assert_eq!(host.update(), Ok(Answers { again: true, terminate: false, states_changed: true, next: Some(1.0) }));
    assert_eq!(host.f64(&[vr::X], 1), Ok(vec![0.0]), "values are fresh between updates");
    assert!(!host.update().unwrap().again);
    assert_eq!(host.enter_step_mode(), OK);
    assert_eq!(host.do_step(0.75, 0.25), stop(true, false, 1.0), "a time event at the end of the step");
    assert_eq!(host.counts(), [1, 1, 4]);
}

#[test]
fn without_early_return_only_events_at_the_end_are_left_to_the_importer() {
    let host = of(true, false);
    assert_eq!((host.update().map(|answers| answers.next), host.enter_step_mode()), (Ok(Some(0.5)), OK));
    assert_eq!(host.do_step(0.0, 1.25), stop(false, false, 1.25));
    assert_eq!((host.counts(), host.f64(&[vr::X], 1)), ([1, 2, 4], Ok(vec![0.25])));
    assert_eq!(host.do_step(1.25, 0.25), stop(true, false, 1.5));
    assert_eq!(host.counts(), [1, 2, 4], "the last one is not handled yet");
}

#[test]
fn without_event_mode_the_kit_handles_events_within_the_step_in_both_versions() {
    let host = of(false, true);
    assert_eq!(host.counts(), [0, 0, 1], "at the start");
    assert_eq!(host.do_step(0.0, 1.25), stop(false, false, 1.25));
    let of_3 = (host.counts(), host.f64(&[vr::X], 1).unwrap()[0].to_bits());
    assert_eq!(of_3, ([1, 2, 4], 0.25_f64.to_bits()));
    assert_eq!(host.enter_event_mode(), ERROR);
    host.explained("logStatusError", "eventModeUsed = false");

    let host = crate::host::Host::of::<Switch>(false, None);
    host.enter();
    host.exit();
    assert_eq!(host.do_step(0.0, 1.25), OK);
    let counts: [i32; 3] = host.integers(&[0, 1, 2]).try_into().unwrap();
    assert_eq!((counts, host.reals(&[1])[0].to_bits()), of_3);
}

#[test]
fn set_inputs_take_effect_at_the_start_of_the_next_step() {
    let host = of(false, false);
    assert_eq!(host.do_step(0.0, 0.25).status, OK);
    assert_eq!((host.set_booleans(&[vr::GATE], &[0]), host.booleans(&[vr::OPEN], 1)), (OK, Ok(vec![1])));
    assert_eq!(host.do_step(0.25, 0.125).status, OK);
    assert_eq!((host.booleans(&[vr::OPEN], 1), host.f64(&[vr::X], 1)), (Ok(vec![0]), Ok(vec![0.25])));
    assert_eq!(host.do_step(0.375, 0.0625).status, OK);
    assert_eq!(host.counts(), [0, 0, 2], "nothing was set: no update");
}

#[test]
fn inputs_stay_polynomials_over_a_step_in_parts() {
    let host = Host::of::<Switch>(&Wishes { intermediate: vec![vr::U], ..Wishes::of::<Switch>() }).started();
    let (set, instance) = (host.f.set_float64.unwrap(), Pointer(host.c));
    let set = move |t: f64| _ = instance.set(set, vr::U, &[t * t]);
    *host.shared.inputs.lock().unwrap() = Box::new(set);
    assert_eq!(host.do_step(0.0, 1.25).status, OK);
    let [x, u] = host.f64(&[vr::X, vr::U], 2).unwrap().try_into().unwrap();
    assert!((x - 1.25_f64.powi(3) / 3.0).abs() < 1e-13 && (u - 1.5625).abs() < 1e-13, "{x} {u}");
    assert_eq!(host.counts()[1], 2, "two time events cut the step");
}

#[test]
fn a_model_may_ask_for_an_exchange_of_values() {
    let host = of(false, true);
    assert_eq!(host.set_i32(&[vr::FAULT], &[1]), OK);
    assert_eq!(host.do_step(0.0, 0.25), stop(false, true, 0.125));
    assert_eq!((host.f64(&[vr::X, 0], 2), host.do_step(0.125, 0.125)), (Ok(vec![0.125, 0.125]), stop(false, false, 0.25)));
    let host = of(false, false);
    assert_eq!(host.set_i32(&[vr::FAULT], &[1]), OK);
    assert_eq!(host.do_step(0.0, 0.25), stop(false, false, 0.25));
    assert_eq!(host.f64(&[vr::X], 1), Ok(vec![0.25]));
}

#[test]
fn stops_and_events_that_cannot_be_are_errors_and_end() {
    for (fault, part) in [
        (2, "the model stopped at 0.5 s, outside of its step from 0 s to 0.25 s"),
        (3, "100 events follow each other at 0 s"),
        (5, "the discrete states still need an update after 100 of them at 0 s"),
    ] {
        let host = of(false, false);
        assert_eq!(host.set_i32(&[vr::FAULT], &[fault]), OK);
        assert_eq!(host.do_step(0.0, 0.25).status, ERROR, "{fault}");
        host.explained("logStatusError", part);
    }
}

#[test]
fn a_discarded_step_takes_back_the_events_in_it() {
    let host = of(false, false);
    assert_eq!(host.do_step(0.0, 0.25).status, OK);
    let before = (host.counts(), host.f64(&[vr::X, 0], 2));
    assert_eq!(host.set_i32(&[vr::FAULT], &[4]), OK);
    assert_eq!(host.do_step(0.25, 1.0).status, DISCARD);
    assert_eq!((host.counts(), host.f64(&[vr::X, 0], 2)), before);
}

#[test]
fn an_update_may_end_the_simulation() {
    let host = of(true, true);
    assert_eq!(host.set_i32(&[vr::FAULT], &[6]), OK);
    assert!(host.update().unwrap().terminate);
    assert_eq!((host.enter_step_mode(), host.terminate()), (OK, OK));
    let host = of(false, true);
    assert_eq!(host.set_i32(&[vr::FAULT], &[6]), OK);
    assert_eq!(host.do_step(0.0, 0.25), host::Step { terminate: true, ..stop(false, true, 0.0) });
}

#[test]
fn states_are_saved_in_event_mode() {
    let (host, mut state) = (of(true, true), std::ptr::null_mut());
    host.save(&mut state);
    assert_eq!((host.update().is_ok(), host.enter_step_mode(), host.do_step(0.0, 0.25).status), (true, OK, OK));
    host.restore(state);
    assert_eq!(host.counts(), [0, 0, 0]);
    assert_eq!(host.do_step(0.0, 0.25).status, ERROR, "it is in event mode again");
    host.restore(state);
    assert_eq!((host.update().is_ok(), host.enter_step_mode()), (true, OK));
    host.free(&mut state);
}
