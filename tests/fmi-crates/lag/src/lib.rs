#![allow(unexpected_cfgs)] // by the macro
//! A first-order lag `y' = (u - y) / T` with `T = 2 s`, exact for an input held constant over a step.

use fmi::fmi3::{Fmi3Error, Fmi3Res};
use fmi_export::FmuModel;
use fmi_export::fmi3::{CSDoStepResult, Context, DefaultLoggingCategory, UserModel};

/// The model; `fmi-export` makes variables of its fields.
#[derive(FmuModel, Default, Debug)]
#[model(model_exchange = false, co_simulation = true, user_model = false)]
pub struct Lag {
    /// Input
    #[variable(causality = Input, variability = Continuous, start = 0.0)]
    u: f64,

    /// Output
    #[variable(causality = Output, variability = Continuous, start = 1.0, initial = Exact)]
    y: f64,

    /// Time constant [s]
    #[variable(causality = Parameter, variability = Fixed, start = 2.0, initial = Exact)]
    time_constant: f64,

    /// Steps made
    #[variable(causality = Output, variability = Discrete, start = 0, initial = Exact)]
    n_steps: i32,
}

impl UserModel for Lag {
    type LoggingCategory = DefaultLoggingCategory;

    fn calculate_values(&mut self, _context: &dyn Context<Self>) -> Result<Fmi3Res, Fmi3Error> {
        Ok(Fmi3Res::OK)
    }

    fn do_step(
        &mut self,
        context: &mut dyn Context<Self>,
        time: f64,
        step_size: f64,
        _no_set_fmu_state_prior_to_current_point: bool,
    ) -> Result<CSDoStepResult, Fmi3Error> {
        self.y += (self.u - self.y) * (1.0 - (-step_size / self.time_constant).exp());
        self.n_steps += 1;
        context.set_time(time + step_size);
        Ok(CSDoStepResult::completed(time + step_size))
    }
}

fmi_export::export_fmu!(Lag);
