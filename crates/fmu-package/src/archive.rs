//! The zip file of an FMU. The same entries yield the same bytes, regardless of time and machine.

use std::collections::BTreeMap;
use std::io::{self, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Name of the first entry, so that a reader finds it without a seek.
pub(crate) const MODEL_DESCRIPTION: &str = "modelDescription.xml";

/// Writes all entries: the model description first, then the others by name, deflated, with a fixed date and fixed permissions.
pub(crate) fn write(entries: &BTreeMap<String, Vec<u8>>, out: impl Write + Seek) -> io::Result<()> {
    let mut zip = ZipWriter::new(out);
    let (first, others): (Vec<_>, Vec<_>) = entries.iter().partition(|(name, _)| *name == MODEL_DESCRIPTION);
    for (name, bytes) in first.into_iter().chain(others) {
        zip.start_file(name.as_str(), options(name))?;
        zip.write_all(bytes)?;
    }
    zip.finish()?.flush()
}

/// Returns the options of an entry. Pictures are already compressed; libraries are executable, as the linker leaves them.
fn options(name: &str) -> SimpleFileOptions {
    let method = if name.ends_with(".png") { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::default())
        .unix_permissions(if name.starts_with("binaries/") { 0o755 } else { 0o644 })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn packed() -> Vec<u8> {
        let names = ["model.png", "binaries/linux64/a.so", MODEL_DESCRIPTION, "resources/z", "documentation/index.html"];
        let entries = names.iter().map(|name| (name.to_string(), name.repeat(50).into_bytes())).collect();
        let mut out = Cursor::new(Vec::new());
        write(&entries, &mut out).unwrap();
        out.into_inner()
    }

    #[test]
    fn the_description_is_first_and_the_rest_is_sorted() {
        let mut zip = zip::ZipArchive::new(Cursor::new(packed())).unwrap();
        let names: Vec<_> = (0..zip.len()).map(|i| zip.by_index(i).unwrap().name().unwrap().into_owned()).collect();
        let expected = [MODEL_DESCRIPTION, "binaries/linux64/a.so", "documentation/index.html", "model.png", "resources/z"];
        assert_eq!(names, expected);
    }

    #[test]
    fn local_headers_have_no_streaming_flag_and_need_no_more_than_zip_2_0() {
        let bytes = packed();
        let headers: Vec<_> = (0..bytes.len() - 10).filter(|&at| bytes[at..].starts_with(b"PK\x03\x04")).collect();
        assert_eq!(headers.len(), 5);
        for at in headers {
            let word = |offset: usize| u16::from_le_bytes([bytes[at + offset], bytes[at + offset + 1]]);
            assert!(word(4) <= 20, "version needed {}", word(4));
            assert_eq!(word(6), 0, "flags");
            assert!(matches!(word(8), 0 | 8), "method {}", word(8));
        }
    }

    #[test]
    fn the_bytes_do_not_depend_on_the_time_of_writing() {
        assert_eq!(packed(), packed());
    }
}
