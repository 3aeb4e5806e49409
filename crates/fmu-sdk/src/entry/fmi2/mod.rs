//! The 34 functions of FMI 2.0.

mod derivatives;
mod life;
mod states;
mod status;
mod step;
mod values;

pub use self::{derivatives::*, life::*, states::*, status::*, step::*, values::*};
