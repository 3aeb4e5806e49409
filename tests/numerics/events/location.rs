//! What else can happen about an event.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use lotka::{Direction, System};
use serde::{Deserialize, Serialize};
use tests::{
    joined,
    systems::switching::{Float, Tank, tanks},
};

use super::{failure, run, times};

/// `x' = u` from 1, and the sign switch that drives it to 0: on the level it switches all the time.
fn sliding() -> System {
    System::new()
        .instance_of("tank", &joined::<Integrator>())
        .instance_of("switch", &joined::<Float>())
        .connect("tank.u", "switch.pump")
        .connect("switch.level", "tank.x")
        .start_value("switch.high", 1.0)
        .start_value("switch.low", 1.0)
        .stop(2.0)
        .step(0.1)
}

/// `dx/dt = u - 1`, exact, and a discrete input.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Integrator {
    u: f64,
    x: f64,
}

impl Model for Integrator {
    const NAME: &'static str = "integrator";
    const DESCRIPTION: &'static str = "Integrates a discrete input minus 1";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).discrete().description("input");
        v.output("x", |m| &mut m.x).exact().depends_on([]).description("integral of u - 1");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.x += (self.u - 1.0) * step.h;
        Ok(())
    }
}

#[test]
fn a_switch_without_hysteresis_chatters_and_is_named() {
    let (error, report, rows) = failure(&sliding().event("tank.x", 1.0, Direction::Both));
    let told = error.to_string();
    assert!(told.starts_with("`tank.x` crosses 1, 10 times in immediate succession at t = 1.0000"), "{told}");
    assert!(told.contains("set a `direction`, add hysteresis"), "{told}");
    assert!(report.counters.n_events == 10 && (report.time - 1.0).abs() < 1e-6);
    assert!(rows.time().len() > 20, "rows up to there are kept");
}

#[test]
fn with_hysteresis_the_same_system_switches_in_peace() {
    let system = sliding().start_value("switch.low", 0.9).event("tank.x", "switch.limit", Direction::Both);
    let (_, rows) = run(&system.stop(1.55));
    // Up with slope 1 to 1, down with slope -1 to 0.9, and so on.
    let exact = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5];
    assert!(super::distance(&times(&rows), &exact) < 1e-11, "{:?}", times(&rows));
}

#[test]
fn a_direction_leaves_the_other_crossings_alone() {
    let system = sliding().start_value("switch.low", 0.9).stop(1.58).event("tank.x", "switch.limit", Direction::Both);
    let counts = [Direction::Up, Direction::Down, Direction::Both].map(|direction| {
        // Halfway between the limits.
        let (_, rows) = run(&system.clone().event("tank.x", 0.95, direction));
        rows.events().iter().filter(|event| event.what.ends_with("0.95")).count()
    });
    assert_eq!(counts, [4, 3, 7]);
}

#[test]
fn what_reacts_steps_last_and_sees_the_event_in_its_step() {
    let system = tanks().event("lower.x", "float.limit", Direction::Both).step(0.1);
    let simulation = system.build().unwrap();
    assert!(simulation.describe_algorithm().contains("in the order lower, upper, float"), "{}", simulation.describe_algorithm());
    let (_, rows) = run(&system);
    let pump = rows.real("float.pump").unwrap();
    for event in rows.events() {
        assert!((pump[event.row] - pump[event.row + 1]).abs() == 2.0, "{event:?}");
    }
}

/// An instance that follows a discrete input at once, and has no memory.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Doubled {
    u: Input,
}

impl Model for Doubled {
    const NAME: &'static str = "doubled";
    const DESCRIPTION: &'static str = "y = 2 u";

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u).description("input");
        v.computed_output("y", |m| 2.0 * m.u.value(0.0)).partials([("u", |_| 2.0)]).description("2 u");
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }
}

#[test]
fn outputs_that_follow_a_discrete_value_at_once_are_fresh_after_the_event() {
    let system = tanks().event("lower.x", "float.limit", Direction::Both).instance_of("twice", &joined::<Doubled>());
    let (_, rows) = run(&system.connect("twice.u", "float.pump").step(0.1));
    let (pump, twice) = (rows.real("float.pump").unwrap(), rows.real("twice.y").unwrap());
    for event in rows.events() {
        for row in [event.row, event.row + 1] {
            assert_eq!(twice[row], 2.0 * pump[row], "{event:?}");
        }
    }
}

/// Discards every step and says that half of it can be made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Liar {
    time: f64,
}

impl Model for Liar {
    const NAME: &'static str = "liar";
    const DESCRIPTION: &'static str = "Discards every step, whatever it said before";

    fn declare(v: &mut Declaration<Self>) {
        v.output("time", |m| &mut m.time).exact().depends_on([]).description("its time");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        Err(Refusal::discard_at(step.t + 0.5 * step.h, "half of it only"))
    }
}

#[test]
fn an_instance_that_discards_what_it_offered_is_given_up() {
    let system = System::new().instance_of("liar", &joined::<Liar>()).event_by_discard("liar").stop(1.0);
    for system in [system.clone().step(0.1), system.local_tolerance(1e-6)] {
        let (error, report, _) = failure(&system);
        assert!(error.to_string().starts_with("instance `liar` discarded the communication step at t = 0 s"), "{error}");
        assert!(report.counters.n_discards > 5 && report.counters.n_discards < 200, "{:?}", report.counters);
    }
}

#[test]
fn events_are_bitwise_the_same_in_every_run() {
    let system = tanks().event("lower.x", "float.limit", Direction::Both).local_tolerance(1e-6);
    let bits = || times(&run(&system).1).into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(), bits());
}

#[test]
fn a_level_can_be_an_output_that_moves() {
    // x falls from 0 with slope -1, the level of the tank from 1 with x2' = -2 x2: they meet nowhere; against 0.5 - they do not
    // move alike.
    let system = System::new()
        .instance_of("a", &joined::<Tank>())
        .instance_of("b", &joined::<Tank>())
        .start_value("a.loss", 3.0)
        .start_value("a.x", 2.0)
        .start_value("b.loss", 1.0)
        .event("a.x", "b.x", Direction::Down)
        .stop(1.0)
        .step(0.1);
    // 2 e^-3t = e^-t.
    assert!((times(&run(&system).1)[0] - 0.5 * 2.0_f64.ln()).abs() < 1e-11);
}

/// `y = min(t, 0.55)`, and the time.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Saturated {
    y: f64,
    time: f64,
}

impl Model for Saturated {
    const NAME: &'static str = "saturated";
    const DESCRIPTION: &'static str = "Rises until it is full";

    fn declare(v: &mut Declaration<Self>) {
        v.output("y", |m| &mut m.y).exact().depends_on([]).description("level");
        v.output("time", |m| &mut m.time).exact().depends_on([]).description("time");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        self.y = self.time.min(0.55);
        Ok(())
    }
}

/// The level is reached inside a step and not passed: there is no event, and the step is made whole.
#[test]
fn a_level_that_is_reached_for_good_is_no_event() {
    let system = System::new().instance_of("tank", &joined::<Saturated>()).stop(1.0).event("tank.y", 0.55, Direction::Up);
    let systems = [
        system.clone().step(0.1),
        system.clone().step(0.05),
        system.clone().local_tolerance(1e-4),
        system.output_interval(0.1).tolerance(1e-6),
    ];
    for system in systems {
        let (report, rows) = run(&system);
        assert_eq!((rows.events().len(), report.time), (0, 1.0));
        let (y, time) = (rows.real("tank.y").unwrap(), rows.real("tank.time").unwrap());
        for (row, t) in rows.time().iter().enumerate() {
            assert!(
                (time[row] - t).abs() < 1e-12 && (y[row] - t.min(0.55)).abs() < 1e-12,
                "row {row}: {t} {} {}",
                time[row],
                y[row]
            );
        }
    }
}
