//! The systems are what they say, and what they are compared with is exact.

mod campaign;
mod exact;
mod systems;
