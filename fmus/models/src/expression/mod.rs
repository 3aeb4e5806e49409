//! A formula as an FMU. Start reading at [`Expression`]; `grammar` parses a formula into a `program`, which computes value and
//! slope.

mod formula;
mod functions;
mod grammar;
mod program;

use fmu_sdk::{Declaration, Experiment, Input, Model, Refusal, Step};
use serde::{Deserialize, Serialize};

use formula::Formula;

/// An output that follows a formula at every instant:
///
/// ```text
/// y = formula(u1, u2, u3, u4, t)
/// ```
///
/// `u1` … `u4` are inputs, `t` \[s\] is the time, `pi` and `e` are constants. The operators are `+ - * / ^`. A power binds more
/// tightly than a sign and is right-associative. Functions have one argument.
///
/// The model has no state. The directional derivatives are exact. An invalid formula is an error as soon as a value is read;
/// the message shows the position and the available names. Before the first step, a result that is not finite, such as
/// `ln(0)`, is returned unchanged, because importers try values while they search for consistent ones. A step that ends with
/// such a result is discarded, because a smaller step or other inputs may succeed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Expression {
    formula: Formula,
    u: [Input; 4],
    /// The communication point \[s\].
    t: f64,
}

impl Default for Expression {
    fn default() -> Self {
        Self { formula: Formula::new("u1"), u: [Input::new(0.0); 4], t: 0.0 }
    }
}

impl Model for Expression {
    const NAME: &'static str = "expression";
    const DESCRIPTION: &'static str = "An output that follows a formula of its inputs and the time";

    fn declare(v: &mut Declaration<Self>) {
        v.experiment(0.0, 1.0, 0.01);
        v.parameter("formula", |m| &mut m.formula).description("of u1, u2, u3, u4, t; for example 2*u1^2 - sin(pi*t)");
        v.input("u1", |m| &mut m.u[0]).description("first value in the formula");
        v.input("u2", |m| &mut m.u[1]).description("second value in the formula");
        v.input("u3", |m| &mut m.u[2]).description("third value in the formula");
        v.input("u4", |m| &mut m.u[3]).description("fourth value in the formula");
        v.computed_output("y", |m| m.formula.value(&m.arguments()))
            .description("value of the formula")
            .partials([
                // A text has no derivative, but the value depends on it.
                ("formula", |_| 0.0),
                ("u1", |m| m.partial(0)),
                ("u2", |m| m.partial(1)),
                ("u3", |m| m.partial(2)),
                ("u4", |m| m.partial(3)),
            ])
            .derivatives([Self::slope]);
    }

    fn initialize(&mut self, experiment: &Experiment) -> Result<(), Refusal> {
        self.t = experiment.start;
        self.formula.check().map_err(|error| Refusal::error(error.to_string()))
    }

    fn do_step(&mut self, step: &Step) -> Result<(), Refusal> {
        self.t = step.t + step.h;
        let mut arguments = self.arguments();
        for (argument, input) in arguments[1..].iter_mut().zip(&self.u) {
            *argument = input.value(step.h);
        }
        let value = self.formula.value(&arguments);
        if value.is_finite() { Ok(()) } else { Err(not_finite(&self.formula, value, &arguments)) }
    }
}

impl Expression {
    /// Returns time and inputs as arguments of the formula.
    fn arguments(&self) -> [f64; formula::ARGUMENTS] {
        let [u1, u2, u3, u4] = &self.u;
        [self.t, u1.value(0.0), u2.value(0.0), u3.value(0.0), u4.value(0.0)]
    }

    /// Returns the partial derivative with respect to an input.
    fn partial(&self, input: usize) -> f64 {
        self.formula.derivative(input + 1, &self.arguments())
    }

    /// Returns dy/dt along the inputs \[1/s\].
    fn slope(&self) -> f64 {
        let along_inputs = self.u.iter().enumerate().map(|(index, input)| match input.slope(0.0) {
            0.0 => 0.0,
            slope => slope * self.partial(index),
        });
        self.formula.derivative(0, &self.arguments()) + along_inputs.sum::<f64>()
    }
}

#[cold]
fn not_finite(formula: &Formula, value: f64, arguments: &[f64]) -> Refusal {
    let used = formula.arguments().map(|(index, name)| format!("{name} = {}", arguments[index]));
    Refusal::discard(format!("the formula `{formula}` gives {value} at {}", used.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_EXPERIMENT: Experiment = Experiment { start: 0.0, stop: None, tolerance: None };

    fn expression(formula: &str, u: [f64; 4]) -> Expression {
        Expression { formula: Formula::new(formula), u: u.map(Input::new), ..Expression::default() }
    }

    #[test]
    fn a_step_ends_with_the_formula_at_the_ends_of_time_and_inputs() {
        let mut ramp = expression("u1 + 10*t", [0.0; 4]);
        ramp.u[0] = Input::with_derivatives(1.0, [3.0, 0.0, 0.0]);
        ramp.do_step(&Step { t: 2.0, h: 0.5, tolerance: None }).unwrap();
        assert_eq!(ramp.t, 2.5);
        assert_eq!(ramp.slope(), 13.0);
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_told_at_initialization() {
        let refusal = expression("u1 + u7", [0.0; 4]).initialize(&NO_EXPERIMENT).unwrap_err();
        let text = refusal.to_string();
        assert!(text.contains("`u1 + u7`") && text.contains("position 6") && text.contains("u4"), "{text}");
    }

    #[test]
    fn what_is_not_finite_discards_a_step_and_says_where() {
        let mut root = expression("sqrt(u2)", [0.0, -1.0, 0.0, 0.0]);
        root.initialize(&NO_EXPERIMENT).unwrap();
        assert!(root.formula.value(&root.arguments()).is_nan());
        let refusal = root.do_step(&Step { t: 0.0, h: 1.0, tolerance: None }).unwrap_err();
        assert!(matches!(refusal.kind(), fmu_sdk::RefusalKind::Discard { .. }));
        assert_eq!(refusal.to_string(), "the formula `sqrt(u2)` gives NaN at u2 = -1");
    }

    #[test]
    fn a_saved_state_brings_its_formula_along() {
        let bytes = postcard::to_stdvec(&expression("3*u1", [2.0, 0.0, 0.0, 0.0])).unwrap();
        let saved: Expression = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(saved.formula.value(&saved.arguments()), 6.0);
    }
}
