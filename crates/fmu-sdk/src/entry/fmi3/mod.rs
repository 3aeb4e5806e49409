//! The 75 functions of FMI 3.0.

mod derivatives;
mod families;
mod inputs;
mod life;
mod modes;
mod other;
mod states;
mod step;
mod values;
mod variable_size;

pub use self::{derivatives::*, life::*, modes::*, other::*, states::*, step::*, values::*, variable_size::*};
