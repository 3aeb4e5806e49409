//! The protocol of master and host, over shared memory.
//!
//! Both sides take turns: the master posts a request and waits; the host posts the reply. A step of an instance is a single
//! request with its numbers directly in the memory ([`Channel::post_step`]). Everything else is a [`Request`] or a [`Reply`] as
//! bytes, in parts if it is long. [`layout`] defines the places, [`turn`] passes turns, [`channel`] what is posted with them, and
//! [`log_ring`] transfers log lines during a call.
//!
//! The FMU can write to the memory, too. The master trusts no value read from it: invalid data ends the host.

mod channel;
mod expected;
mod futex;
mod layout;
mod log_ring;
mod message;
mod text;
mod turn;
pub mod untrusted;

pub(crate) use channel::{Channel, Garbled, Kind, LONGEST_MESSAGE, PostedStep, Side};
pub(crate) use expected::Expected;
pub(crate) use layout::{DENIED_CALLS, WORDS};
pub(crate) use log_ring::{LogReader, LogWriter};
pub(crate) use message::{Loaded, Reply, Request, Start};
