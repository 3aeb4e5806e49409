//! Linux. [`super`] lists what the files offer.

pub(crate) mod cgroup;
mod child;
mod executable;
mod fork;
mod master;
mod process_state;
pub(crate) mod sandbox;
mod shared_memory;
mod signals;
mod starter;
mod streams;
mod usage;
mod waking;

pub use cgroup::describe_cgroups;
pub(crate) use child::{ChildProcess, DENIED_CALL, KILLED};
pub(crate) use executable::{THIS, has_opened_files, named, rename_this};
pub(crate) use fork::{Forked, ForkedChild, fork};
pub(crate) use master::{LOOK_AROUND, die_with, end_with, end_without, supervised_by, supervisor};
pub use process_state::{ProcessState, Watched};
pub(crate) use shared_memory::SharedMemory;
pub(crate) use signals::{
    HeldSignals, TIME_IS_UP, end_in, interrupts, leave_faults_to_the_system, leave_interrupts_to_the_parent,
};
pub use signals::{leave_ignored, survive_file_size_limit};
pub(crate) use streams::{
    close_inherited, empty_input, is_readable, kept_error, kept_output, output_to_error, output_to_nowhere,
};
pub(crate) use usage::{processor_time, wait_for_core};
pub(crate) use waking::{give_way, wait, wake};
