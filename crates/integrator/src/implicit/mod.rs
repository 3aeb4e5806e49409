//! Implicit methods for stiff equations. Simplified Newton iterations solve the stages, with a Jacobian matrix from finite
//! differences.

mod complex;
mod esdirk34;
mod jacobian;
mod lu;
mod newton;
mod radau5;
mod sdirk;
mod tr_bdf2;

pub(crate) use esdirk34::ESDIRK34;
pub(crate) use radau5::Radau5;
pub(crate) use sdirk::Sdirk;
pub(crate) use tr_bdf2::TR_BDF2;
