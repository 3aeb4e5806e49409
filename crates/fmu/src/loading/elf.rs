//! The header of a shared library, checked before the dynamic linker reads it: a truncated library kills the process in `dlopen`.

use object::Endianness;
use object::elf::{ELFCLASS64, ELFDATA2LSB, EM_AARCH64, EM_RISCV, EM_X86_64, ET_DYN, FileHeader64, Machine, ProgramHeader64};
use object::read::ReadRef;
use object::read::elf::{FileHeader, ProgramHeader};

use crate::ElfProblem;

/// The machine type of this process.
const MACHINE: Machine = if cfg!(target_arch = "x86_64") {
    EM_X86_64
} else if cfg!(target_arch = "riscv64") {
    EM_RISCV
} else {
    EM_AARCH64
};

/// Checks class, byte order, machine and type, and that every segment lies inside the file.
pub(crate) fn check<'data>(data: impl ReadRef<'data>) -> Result<(), ElfProblem> {
    if !cfg!(target_os = "linux") {
        // Other systems have other formats, which their loaders check.
        return Ok(());
    }
    if data.read_bytes_at(0, 4) != Ok(b"\x7fELF") {
        return Err(ElfProblem::NotElf);
    }
    if data.read_bytes_at(4, 2) != Ok(&[ELFCLASS64.0, ELFDATA2LSB.0]) {
        return Err(ElfProblem::OtherClass);
    }
    let header = FileHeader64::<Endianness>::parse(data).map_err(|_| ElfProblem::Truncated)?;
    let endian = header.endian().map_err(|_| ElfProblem::OtherClass)?;
    let (machine, kind) = (header.e_machine(endian), header.e_type(endian));
    if machine != MACHINE {
        return Err(ElfProblem::OtherMachine { machine: machine.0 });
    }
    if kind != ET_DYN {
        return Err(ElfProblem::NotShared { kind: kind.0 });
    }
    let segments = header.program_headers(endian, data).map_err(|_| ElfProblem::Truncated)?;
    let length = data.len().map_err(|()| ElfProblem::Truncated)?;
    let is_inside = |segment: &ProgramHeader64<Endianness>| {
        let size = segment.p_filesz(endian);
        segment.p_offset(endian).checked_add(size).is_some_and(|end| end <= length) && size <= segment.p_memsz(endian)
    };
    if segments.is_empty() || !segments.iter().all(is_inside) {
        return Err(ElfProblem::Truncated);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any shared library suffices; this process has loaded at least libc.
    fn library() -> Vec<u8> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let path = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|path| path.contains("libc.so")).unwrap();
        std::fs::read(path).unwrap()
    }

    #[test]
    fn a_whole_library_passes_and_a_truncated_one_does_not() {
        let library = library();
        assert_eq!(check(&*library), Ok(()));
        for length in [0, 3, 5, 40, 100, library.len() / 2] {
            assert!(check(&library[..length]).is_err(), "{length}");
        }
        assert_eq!(check(&library[..library.len() / 2]), Err(ElfProblem::Truncated));
    }

    #[test]
    fn foreign_libraries_are_distinguished() {
        let library = library();
        let with = |offset: usize, byte: u8| {
            let mut changed = library.clone();
            changed[offset] = byte;
            check(&*changed)
        };
        assert_eq!(check(&b"MZ\x90 a DLL"[..]), Err(ElfProblem::NotElf));
        assert_eq!(with(4, 1), Err(ElfProblem::OtherClass));
        assert_eq!(with(5, 2), Err(ElfProblem::OtherClass));
        assert_eq!(with(18, 8), Err(ElfProblem::OtherMachine { machine: 8 }));
        assert_eq!(with(16, 2), Err(ElfProblem::NotShared { kind: 2 }));
    }
}
