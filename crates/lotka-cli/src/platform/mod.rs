//! What the command needs of the operating system, beside what the library does. Other files name no system call and no file of
//! the kernel. Another system is a file beside `linux`.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
pub(crate) use linux::{interrupt, kernel_release, let_others_run_first, machine_name, terminate};

/// Memory of this machine \[byte\].
pub(crate) struct Memory {
    /// Total memory, including swap.
    pub(crate) total: f64,
    /// Memory that programs can have now without swapping.
    pub(crate) available: f64,
}
