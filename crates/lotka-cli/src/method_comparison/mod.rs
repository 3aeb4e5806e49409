//! `lotka run --try`: several methods on one system, work against error.
//!
//! Data flow: the common is common to all methods (rows, steps, a reference of known error); each [`Method`] is run on it and
//! becomes a line of the table. Start reading at [`run`].

mod attempt;
mod common;
mod execute;
mod method;
mod reference;
mod table;

pub(crate) use execute::run;
pub(crate) use method::Method;
