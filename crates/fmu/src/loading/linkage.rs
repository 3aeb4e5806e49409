//! What a shared library says about its links to others.

use std::ops::Range;

use object::{
    Endianness, Object, ObjectSegment, ObjectSymbol, SegmentFlags,
    elf::{DT_NEEDED, DT_SONAME, PF_X},
    read::elf::ElfFile64,
};

use crate::library::{text, texts};

/// The dynamic tables of a library, of any machine.
pub(crate) struct Linkage {
    /// The name under which the dynamic linker knows it once it is loaded, if the file has one.
    pub soname: Option<String>,
    /// File names of the libraries that it needs.
    pub needed: Vec<String>,
    /// Names of the symbols that it exports or that others must provide.
    pub symbols: Vec<String>,
    /// The places in the file of what can be executed.
    pub code: Vec<Range<usize>>,
}

impl Linkage {
    /// # Errors
    /// The bytes are not a 64-bit ELF file.
    pub fn read(bytes: &[u8]) -> Result<Self, object::read::Error> {
        let elf = ElfFile64::<Endianness>::parse(bytes)?;
        let is_code = |flags| matches!(flags, SegmentFlags::Elf { p_flags, .. } if p_flags.0 & PF_X.0 != 0);
        let code = elf.segments().filter(|segment| is_code(segment.flags())).filter_map(|segment| {
            let (start, size) = segment.file_range();
            Some(start.try_into().ok()?..start.checked_add(size)?.try_into().ok()?)
        });
        let symbols = elf.dynamic_symbols().map(|symbol| Ok(text(symbol.name_bytes()?)));
        Ok(Self {
            soname: texts(&elf, &[DT_SONAME])?.pop(),
            needed: texts(&elf, &[DT_NEEDED])?,
            symbols: symbols.collect::<Result<_, object::read::Error>>()?,
            code: code.collect(),
        })
    }
}
