//! `lotka run --try`: compares work and error of several methods on one system.
//!
//! Data flow: [`common`] has the settings of all methods (rows, steps, a reference of known error). Each
//! [`Method`](crate::request::Method) is run with them and becomes a line of the table. Start reading at [`run`].

mod attempt;
mod common;
mod execute;
mod reference;
mod table;

pub(crate) use execute::run;
