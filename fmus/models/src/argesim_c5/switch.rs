//! The discrete half of ARGESIM comparison C5.

use fmu_sdk::{Declaration, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

/// A two-point switch with hysteresis that provides the inputs of the plant [`crate::TwoStatePlant`]:
///
/// ```text
/// state 1: c2 = c2_1, c4 = c4_1   until y1 >= upper
/// state 2: c2 = c2_2, c4 = c4_2   until y1 <= lower
/// ```
///
/// The switch evaluates `y1` at the end of each step and may change its state there. To hit the time at which `y1` reaches a
/// limit, place a communication point there. At the start there is no comparison; the state is 1. The outputs depend on the
/// state only, so there is no direct feedthrough. All quantities except time are dimensionless.
///
/// The `Default` values are those of tasks a and b; task c has `c2_2` = -1.25, `c4_2` = 4.33 and `lower` = 4.1.
///
/// Source: as for [`crate::TwoStatePlant`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TwoStateSwitch {
    upper: f64,
    lower: f64,
    c2_1: f64,
    c4_1: f64,
    c2_2: f64,
    c4_2: f64,
    y1: Input,
    state: i32,
}

impl Default for TwoStateSwitch {
    fn default() -> Self {
        Self { upper: 5.8, lower: 2.5, c2_1: 0.4, c4_1: 5.5, c2_2: -0.3, c4_2: 2.73, y1: Input::new(4.2), state: 1 }
    }
}

impl Model for TwoStateSwitch {
    const NAME: &'static str = "two_state_switch";
    const DESCRIPTION: &'static str = "ARGESIM C5: switches between two pairs of c2 and c4 when y1 reaches its limits";
    const UNCHANGED_BY_DISCARD: bool = true;

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 5.0, 0.1);
        v.parameter("upper", |m| &mut m.upper).unit("1").description("limit at which state 1 ends");
        v.parameter("lower", |m| &mut m.lower).unit("1").description("limit at which state 2 ends");
        v.parameter("c2_1", |m| &mut m.c2_1).unit("1").description("c2 in state 1");
        v.parameter("c4_1", |m| &mut m.c4_1).unit("1").description("c4 in state 1");
        v.parameter("c2_2", |m| &mut m.c2_2).unit("1").description("c2 in state 2");
        v.parameter("c4_2", |m| &mut m.c4_2).unit("1").description("c4 in state 2");
        v.input("y1", |m| &mut m.y1).unit("1").description("fast state of the plant");
        v.computed_output("c2", |m| m.pair().0)
            .discrete()
            .unit("1")
            .description("c2 of the plant")
            .partials([("c2_1", |m| m.active(1)), ("c2_2", |m| m.active(2))]);
        v.computed_output("c4", |m| m.pair().1)
            .discrete()
            .unit("1")
            .description("c4 of the plant")
            .partials([("c4_1", |m| m.active(1)), ("c4_2", |m| m.active(2))]);
        v.computed_output("limit", |m| m.limit())
            .discrete()
            .unit("1")
            .description("limit at which the present state ends")
            .partials([("upper", |m| m.active(1)), ("lower", |m| m.active(2))]);
        v.output("state", |m| &mut m.state).description("1 or 2").depends_on([]);
    }

    fn initialize(&mut self, _: &fmu_sdk::Experiment) -> Result<(), Refusal> {
        self.state = 1;
        if self.lower < self.upper { Ok(()) } else { Err(self.no_hysteresis()) }
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        let y1 = self.y1.value(step.h);
        if !y1.is_finite() {
            return Err(Refusal::error(format!("the input y1 must be finite, but is {y1} at {} s", step.t + step.h)));
        }
        self.state = match self.state {
            1 if y1 >= self.upper => 2,
            2 if y1 <= self.lower => 1,
            same => same,
        };
        Ok(())
    }
}

impl TwoStateSwitch {
    /// Returns the current `c2` and `c4`.
    fn pair(&self) -> (f64, f64) {
        if self.state == 1 { (self.c2_1, self.c4_1) } else { (self.c2_2, self.c4_2) }
    }

    /// Returns the limit that ends the current state. The event indicator is `y1 - limit`, whose sign changes only there.
    fn limit(&self) -> f64 {
        if self.state == 1 { self.upper } else { self.lower }
    }

    /// Returns 1 in this state, 0 in the other one.
    fn active(&self, state: i32) -> f64 {
        f64::from(self.state == state)
    }

    #[cold]
    fn no_hysteresis(&self) -> Refusal {
        let Self { lower, upper, .. } = self;
        Refusal::error(format!(
            "lower = {lower} must be below upper = {upper}: a switch without hysteresis does not come to rest"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TwoStatePlant;

    /// Returns the states after steps that end with these inputs.
    fn states<const N: usize>(y1: [f64; N]) -> [i32; N] {
        let mut switch = TwoStateSwitch::default();
        y1.map(|y1| {
            switch.y1 = Input::new(y1);
            switch.do_step(&Step { t: 0.0, h: 0.1, tolerance: None }).unwrap();
            switch.state
        })
    }

    #[test]
    fn limits_switch_only_in_the_state_that_they_end() {
        assert_eq!(states([2.0, 5.799, 5.8, 6.0, 2.501, 2.5, 2.4, 5.7]), [1, 1, 2, 2, 2, 1, 1, 1]);
    }

    #[test]
    fn an_input_that_moves_counts_at_the_end_of_the_step() {
        let mut switch = TwoStateSwitch { y1: Input::with_derivatives(5.7, [2.0, 0.0, 0.0]), ..TwoStateSwitch::default() };
        switch.do_step(&Step { t: 0.0, h: 0.04, tolerance: None }).unwrap();
        assert_eq!((switch.state, switch.pair()), (1, (0.4, 5.5)));
        switch.do_step(&Step { t: 0.0, h: 0.06, tolerance: None }).unwrap();
        assert_eq!((switch.state, switch.pair()), (2, (-0.3, 2.73)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let mut crossed = TwoStateSwitch { lower: 6.0, ..TwoStateSwitch::default() };
        let experiment = fmu_sdk::Experiment { start: 0.0, stop: None, tolerance: None };
        assert!(crossed.initialize(&experiment).unwrap_err().to_string().contains("must be below"));
        let mut blind = TwoStateSwitch { y1: Input::new(f64::NAN), ..TwoStateSwitch::default() };
        assert!(blind.do_step(&Step { t: 0.0, h: 0.1, tolerance: None }).unwrap_err().to_string().contains("y1 must be finite"));
    }

    /// Steps plant and switch from one switching time of the reference to the next. The plant must arrive there with the values
    /// of the reference, and the limits of the reference must make the switch change.
    fn follow(reference: &str, mut switch: TwoStateSwitch) -> usize {
        let rows: Vec<[f64; 3]> = reference
            .lines()
            .skip(1)
            .map(|row| row.split(',').map(|x| x.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap())
            .collect();
        let (mut plant, mut t) = (TwoStatePlant::default(), 0.0);
        for (i, [time, y1, y2]) in rows.iter().enumerate() {
            (plant.c2, plant.c4) = switch.pair();
            let step = Step { t, h: time - t, tolerance: None };
            plant.do_step(&step).unwrap();
            assert!((plant.y1 - y1).abs() < 1e-9 && (plant.y2 - y2).abs() < 1e-12, "{time}: {} {}", plant.y1, plant.y2);
            let before = switch.state;
            switch.y1 = Input::new(*y1);
            switch.do_step(&step).unwrap();
            assert_eq!(switch.state != before, i + 1 < rows.len(), "{time}");
            t = *time;
        }
        rows.len() - 1
    }

    #[test]
    fn plant_and_switch_are_the_system_of_the_reference() {
        let task_a = include_str!("../../../../tests/reference/argesim_c5_task_a.csv");
        assert_eq!(follow(task_a, TwoStateSwitch::default()), 5);
        let task_c = include_str!("../../../../tests/reference/argesim_c5_task_c.csv");
        assert_eq!(follow(task_c, TwoStateSwitch { c2_2: -1.25, c4_2: 4.33, lower: 4.1, ..TwoStateSwitch::default() }), 62);
    }
}
