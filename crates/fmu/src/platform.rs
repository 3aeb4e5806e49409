//! What depends on the operating system.

pub(crate) use system::{Library, Scope, open_library, path_bytes, read_exact_at, same_owner, with_mode};

#[cfg(unix)]
mod system {
    use std::{
        borrow::Cow,
        fs::{File, Metadata, OpenOptions},
        io,
        os::unix::{
            ffi::OsStrExt,
            fs::{FileExt, MetadataExt, OpenOptionsExt},
        },
        path::Path,
    };

    pub(crate) use libloading::os::unix::Library;
    use libloading::os::unix::{RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};

    /// Who finds the functions of a library.
    #[derive(Debug, Clone, Copy)]
    pub(crate) enum Scope {
        /// Every library that is loaded later.
        Global,
        /// Who opened it.
        Local,
    }

    /// Opens a library, with all that it needs.
    ///
    /// # Safety
    /// The initialization and termination routines of the library run.
    pub(crate) unsafe fn open_library(path: &Path, scope: Scope) -> Result<Library, libloading::Error> {
        let scope = match scope {
            Scope::Global => RTLD_GLOBAL,
            Scope::Local => RTLD_LOCAL,
        };
        // SAFETY: as the caller promises.
        unsafe { Library::open(Some(path), RTLD_NOW | scope) }
    }

    /// Whether two files belong to the same user.
    pub(crate) fn same_owner(one: &Metadata, other: &Metadata) -> bool {
        one.uid() == other.uid()
    }

    /// Files that are made get this mode.
    pub(crate) fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
        options.mode(mode)
    }

    /// Reads from a place of a file, without moving in it.
    pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        file.read_exact_at(buffer, offset)
    }

    /// The bytes of an absolute path, as a URI has them.
    pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
        Cow::Borrowed(path.as_os_str().as_bytes())
    }
}

#[cfg(windows)]
mod system {
    use std::{
        borrow::Cow,
        fs::{File, Metadata, OpenOptions},
        io,
        os::windows::fs::FileExt,
        path::Path,
    };

    use libloading::os::windows::LOAD_WITH_ALTERED_SEARCH_PATH;
    pub(crate) use libloading::os::windows::Library;

    /// Who finds the functions of a library: on Windows only who opened it.
    #[derive(Debug, Clone, Copy)]
    pub(crate) enum Scope {
        /// Every library that is loaded later.
        Global,
        /// Who opened it.
        Local,
    }

    /// Opens a library; what it needs is looked for beside it first.
    ///
    /// # Safety
    /// The initialization and termination routines of the library run.
    pub(crate) unsafe fn open_library(path: &Path, _: Scope) -> Result<Library, libloading::Error> {
        // SAFETY: as the caller promises.
        unsafe { Library::load_with_flags(path, LOAD_WITH_ALTERED_SEARCH_PATH) }
    }

    /// Whether two files belong to the same user: temporary folders are those of one user.
    pub(crate) fn same_owner(_: &Metadata, _: &Metadata) -> bool {
        true
    }

    /// Files that are made have the rights of their folder.
    pub(crate) fn with_mode(options: &mut OpenOptions, _: u32) -> &mut OpenOptions {
        options
    }

    /// Reads from a place of a file.
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

    /// The bytes of an absolute path, as a URI has them: with slashes, the first one in front of the drive.
    pub(crate) fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
        Cow::Owned(format!("/{}", path.to_string_lossy().replace('\\', "/")).into_bytes())
    }
}
