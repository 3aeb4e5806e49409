//! The two state model of ARGESIM comparison C5: start reading at [`TwoStatePlant`].

mod plant;
mod switch;

pub use plant::TwoStatePlant;
pub use switch::TwoStateSwitch;
