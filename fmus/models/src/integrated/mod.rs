//! Models defined by differential equations only: parameters select the integrator. Start reading at [`Circle`].

mod circle;
mod heat_rod;
mod stiff;

pub use circle::Circle;
pub use heat_rod::HeatRod;
pub use stiff::Stiff;
