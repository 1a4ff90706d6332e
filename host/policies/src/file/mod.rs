//! Files: they are read within a limit, and written whole or not at all.

mod output;
mod replace;

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

pub use output::{Expected, Output};
pub use replace::{clear, make_folder, replace};

/// Most bytes of a file that trellis writes for itself: a recorded state, a saved plan, a status.
pub const MAX_OWN: u64 = 16 << 20;

/// The input is longer than the limit.
#[derive(Debug, thiserror::Error)]
#[error("it has more than {} MiB, which is the limit; check that it is the file that you mean", .0 >> 20)]
struct TooLarge(u64);

/// All bytes of a file, a pipe or a device. More than `most` bytes are an error, and are not read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    // Room for all of it from the start, so that nothing of a secret is copied about.
    let expected = file.metadata()?.len().min(most);
    take(file, most, usize::try_from(expected).unwrap_or_default())
}

/// All bytes of a stream. More than `most` bytes are an error, and are not read.
pub fn limited(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    take(stream, most, 0)
}

fn take(stream: impl Read, most: u64, expected: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(expected);
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge(most)))
    } else {
        Ok(bytes)
    }
}

/// Opens a regular file. Anything else is an error: to open a pipe would wait for its writer.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// Bytes as text, which must be UTF-8.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(all(test, unix))]
mod tests;
