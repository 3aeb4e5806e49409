//! What Linux shares with other systems of its family.

use std::{
    borrow::Cow,
    ffi::CString,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io, mem,
    os::{
        fd::AsRawFd,
        unix::{
            ffi::OsStrExt,
            fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt},
        },
    },
    path::Path,
};

pub(crate) use libloading::os::unix::Library;
use libloading::os::unix::{RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};

/// The scope in which the functions of a library are found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope {
    /// All libraries that are loaded later.
    Global,
    /// The program that opened it.
    Local,
}

/// Opens a library with its dependencies.
///
/// # Safety
/// The initialization and termination routines of the library run.
pub(crate) unsafe fn open_library(path: &Path, scope: Scope) -> Result<Library, libloading::Error> {
    let scope = match scope {
        Scope::Global => RTLD_GLOBAL,
        Scope::Local => RTLD_LOCAL,
    };
    // SAFETY: the caller guarantees it.
    unsafe { Library::open(Some(path), RTLD_NOW | scope) }
}

/// Whether the global scope of this program has a symbol.
pub(crate) fn has_symbol(name: &str) -> bool {
    // SAFETY: the symbol is looked up only.
    unsafe { Library::this().get::<*const ()>(name).is_ok() }
}

/// Whether a file or folder belongs to the user of this process; not if the system does not tell.
pub(crate) fn is_own(data: &Metadata) -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == data.uid())
}

/// Locks a file for this process, until it is closed, and returns whether that succeeded.
pub(crate) fn try_lock(file: &File) -> bool {
    // SAFETY: the file is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

/// Whether libraries can be loaded from a folder.
pub(crate) fn can_execute_in(folder: &Path) -> bool {
    let Ok(folder) = CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: all fields are integers, for which zero is a valid value.
    let mut file_system: libc::statvfs = unsafe { mem::zeroed() };
    // SAFETY: the path ends with NUL, and the structure is valid for writing.
    let code = unsafe { libc::statvfs(folder.as_ptr(), &raw mut file_system) };
    code == 0 && file_system.f_flag & NO_EXECUTION == 0
}

/// The flag of file systems from which nothing is executed; only Linux has it.
const NO_EXECUTION: libc::c_ulong = if cfg!(target_os = "linux") { 8 } else { 0 };

/// Whether only its owner can use a file or folder.
pub(crate) fn is_private(data: &Metadata) -> bool {
    data.mode() & 0o077 == 0
}

/// Makes created folders private.
pub(crate) fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder.mode(0o700)
}

/// Sets the mode of created files.
pub(crate) fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Reads from a position of a file, without moving the file position.
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Returns the bytes of an absolute path, as used in a URI.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Borrowed(path.as_os_str().as_bytes())
}
