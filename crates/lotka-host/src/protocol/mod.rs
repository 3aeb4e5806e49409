//! What master and host say to each other, through memory that both see.
//!
//! Both sides take turns: the master posts a request and waits, the host posts the reply. A step of an instance is one request whose numbers lie
//! in the memory as they are ([`Channel::post_step`]); everything else is a [`Request`] or a [`Reply`] as bytes, in parts if it is long.
//! [`layout`] says where things are, [`channel`] is how a turn passes, [`log_ring`] how log lines come along in the middle of a call.
//!
//! The FMU can write to the memory, too. The master believes nothing it reads there: what does not fit ends the host.

mod channel;
mod layout;
mod log_ring;
mod message;
mod text;
pub mod untrusted;

pub(crate) use channel::{Channel, Garbled, Kind, LONGEST_MESSAGE, LONGEST_REPLY, PostedStep, Side};
pub(crate) use layout::{DENIED_CALLS, WORDS};
pub(crate) use log_ring::{LogReader, LogWriter};
pub(crate) use message::{Loaded, Reply, Request, Start};
