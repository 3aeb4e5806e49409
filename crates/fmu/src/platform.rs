//! Functions that depend on the operating system.

pub(crate) use system::{
    Library, Scope, can_execute_in, has_symbol, is_private, open_library, path_bytes, private, read_exact_at, same_owner,
    try_lock, with_mode,
};

#[cfg(unix)]
mod system {
    use std::{
        borrow::Cow,
        ffi::CString,
        fs::{DirBuilder, File, Metadata, OpenOptions},
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

    /// Whether two files belong to the same user.
    pub(crate) fn same_owner(one: &Metadata, other: &Metadata) -> bool {
        one.uid() == other.uid()
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
}

#[cfg(windows)]
mod system {
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

    /// Whether two files belong to the same user: temporary folders belong to a single user.
    pub(crate) fn same_owner(_: &Metadata, _: &Metadata) -> bool {
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
}
