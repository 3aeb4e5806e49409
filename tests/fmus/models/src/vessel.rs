//! A first-order lag with a nonlinear input characteristic, and switches that depend on its own state or on time.

use fmu_sdk::{Declaration, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// Maximum number of switches in one step.
const MOST: usize = 10_000;

/// `x' = f(u) - rate x + flow`, exact for held inputs. `f` follows the input beyond a dead zone around 0, up to a limit.
///
/// The flow is `outflow` after the state rises to `high`, until it falls to `low`; from `time` on, `later` is added. With
/// `resets`, the state instead jumps back to `low` when it rises to `high`. Like most FMUs, the vessel decides at the start of
/// a step; if it is `exact`, it decides at the exact time within a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Vessel {
    u: f64,
    rate: f64,
    dead: f64,
    limit: f64,
    high: f64,
    low: f64,
    outflow: f64,
    time: f64,
    later: f64,
    resets: bool,
    exact: bool,
    is_open: bool,
    x: f64,
}

impl Default for Vessel {
    fn default() -> Self {
        let [u, dead, outflow, later, x] = [0.0; 5];
        let (resets, exact, is_open) = (false, false, false);
        Self { u, rate: 1.0, dead, limit: 1e9, high: 1e9, low: -1e9, outflow, time: 1e9, later, resets, exact, is_open, x }
    }
}

impl Vessel {
    /// Returns `f(u)`, the effect of an input.
    #[must_use]
    pub fn effect(u: f64, dead: f64, limit: f64) -> f64 {
        (u.abs() - dead).clamp(0.0, limit) * u.signum()
    }

    /// Returns the rate of change without decay: `f(u) + flow` at a time.
    fn flow(&self, t: f64) -> f64 {
        let later = if t >= self.time { self.later } else { 0.0 };
        Self::effect(self.u, self.dead, self.limit) + later + if self.is_open { self.outflow } else { 0.0 }
    }

    /// Switches or resets according to the state.
    fn decide(&mut self) {
        if self.resets {
            if self.x >= self.high {
                self.x += self.low - self.high;
            }
        } else if self.x >= self.high {
            self.is_open = true;
        } else if self.x <= self.low {
            self.is_open = false;
        }
    }

    /// Returns the time until the state reaches a level; infinite if it never does.
    fn until(&self, level: f64, flow: f64) -> f64 {
        let end = flow / self.rate;
        let ratio = (end - self.x) / (end - level);
        if ratio > 1.0 { ratio.ln() / self.rate } else { f64::INFINITY }
    }

    fn advance(&mut self, h: f64, flow: f64) {
        let end = flow / self.rate;
        self.x = end + (self.x - end) * (-self.rate * h).exp();
    }
}

impl Model for Vessel {
    const NAME: &'static str = "vessel";
    const DESCRIPTION: &'static str = "A first-order lag that switches by its own state, or by time";

    fn declare(v: &mut Declaration<Self>) {
        v.parameter("rate", |m| &mut m.rate).description("of the lag");
        v.parameter("dead", |m| &mut m.dead).description("inputs that have no effect");
        v.parameter("limit", |m| &mut m.limit).description("of the effect of the input");
        v.parameter("high", |m| &mut m.high).description("where it opens, or is reset");
        v.parameter("low", |m| &mut m.low).description("where it closes, or is reset to");
        v.parameter("outflow", |m| &mut m.outflow).description("what flows while it is open");
        v.parameter("time", |m| &mut m.time).unit("s").description("when more flows");
        v.parameter("later", |m| &mut m.later).description("how much more");
        v.parameter("resets", |m| &mut m.resets).description("it is reset instead of opened");
        v.parameter("exact", |m| &mut m.exact).description("it switches within steps");
        v.parameter("x0", |m| &mut m.x).description("state at the start");
        v.input("u", |m| &mut m.u).description("the input");
        v.computed_output("x", |m| m.x).depends_on([]).description("the state");
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.decide();
        if !self.exact {
            self.advance(step.h, self.flow(step.t));
            return Ok(());
        }
        let (mut t, end) = (step.t, step.t + step.h);
        for _ in 0..MOST {
            let flow = self.flow(t);
            let up = if self.is_open { f64::INFINITY } else { self.until(self.high, flow) };
            let down = if self.is_open { self.until(self.low, flow) } else { f64::INFINITY };
            let clock = if t < self.time { self.time - t } else { f64::INFINITY };
            let next = up.min(down).min(clock);
            if t + next > end {
                break;
            }
            self.advance(next, flow);
            if next == clock {
                t = self.time;
            } else {
                self.x = if next == up { self.high } else { self.low };
                self.decide();
                t += next;
            }
        }
        self.advance((end - t).max(0.0), self.flow(t));
        Ok(())
    }
}
