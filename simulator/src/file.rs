//! Files are read within a limit.

use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;

/// The input is longer than the limit.
#[derive(Debug, thiserror::Error)]
#[error("it has more than {} MiB{}, which is the limit; check that it is the file that you mean", .most >> 20, if *.is_line { " in a line" } else { "" })]
struct TooLarge {
    most: u64,
    is_line: bool,
}

/// All bytes of a regular file. Anything else is an error: to open a pipe would wait for its writer. More than
/// `most` bytes are an error, and are not read.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(not_regular());
    }
    within(found.len(), most, false)?;
    let mut bytes = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    within(bytes.len() as u64, most, false)?;
    Ok(bytes)
}

/// The error for a path that is not a regular file.
pub(crate) fn not_regular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")
}

/// Reads the next line with its end into a buffer, and nothing at the end of the file. More than `most` bytes are
/// an error, and are not read.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, most: u64) -> io::Result<()> {
    line.clear();
    input.take(most.saturating_add(1)).read_until(b'\n', line)?;
    within(line.len() as u64, most, true)
}

fn within(length: u64, most: u64, is_line: bool) -> io::Result<()> {
    if length > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge { most, is_line }));
    }
    Ok(())
}
