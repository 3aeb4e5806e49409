use super::{Group, a};
use crate::hostile_suite::case::Case;
use tests::hostile::{BadArchive, Entry};

pub const GROUP: Group = Group { title: "Libraries", faults };

/// Changes the bytes of the library.
fn damaged(name: impl Into<String>, change: impl FnOnce(&mut Vec<u8>) + 'static) -> Case {
    let fmu = a().edit_archive(|entries| {
        let mut library = entries[1].data.clone();
        change(&mut library);
        entries[1] = Entry::stored("binaries/linux64/a.so", library);
    });
    Case::new(name, fmu)
}

/// Where the program headers begin: behind the header of the file.
const SEGMENTS: usize = 64;
/// The length of one.
const SEGMENT: usize = 56;

fn word(data: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(data[at..at + 8].try_into().unwrap())
}

/// Offset of the first segment of this type.
fn segment(data: &[u8], kind: u32) -> usize {
    let count = usize::from(u16::from_le_bytes([data[56], data[57]]));
    let is_kind = |at: &usize| data[*at..*at + 4] == kind.to_le_bytes();
    (0..count).map(|index| SEGMENTS + index * SEGMENT).find(is_kind).unwrap()
}

const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;

/// Overwrites the content of the dynamic section.
fn spoil_dynamic(data: &mut [u8], value: u8) {
    let header = segment(data, DYNAMIC);
    let (start, size) = (word(data, header + 8) as usize, word(data, header + 32) as usize);
    data[start..start + size].fill(value);
}

fn faults() -> Vec<Case> {
    const TRUNCATED: &str = "truncated or damaged";
    const LOADING: &[&str] = &["a.fmu", "library did not return", "SIGSEGV"];
    let mut cases = vec![
        Case::new("needs a library that is not there", a().neighbor(false)).refused(&["a.so cannot be loaded", "libneighbor.so"]),
        Case::new("needs a library beside it, without run path", a().neighbor(true)).runs(&["had to load libneighbor.so first"]),
        Case::new("needs a function that nobody has", a().define("NEEDS_NOBODY")).refused(&["a.so cannot be loaded", "nobody"]),
        Case::archive("library of another name", BadArchive::Misnamed).runs(&["library `other.so` should be named `bad.so`"]),
        Case::archive("two libraries of other names", BadArchive::TwoMisnamed)
            .ends(11, &["unclear which of another.so, other.so"])
            .checked(11, &["more than one"]),
        Case::archive("no library", BadArchive::NoBinary).refused(&["no library"]),
        Case::archive("libraries of other platforms", BadArchive::ForeignPlatform)
            .refused(&["no library for linux64", "darwin64, win64"]),
        Case::archive("empty library", BadArchive::EmptyLibrary).refused(&["not an ELF file"]),
        Case::archive("text instead of a library", BadArchive::TextLibrary).refused(&["not an ELF file"]),
        Case::archive("library for another processor", BadArchive::ForeignMachine).refused(&["another processor"]),
        Case::archive("library of 32 bits", BadArchive::ForeignClass).refused(&["another word size"]),
        Case::archive("object file", BadArchive::NotALibrary).refused(&["not a shared library"]),
        damaged("other byte order", |data| data[5] = 2).refused(&["another word size or byte order"]),
    ];
    cases.extend([1, 16, 63, 64, 100, 300].map(|length| {
        let reason = if length < 4 {
            "not an ELF file"
        } else if length < 6 {
            "word size"
        } else {
            TRUNCATED
        };
        damaged(format!("truncated to {length} bytes"), move |data| data.truncate(length)).refused(&[reason])
    }));
    cases.extend([1, 2, 3, 4, 5, 6].map(|eighths| {
        damaged(format!("truncated to {eighths} eighths"), move |data| data.truncate(data.len() * eighths / 8))
            .refused(&[TRUNCATED])
    }));
    cases.extend([
        damaged("no segments", |data| data[56..58].fill(0)).refused(&[TRUNCATED]),
        damaged("more segments than the file holds", |data| data[56..58].fill(0xff)).refused(&[TRUNCATED]),
        damaged("segments that begin behind the file", |data| data[32..40].fill(0x7f)).refused(&[TRUNCATED]),
        damaged("segment that is larger than its memory", |data| {
            let at = segment(data, LOAD) + 40;
            data[at..at + 8].fill(0);
        })
        .refused(&[TRUNCATED]),
        damaged("segment of absurd size in memory", |data| {
            let at = segment(data, LOAD) + 40;
            data[at..at + 8].copy_from_slice(&(1_u64 << 60).to_le_bytes());
        })
        .refused(&["a.so cannot be loaded"]),
        damaged("dynamic section of zeros", |data| spoil_dynamic(data, 0)).ends(17, LOADING).checked(17, LOADING),
        damaged("dynamic section of garbage", |data| spoil_dynamic(data, 0x5a)).ends(17, LOADING).checked(17, LOADING),
    ]);
    cases
}
