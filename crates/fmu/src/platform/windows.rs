//! Windows.

use std::{
    borrow::Cow,
    fs::{DirBuilder, File, Metadata, OpenOptions},
    io,
    os::windows::fs::FileExt,
    path::Path,
};

use libloading::os::windows::LOAD_WITH_ALTERED_SEARCH_PATH;
pub(crate) use libloading::os::windows::Library;

/// The scope in which the functions of a library are found: on Windows only the program that opened it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope {
    /// All libraries that are loaded later.
    Global,
    /// The program that opened it.
    Local,
}

/// Opens a library; its dependencies are first searched in its own folder.
///
/// # Safety
/// The initialization and termination routines of the library run.
pub(crate) unsafe fn open_library(path: &Path, _: Scope) -> Result<Library, libloading::Error> {
    // SAFETY: the caller guarantees it.
    unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) }
}

/// Whether the program has a symbol: there are no usual libraries to look for.
pub(crate) fn has_symbol(_: &str) -> bool {
    true
}

/// Whether a file or folder belongs to the user of this process: temporary folders belong to a single user.
pub(crate) fn is_own(_: &Metadata) -> bool {
    true
}

/// Leaves the file unlocked: folders of processes that are gone stay.
pub(crate) fn try_lock(_: &File) -> bool {
    false
}

/// Whether libraries can be loaded from a folder.
pub(crate) fn can_execute_in(folder: &Path) -> bool {
    folder.is_dir()
}

/// Whether only its owner can use a file or folder: the folders of a user are private.
pub(crate) fn is_private(_: &Metadata) -> bool {
    true
}

/// Leaves the builder unchanged: created folders have the rights of their folder.
pub(crate) fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}

/// Leaves the options unchanged: created files have the rights of their folder.
pub(crate) fn with_mode(options: &mut OpenOptions, _: u32) -> &mut OpenOptions {
    options
}

/// Reads from a position of a file.
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                buffer = &mut buffer[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// Returns the bytes of an absolute path, as used in a URI: with slashes, the first one before the drive.
pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Owned(format!("/{}", path.to_string_lossy().replace('\\', "/")).into_bytes())
}
