//! Instances of FMI 2.0. Start reading at `impl Instance` in [`interface`].
//!
//! [`loaded`] is what the instances of an FMU share, and [`instance`] what each has. [`calls`] makes the calls, and [`step`]
//! handles steps that are not simply complete.

mod calls;
mod capabilities;
mod functions;
mod instance;
mod interface;
mod loaded;
mod step;

pub(crate) use self::{
    capabilities::capabilities,
    functions::{function_names, functions},
    instance::FmuInstance,
    loaded::Loaded,
};
