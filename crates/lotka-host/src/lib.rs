//! FMUs in processes of their own.
#![warn(missing_docs)]

mod shared_memory;
