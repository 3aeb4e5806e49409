//! A bouncing ball.

use fmu_sdk::{Declaration, Enumeration, Experiment, Model, Refusal, Step, Update};
use serde::{Deserialize, Serialize};

/// A ball that falls from the height `h0` and bounces on the floor until a rebound is slower than `v_rest`; it then stays at
/// rest:
///
/// ```text
/// dh/dt = v,   dv/dt = -g            in flight
/// h = 0,       v becomes -e v        at an impact
/// ```
///
/// `h` \[m\] is the height above the floor, `v` \[m/s\] the upward velocity, `g` \[m/s²\] the acceleration of gravity, `e` the
/// coefficient of restitution. The flight is exact: `h + v s - g s² / 2` after `s` seconds. The impacts follow at
///
/// ```text
/// t_1 = sqrt(2 h0 / g),   t_(n+1) = t_n + 2 e^n sqrt(2 g h0) / g
/// ```
///
/// Without `v_rest`, there are infinitely many impacts before the time `t_1 (1 + e) / (1 - e)`. The parameter `impacts`
/// selects who locates them:
/// - [`Impacts::StepEnd`]: the importer. The flight passes through the floor during a step. A ball that is falling at or below
///   the floor at the end of the step reverses there, and the next flight begins on the floor. If `h` is zero at the end of the
///   step, the impact is exact. Otherwise, flights shorter than a step are lost: choose `v_rest` above `g` times the step.
/// - [`Impacts::Discard`]: the ball. It discards a step that passes through the floor and reports the time of the impact as last
///   successful time. A step that ends there, up to rounding of the times, succeeds and bounces with the exact velocity.
///
/// An importer of FMI 3.0 that handles events in event mode locates none, whatever `impacts` says: a step stops at the impact,
/// and the ball bounces in event mode.
///
/// If a flight is too short to distinguish from zero time, the ball comes to rest for any `v_rest`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BouncingBall {
    g: f64,
    e: f64,
    h0: f64,
    v_rest: f64,
    impacts: Impacts,
    h: f64,
    v: f64,
    n_impacts: i32,
    at_rest: bool,
}

/// Who locates the impacts of a [`BouncingBall`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Impacts {
    /// The importer, by its choice of communication points.
    StepEnd,
    /// The ball: it discards steps that pass through the floor.
    Discard,
}

impl Enumeration for Impacts {
    const TYPE: &'static str = "Impacts";
    const ITEMS: &'static [(&'static str, Self)] = &[("step_end", Self::StepEnd), ("discard", Self::Discard)];
}

/// Times that differ by less than this relative amount are equal.
const TIME_SLACK: f64 = 4.0 * f64::EPSILON;

impl Default for BouncingBall {
    fn default() -> Self {
        Self { g: 9.81, e: 0.7, h0: 1.0, v_rest: 1e-3, impacts: Impacts::StepEnd, h: 1.0, v: 0.0, n_impacts: 0, at_rest: false }
    }
}

impl Model for BouncingBall {
    const NAME: &'static str = "bouncing_ball";
    const DESCRIPTION: &'static str = "Ball that falls from a height and bounces on the floor";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 2.0, 0.01);
        v.parameter("g", |m| &mut m.g).unit("m/s2").min(1e-9).description("acceleration of gravity");
        v.parameter("e", |m| &mut m.e).unit("1").min(0.0).max(1.0).description("coefficient of restitution");
        v.parameter("h0", |m| &mut m.h0).unit("m").min(0.0).description("height at the start");
        v.parameter("v_rest", |m| &mut m.v_rest).unit("m/s").min(0.0).description("a slower rebound ends in rest");
        v.parameter("impacts", |m| &mut m.impacts).description(
            "step_end: at the end of the step that goes through the floor; discard: steps through the floor are discarded",
        );
        v.output("h", |m| &mut m.h)
            .unit("m")
            .description("height above the floor")
            .partials([("h0", |_| 1.0)])
            .derivatives([|m| m.v, |m| m.acceleration()]);
        v.output("v", |m| &mut m.v).unit("m/s").description("velocity upwards").partials([]).derivatives([|m| m.acceleration()]);
        v.output("n_impacts", |m| &mut m.n_impacts).description("number of impacts").depends_on([]);
        v.local("at_rest", |m| &mut m.at_rest).description("the ball lies on the floor").depends_on(["h0"]);
        v.computed("der(h)", |m| m.v)
            .unit("m/s")
            .description("time derivative of h")
            .derivative_of("h")
            .partials([("v", |_| 1.0)]);
        v.computed("der(v)", |m| m.acceleration())
            .unit("m/s2")
            .description("time derivative of v")
            .derivative_of("v")
            .partials([("g", |m| m.acceleration() / m.g)]);
    }

    fn initialize(&mut self, _: &Experiment) -> Result<(), Refusal> {
        (self.h, self.v, self.n_impacts, self.at_rest) = (self.h0, 0.0, 0, self.h0 == 0.0);
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if self.at_rest {
            return Ok(());
        }
        match self.impacts {
            Impacts::StepEnd => self.fly_and_look(step),
            Impacts::Discard => self.fly_to_impact(step)?,
        }
        if self.h.is_finite() && self.v.is_finite() { Ok(()) } else { Err(self.out_of_sight()) }
    }

    fn do_step_with_events(&mut self, step: &Step) -> Result<(), Refusal> {
        if self.at_rest {
            return Ok(());
        }
        let (to_impact, slack) = (self.time_to_impact(), slack(step));
        if to_impact > step.h + slack {
            self.fly(step.h);
            return if self.h.is_finite() && self.v.is_finite() { Ok(()) } else { Err(self.out_of_sight()) };
        }
        self.fly(to_impact);
        self.h = 0.0;
        Err(Refusal::event(if to_impact < step.h - slack { step.t + to_impact } else { step.t + step.h }))
    }

    fn update_discrete_states(&mut self, time: f64) -> Result<Update, Refusal> {
        let hits = !self.at_rest && self.h <= 0.0 && self.v < 0.0;
        if hits {
            self.bounce(TIME_SLACK * time.abs());
        }
        Ok(Update { states_changed: hits, ..Update::default() })
    }
}

impl BouncingBall {
    /// dv/dt \[m/s²\].
    fn acceleration(&self) -> f64 {
        if self.at_rest { 0.0 } else { -self.g }
    }

    /// Flies the whole step, from the floor if the previous step passed through it. Bounces if the ball is not above the floor at
    /// the end.
    fn fly_and_look(&mut self, step: &Step) {
        self.h = self.h.max(0.0);
        self.fly(step.h);
        if self.h <= 0.0 && self.v < 0.0 {
            self.bounce(slack(step));
        }
    }

    /// Flies the step unless it passes through the floor before its end; bounces if the floor is reached at the end.
    fn fly_to_impact(&mut self, step: &Step) -> Result<(), Refusal> {
        let (to_impact, slack) = (self.time_to_impact(), slack(step));
        if to_impact > step.h + slack {
            self.fly(step.h);
            return Ok(());
        }
        if to_impact < step.h - slack {
            let time = step.t + to_impact;
            return Err(Refusal::discard_at(time, format!("the ball hits the floor at {time} s; make a step that ends there")));
        }
        self.fly(to_impact);
        self.h = 0.0;
        self.bounce(slack);
        Ok(())
    }

    fn fly(&mut self, time: f64) {
        self.h += time * (self.v - 0.5 * self.g * time);
        self.v -= self.g * time;
    }

    /// Returns the time until the flight reaches the floor \[s\]: the later zero of `h + v s - g s² / 2`, without cancellation.
    fn time_to_impact(&self) -> f64 {
        let h = self.h.max(0.0);
        let speed = (self.v * self.v + 2.0 * self.g * h).sqrt();
        if self.v > 0.0 { (self.v + speed) / self.g } else { 2.0 * h / (speed - self.v) }
    }

    /// Reverses the velocity, or stops the ball. A flight shorter than twice the slack would leave no time between two impacts.
    fn bounce(&mut self, slack: f64) {
        self.n_impacts = self.n_impacts.saturating_add(1);
        self.v *= -self.e;
        if self.v < self.v_rest || self.v <= self.g * slack {
            (self.h, self.v, self.at_rest) = (0.0, 0.0, true);
        }
    }

    #[cold]
    fn out_of_sight(&self) -> Refusal {
        Refusal::discard(format!("the ball gets to h = {} m with v = {} m/s; use a smaller step", self.h, self.v))
    }
}

/// Returns the possible rounding error of the ends of a step \[s\].
fn slack(step: &Step) -> f64 {
    TIME_SLACK * step.t.abs().max((step.t + step.h).abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fmu_sdk::RefusalKind;

    /// Impacts from a height of 1 m with e = 0.7 and g = 9.81 m/s²: partial sums of the geometric series.
    const IMPACTS: [f64; 5] = [0.4515236409857, 1.0836567383658, 1.5261499065318, 1.8358951242480, 2.0527167766493];

    fn ball(impacts: Impacts) -> BouncingBall {
        let mut ball = BouncingBall { impacts, ..BouncingBall::default() };
        ball.initialize(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
        ball
    }

    fn step(t: f64, h: f64) -> Step {
        Step { t, h, tolerance: None }
    }

    /// Makes the step, split at every time at which the ball discards it; returns these times.
    fn with_impacts(ball: &mut BouncingBall, mut t: f64, end: f64) -> Vec<f64> {
        let mut times = Vec::new();
        while t < end {
            let saved = ball.clone();
            let mut to = end;
            if let Err(refusal) = ball.do_step(&step(t, end - t)) {
                let RefusalKind::Discard { last_successful_time: Some(time), terminate: false } = refusal.kind() else {
                    panic!("{refusal}")
                };
                *ball = saved;
                ball.do_step(&step(t, time - t)).unwrap();
                times.push(time);
                to = time;
            }
            t = to;
        }
        times
    }

    #[test]
    fn discarded_steps_tell_the_impacts() {
        let mut ball = ball(Impacts::Discard);
        let times: Vec<f64> = (0..21).flat_map(|i| with_impacts(&mut ball, f64::from(i) * 0.1, f64::from(i + 1) * 0.1)).collect();
        assert_eq!((times.len(), ball.n_impacts), (5, 5));
        for (time, exact) in times.iter().zip(IMPACTS) {
            assert!((time - exact).abs() < 1e-13, "{time} {exact}");
        }
        let since = 2.1 - IMPACTS[4];
        let height = 0.7_f64.powi(5) * (2.0_f64 * 9.81).sqrt() * since - 0.5 * 9.81 * since * since;
        assert!((ball.h - height).abs() < 1e-12, "{} {height}", ball.h);
    }

    #[test]
    fn the_ball_comes_to_rest_at_last_with_any_v_rest() {
        for (v_rest, impacts) in [(1e-3, 24), (1e-6, 43), (0.0, 93)] {
            let mut ball = BouncingBall { v_rest, ..ball(Impacts::Discard) };
            let times = with_impacts(&mut ball, 0.0, 10.0);
            assert!((times.len() as i32 - impacts).abs() <= 1, "{v_rest}: {}", times.len());
            assert_eq!((ball.h, ball.v, ball.acceleration(), ball.at_rest), (0.0, 0.0, 0.0, true));
            assert!((times.last().unwrap() - IMPACTS[0] * 1.7 / 0.3).abs() < 1e-3);
        }
    }

    #[test]
    fn a_ball_without_bounce_lies_where_it_falls() {
        let mut ball = BouncingBall { e: 0.0, ..ball(Impacts::StepEnd) };
        ball.do_step(&step(0.0, 0.5)).unwrap();
        assert_eq!((ball.h, ball.v, ball.n_impacts, ball.at_rest), (0.0, 0.0, 1, true));
        let mut low = BouncingBall { h0: 0.0, ..BouncingBall::default() };
        low.initialize(&Experiment { start: 0.0, stop: None, tolerance: None }).unwrap();
        low.do_step(&step(0.0, 0.5)).unwrap();
        assert_eq!((low.h, low.v, low.n_impacts), (0.0, 0.0, 0));
    }

    #[test]
    fn the_flight_goes_through_the_floor_up_to_the_end_of_the_step() {
        let mut ball = ball(Impacts::StepEnd);
        ball.do_step(&step(0.0, 0.4)).unwrap();
        assert_eq!(ball.n_impacts, 0);
        ball.do_step(&step(0.4, 0.1)).unwrap();
        assert_eq!(ball.n_impacts, 1);
        assert!((ball.h - (1.0 - 0.5 * 9.81 * 0.25)).abs() < 1e-15 && (ball.v - 0.7 * 9.81 * 0.5).abs() < 1e-14);
        let v = ball.v;
        ball.do_step(&step(0.5, 0.1)).unwrap();
        assert!((ball.h - (0.1 * v - 0.5 * 9.81 * 0.01)).abs() < 1e-15, "the next flight begins on the floor");
    }

    #[test]
    fn steps_that_end_at_the_impacts_give_the_exact_ones() {
        let (mut ball, mut t) = (ball(Impacts::StepEnd), 0.0);
        for (n, exact) in (1..).zip(IMPACTS) {
            let h = ball.time_to_impact() + 1e-13;
            ball.do_step(&step(t, h)).unwrap();
            t += h;
            assert_eq!(ball.n_impacts, n);
            assert!((t - exact).abs() < 2e-12 && ball.h <= 0.0 && ball.h > -1e-12, "{t} {exact}");
            assert!((ball.v - 0.7_f64.powi(n) * (2.0_f64 * 9.81).sqrt()).abs() < 1e-11);
        }
    }

    #[test]
    fn with_events_a_step_stops_at_the_impact_and_the_bounce_follows() {
        let (mut ball, mut t) = (ball(Impacts::StepEnd), 0.0);
        for (n, exact) in (1..).zip(IMPACTS) {
            let stop = ball.do_step_with_events(&step(t, 3.0 - t)).unwrap_err();
            let RefusalKind::Stop { time, event: true } = stop.kind() else { panic!("{stop}") };
            assert!((time - exact).abs() < 1e-13 && ball.h == 0.0 && ball.v < 0.0, "{time} {exact}");
            assert_eq!(ball.update_discrete_states(time).unwrap(), Update { states_changed: true, ..Update::default() });
            assert!(ball.v > 0.0 && ball.n_impacts == n);
            assert_eq!(ball.update_discrete_states(time).unwrap(), Update::default(), "a ball that rises does not bounce");
            t = time;
        }
        assert_eq!(ball.do_step_with_events(&step(t, 0.01)), Ok(()));
    }

    #[test]
    fn output_derivatives_are_those_of_the_flight() {
        let mut ball = ball(Impacts::StepEnd);
        ball.do_step(&step(0.0, 0.2)).unwrap();
        assert_eq!((ball.v, ball.acceleration()), (-9.81 * 0.2, -9.81));
    }
}
