//! Start values, given or solved for.

use lotka_system::{SolvedStart, StartSetting, StartValue};

use super::System;

impl System {
    /// Sets the start value of `instance.variable`, instead of that in the file. The text is parsed as the type of the variable.
    ///
    /// For an array, it is the value of all elements, or a list such as `[1.0, 2.0]`; see also [`System::start_array`]. Of a
    /// structural parameter (FMI 3.0), arrays get the sizes that follow.
    #[must_use]
    pub fn start_value(mut self, variable: &str, value: impl ToString) -> Self {
        let value = StartValue::Unparsed(value.to_string());
        self.description.start_values.push(StartSetting::new(variable.to_owned(), value));
        self
    }

    /// Sets the start values of the elements of the array `instance.array`, row by row: a list of them, or of rows.
    ///
    /// ```
    /// # use fmu_sdk::{Declaration, Model, Refusal, Step};
    /// # #[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
    /// # struct Plate { temperature: [[f64; 3]; 2] }
    /// # impl Model for Plate {
    /// #     const NAME: &'static str = "plate";
    /// #     const DESCRIPTION: &'static str = "";
    /// #     fn declare(v: &mut Declaration<Self>) { v.parameter("T", |m| &mut m.temperature); }
    /// #     fn do_step(&mut self, _: &Step) -> Result<(), Refusal> { Ok(()) }
    /// # }
    /// # let fmu = lotka::Fmu::from_fmi3_functions(fmu_sdk::fmi3::description::<Plate>(), fmu_sdk::fmi3::functions::<Plate>());
    /// let system = lotka::System::new().instance_of("plate", &fmu).stop(1.0).step(0.1);
    /// let rows = [[20.0, 21.0, 22.0], [23.0, 24.0, 25.0]];
    /// system.start_array("plate.T", rows).build()?.run(&mut [])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start_array(mut self, array: &str, values: impl Into<StartValue>) -> Self {
        self.description.start_values.push(StartSetting::new(array.to_owned(), values.into()));
        self
    }

    /// Solves for a start value; both names are `instance.variable`.
    ///
    /// All unknowns change together until all residuals are 0 right after initialization. A residual is an output, or the value
    /// of a connected input. The given start value is the first guess.
    #[must_use]
    pub fn solve_start(mut self, unknown: &str, residual: &str) -> Self {
        let (unknown, residual) = (unknown.to_owned().into(), residual.to_owned().into());
        self.description.initialization.push(SolvedStart { unknown, residual, target: 0.0 });
        self
    }

    /// Sets the largest residuals, relative to the terms of its equations, at which the start values of an algebraic loop are
    /// accepted if no better ones are found. This is for FMUs with noisy outputs; the default allows for rounding and measured
    /// noise.
    #[must_use]
    pub fn loop_tolerance(mut self, tolerance: f64) -> Self {
        self.description.loop_tolerance = Some(tolerance.into());
        self
    }
}
