//! The two state model of ARGESIM comparison C5: start reading at [`TwoStatePlant`].

mod equations;
mod plant;
mod switch;

pub use equations::TwoStateOde;
pub use plant::TwoStatePlant;
pub use switch::TwoStateSwitch;
