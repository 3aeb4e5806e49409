//! What `lotka run` is asked for: its flags, and what they make of the system file. It runs nothing; what runs, records or compares starts here.

mod arguments;
mod flags;
mod format;
mod method;
mod places;
mod subject;

pub(crate) use arguments::Arguments;
pub(crate) use format::Format;
pub(crate) use method::Method;
