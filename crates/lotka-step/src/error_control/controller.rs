//! Step-size controllers: factors computed from error estimates.

use super::Gains;
use crate::checkpoint::{Persistent, Transfer, Transferred};

/// Computes the factor by which the step size should change so that the error estimate becomes 1. It is called once per attempt,
/// accepted or rejected; `order` is the p for which the estimate behaves as `h^(p+1)`.
pub trait Controller: Persistent + Send {
    /// Factor after an accepted step of size `h` with this error.
    fn accepted(&mut self, h: f64, error: f64, order: u32) -> f64;
    /// Factor after a step that was rejected because of this error.
    fn rejected(&mut self, error: f64, order: u32) -> f64;
    /// Whether the factor after an accepted step with this error is certainly at least 1. Called instead of
    /// [`Controller::accepted`] where a step has the maximum size, so that nothing needs to be computed; if it returns true, it
    /// records the error as that function does. By default it returns false, and the factor is computed.
    fn grows(&mut self, error: f64) -> bool {
        let _ = error;
        false
    }
}

fn elementary(error: f64, order: u32) -> f64 {
    power(error, -1.0, order)
}

/// `error^(exponent/(p+1))`.
fn power(error: f64, exponent: f64, order: u32) -> f64 {
    error.powf(exponent / f64::from(order + 1))
}

/// Minimum error used in the formulas: an error of zero carries little information.
const SMALLEST: f64 = 1e-10;

/// `h error^(-1/(p+1))`: the elementary controller.
pub struct Integral;

impl Persistent for Integral {}

impl Controller for Integral {
    fn accepted(&mut self, _: f64, error: f64, order: u32) -> f64 {
        elementary(error, order)
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        elementary(error, order)
    }

    fn grows(&mut self, error: f64) -> bool {
        error <= 1.0
    }
}

/// `h error_n^(-(k_I + k_P)/(p+1)) error_(n-1)^(k_P/(p+1))`: smoother step sizes (Gustafsson 1991, doi 10.1145/210232.210242), by
/// default with `k_I = 0.3` and `k_P = 0.4`. After a rejection the elementary controller is used.
#[derive(Debug, Default)]
pub struct ProportionalIntegral {
    gains: Gains,
    last: Option<f64>,
}

impl ProportionalIntegral {
    pub(crate) fn new(gains: Gains) -> Self {
        Self { gains, last: None }
    }
}

impl Persistent for ProportionalIntegral {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)
    }
}

impl Controller for ProportionalIntegral {
    fn accepted(&mut self, _: f64, error: f64, order: u32) -> f64 {
        let error = error.max(SMALLEST);
        let factor = match self.last {
            Some(last) => {
                let Gains { proportional, integral } = self.gains;
                power(error, -(integral + proportional), order) * power(last, proportional, order)
            }
            None => elementary(error, order),
        };
        self.last = Some(error);
        factor
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        self.last = None;
        elementary(error, order)
    }

    /// With the default gains and `e_n <= 2 e_(n-1)` the factor is at least `2^(-0.4/(p+1)) e_n^(-0.3/(p+1))`, which is 1 at
    /// `e_n = 2^(-4/3) = 0.397`.
    fn grows(&mut self, error: f64) -> bool {
        let error = error.max(SMALLEST);
        let grows = match self.last {
            Some(last) => {
                let is_default = self.gains == Gains::default();
                error <= last.min(1.0) || is_default && error <= 0.39 && error <= 2.0 * last
            }
            None => error <= 1.0,
        };
        if grows {
            self.last = Some(error);
        }
        grows
    }
}

/// `h error_n^(-0.49/(p+1)) error_(n-1)^(0.34/(p+1)) error_(n-2)^(-0.1/(p+1))`: PID control (Söderlind 2003, doi
/// 10.1145/641876.641877; parameters of Kennedy and Carpenter 2003, doi 10.1016/S0168-9274(02)00138-1). After a rejection, and
/// until three errors are known, the elementary controller is used.
#[derive(Debug, Default)]
pub struct ProportionalIntegralDerivative {
    last: Option<f64>,
    before: Option<f64>,
}

impl Persistent for ProportionalIntegralDerivative {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)?;
        transfer.value(&mut self.before)
    }
}

impl Controller for ProportionalIntegralDerivative {
    fn accepted(&mut self, _: f64, error: f64, order: u32) -> f64 {
        let error = error.max(SMALLEST);
        let factor = match (self.last, self.before) {
            (Some(last), Some(before)) => power(error, -0.49, order) * power(last, 0.34, order) * power(before, -0.1, order),
            _ => elementary(error, order),
        };
        (self.last, self.before) = (Some(error), self.last);
        factor
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        (self.last, self.before) = (None, None);
        elementary(error, order)
    }
}

/// `h (error_n error_(n-1))^(-1/(4(p+1))) (h_n / h_(n-1))^(-1/4)`: the digital filter H211b with b = 4, whose step sizes do not
/// follow the noise of the errors (Söderlind 2003, doi 10.1145/641876.641877). After a rejection the elementary controller is
/// used.
#[derive(Debug, Default)]
pub struct Filter {
    /// Size and error of the last step.
    last: Option<(f64, f64)>,
}

impl Persistent for Filter {
    fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
        transfer.value(&mut self.last)
    }
}

impl Controller for Filter {
    fn accepted(&mut self, h: f64, error: f64, order: u32) -> f64 {
        let error = error.max(SMALLEST);
        let factor = match self.last {
            Some((last_h, last)) => power(error * last, -0.25, order) * (h / last_h).powf(-0.25),
            None => elementary(error, order),
        };
        self.last = Some((h, error));
        factor
    }

    fn rejected(&mut self, error: f64, order: u32) -> f64 {
        self.last = None;
        elementary(error, order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [(&'static str, Box<dyn Controller>); 4] {
        [
            ("i", Box::new(Integral)),
            ("pi", Box::<ProportionalIntegral>::default()),
            ("pid", Box::<ProportionalIntegralDerivative>::default()),
            ("h211", Box::<Filter>::default()),
        ]
    }

    #[test]
    fn all_controllers_rest_at_an_error_of_one() {
        for (name, mut controller) in all() {
            for _ in 0..5 {
                assert_eq!(controller.accepted(0.1, 1.0, 1), 1.0, "{name}");
            }
        }
    }

    /// Two controllers of each kind with the same past.
    #[test]
    fn a_factor_said_to_be_at_least_1_is_and_the_error_is_recorded() {
        let errors = [1e-12, 1e-6, 0.1, 0.2, 0.38, 0.4, 0.7, 0.99, 1.0, 1.1, 3.0];
        for last in errors {
            for error in errors {
                for ((name, mut asked), (_, mut other)) in all().into_iter().zip(all()) {
                    [&mut asked, &mut other].into_iter().for_each(|controller| _ = controller.accepted(0.1, last, 2));
                    let factor = other.accepted(0.1, error, 2);
                    if asked.grows(error) {
                        assert!(factor >= 1.0, "{name}: {factor} for {error} after {last}");
                        assert_eq!(asked.accepted(0.1, 0.3, 2), other.accepted(0.1, 0.3, 2), "{name}");
                    } else {
                        assert_eq!(asked.accepted(0.1, error, 2), factor, "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn equal_small_errors_are_known_to_let_steps_grow() {
        for (name, mut controller) in all().into_iter().take(2) {
            controller.accepted(0.1, 1e-3, 1);
            assert!(controller.grows(1.5e-3), "{name}");
        }
    }

    /// Logarithms of the steps of a process whose error is `(0.3 h)^(p+1)` with disturbances of a factor of 2.
    fn steps(controller: &mut dyn Controller, order: u32) -> Vec<f64> {
        let (mut h, mut seed, mut steps) = (0.1_f64, 1_u64, Vec::new());
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let noise = 2.0_f64.powf((seed >> 32) as f64 / 2_147_483_648.0 - 1.0);
            h *= controller.accepted(h, noise * (0.3 * h).powi(order as i32 + 1), order);
            steps.push(h.ln());
        }
        steps.split_off(100)
    }

    #[test]
    fn all_controllers_find_the_right_step() {
        for (name, mut controller) in all() {
            let steps = steps(&mut *controller, 2);
            let mean = steps.iter().sum::<f64>() / steps.len() as f64;
            assert!((mean - (1.0_f64 / 0.3).ln()).abs() < 0.02, "{name}: {mean}");
        }
    }

    #[test]
    fn steps_are_smoother_than_those_of_the_elementary_controller() {
        let [elementary, rest @ ..] = all().map(|(name, mut controller)| {
            let steps = steps(&mut *controller, 1);
            let changes = steps.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>();
            (name, (changes / steps.len() as f64).sqrt())
        });
        for (name, roughness) in rest {
            assert!(roughness < 0.95 * elementary.1, "{name}: {roughness}, not below {}", elementary.1);
        }
        assert!(rest[2].1 < 0.3 * elementary.1, "the filter: {}, i: {}", rest[2].1, elementary.1);
    }

    #[test]
    fn after_a_rejection_the_elementary_controller_acts() {
        for (name, mut controller) in all() {
            for _ in 0..3 {
                controller.accepted(0.1, 0.5, 1);
            }
            assert!((controller.rejected(16.0, 1) - 0.25).abs() < 1e-15, "{name}");
            assert!((controller.accepted(0.1, 0.25, 1) - 2.0).abs() < 1e-15, "{name}");
        }
    }

    #[test]
    fn the_elementary_controller_knows_the_order() {
        assert!((Integral.rejected(16.0, 1) - 0.25).abs() < 1e-15);
        assert!((Integral.accepted(0.1, 16.0, 3) - 0.5).abs() < 1e-15);
    }

    /// The formulas of the references, for order 2 and errors of 0.5, 0.25 and 0.4 with steps of 0.1, 0.12 and 0.15.
    #[test]
    fn factors_are_those_of_the_formulas() {
        let expected = [
            0.4_f64.powf(-1.0 / 3.0),
            0.4_f64.powf(-0.7 / 3.0) * 0.25_f64.powf(0.4 / 3.0),
            0.4_f64.powf(-0.49 / 3.0) * 0.25_f64.powf(0.34 / 3.0) * 0.5_f64.powf(-0.1 / 3.0),
            (0.4_f64 * 0.25).powf(-0.25 / 3.0) * (0.15_f64 / 0.12).powf(-0.25),
        ];
        for ((name, mut controller), expected) in all().into_iter().zip(expected) {
            assert!((controller.accepted(0.1, 0.5, 2) - 0.5_f64.powf(-1.0 / 3.0)).abs() < 1e-15, "{name} knows one error");
            controller.accepted(0.12, 0.25, 2);
            assert!((controller.accepted(0.15, 0.4, 2) - expected).abs() < 1e-15, "{name}");
        }
    }

    #[test]
    fn a_growing_error_damps_more_than_its_size_alone() {
        let mut pi = ProportionalIntegral::default();
        pi.accepted(0.1, 0.25, 1);
        assert!(pi.accepted(0.1, 1.0, 1) < 1.0);
    }
}
