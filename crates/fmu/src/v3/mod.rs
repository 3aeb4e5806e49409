//! Instances of FMI 3.0. Start reading at `impl Instance` in [`interface`].
//!
//! [`loaded`] is what the instances of an FMU share, and [`instance`] what each has. [`calls`] makes the calls. A list of
//! references stands for variables of several types ([`access`]), each of which has its own functions ([`values`]) and its own
//! conversion to and from C ([`buffers`]); setting one element of an array needs the others ([`shadow`]). [`step`] interprets
//! what a step returns, [`intermediate`] sets inputs during it, and [`events`] handles events in event mode.

mod access;
mod buffers;
mod calls;
mod capabilities;
mod configure;
mod events;
mod functions;
mod instance;
mod interface;
mod intermediate;
mod loaded;
mod shadow;
mod step;
mod values;

pub(crate) use self::{
    capabilities::capabilities,
    functions::{function_names, functions},
    instance::FmuInstance,
    intermediate::Gate,
    loaded::Loaded,
};
