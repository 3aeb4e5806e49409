//! Models defined by differential equations only: parameters select the integrator. Start reading at [`Circle`].

mod circle;
mod stiff;

pub use circle::Circle;
pub use stiff::Stiff;
