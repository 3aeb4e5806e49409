//! Models with events, and one that follows them.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step, Update};
use lotka::instance::Experiment;
use serde::{Deserialize, Serialize};

/// Switches at fixed intervals: `y` is the time since the last switch \[s\], `on` says which interval it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ticker {
    period: f64,
    y: f64,
    n: i32,
    on: bool,
    /// Ends the simulation at this tick.
    last: i32,
    start: f64,
    /// Where the last step ended \[s\].
    time: f64,
}

impl Default for Ticker {
    fn default() -> Self {
        Self { period: 0.3, y: 0.0, n: 0, on: true, last: 0, start: 0.0, time: 0.0 }
    }
}

impl Ticker {
    fn next(&self) -> f64 {
        self.start + f64::from(self.n + 1) * self.period
    }
}

impl Model for Ticker {
    const NAME: &'static str = "ticker";
    const DESCRIPTION: &'static str = "Switches at fixed intervals";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("period", |m| &mut m.period);
        v.parameter("last", |m| &mut m.last);
        v.output("y", |m| &mut m.y).depends_on([]);
        v.output("n", |m| &mut m.n).depends_on([]);
        v.output("on", |m| &mut m.on).depends_on([]);
    }

    fn initialize(&mut self, experiment: &Experiment) -> Result<(), Refusal> {
        self.start = experiment.start;
        Ok(())
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.time = step.t + step.h;
        self.y = self.time - (self.next() - self.period);
        Ok(())
    }

    fn update_discrete_states(&mut self, time: f64) -> Result<Update, Refusal> {
        if time >= self.next() {
            (self.n, self.on, self.y) = (self.n + 1, !self.on, 0.0);
        }
        let terminate = self.last > 0 && self.n == self.last;
        Ok(Update { next_event_time: Some(self.next()), terminate, ..Update::default() })
    }
}

/// `x' = u` while `gate` is open; where `x` reaches 1 it returns to 0.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Charger {
    u: Input,
    gate: bool,
    x: f64,
    open: bool,
    resets: i32,
    updates: i32,
}

impl Default for Charger {
    fn default() -> Self {
        Self { u: Input::new(1.0), gate: true, x: 0.0, open: true, resets: 0, updates: 0 }
    }
}

impl Model for Charger {
    const NAME: &'static str = "charger";
    const DESCRIPTION: &'static str = "Integrates an input up to 1, again and again";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.input("gate", |m| &mut m.gate);
        v.output("x", |m| &mut m.x).depends_on([]);
        v.computed_output("twice", |m| 2.0 * m.u.value(0.0)).depends_on(["u"]);
        v.output("open", |m| &mut m.open).depends_on([]);
        v.output("resets", |m| &mut m.resets).depends_on([]);
        v.output("updates", |m| &mut m.updates).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        if !self.open {
            return Ok(());
        }
        let at = |s: f64| self.x + self.u.integral(s);
        if at(step.h) < 1.0 {
            self.x = at(step.h);
            return Ok(());
        }
        let (mut low, mut high) = (0.0, step.h);
        while low < f64::midpoint(low, high) && f64::midpoint(low, high) < high {
            let middle = f64::midpoint(low, high);
            if at(middle) < 1.0 { low = middle } else { high = middle }
        }
        self.x = 1.0;
        let end = step.t + step.h;
        Err(Refusal::event(if high < step.h { (step.t + high).min(end) } else { end }))
    }

    fn update_discrete_states(&mut self, _: f64) -> Result<Update, Refusal> {
        self.updates += 1;
        self.open = self.gate;
        let is_full = self.x >= 1.0;
        if is_full {
            (self.x, self.resets) = (0.0, self.resets + 1);
        }
        Ok(Update { states_changed: is_full, ..Update::default() })
    }
}

/// `y` is `u`, or its opposite, from the next event on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Repeater {
    u: bool,
    inverts: bool,
    y: bool,
    again: bool,
}

impl Model for Repeater {
    const NAME: &'static str = "repeater";
    const DESCRIPTION: &'static str = "Repeats a signal, or inverts it";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("inverts", |m| &mut m.inverts);
        v.parameter("again", |m| &mut m.again);
        v.input("u", |m| &mut m.u);
        v.output("y", |m| &mut m.y).depends_on([]);
    }

    fn do_step(&mut self, _: &Step) -> Result<(), Refusal> {
        Ok(())
    }

    fn update_discrete_states(&mut self, _: f64) -> Result<Update, Refusal> {
        self.y = self.u != self.inverts;
        Ok(Update { again: self.again, ..Update::default() })
    }
}

/// `y' = x - y`, after the charger.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Lag {
    x: Input,
    y: f64,
}

impl Model for Lag {
    const NAME: &'static str = "lag";
    const DESCRIPTION: &'static str = "Follows an input";

    fn declare(v: &mut Declaration<Self>) {
        v.input("x", |m| &mut m.x);
        v.output("y", |m| &mut m.y).depends_on([]).derivatives([|m| m.x.value(0.0) - m.y]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        // Exact for x = a + b s: y = x - b + (y0 - a + b) exp(-s).
        let (a, b) = (self.x.value(0.0), (self.x.value(step.h) - self.x.value(0.0)) / step.h);
        self.y = a + b * step.h - b + (self.y - a + b) * (-step.h).exp();
        Ok(())
    }
}

/// A ball that bounces without loss of time. It looks for the next impact only strictly after the beginning of a step: where a
/// step ends a rounding error before an impact and nothing handles that, the ball is below the floor in the next step, and falls
/// on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StrictBall {
    h: f64,
    v: f64,
    hits: bool,
    impacts: i32,
}

impl StrictBall {
    pub const G: f64 = 9.81;
    /// Coefficient of restitution.
    pub const E: f64 = 0.8;
}

impl Default for StrictBall {
    fn default() -> Self {
        Self { h: 1.0, v: 0.0, hits: false, impacts: 0 }
    }
}

impl Model for StrictBall {
    const NAME: &'static str = "strict_ball";
    const DESCRIPTION: &'static str = "Ball that sees impacts strictly inside a step";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.output("h", |m| &mut m.h).depends_on([]);
        v.output("v", |m| &mut m.v).depends_on([]);
        v.output("impacts", |m| &mut m.impacts).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let to_impact = (self.v + (self.v * self.v + 2.0 * Self::G * self.h).sqrt()) / Self::G;
        self.hits = to_impact > 0.0 && to_impact <= step.h;
        let s = if self.hits { to_impact } else { step.h };
        (self.h, self.v) = (self.h + s * (self.v - 0.5 * Self::G * s), self.v - Self::G * s);
        if self.hits { Err(Refusal::event((step.t + s).min(step.t + step.h))) } else { Ok(()) }
    }

    fn update_discrete_states(&mut self, _: f64) -> Result<Update, Refusal> {
        if std::mem::take(&mut self.hits) {
            (self.h, self.v, self.impacts) = (0.0, -Self::E * self.v, self.impacts + 1);
        }
        Ok(Update::default())
    }
}

/// `level' = 1 - level`, and at a level of 0.6 the tank empties to 0.1. It knows the time of its next overflow, and compares it
/// with the end of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StrictTank {
    level: f64,
    overflow: f64,
    overflows: i32,
    spills: bool,
    /// It sees no event that is this close to the end of a step \[s\].
    slack: f64,
}

impl StrictTank {
    /// Time from one overflow to the next \[s\].
    pub fn period() -> f64 {
        (0.9_f64 / 0.4).ln()
    }
}

impl Default for StrictTank {
    fn default() -> Self {
        Self { level: 0.1, overflow: Self::period(), overflows: 0, spills: false, slack: 0.0 }
    }
}

impl Model for StrictTank {
    const NAME: &'static str = "strict_tank";
    const DESCRIPTION: &'static str = "Tank that spills strictly inside a step";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("slack", |m| &mut m.slack);
        v.output("level", |m| &mut m.level).depends_on([]);
        v.output("overflows", |m| &mut m.overflows).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let remaining = self.overflow - step.t;
        // Beyond the time by the rounding of the clock.
        self.spills = remaining > 0.0 && remaining < step.h - self.slack;
        let s = if self.spills { remaining } else { step.h };
        self.level = 1.0 + (self.level - 1.0) * (-s).exp();
        if self.spills { Err(Refusal::event(step.t + s)) } else { Ok(()) }
    }

    fn update_discrete_states(&mut self, _: f64) -> Result<Update, Refusal> {
        if std::mem::take(&mut self.spills) {
            (self.level, self.overflow, self.overflows) = (0.1, self.overflow + Self::period(), self.overflows + 1);
        }
        Ok(Update::default())
    }
}

/// `x' = u`; where `x` passes 1 it returns to 0, if that is strictly inside a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StrictCharger {
    u: f64,
    x: f64,
    resets: i32,
    passes: bool,
    /// It sees no event with less than this beyond the level.
    slack: f64,
}

impl Default for StrictCharger {
    fn default() -> Self {
        Self { u: 0.8, x: 0.0, resets: 0, passes: false, slack: 0.0 }
    }
}

impl Model for StrictCharger {
    const NAME: &'static str = "strict_charger";
    const DESCRIPTION: &'static str = "Integrates an input, and sees its level strictly inside a step";
    const HAS_EVENTS: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.input("u", |m| &mut m.u);
        v.parameter("slack", |m| &mut m.slack);
        v.output("x", |m| &mut m.x).depends_on([]);
        v.output("resets", |m| &mut m.resets).depends_on([]);
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let end = self.x + self.u * step.h;
        self.passes = self.x < 1.0 && end > 1.0 + self.slack;
        if !self.passes {
            self.x = end;
            return Ok(());
        }
        let s = (1.0 - self.x) / self.u;
        self.x = 1.0;
        Err(Refusal::event((step.t + s).min(step.t + step.h)))
    }

    fn update_discrete_states(&mut self, _: f64) -> Result<Update, Refusal> {
        if std::mem::take(&mut self.passes) {
            (self.x, self.resets) = (0.0, self.resets + 1);
        }
        Ok(Update::default())
    }
}
