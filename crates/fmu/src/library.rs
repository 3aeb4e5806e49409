//! The properties of a shared library, read before it is loaded.

use std::fmt;
use std::str::FromStr;

use object::elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, DynamicTag, ET_DYN, VER_NDX_GLOBAL};
use object::read::elf::{ElfFile64, FileHeader};
use object::{Architecture, Endianness, Object, ObjectSymbol, SymbolIndex};

/// The properties of a linux64 library that determine where it loads and which functions it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// Names of its exported symbols, sorted.
    pub exported: Vec<String>,
    /// File names of the libraries that it needs, in the order in the file.
    pub needed: Vec<String>,
    /// Folders in which they are searched first, as stored in the file: `$ORIGIN` is its own folder.
    pub run_paths: Vec<String>,
    /// Unversioned symbols that other libraries must provide, sorted. Symbols of the system's libraries are versioned.
    pub undefined: Vec<String>,
    /// Highest version of the GNU C library among the symbols it uses; `None` if it uses no versioned symbol of it.
    pub glibc: Option<GlibcVersion>,
    /// The symbols of the GNU C library that it uses, with their versions, sorted.
    pub glibc_symbols: Vec<(String, GlibcVersion)>,
}

/// A version of the GNU C library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlibcVersion {
    /// 2 in 2.34.
    pub major: u32,
    /// 34 in 2.34.
    pub minor: u32,
    /// 5 in 2.2.5, otherwise 0.
    pub patch: u32,
}

/// The reason why a file is not a library for linux64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotALibrary {
    /// The file is not an ELF file, or is damaged.
    #[error("is not a readable 64-bit ELF file ({0})")]
    Unreadable(object::read::Error),
    /// The file is for another machine.
    #[error("is for {0:?}, not for x86-64")]
    Machine(Architecture),
    /// The file is an executable or an object file.
    #[error("is not a shared library (ELF type {0}, expected 3); build it with crate-type = [\"cdylib\"]")]
    Type(u16),
}

impl From<object::read::Error> for NotALibrary {
    fn from(error: object::read::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Library {
    /// Reads the headers and the dynamic tables of a library, without loading or running it.
    ///
    /// # Errors
    /// [`NotALibrary`] if the bytes are not an x86-64 ELF shared library.
    pub fn inspect(bytes: &[u8]) -> Result<Self, NotALibrary> {
        let elf = ElfFile64::<Endianness>::parse(bytes)?;
        if elf.architecture() != Architecture::X86_64 {
            return Err(NotALibrary::Machine(elf.architecture()));
        }
        let elf_type = elf.elf_header().e_type(elf.endian());
        if elf_type != ET_DYN {
            return Err(NotALibrary::Type(elf_type.0));
        }
        let run_paths =
            texts(&elf, &[DT_RPATH, DT_RUNPATH])?.iter().flat_map(|list| list.split(':')).map(str::to_owned).collect();
        Ok(Self {
            exported: exported(&elf)?,
            needed: texts(&elf, &[DT_NEEDED])?,
            run_paths,
            undefined: undefined(&elf)?,
            glibc: glibc(&elf)?,
            glibc_symbols: glibc_symbols(&elf)?,
        })
    }

    /// Returns the symbols of the GNU C library that it uses and that came after this version, such as `gnu_get_libc_version
    /// (2.1)`.
    #[must_use]
    pub fn glibc_symbols_after(&self, version: GlibcVersion) -> Vec<String> {
        let newer = self.glibc_symbols.iter().filter(|(_, symbol)| *symbol > version);
        newer.map(|(name, version)| format!("{name} ({version})")).collect()
    }
}

fn exported(elf: &ElfFile64<'_>) -> Result<Vec<String>, object::read::Error> {
    let mut names = elf
        .dynamic_symbols()
        .filter(|symbol| !symbol.is_undefined() && !symbol.is_local())
        .map(|symbol| Ok(text(symbol.name_bytes()?)))
        .collect::<Result<Vec<_>, _>>()?;
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

fn undefined(elf: &ElfFile64<'_>) -> Result<Vec<String>, object::read::Error> {
    let (endian, sections) = (elf.endian(), elf.elf_section_table());
    let versions = sections.versions(endian, elf.data())?;
    let is_versioned = |symbol: SymbolIndex| {
        let index = versions.as_ref().map(|versions| versions.version_index(endian, symbol).index());
        index.is_some_and(|index| index > VER_NDX_GLOBAL)
    };
    let mut names = elf
        .dynamic_symbols()
        .filter(|symbol| symbol.is_undefined() && symbol.is_global() && !symbol.is_weak() && !is_versioned(symbol.index()))
        .map(|symbol| Ok(text(symbol.name_bytes()?)))
        .collect::<Result<Vec<_>, _>>()?;
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    Ok(names)
}

pub(crate) fn texts(elf: &ElfFile64<'_>, tags: &[DynamicTag]) -> Result<Vec<String>, object::read::Error> {
    let table = elf.elf_dynamic_table()?;
    table.iter().filter(|entry| tags.contains(&entry.tag)).map(|entry| Ok(text(table.string(entry)?))).collect()
}

fn glibc(elf: &ElfFile64<'_>) -> Result<Option<GlibcVersion>, object::read::Error> {
    let (endian, sections) = (elf.endian(), elf.elf_section_table());
    let Some((libraries, link)) = sections.gnu_verneed(endian, elf.data())? else { return Ok(None) };
    let strings = sections.strings(endian, elf.data(), link)?;
    let mut highest = None;
    for library in libraries {
        for version in library?.1 {
            highest = highest.max(GlibcVersion::from_symbol_version(version?.name(endian, strings)?));
        }
    }
    Ok(highest)
}

fn glibc_symbols(elf: &ElfFile64<'_>) -> Result<Vec<(String, GlibcVersion)>, object::read::Error> {
    let (endian, sections) = (elf.endian(), elf.elf_section_table());
    let Some(versions) = sections.versions(endian, elf.data())? else { return Ok(Vec::new()) };
    let mut symbols = Vec::new();
    for symbol in elf.dynamic_symbols().filter(ObjectSymbol::is_undefined) {
        let version = versions.version(versions.version_index(endian, symbol.index()).index())?;
        if let Some(version) = version.and_then(|version| GlibcVersion::from_symbol_version(version.name())) {
            symbols.push((text(symbol.name_bytes()?), version));
        }
    }
    symbols.sort_unstable();
    Ok(symbols)
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl GlibcVersion {
    /// Parses `GLIBC_2.34` and `GLIBC_2.2.5`; other names (`GLIBC_PRIVATE`, `GCC_3.0`) are not versions of the C library.
    fn from_symbol_version(name: &[u8]) -> Option<Self> {
        let mut numbers = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?.split('.').map(str::parse);
        let version = Self {
            major: numbers.next()?.ok()?,
            minor: numbers.next()?.ok()?,
            patch: numbers.next().transpose().ok()?.unwrap_or(0),
        };
        Some(version)
    }
}

/// The error that a text is not a version such as 2.17.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a version of the GNU C library such as 2.17, found `{0}`")]
pub struct NotAVersion(String);

impl FromStr for GlibcVersion {
    type Err = NotAVersion;

    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        Self::from_symbol_version(format!("GLIBC_{text}").as_bytes()).ok_or_else(|| NotAVersion(text.to_owned()))
    }
}

impl fmt::Display for GlibcVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.patch != 0 { write!(f, ".{}", self.patch) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers() {
        let version = |name: &str| GlibcVersion::from_symbol_version(name.as_bytes());
        assert!(version("GLIBC_2.34") > version("GLIBC_2.4"));
        assert!(version("GLIBC_2.3") > version("GLIBC_2.2.5"));
        assert_eq!(version("GLIBC_2.2.5").unwrap().to_string(), "2.2.5");
        assert_eq!(version("GLIBC_PRIVATE"), None);
        assert_eq!(version("GCC_3.0"), None);
        assert_eq!("2.17".parse(), Ok(GlibcVersion { major: 2, minor: 17, patch: 0 }));
        for text in ["", "2", "2.x", "two", "PRIVATE"] {
            assert!(text.parse::<GlibcVersion>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_running_test_is_an_elf_file_that_needs_the_c_library() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let library = Library::inspect(&own).unwrap();
        assert!(library.needed.iter().any(|name| name.starts_with("libc.so")), "{:?}", library.needed);
        assert!(library.glibc.unwrap().major == 2);
        let newest = library.glibc_symbols.iter().map(|(_, version)| *version).max();
        assert_eq!(newest, library.glibc, "{:?}", library.glibc_symbols);
        assert!(library.glibc_symbols.iter().any(|(name, _)| name == "memcpy" || name == "write"), "{:?}", library.glibc_symbols);
    }

    #[test]
    fn foreign_bytes_are_refused() {
        assert!(matches!(Library::inspect(b"MZ"), Err(NotALibrary::Unreadable(_))));
        let mut own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        own[16] = 1;
        assert_eq!(Library::inspect(&own), Err(NotALibrary::Type(1)));
        own[16] = 3;
        own[18] = 183;
        assert_eq!(Library::inspect(&own), Err(NotALibrary::Machine(Architecture::Aarch64)));
        own.truncate(100);
        assert!(matches!(Library::inspect(&own), Err(NotALibrary::Unreadable(_))));
    }
}
