//! The equations of the systems in plain Rust, independent of FMI. The leaf crates beside this one export each model as an
//! FMU with one line. Start reading at [`Prey`].
#![forbid(unsafe_code)]

mod argesim_c5;
mod bouncing_ball;
mod ecosystem;
mod expression;
mod growth;
mod integrated;
mod mechanics;
mod polynomial;
mod predator;
mod predator_prey;
mod prey;
mod species;
mod taylor;
mod three_species;
mod van_der_pol;

pub use argesim_c5::{TwoStateOde, TwoStatePlant, TwoStateSwitch};
pub use bouncing_ball::{BouncingBall, Impacts};
pub use ecosystem::{Population, Predation, Reproduction, Starvation};
pub use expression::Expression;
pub use integrated::{Circle, HeatRod, Stiff};
pub use mechanics::{Mass, Sprung, SprungMass, SprungMassForce};
pub use predator::Predator;
pub use predator_prey::PredatorPrey;
pub use prey::Prey;
pub use species::Species;
pub use three_species::ThreeSpecies;
pub use van_der_pol::{VanDerPolPosition, VanDerPolVelocity};
