//! `lotka run --try`: several methods on one system, work against error.
//!
//! Data flow: [`common`] has the settings of all methods (rows, steps, a reference of known error); each [`Method`](crate::request::Method) is run on it and
//! becomes a line of the table. Start reading at [`run`].

mod attempt;
mod common;
mod execute;
mod reference;
mod table;

pub(crate) use execute::run;
