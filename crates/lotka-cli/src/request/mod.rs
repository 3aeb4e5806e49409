//! The request of `lotka run`: its flags, and their effect on the system file. This module runs nothing; running, recording and
//! comparing start from it.

mod arguments;
mod flags;
mod method;
mod places;
mod subject;

pub(crate) use arguments::Arguments;
pub(crate) use method::Method;
