//! Models that are differential equations only: the experiment chooses how they are integrated. Start reading at [`Circle`].

mod circle;
mod stiff;

pub use circle::Circle;
pub use stiff::Stiff;
