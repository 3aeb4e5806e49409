//! A zip writer that writes any content, valid or not.

use std::io::{Read, Write};

/// An entry of an archive. The fields are written unchanged.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Path inside the archive.
    pub name: String,
    /// The bytes in the archive, compressed as `method` specifies.
    pub data: Vec<u8>,
    /// Declared size of the uncompressed data.
    pub size: u32,
    /// Declared checksum.
    pub crc: u32,
    /// Compression method: 0 stored, 8 deflated, 12 bzip2, 14 LZMA ….
    pub method: u16,
    /// General purpose flags: 1 = encrypted, 8 = sizes follow the data, 0x800 = UTF-8 name.
    pub flags: u16,
    /// Unix file mode, type included: 0o100644 for a file, 0o120777 for a symbolic link.
    pub mode: u32,
}

impl Entry {
    /// Creates a valid entry without compression.
    pub fn stored(name: &str, data: impl Into<Vec<u8>>) -> Self {
        let data = data.into();
        let (size, crc) = (length(data.len()), crc32(&data));
        Self { name: name.to_owned(), data, size, crc, method: 0, flags: 0, mode: 0o100_644 }
    }

    /// Creates a valid entry with compression.
    pub fn deflated(name: &str, data: &[u8]) -> Self {
        let (compressed, crc) = deflate(data).unwrap_or_else(|error| panic!("deflate {name}: {error}"));
        Self { size: length(data.len()), crc, method: 8, ..Self::stored(name, compressed) }
    }

    /// Creates a symbolic link to `target`.
    pub fn link(name: &str, target: &str) -> Self {
        Self { mode: 0o120_777, ..Self::stored(name, target) }
    }
}

/// Returns the archive with these entries in this order.
pub fn pack(entries: &[Entry]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let offset = length(archive.len());
        archive.extend(0x0403_4b50_u32.to_le_bytes());
        archive.extend(common_header(entry));
        archive.extend(entry.name.as_bytes());
        archive.extend(&entry.data);
        directory.extend(0x0201_4b50_u32.to_le_bytes());
        directory.extend(0x0314_u16.to_le_bytes()); // made by: Unix, version 2.0
        directory.extend(common_header(entry));
        directory.extend([0; 6]); // no comment, first disk, internal attributes
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(entry.name.as_bytes());
    }
    let start = length(archive.len());
    archive.extend(&directory);
    archive.extend(end_of_directory(short(entries.len()), length(directory.len()), start));
    archive
}

/// Returns the common part of a local header and a directory entry.
fn common_header(entry: &Entry) -> Vec<u8> {
    let mut header = Vec::with_capacity(26);
    header.extend(20_u16.to_le_bytes()); // version needed: 2.0
    header.extend(entry.flags.to_le_bytes());
    header.extend(entry.method.to_le_bytes());
    header.extend([0, 0, 0x21, 0]); // 1980-01-01
    header.extend(entry.crc.to_le_bytes());
    header.extend(length(entry.data.len()).to_le_bytes());
    header.extend(entry.size.to_le_bytes());
    header.extend(short(entry.name.len()).to_le_bytes());
    header.extend([0; 2]); // no extra field
    header
}

fn end_of_directory(entries: u16, size: u32, start: u32) -> Vec<u8> {
    let mut end = Vec::with_capacity(22);
    end.extend(0x0605_4b50_u32.to_le_bytes());
    end.extend([0; 4]); // one disk
    end.extend(entries.to_le_bytes());
    end.extend(entries.to_le_bytes());
    end.extend(size.to_le_bytes());
    end.extend(start.to_le_bytes());
    end.extend([0; 2]); // no comment
    end
}

/// Returns the compressed data and the checksum of the uncompressed data.
fn deflate(data: &[u8]) -> Result<(Vec<u8>, u32), zip::result::ZipError> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("data", zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated))?;
    writer.write_all(data)?;
    let mut archive = zip::ZipArchive::new(writer.finish()?)?;
    let mut file = archive.by_index_raw(0)?;
    let mut compressed = Vec::new();
    file.read_to_end(&mut compressed)?;
    Ok((compressed, file.crc32()))
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    crc.sum()
}

fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or_else(|_| panic!("{length} bytes do not fit into a plain zip archive"))
}

fn short(length: usize) -> u16 {
    u16::try_from(length).unwrap_or_else(|_| panic!("{length} does not fit into 16 bits of a zip archive"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_entries_are_read_back_by_the_zip_crate() {
        let zeros = vec![0; 100_000];
        let entries = [Entry::stored("a.txt", "hello"), Entry::deflated("b/c.bin", &zeros), Entry::link("l", "a.txt")];
        assert!(entries[1].data.len() < 1000);
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(pack(&entries))).unwrap();
        let mut read = |name: &str| {
            let mut data = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut data).unwrap();
            data
        };
        assert_eq!(read("a.txt"), b"hello");
        assert_eq!(read("b/c.bin"), zeros);
        assert!(archive.by_name("l").unwrap().is_symlink());
    }
}
